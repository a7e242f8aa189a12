"""Live reactions on a session's page: the floating ones, and this viewer's taps."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from apps.core.texts import texts
from apps.live.enums import Reaction
from apps.live.limits import TAPS_AT_ONCE
from apps.live.services import Taps
from components.hooks.connection import use_page_connection
from components.markup import Markup, VdomDict, cached_markup, component, html, use_state, web_module
from components.parts.reactions.bar import BAR
from components.rendering.parts import Ref, shared_part
from components.ui.blocks import link

OVERLAY = web_module("modules/reactions.js", "Reactions")


def taps_read(sent: tuple[Any, ...], *, session_id: int, user_id: int) -> Taps | None:
    """Return the taps that a browser sent, None for malformed data."""
    match sent:
        case [{"key": str(text), "types": [*names]}] if 0 < len(names) <= TAPS_AT_ONCE:
            try:
                return Taps(session_id, user_id, UUID(text), tuple(Reaction(name) for name in names))
            except ValueError:
                return None
    return None


@cached_markup
def reactions_for_strangers(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """Return the row below the video for strangers: the bar and a link to sign in."""
    t, way_in = texts(language), "/login?" + urlencode({"next": f"/sessions/{session_id}#{BAR}"})
    overlay = OVERLAY({"bar": BAR, "leave": way_in})
    invitation = html.p({"class": "small"}, link(way_in, t("Sign in to react")))
    return below(overlay, shared_part(bar), invitation, shared_part(label))


@component
def reactions_for_members(session_id: int, bar: Ref, label: Ref, language: str) -> VdomDict:
    """The row below the video for the signed-in: the bar, whose taps are sent."""
    t, connection = texts(language), use_page_connection()
    (answer, refusal), set_answer = use_state(({"key": "", "taken": 0}, ""))

    async def on_taps(*sent: Any) -> None:
        taps = taps_read(sent, session_id=session_id, user_id=connection.viewer.id or 0)
        stored = await connection.react(taps) if taps else None
        if stored is not None:
            set_answer(({"key": sent[0]["key"], "taken": stored[0]}, stored[1]))

    overlay = OVERLAY({"bar": BAR, "most": TAPS_AT_ONCE, "answer": answer, "onTaps": on_taps})
    return below(
        overlay, shared_part(bar), html.p({"class": "small", "role": "status"}, t(refusal)), shared_part(label)
    )


def below(*children: Markup) -> VdomDict:
    """Return the row below the video."""
    return html.div({"class": "stage__below"}, *children)
