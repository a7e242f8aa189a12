"""A piece's title as in a printed program: title, key with its sign, opus in small capitals."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from apps.core.limits import HOUR, MINUTE
from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, cached_markup, html

HARD = "\u00a0"  # a no-break space
SIGNS = {"sharp": "♯", "flat": "♭"}
# Titles as they are shown; the Polish names of the categories are those of administration and of a program's source.
TITLES = {
    "Etude": "Étude",
    "Etudes": "Études",
    "Ecossaise": "Écossaise",
    "Ecossaises": "Écossaises",
    "Etiuda": "Étude",
    "Nokturn": "Nocturne",
    "Mazurek": "Mazurka",
}
POLISH = ("Etiuda ", "Nokturn ", "Mazurek ")
KEY = re.compile(r"([A-G])(?:-(sharp|flat))? (major|minor)")
NUMBERED = re.compile(r"\d|posth")  # opus numbers and "posth."; numbers of other catalogues contain their name: "BI 16"


class Piece(Protocol):
    """The parts of a piece's title; `opus` is a number, "posth." or another catalogue's number such as "BI 16"."""

    @property
    def name(self) -> str:
        """The stored name, shown unchanged if the parts are not known."""

    @property
    def composer(self) -> str:
        """Empty if it is not known; another one than Chopin is shown before the title."""

    @property
    def title(self) -> str:
        """Such as "Etude"."""

    @property
    def key(self) -> str:
        """Such as "C-sharp minor"."""

    @property
    def opus(self) -> int | str | None:
        """Such as 10."""

    @property
    def number(self) -> int | None:
        """The number within the opus."""

    @property
    def numbers(self) -> str:
        """Those of a set, such as "13–18"; it has no key."""


class StoredPiece(Piece, Protocol):
    """A piece with a page."""

    @property
    def id(self) -> int:
        """The piece's id."""


@dataclass(frozen=True, slots=True)
class _Parts:
    title: str
    letter: str
    sign: str
    mode: str
    opus: str


def work(piece: Piece, *, language: str, as_stored: bool = False) -> VdomDict:
    """Return the piece as in a printed program.

    Of a name whose parts are not known, the category is in English; with `as_stored`, for administration, it is not.
    """
    t = texts(language)
    parts = _parts(piece, t)
    if parts is None:
        shown = piece.name if as_stored else _name(piece, t)
        return html.span({"class": "work"}, html.b({"lang": "pl"} if shown.startswith(POLISH) else {}, shown))
    opus: list[Markup] = [" ", html.span({"class": "opus"}, parts.opus)] if parts.opus else []
    if not parts.letter:
        return html.span({"class": "work"}, html.b(parts.title), *opus)
    return html.span({"class": "work"}, html.b(parts.title), " ", _key(parts, t), *opus)


def work_text(piece: Piece, *, language: str, as_stored: bool = False) -> str:
    """Return the piece as plain text, for the labels of links: "Étude in C♯ minor, op. 10 no. 4"."""
    t = texts(language)
    parts = _parts(piece, t)
    if parts is None:
        return piece.name if as_stored else _name(piece, t)
    key = f" {t('in')} {parts.letter}{parts.sign} {parts.mode}" if parts.letter else ""
    words = f"{parts.title}{key}"
    return f"{words}, {parts.opus}".replace(HARD, " ") if parts.opus else words


def _name(piece: Piece, t: Texts) -> str:
    """Return the stored name with its first word, if that is a category, as it is shown."""
    first, space, rest = piece.name.partition(" ")
    return _by(piece, f"{t(TITLES.get(first, first))}{space}{rest}")


def _by(piece: Piece, title: str) -> str:
    """Return a title after its composer, if that is not the competition's."""
    by = other_composer(piece)
    return f"{by}: {title}" if by else title


def other_composer(piece: Piece) -> str:
    """Return the composer of a piece; empty for the competition's, and for an unknown one."""
    return "" if COMPOSER[0].split()[-1].lower() in piece.composer.lower() else piece.composer


def member_work(member: Piece, whole: Piece, *, language: str) -> VdomDict:
    """Return a piece of the set `whole` as in a printed program; without its title and opus if the set has them."""
    t = texts(language)
    parts = _parts(member, t)
    if parts is None or not parts.letter or not member.number or not whole.numbers or member.opus != whole.opus:
        return work(member, language=language)
    return html.span({"class": "work"}, html.span({"class": "opus"}, f"no.{HARD}{member.number}"), " ", _key(parts, t))


