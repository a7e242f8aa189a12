"""Lines of a program: title, dots, Watch link."""

from collections.abc import Mapping
from typing import Any

from apps.core.limits import HOUR, MINUTE
from apps.core.texts import texts
from components.markup import Markup, VdomDict, cached_markup, html
from components.ui.piece_title import Piece, work, work_text

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


def line(key: str, piece: Piece, watch: Markup, *, language: str) -> VdomDict:
    """Return one piece of a programme with its Watch link, where there is a video."""
    dots = html.span({"class": "dots"}) if watch else None
    return html.li({"key": key}, work(piece, language=language), dots, watch)


def watch_link(
    to: str, piece: Piece, *, language: str, whose: str = "", at: str = "", attributes: Mapping[str, Any]
) -> VdomDict:
    """Return the link that plays this piece; its label names the piece, and `whose` where several play it.

    `at` is where in the video it begins, as "5:31".
    """
    t = texts(language)
    words = f"{t('Watch')} {at}".strip()
    name = f"{words}: {work_text(piece, language=language)}" + (f", {whose}" if whose else "")
    return html.a({"class": "watch", "href": to, "aria-label": name} | dict(attributes), words)
