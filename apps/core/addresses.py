"""Addresses that are not pages: files, pictures, posted forms. The usual spelling of any address.

`project/http/addresses.py` is their table. An app adds its own as `ADDRESSES` of its module `addresses`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

_AROUND_LINKS = ")]}>\"'’”»›“.,）］｝」』》〉。，、/"  # signs that programs take for the end of a link


@dataclass(frozen=True, slots=True)
class Address:
    """One address: its path as Django writes patterns, such as "/stages/<id:stage_id>/nearest.png", and its view.

    A view is asked for GET and HEAD too, before any page; `is_posted`: it answers POST only. The converter `id` is a
    positive number in its only spelling.
    """

    pattern: str
    view: Callable[..., Any]
    is_posted: bool = False


def spellings(path: str) -> tuple[str, ...]:
    """Return the usual spellings of a path: with single slashes, and without signs of the text around a link.

    The first one keeps capital letters (secrets have them), the second one has none. Empty for a path that is one.
    """
    plain = "/" + "/".join(filter(None, unquote(path).rstrip(_AROUND_LINKS).split("/")))
    return tuple(each for each in dict.fromkeys((plain, plain.lower())) if each != path)
