"""Test texts in a language that the caller passes."""

from django.utils import translation

from apps.core.texts import texts


def test_texts_returns_the_english_source():
    t = texts("en")
    assert (t("Latest News"), t("")) == ("Latest News", "")
    assert t.plural("%(n)d performance", "%(n)d performances", 1) == "1 performance"
    assert t.plural("%(n)d performance", "%(n)d performances", 0) == "0 performances"


def test_texts_uses_its_own_language_not_the_active_one():
    assert texts("de")("January") == "Januar"
    with translation.override("de"):
        assert texts("en")("January") == "January"


def test_texts_of_an_unknown_language_are_english():
    assert texts("tlh")("Latest News") == "Latest News"
    assert texts("tlh").plural("%(n)d piece", "%(n)d pieces", 2) == "2 pieces"
