"""Ordinal numbers in words, as programmes say who plays when."""

from apps.core.texts import Texts

# sources of gettext
WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth"),
)


def ordinal(number: int, t: Texts) -> str:
    """Return a number from 1 on as a word, from 21 on as "number 21"."""
    return t(WORDS[number - 1]) if number <= len(WORDS) else t("number {n}").format(n=number)
