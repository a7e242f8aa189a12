"""Live reactions on a session's page: what floats, and what this viewer taps."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from apps.core.texts import texts
from apps.live.enums import Reaction
from apps.live.services import Taps
from components.hooks.carrier import use_carrier
from components.markup import VdomDict, component, html, use_state, web_module
from components.parts.reactions import BAR
from components.ui.blocks import link

MOST = 10  # taps in one message
OVERLAY = web_module("modules/reactions.js", "Reactions")


def taps_read(asked: Any, *, session_id: int, user_id: int) -> Taps | None:
    """Return the taps that a browser sent, None for what no client of ours sends."""
    match asked:
        case {"key": str(text), "types": [*names]} if 0 < len(names) <= MOST:
            try:
                return Taps(session_id, user_id, UUID(text), tuple(Reaction(name) for name in names))
            except ValueError:
                return None
    return None


@component
def reacting(session_id: int, language: str) -> VdomDict:
    """The overlay above the video, and what a stranger is told."""
    _, carrier = texts(language), use_carrier()
    viewer = carrier.viewer
    (answer, refusal), set_answer = use_state(({"key": "", "taken": 0}, ""))

    async def on_taps(asked: Any) -> None:
        taps = taps_read(asked, session_id=session_id, user_id=viewer.id) if viewer.id else None
        stored = await carrier.react(taps) if taps else None
        if stored is not None:
            set_answer(({"key": asked["key"], "taken": stored[0]}, stored[1]))

    way_in = "/login?" + urlencode({"next": f"/sessions/{session_id}"})
    overlay = {"bar": BAR, "leave": "" if viewer.is_signed_in else way_in, "answer": answer, "onTaps": on_taps}
    return html.div(
        OVERLAY(overlay),
        html.p({"class": "small", "role": "status"}, _(refusal)),
        None if viewer.is_signed_in else html.p({"class": "small"}, link(way_in, _("Sign in to react"))),
        html.p({"class": "small muted scriptless"}, _("Reacting needs JavaScript.")),
    )
