"""Which characters a text may hold: the one rule for all that browsers send and PostgreSQL stores."""

from typing import Any

UNSTORABLE = "This text has a character that cannot be stored. Please remove it and try again."


def storable(text: str) -> str:
    """Return `text` without NUL, a question mark for each half of a character: what PostgreSQL can store of it."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_storable(value: Any) -> bool:
    """Whether all texts of a JSON value, names included, can be stored: none has NUL or a half of a character."""
    if isinstance(value, str):
        return storable(value) == value
    if isinstance(value, dict):
        return all(is_storable(name) and is_storable(each) for name, each in value.items())
    return all(map(is_storable, value)) if isinstance(value, list) else True
