"""The picture of an ended session, 1200 × 630: title, date, performers, and the audience's marks as strings.

The card of a member's nearest juror has the same form.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from components.pictures.lettering import LOCK, SEMIBOLD, fitted, font, lettered

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

VERSION = 1  # of the drawing: a part of the pictures' ETag
WIDTH, HEIGHT = 1200, 630
KEPT = 32  # drawn pictures that a process keeps, about 30 kB each
_LEFT, _RIGHT = 72, WIDTH - 72
_PAPER, _INK, _SOFT, _RULE = "#15110f", "#f1e8d8", "#bdb09d", "#3a322b"  # the dark tokens of the style sheet
_BRASS, _BRASS_INK = "#cfa552", "#dfbc70"
_WHITE, _LINE, _BLACK, _FELT = "#ddd2bf", "#8f826f", "#2a2320", "#7d262b"
_STEPS = 16  # of the smooth edges of letters
_KEYS = 25
_BLACKS = frozenset((1, 3, 6, 8, 10))  # of an octave that begins with a white key, counted from 0
_KEYBOARD, _FELT_HIGH, _KEYS_HIGH, _BLACK_HIGH = 528, 4, 58, 36
_STRINGS_HIGH = 74
_TITLE_SIZES = (58, 52, 46, 40)  # the largest that fits
_ROWS_FROM, _ROWS_TO = 214, 440
_ROW_SIZES = ((8, 1, 26), (16, 2, 26), (27, 3, 22), (36, 3, 18))  # the most performers, columns, size of a name
_COLUMN_GAP, _NUMBER, _SCORE = 36, 44, 84


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A performer: the number in front of the name, and the score behind it, empty without the outcome."""

    number: str
    name: str
    score: str = ""


@dataclass(frozen=True, slots=True)
class SessionPicture:
    """What the picture shows, as text; `often` is how many marks of the audience are nearest to each mark, from 1."""

    site: str
    day: str
    title: str
    about: str
    rows: tuple[PictureRow, ...]
    more: str  # the words in place of performers beyond MOST, with "{n}" for their number
    often: tuple[int, ...]


MOST = _ROW_SIZES[-1][0]


def session_picture(shown: SessionPicture) -> bytes:
    """Return the picture as PNG. Equal pictures are drawn once; a process draws one at a time."""
    with LOCK:
        return _drawn(shown)


@lru_cache(maxsize=KEPT)
def _drawn(shown: SessionPicture) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415 - 4 MiB, for pictures only

    image = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    _head(draw, shown)
    _rows(draw, shown)
    _strings(draw, shown.often)
    _keyboard(draw)
    file = BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def _palette() -> "Image.Image":
    """Return the colors of all pictures: those that are drawn, and the steps from the paper to those of letters."""
    from PIL import Image, ImageColor  # noqa: PLC0415 - as above

    values = [value for each in (_RULE, _BRASS, _WHITE, _LINE, _BLACK, _FELT) for value in ImageColor.getrgb(each)]
    paper = ImageColor.getrgb(_PAPER)
    for ink in (_INK, _SOFT, _BRASS_INK):
        for step in range(_STEPS + 1):
            ends = zip(paper, ImageColor.getrgb(ink), strict=True)
            values += [round(begin + (end - begin) * step / _STEPS) for begin, end in ends]
    image = Image.new("P", (1, 1))
    image.putpalette(values)
    return image


