"""Test texts in a language that the caller passes."""

from django.utils import translation

from apps.core.texts import texts


def test_texts_returns_the_english_source():
    assert texts("en")("Latest News") == "Latest News"


def test_texts_leaves_an_empty_text_empty():
    assert texts("en")("") == ""


def test_plural_follows_the_number():
    t = texts("en")
    assert t.plural("%(n)d performance", "%(n)d performances", 1) == "1 performance"
    assert t.plural("%(n)d performance", "%(n)d performances", 0) == "0 performances"


def test_texts_speaks_its_language_whatever_is_active():
    assert texts("de")("January") == "Januar"
    with translation.override("de"):
        assert texts("en")("January") == "January"


def test_texts_of_an_unknown_language_reads_english():
    assert texts("tlh")("Latest News") == "Latest News"
    assert texts("tlh").plural("%(n)d piece", "%(n)d pieces", 2) == "2 pieces"
