"""Addresses that are not pages: files, pictures, posted forms.

`project/http/addresses.py` is their table. An app adds its own as `ADDRESSES` of its module `addresses`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Address:
    """One address: its path as Django writes patterns, such as "/stages/<id:stage_id>/nearest.png", and its view.

    A view without `require_POST` is asked for GET and HEAD too, before any page. The converter `id` is a positive
    number in its only spelling.
    """

    pattern: str
    view: Callable[..., Any]
