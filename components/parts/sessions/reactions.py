"""Shared parts of live reactions: the bar of counts, and their curve over time."""

import json
from collections.abc import Mapping, Sequence
from functools import partial

from apps.competition.selectors.public.participants import ProgramLine, SessionAppearance
from apps.competition.selectors.public.sessions import appearances_get, session_get
from apps.core.texts import Texts, texts
from apps.live.enums import Reaction
from apps.live.limits import CURVE_SLICES
from apps.live.reaction_batch import TICK
from apps.live.selectors import ReactionCurve, Reactions, reaction_curves, reactions_now
from components.parts.failures import read_or_nothing
from components.parts.programme import STAGE_VIDEO, watch_argument
from components.runtime import (
    Markup,
    VdomDict,
    html,
    page_event,
    posted_button,
    public_part,
    read_once,
    read_together,
    shared_part,
)
from components.ui.blocks import visually_hidden
from components.ui.marks import STEPS
from components.ui.people import reaction_sign
from components.ui.pieces import video_second
from components.ui.reaction_curve import Stretch, curve, stretches

BAR = "reactions"  # the bar's id
EVERY = TICK  # seconds between two reads, as between two writes of one process
OLD_AFTER = 5  # seconds until the counts are read again, because they cover the last half minute


@public_part(topics=lambda session_id: (f"session.{session_id}", f"session.{session_id}.reactions"), every=EVERY)
def session_reactions(session_id: int, *, language: str) -> VdomDict:
    """A button for each reaction with its count of the last half minute; hidden while the session is not live.

    `data-totals` holds the running totals by button; the browser draws their growth as floating reactions.
    """
    session = read_once(session_get, session_id=session_id)
    if session is None or not session.is_live:
        return html.div({"class": "reactions", "id": BAR, "hidden": True, "data-over": ""})
    nothing = Reactions(dict.fromkeys(Reaction, 0), {})
    now = read_or_nothing(partial(reactions_now, session_id=session_id), nothing, record="Error fetching reactions")
    t = texts(language)
    attributes = {"class": "reactions", "id": BAR, "data-totals": json.dumps(list(now.totals.values()))}
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
    """Return the button of a kind; a different `look` is for the button beside a phone's small player."""
    name = {
        Reaction.HEART: t("Heart"),
        Reaction.THUMBS_UP: t("Thumbs up"),
        Reaction.THUMBS_DOWN: t("Thumbs down"),
    }[kind]
    number = html.span({"class": "num"}, str(count))
    # with scripts, `modules/reactions.js` handles the click and sends several taps together
    attributes = posted_button("reaction_add", f"{session_id}:{kind.value}") | {
        "class": look,
        "data-react": kind.value,
    }
    return html.button(attributes, reaction_sign(kind.value), visually_hidden(f"{name},"), " ", number)


CURVE_EVERY = 2  # seconds between two reads, for any number of reactions
CURVE_OLD_AFTER = 10  # seconds until the curve is extended without reactions
Found = tuple[SessionAppearance, ReactionCurve]


