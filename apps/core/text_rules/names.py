"""Names of people: how they are compared and how they are shortened."""

import re
import string
import unicodedata

from anyascii import anyascii

# Points of Hebrew, vowel signs and the stretch of Arabic: readers leave them out, and so do people who type.
_UNWRITTEN = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
# One letter of German and the Nordic languages, as keyboards without it spell it; in this order.
DIGRAPHS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
SIGNS = string.punctuation + " "
_NO_SIGNS = str.maketrans("", "", SIGNS)
_INVISIBLE = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")  # joiners stay: Persian and Indic names need them
_ONE_WAY = str.maketrans("‐‑‒–’‘ʼ`´", "-" * 4 + "'" * 5)


def fold(text: str) -> str:
    """Return `text` in lower-case ASCII with single spaces, for searching and sorting."""
    return " ".join(ascii_text(text).lower().split())


def ascii_text(text: str) -> str:
    """Return `text` in ASCII, the same for composed and decomposed, full-width and plain letters.

    Invisible signs are dropped; those that have no picture become a space.
    """
    composed = unicodedata.normalize("NFKC", text)
    visible = (sign for sign in composed if unicodedata.category(sign) != "Cf")
    printable = "".join(sign if sign.isprintable() else " " for sign in visible)
    return anyascii(_UNWRITTEN.sub("", printable))


def name_clean(text: str) -> str:
    """Return a name as it is stored: without signs that take no room, with single spaces."""
    return " ".join(text.translate(_INVISIBLE).split())


def same_text(text: str) -> str:
    """Return what two names that read the same have in common: capitals, hyphens and invisible signs do not count."""
    if text.isascii():
        return " ".join(text.lower().split())
    composed = unicodedata.normalize("NFKC", text).translate(_ONE_WAY).casefold()
    return " ".join("".join(sign for sign in composed if unicodedata.category(sign) != "Cf").split())


def has_letter(text: str) -> bool:
    """Whether a text has a letter of any script."""
    return any(map(str.isalpha, text))


def name_key(folded: str) -> str:
    """Return a folded name as one word without hyphens, apostrophes and spaces, and with `DIGRAPHS` as one letter.

    "Seong-jin" and "Seongjin", "D'Arcy" and "Darcy", "Müller" and "Mueller" have one key; so have a few other names.
    """
    key = folded.translate(_NO_SIGNS)
    for pair, letter in DIGRAPHS:
        key = key.replace(pair, letter)
    return key


def search_texts(name: str) -> str:
    """Return what a browser searches a name in: folded, its keys with either end first, and as it is without spaces."""
    words = name.split()
    orders = (words, words[-1:] + words[:-1])
    keys = (name_key(fold("".join(order))) for order in orders)
    return " ".join(dict.fromkeys([fold(name), *keys, *("".join(order).lower() for order in orders)]))


def _capital(word: str) -> str:
    """Return the first capital of a word, or nothing for particles such as "van"."""
    return next((sign for sign in word if sign.isupper()), "")


def initials(name: str) -> str:
    """Return the one or two letters that stand for a person without a picture."""
    words = name.split()
    capitals = [capital for word in words if (capital := _capital(word))]
    if capitals:
        return "".join(capitals[:2])
    letter = next((sign for sign in name if sign.isalnum()), "")
    return letter.upper()[:1]
