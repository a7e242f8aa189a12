"""Which characters a text from a browser may contain, so that PostgreSQL can store it."""

from typing import Any

UNSTORABLE = "This text has a character that cannot be stored. Please remove it and try again."


def storable(text: str) -> str:
    """Return `text` as PostgreSQL can store it: without NUL, with a question mark for each lone surrogate."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_storable(value: Any) -> bool:
    """Whether all texts of a JSON value, names included, can be stored: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return storable(value) == value
    if isinstance(value, dict):
        return all(is_storable(name) and is_storable(each) for name, each in value.items())
    return all(map(is_storable, value)) if isinstance(value, list) else True