def _head(draw: "ImageDraw.ImageDraw", shown: SessionPicture) -> None:
    small, day = font(26), lettered(shown.day)
    day_width = int(small.getlength(day))
    draw.text((_RIGHT, 62), day, font=small, fill=_SOFT, anchor="rs")
    site = fitted(lettered(shown.site), small, _RIGHT - _LEFT - day_width - _COLUMN_GAP)
    draw.text((_LEFT, 62), site, font=small, fill=_BRASS_INK, anchor="ls")
    words = lettered(shown.title)
    sizes = (size for size in _TITLE_SIZES if font(size).getlength(words) <= _RIGHT - _LEFT)
    face = font(next(sizes, _TITLE_SIZES[-1]))
    draw.text((_LEFT, 130), fitted(words, face, _RIGHT - _LEFT), font=face, fill=_INK, anchor="ls")
    draw.text((_LEFT, 174), fitted(lettered(shown.about), small, _RIGHT - _LEFT), font=small, fill=_SOFT, anchor="ls")
    draw.line((_LEFT, 196, _RIGHT, 196), fill=_RULE)


def _rows(draw: "ImageDraw.ImageDraw", shown: SessionPicture) -> None:
    """Draw the performers in columns, from top to bottom."""
    rows = _shown_rows(shown)
    if not rows:
        return
    _, columns, size = next(each for each in _ROW_SIZES if len(rows) <= each[0])
    per_column = -(-len(rows) // columns)
    high = min((_ROWS_TO - _ROWS_FROM) / per_column, 1.55 * size)
    wide = (_RIGHT - _LEFT - (columns - 1) * _COLUMN_GAP) // columns
    face, strong = font(size), font(size, SEMIBOLD)
    for at, row in enumerate(rows):
        column, line = divmod(at, per_column)
        left, below = _LEFT + column * (wide + _COLUMN_GAP), _ROWS_FROM + round((line + 0.75) * high)
        room = wide - (_NUMBER if row.number else 0) - (_SCORE if row.score else 0)
        draw.text((left, below), row.number, font=face, fill=_BRASS_INK, anchor="ls")
        name = fitted(lettered(row.name), face, room)
        draw.text((left + (_NUMBER if row.number else 0), below), name, font=face, fill=_INK, anchor="ls")
        draw.text((left + wide, below), row.score, font=strong, fill=_INK, anchor="rs")


def _shown_rows(shown: SessionPicture) -> Sequence[PictureRow]:
    if len(shown.rows) <= MOST:
        return shown.rows
    left = len(shown.rows) - MOST + 1
    return (*shown.rows[: MOST - 1], PictureRow("", shown.more.format(n=left)))


def _strings(draw: "ImageDraw.ImageDraw", often: Sequence[int]) -> None:
    """Draw the marks as strings over their keys, the longest one _STRINGS_HIGH pixels high."""
    longest = max(often, default=0)
    for key, times in enumerate(often):
        if times:
            at, high = _middle(key), max(3, round(_STRINGS_HIGH * times / longest))
            for across in (at - 5, at, at + 5):
                draw.line((across, _KEYBOARD - high, across, _KEYBOARD), fill=_BRASS, width=2)


def _middle(key: int) -> int:
    """Return the middle of a key, numbered from 0: each has an equal share of the keyboard, as on the pages."""
    share = (_RIGHT - _LEFT) / (_KEYS + 0.5)
    return round(_LEFT + (key + 0.5) * share)


def _keyboard(draw: "ImageDraw.ImageDraw") -> None:
    top = _KEYBOARD + _FELT_HIGH
    draw.rectangle((_LEFT, _KEYBOARD, _RIGHT, top), fill=_FELT)
    draw.rectangle((_LEFT, top, _RIGHT, top + _KEYS_HIGH), fill=_WHITE)
    half = (_RIGHT - _LEFT) / (2 * (_KEYS + 0.5))
    for key in range(_KEYS):
        at = _middle(key)
        if key % 12 in _BLACKS:
            draw.rectangle((round(at - half), top, round(at + half), top + _BLACK_HIGH), fill=_BLACK)
            draw.line((at, top + _BLACK_HIGH, at, top + _KEYS_HIGH), fill=_LINE)
        elif key % 12 in {4, 11} and key + 1 < _KEYS:  # two white keys without a black one between
            draw.line((round(at + half), top, round(at + half), top + _KEYS_HIGH), fill=_LINE)
