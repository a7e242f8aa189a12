"""The site's typeface in drawn pictures: which letters it has, and texts that fit a width.

The font is drawn under `LOCK`: FreeType's faces belong to one thread at a time.
"""

import unicodedata
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from apps.core.text_rules import ascii_text

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

LOCK = Lock()
FONT = Path(__file__).parents[1] / "static" / "build" / "serif.ttf"  # built by project/launcher/typeface.py
REGULAR, SEMIBOLD = 400, 600
_UNKNOWN = "\uffff"  # a code that no font has a letter for
_WRITTEN = ("L", "N")  # categories of Unicode: letters and numbers
_TRIED = 40  # size at which letters are compared, in pixels
ELLIPSIS = "…"


@cache
def font(size: int, weight: int = REGULAR) -> "FreeTypeFont":
    """Return the typeface at a size in pixels."""
    from PIL import ImageFont  # noqa: PLC0415 - 4 MiB, for pictures only

    found = ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)
    found.set_variation_by_axes([weight])
    return found


@cache
def _has(sign: str) -> bool:
    """Whether the typeface has this character: it draws another picture than that of a missing one."""
    face = font(_TRIED)
    missing, drawn = face.getmask(_UNKNOWN), face.getmask(sign)
    return (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


def lettered(text: str) -> str:
    """Return the text with characters that the typeface has: other letters are written in Latin ones, signs left out.

    "Łukasz" stays, "李" becomes "Li".
    """
    signs = unicodedata.normalize("NFC", " ".join(text.split()))
    return " ".join("".join(_known(sign) for sign in signs).split())


def _known(sign: str) -> str:
    if _has(sign):
        return sign
    if unicodedata.category(sign)[0] not in _WRITTEN:
        return ""
    base = unicodedata.normalize("NFD", sign)[0]
    written = base if base != sign and _has(base) else ascii_text(sign)
    return "".join(each for each in written if _has(each))


def fitted(text: str, face: "FreeTypeFont", width: int) -> str:
    """Return the text, shortened with an ellipsis if it is wider than `width` pixels."""
    if face.getlength(text) <= width:
        return text
    while text and face.getlength(f"{text}{ELLIPSIS}") > width:
        text = text[:-1].rstrip()
    return f"{text}{ELLIPSIS}"
