"""Following: the button with a performer's public count, and who of the live session a member follows.

What the viewer follows is in slots. Every fill names a performer, so a change on stage reads nothing for a viewer.
"""

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import AppearanceDetail
from apps.competition.selectors.public.programs import following, performer
from apps.competition.selectors.public.sessions import live_session, session_appearances
from apps.core.texts import Texts, texts
from apps.following.selectors import follow_counts, followed_ids, is_followed
from components.parts.programme import STAGE_VIDEO
from components.runtime import (
    Fills,
    SlotQuery,
    VdomDict,
    command_button,
    fill,
    html,
    pressed,
    public_part,
    read_once,
    read_together,
    slot,
    slot_query,
)
from components.ui.blocks import badge, visually_hidden
from components.ui.people import performer_link

FOLLOW, TONIGHT, WORDS = "follow", "follow_tonight", "follow_words"  # the slots' names: a button, a line on Home
_TOPICS = ("account.<id>.follows",)


def _counts_read(participant_ids: tuple[int, ...]) -> dict[int, int]:
    """Return how many members follow these performers, by performer. One query."""
    return {0: 0, **read_once(follow_counts, participant_ids=participant_ids)}


@public_part(
    topics=lambda participant_id, *_: (f"participant.{participant_id}.follows",), every=1 / 3, together=_counts_read
)
def follow_button(participant_id: int, name: str, *, language: str) -> VdomDict:
    """The button that follows a performer, with the number of followers.

    `name` is for screen readers; it is empty in the performer's own row, which names them.
    """
    t, count = texts(language), read_together(_counts_read, participant_id) or 0
    asked = command_button("follow_set", f"{participant_id}:on") | slot(FOLLOW, participant_id)
    asked |= {"class": "button button--plain button--small", "aria-pressed": "false"}
    followers = t.plural("%(n)d follower", "%(n)d followers", count)
    hidden = visually_hidden(f" {name or t('this performer')}, {followers}", has_name=bool(name))
    number = html.b({"aria-hidden": "true"}, str(count)) if count else None
    answer = html.span({"class": "small", "data-answer": "", "role": "status"})
    return html.span(
        {"class": "follow", "data-answers": "", "data-wish": ""},
        html.button(asked, t("Follow"), hidden, number),
        answer,
    )


def follow_slots() -> SlotQuery:
    """Return the query for the buttons of all performers that the viewer follows."""
    return slot_query(follow_fills, topics=_TOPICS)


def follow_fills(*, viewer: Viewer) -> Fills:
    """Return the fills of the pressed buttons, which unfollow. One query."""
    return {f"{FOLLOW}:{pk}": pressed("follow_set", f"{pk}:off") for pk in followed_ids(user_id=viewer.id or 0)}


def performer_follow_slots(*, participant_id: int) -> SlotQuery:
    """Return the query for the button of one performer."""
    return slot_query(performer_follow_fills, topics=_TOPICS, participant_id=participant_id)


def performer_follow_fills(*, viewer: Viewer, participant_id: int) -> Fills:
    """Return the fill of the pressed button; none if the viewer does not follow the performer. One query."""
    if not is_followed(user_id=viewer.id or 0, participant_id=participant_id):
        return {}
    return {f"{FOLLOW}:{participant_id}": pressed("follow_set", f"{participant_id}:off")}


@public_part(topics=lambda: ("live", "sessions", "featured_participants"))
def followed_tonight(*, language: str) -> VdomDict:
    """One hidden line each for the performer on stage and the next one; a slot shows it to those who follow them."""
    session = read_once(live_session)
    appearances = read_once(session_appearances, session_id=session.id) if session else ()
    now, coming = performer(appearances), following(appearances)
    t = texts(language)
    lines = [_line(each, session.id, t) for each in (now, coming) if session and each]
    return html.div({"class": "followed"}, *lines)


def _line(appearance: AppearanceDetail, session_id: int, t: Texts) -> VdomDict:
    pk = appearance.participant_id
    state = badge(t("On stage now"), "now") if appearance.is_performing else badge(t("Next on stage"))
    who = performer_link(pk, appearance.name)
    watch = html.a({"class": "watch", "href": f"/sessions/{session_id}#{STAGE_VIDEO}"}, t("Watch"))
    key = {"key": f"follow-{appearance.id}", "class": "row", "hidden": True}
    return html.p(key | slot(TONIGHT, pk), state, " ", who, " ", html.span(slot(WORDS, pk)), " ", watch)


def tonight_slots(*, language: str) -> SlotQuery:
    """Return the query for the lines on Home."""
    return slot_query(tonight_fills, topics=_TOPICS, language=language)


def tonight_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return the fills that show the lines of all performers that the viewer follows. One query."""
    shown, words = fill({"hidden": False}), fill({}, texts(language)("You follow this performer"))
    ids = followed_ids(user_id=viewer.id or 0)
    return {f"{name}:{pk}": each for pk in ids for name, each in ((TONIGHT, shown), (WORDS, words))}
