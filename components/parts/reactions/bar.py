"""The reaction bar: what the audience taps while a session is live."""

import json
from functools import partial

from apps.competition.selectors import session_get
from apps.core.texts import Texts, texts
from apps.live.enums import Reaction
from apps.live.reaction_batch import TICK
from apps.live.selectors import Reactions, reactions_now
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.rendering.parts import public_part, read_once
from components.ui.blocks import visually_hidden
from components.ui.controls.commands import posted_button
from components.ui.placeholder_pictures import reaction_sign

BAR = "reactions"  # the bar's id
EVERY = TICK  # seconds between two readings, as between two writes of one process
OLD_AFTER = 5  # seconds until the counts are read again, since they are of the last half minute


@public_part(topics=lambda session_id: (f"session.{session_id}", f"session.{session_id}.reactions"), every=EVERY)
def session_reactions(session_id: int, *, language: str) -> VdomDict:
    """A button for each reaction with its count of the last half minute; nothing while the session is not live.

    `data-totals` holds the running totals; the browser draws their growth as floating reactions.
    """
    session = read_once(session_get, session_id=session_id)
    if session is None or not session.is_live:
        return html.div({"class": "reactions", "id": BAR, "hidden": True})
    nothing = Reactions(dict.fromkeys(Reaction, 0), {})
    now = read_or_nothing(partial(reactions_now, session_id=session_id), nothing, record="Error fetching reactions")
    t = texts(language)
    attributes = {"class": "reactions", "id": BAR, "data-totals": json.dumps(now.totals, separators=(",", ":"))}
    if any(now.lately.values()):
        attributes["data-refresh-after"] = str(OLD_AFTER)
    buttons = (html.li({"key": kind.value}, _button(session_id, kind, now.lately[kind], t)) for kind in Reaction)
    return html.div(
        attributes,
        html.ul({"aria-label": t("React")}, *buttons),
        html.p({"class": "small muted"}, t("in the last 30 seconds")),
        _button(session_id, Reaction.HEART, now.lately[Reaction.HEART], t, "react-docked"),
    )


def _button(session_id: int, kind: Reaction, count: int, t: Texts, look: str = "react") -> VdomDict:
    """Return the button of a kind; the one with another look stands beside a phone's small player."""
    name = {
        Reaction.HEART: t("Heart"),
        Reaction.THUMBS_UP: t("Thumbs up"),
        Reaction.THUMBS_DOWN: t("Thumbs down"),
    }[kind]
    number = html.span({"class": "num"}, str(count))
    # with scripts `modules/reactions.js` takes the click: many taps travel together
    attributes = posted_button("reaction_add", f"{session_id}:{kind.value}") | {
        "class": look,
        "data-react": kind.value,
    }
    return html.button(attributes, reaction_sign(kind.value), visually_hidden(f"{name},"), " ", number)
