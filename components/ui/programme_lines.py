"""Lines of a programme: the title leads, dots carry the eye, the action ends the line."""

from collections.abc import Mapping
from typing import Any

from apps.core.texts import texts
from components.markup import Markup, VdomDict, html, still
from components.ui.piece_title import Piece, work, work_text

COMPOSER = ("Fryderyk Chopin", "1810–1849")


@still
def composer() -> VdomDict:
    """Return the line above a programme: the one composer whom the competition honours."""
    name, years = COMPOSER
    return html.p({"class": "composer"}, html.b(name), " ", html.span({"class": "muted"}, years))


def line(key: str, piece: Piece, watch: Markup, *, language: str) -> VdomDict:
    """Return one piece of a programme with its Watch link, where there is a video."""
    dots = html.span({"class": "dots"}) if watch else None
    return html.li({"key": key}, work(piece, language=language), dots, watch)


def watch_link(to: str, piece: Piece, *, language: str, whose: str = "", attributes: Mapping[str, Any]) -> VdomDict:
    """Return the link that plays this piece; its name says which, and `whose` where several play the same."""
    t = texts(language)
    name = t("Watch: {piece}").format(piece=work_text(piece, language=language)) + (f", {whose}" if whose else "")
    return html.a({"class": "watch", "href": to, "aria-label": name} | dict(attributes), t("Watch"))
