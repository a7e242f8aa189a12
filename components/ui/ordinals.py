"""Ordinal numbers: in words, as programmes say who plays when, and in digits, as rankings say who is where."""

from apps.core.texts import Texts

# sources of gettext
WORDS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth"),
)

DIGITS, OTHERS = {1: "{n}st", 2: "{n}nd", 3: "{n}rd"}, "{n}th"
TEENS = range(11, 14)


def ordinal(number: int, t: Texts) -> str:
    """Return a number from 1 on as a word, from 21 on as "number 21"."""
    return t(WORDS[number - 1]) if number <= len(WORDS) else t("number {n}").format(n=number)


def nth(number: int, t: Texts) -> str:
    """Return a number from 1 on in digits: "1st", "2nd", "3rd", "4th", "11th", "21st"."""
    ending = 0 if number % 100 in TEENS else number % 10
    return t(DIGITS.get(ending, OTHERS)).format(n=number)