@public_part(topics=lambda _appearance_id, session_id: (f"session.{session_id}.reactions",), every=CURVE_EVERY)
def stage_moments(appearance_id: int, session_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The curve of the current or last performer; without reactions it has the same height."""
    found = reaction_curves(appearance_ids=(appearance_id,)).get(appearance_id)
    if found is None:
        return html.figure({"class": "moments"})
    along = CURVE_SLICES if found.is_on_stage else len(found.counts)
    now = html.i({"class": f"moments__now {_at(len(found.counts), along)}"}) if found.is_on_stage else None
    drawn = html.div({"class": "moments__curve"}, curve(found.counts, along), now)
    said = html.figcaption({"class": "visually-hidden"}, _words(found, texts(language)))
    old = {"data-refresh-after": str(CURVE_OLD_AFTER)} if found.is_on_stage else {}
    return html.figure({"class": "moments"} | old, drawn, said)


def _moments_read(appearance_ids: tuple[int, ...]) -> Mapping[int, Found]:
    """Return the performances that were on stage, with their curves, by appearance. Three queries.

    Two of them are those of the forms of the same performances (`ratings/rating_form.py`).
    """
    curves = reaction_curves(appearance_ids=appearance_ids)
    found = read_once(appearances_get, appearance_ids=appearance_ids) if curves else {}
    return {pk: (found[pk], along) for pk, along in curves.items() if pk in found}


@public_part(topics=lambda _appearance_id, participant_id: (f"participant.{participant_id}",), together=_moments_read)
def performance_moments(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The curve of one performance; once it is over, with links to its peaks in the video.

    Hidden before the performance, and for a recording without reactions. The links send the page event "watch" with
    `17:301.252`: an appearance, a line of its program and the second.
    """
    known = read_together(_moments_read, appearance_id)
    if known is None:
        return html.div({"hidden": True})
    found, along = known
    if along.is_on_stage:
        inner = stage_moments(appearance_id, found.session.id, language=language)
        return html.div({"class": "moments-of"}, shared_part(inner))
    if not any(along.counts) and not found.session.is_live:
        return html.div({"hidden": True})
    t, program = texts(language), found.appearance.program
    first = program[0] if program and program[0].video_id and program[0].second is not None else None
    ways = _ways(found, first, along, t) if first else None
    drawn = html.div({"class": "moments__curve"}, curve(along.counts, len(along.counts)), ways)
    pieces = _pieces(first, program, along) if first else None
    words = html.figcaption({"class": "small muted"}, _words(along, t))
    return html.div({"class": "moments-of"}, html.figure({"class": "moments"}, drawn, pieces, words))


def _at(length: float, of: float) -> str:
    """Return the class for a length or a spot along the curve."""
    return f"n-{round(STEPS * min(1.0, length / of))}"


def _words(along: ReactionCurve, t: Texts) -> str:
    count = sum(along.counts)
    if not count:
        return t("No reactions so far.") if along.is_on_stage else t("No reactions.")
    reactions = t.plural("%(n)d reaction", "%(n)d reactions", count)
    at = video_second(along.counts.index(max(along.counts)) * along.slice_seconds)
    return t("{reactions}, most after {time}").format(reactions=reactions, time=at)


def _ways(found: SessionAppearance, first: ProgramLine, along: ReactionCurve, t: Texts) -> Markup:
    """Return the links to the peaks; together they cover the whole curve."""
    parts = stretches(along.counts)
    if not parts:
        return None
    links = (_way(found, first, along, each, t) for each in parts)
    return html.div({"class": "moments__ways", "role": "group", "aria-label": t("Moments of the video")}, *links)


def _way(found: SessionAppearance, first: ProgramLine, along: ReactionCurve, part: Stretch, t: Texts) -> VdomDict:
    second = (first.second or 0) + part.peak * along.slice_seconds
    count, shown, watch = along.counts[part.peak], video_second(second), watch_argument(first.id, second)
    is_most = count == max(along.counts)
    often = t("most reactions") if is_most else t.plural("%(n)d reaction", "%(n)d reactions", count)
    name = t("Watch {time}: {reactions}, {name}").format(time=shown, reactions=often, name=found.appearance.name)
    to = {
        "key": str(second),
        "class": _at(part.end - part.start, len(along.counts)),
        "href": f"/sessions/{found.session.id}?watch={watch}#{STAGE_VIDEO}",
        "aria-label": name,
    }
    spot = _at(part.peak + 0.5 - part.start, part.end - part.start)
    return html.a(to | page_event("watch", f"{found.appearance.id}:{watch}"), html.span({"class": spot}, shown))


def _pieces(first: ProgramLine, program: Sequence[ProgramLine], along: ReactionCurve) -> VdomDict:
    """Return the numbers of the pieces where they begin in the same video."""
    begins = [
        (number, line.second - (first.second or 0))
        for number, line in enumerate(program, start=1)
        if line.second is not None and line.video_id == first.video_id
    ]
    length = len(along.counts) * along.slice_seconds
    spots = [html.span({"class": _at(begin, length)}, str(number)) for number, begin in begins if 0 <= begin < length]
    return html.div({"class": "moments__pieces", "aria-hidden": "true"}, *spots)
