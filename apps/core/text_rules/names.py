"""Names of people: how they are compared and how they are shortened."""

from anyascii import anyascii


def fold(text: str) -> str:
    """Return `text` in lower-case ASCII with single spaces, for searching and sorting."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(anyascii(printable).lower().split())


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
