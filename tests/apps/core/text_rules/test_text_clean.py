"""Test the cleaning of texts that users write."""

import unicodedata

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from apps.core.text_rules import MARKS, text_clean

CLEANED = {
    "  Bravo.\n": "Bravo.",
    "One\r\ntwo\rthree": "One\ntwo\nthree",
    "One\u2028two": "One\ntwo",
    "One\n\n\n \n\nTwo": "One\n\nTwo",
    "One\n\nTwo": "One\n\nTwo",
    "tab\tbed": "tab bed",
    "e\u0301tude": "\u00e9tude",
    "nul\x00 bell\x07": "nul bell",
    "half \ud83d sign": "half  sign",
    "\u202egnorw\u202c": "gnorw",
    "\u2067right\u2069": "right",
    "Q" + "\u0323\u0300\u0301\u0302\u0303\u0304": "Q\u0323\u0300\u0301",
    "👩‍🎤 sang": "👩‍🎤 sang",
    "Łęcka, Đoàn, 岡田": "Łęcka, Đoàn, 岡田",
    "\u200b\u00a0\u2003\u2800": "",
    "\u3164\u200d": "",
    "": "",
}


def test_text_clean_keeps_readable_text():
    assert {text: text_clean(text) for text in CLEANED} == CLEANED


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_text_clean_is_composed_and_idempotent(text):
    stored = text_clean(text)
    assert text_clean(stored) == stored
    assert unicodedata.normalize("NFC", stored) == stored
    assert stored.encode().decode() == stored


@given(st.text("a\u0300\u0301\u0323\u20dd", max_size=40))
def test_text_clean_limits_combining_marks(text):
    row = longest = 0
    for sign in text_clean(text):
        row = row + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        longest = max(longest, row)
    assert longest <= MARKS


@pytest.mark.django_db
@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_database_stores_every_cleaned_text(text):
    stored = text_clean(text)
    with connection.cursor() as cursor:
        cursor.execute(r"SELECT %s, %s ~ '^\S(.*\S)?$'", [stored, stored])
        assert cursor.fetchone() == (stored, stored != "")
