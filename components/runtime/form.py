"""Forms of plain pages, as components render them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FormMessage:
    """A message that is shown once."""

    text: str
    is_good: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """A form for components, made from Django's form."""

    action: str = ""  # the address that it is posted to; the page's own when empty
    token: str = ""  # against forged posts
    values: Mapping[str, str] = field(default_factory=dict)  # what was typed, by field; never a password
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by field; "" holds those of the whole form
    messages: tuple[FormMessage, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)  # such as next
    extra: Mapping[str, Any] = field(default_factory=dict)  # what one screen needs besides
