"""The only JSON encoder of data for browsers, both in the first HTML and in frames."""

from math import isfinite
from typing import Any

import orjson

from components.runtime.rendering.tree import CachedMarkup

# Refuse dates and dataclasses, which orjson writes differently from the HTML, and integers that JavaScript rounds.
OPTIONS = orjson.OPT_STRICT_INTEGER | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
LONGEST_SHOWN = 80  # characters of a value in a sentence


class NotEncodable(ValueError):
    """A value that JSON cannot carry to a browser unchanged. The message names its path and the value."""


class LayoutUpdate(dict[str, Any]):
    """A layout update together with its encoded JSON (`body`)."""

    __slots__ = ("body",)

    def __init__(self, update: dict[str, Any], model: bytes) -> None:
        super().__init__(update)
        self.body = b'{"type":"layout-update","path":%b,"model":%b}' % (orjson.dumps(update["path"]), model)


def encode(value: Any) -> bytes:
    """Return the value as JSON. Raises NotEncodable for values that would not arrive unchanged.

    Examples are NaN, an integer of more than 53 bits, Decimal, bytes, a set, a lone surrogate and a key that is no
    text.
    """
    try:
        body = orjson.dumps(value, option=OPTIONS)
    except orjson.JSONEncodeError as error:
        raise NotEncodable(_sentence(value) or str(error)) from None
    # orjson writes NaN as null; the only other null of a model is the fallback of a module without one
    if body.count(b"null") > body.count(b'"fallback":null') and _has_no_number(value):
        raise NotEncodable(_sentence(value))
    return body


def _has_no_number(value: Any) -> bool:
    """Return whether the value contains NaN or an infinity. Cached markup is checked when it is made."""
    if isinstance(value, float):
        return not isfinite(value)
    if isinstance(value, dict):
        return type(value) is not CachedMarkup and any(map(_has_no_number, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_no_number, value))


def _sentence(value: Any, path: str = "") -> str:
    """Return a sentence about the first value that JSON cannot carry, with its path; empty when all can be carried."""
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str) or not _is_carried(key):
                return f"{path or '/'} has the key {_shown(key)}, which no browser can be sent"
            if found := _sentence(each, f"{path}/{key}"):
                return found
        return ""
    if isinstance(value, list | tuple):
        return next(filter(None, (_sentence(each, f"{path}/{place}") for place, each in enumerate(value))), "")
    return "" if _is_carried(value) else f"{path or '/'} is {_shown(value)}, which no browser can be sent"


def _is_carried(value: Any) -> bool:
    try:
        orjson.dumps(value, option=OPTIONS)
    except orjson.JSONEncodeError:
        return False
    return not isinstance(value, float) or isfinite(value)


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!a:.{LONGEST_SHOWN}}"