def _key(parts: _Parts, t: Texts) -> VdomDict:
    sign = html.span({"class": "acc"}, parts.sign) if parts.sign else None
    return html.span({"class": "work__key"}, f"{t('in')} {parts.letter}", sign, f"{HARD}{parts.mode}")


def title_text(piece: Piece, *, language: str) -> str:
    """Return the title alone, such as "Étude"; the stored name if its parts are not known."""
    t = texts(language)
    parts = _parts(piece, t)
    return parts.title if parts else _name(piece, t)


def opus_number(piece: Piece) -> VdomDict:
    """Return the opus and number alone, in small capitals."""
    return html.span({"class": "opus"}, _opus(piece))


def _parts(piece: Piece, t: Texts) -> _Parts | None:
    key = KEY.fullmatch(piece.key or "")
    title = _by(piece, t(TITLES.get(piece.title, piece.title)))
    if piece.title and piece.numbers:
        return _Parts(title, "", "", "", _opus(piece))
    if not piece.title or key is None:
        return None
    letter, accidental, mode = key.groups()
    words = {"major": t("major"), "minor": t("minor")}
    return _Parts(title, letter, SIGNS.get(accidental, ""), words[mode], _opus(piece))


def _opus(piece: Piece) -> str:
    opus = str(piece.opus or "").replace(" ", HARD)
    if NUMBERED.match(opus):
        opus = f"op.{HARD}{opus}"
    number = f"no.{HARD}{piece.number}" if piece.number else f"nos.{HARD}{piece.numbers}" if piece.numbers else ""
    return " ".join(filter(None, [opus, number]))


CATEGORY = {"lang": "pl", "translate": "no"}  # attributes of a category's label that is Polish, as the specification's


def category_marks(label: str) -> dict[str, str]:
    """Return the attributes of a category's label: the specification's are Polish, the others English."""
    return CATEGORY if f"{label} ".startswith((*POLISH, "Scherzo ")) else {}


def category(label: str) -> VdomDict:
    """Return the label of a category, such as "Nokturn"."""
    return html.span(category_marks(label), label)


COMPOSER = ("Fryderyk Chopin", "1810–1849")


def video_second(second: int) -> str:
    """Return a second of a video as players show it: 3723 as 1:02:03, 95 as 1:35."""
    hours, rest = divmod(second, HOUR)
    minutes, seconds = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@cached_markup
def composer() -> VdomDict:
    """Return the line with the composer, above a program."""
    name, years = COMPOSER
    return html.p({"class": "composer"}, html.b(name), " ", html.span({"class": "muted"}, years))


def piece_link(piece: StoredPiece, *, language: str) -> VdomDict:
    """Return the piece as in a printed program, as a link to its page."""
    return html.a({"class": "work-link", "href": f"/pieces/{piece.id}"}, work(piece, language=language))


def others_link(piece: StoredPiece, *, language: str) -> VdomDict:
    """Return the link from a line of a program to all performances of its piece; its label names the piece."""
    words = texts(language)("Who else plays this")
    name = f"{words}: {work_text(piece, language=language)}"
    return html.a({"class": "link small", "href": f"/pieces/{piece.id}", "aria-label": name}, words)


def line(key: str, piece: StoredPiece, watch: Markup, parts: Markup = None, *, language: str) -> VdomDict:
    """Return one line of a program: the piece, the links to its other performances and its video, and its parts."""
    ways = html.span({"class": "lines__ways"}, others_link(piece, language=language), watch)
    return html.li({"key": key}, piece_link(piece, language=language), html.span({"class": "dots"}), ways, parts)


def watch_link(
    to: str,
    piece: Piece,
    *,
    language: str,
    part: str = "",
    whose: str = "",
    at: str = "",
    attributes: Mapping[str, Any],
) -> VdomDict:
    """Return the link that plays this piece, or its `part` with this name.

    Its label names the piece, and the performer `whose` to distinguish it. `at` is its begin in the video, as "5:31".
    """
    t = texts(language)
    words = f"{t('Watch')} {at}".strip()
    name = f"{words}: " + ", ".join(filter(None, (part, work_text(piece, language=language), whose)))
    shown: tuple[Markup, ...] = (html.span(f"{t('Watch')} "), at) if at else (words,)
    return html.a({"class": "watch", "href": to, "aria-label": name} | dict(attributes), *shown)
