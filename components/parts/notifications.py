"""The line of a member's newest notification, at the bottom of every page.

Its sentence is a part that all followers of the performer share; slots show it to those who have the notification.
"""

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.calendar import planned_appearances
from apps.competition.selectors.public.participants import participant_get
from apps.competition.selectors.public.sessions import live_now, session_appearances
from apps.core.texts import Texts, texts
from apps.notifications.enums import Kind
from apps.notifications.links import page_of
from apps.notifications.selectors.notifications import notification_shown
from components.runtime import (
    Fills,
    SlotQuery,
    VdomDict,
    cached_markup,
    command_button,
    fill,
    html,
    part_fill,
    public_part,
    read_once,
    slot,
    slot_query,
)

LINE, WORDS, CLOSE = "notification_line", "notification_words", "notification_close"  # the slots


@public_part(
    topics=lambda _kind, participant_id, session_id, _stage_id: (
        f"participant.{participant_id}",
        f"session.{session_id}.performer",
    )
)
def notification_words(kind: str, participant_id: int, session_id: int, stage_id: int, *, language: str) -> VdomDict:
    """What a notification says, as a link to its page; the ids are 0 for none."""
    participant = read_once(participant_get, participant_id=participant_id)
    name = participant.name if participant else ""
    sentence = _sentence(Kind(kind), participant_id, session_id, texts(language)).format(name=name)
    places = {"session_id": session_id or None, "stage_id": stage_id or None}
    return html.a({"href": page_of(kind=Kind(kind), participant_id=participant_id, **places)}, sentence)


def _is_on_stage(participant_id: int) -> bool:
    performance = live_now()
    return performance is not None and performance.participant_id == participant_id


def _sentence(kind: Kind, participant_id: int, session_id: int, t: Texts) -> str:
    match kind:
        case Kind.SOON:
            return t("{name} is on stage soon")
        case Kind.NOW:
            appearances = read_once(session_appearances, session_id=session_id)
            own = next((each for each in appearances if each.participant_id == participant_id), None)
            if own is not None and not own.has_begun:
                return t("{name} has not played yet")
            is_there = own is not None and own.is_performing
            return t("{name} is on stage now") if is_there else t("{name} has left the stage")
        case Kind.UNDONE:
            return t("A correction: {name} has not played yet")
        case Kind.MOVED:
            planned = read_once(planned_appearances, participant_id=participant_id)
            is_planned = any(each.session_id == session_id and each.is_planned for each in planned)
            return t("{name} plays at another time") if is_planned else t("{name} does not play as planned")
        case Kind.ADVANCED | Kind.PRIZES:
            is_prize = kind == Kind.PRIZES
            return t("{name} receives a prize") if is_prize else t("{name} advances to the next stage")


@cached_markup
def notification_frame(*, language: str) -> VdomDict:
    """Return the place of the line, which is empty without a notification; screen readers announce a new one."""
    t = texts(language)
    close = (
        command_button("notification_close", 0)
        | slot(CLOSE, 0)
        | {"class": "notification__close", "aria-label": t("Close")}
    )
    line = html.div(
        {"class": "notification__line", "hidden": True} | slot(LINE, 0),
        html.p(slot(WORDS, 0)),
        html.span({"class": "small", "data-answer": ""}),
        html.button(close, html.span({"aria-hidden": "true"}, "×")),
    )
    return html.div({"key": "notification", "class": "notification", "role": "status"}, line)


def notification_slots(*, language: str) -> SlotQuery:
    """Return the query for the line."""
    return slot_query(notification_fills, topics=("account.<id>.notifications",), language=language)


def notification_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return the fills that show the viewer's newest notification, and the button that closes it. One query, or two.

    The sentence changes on the pages that show it when its performer leaves the stage; a page that is opened later does
    not show it.
    """
    shown = notification_shown(user_id=viewer.id or 0)
    if shown is None or (shown.kind == Kind.NOW and not _is_on_stage(shown.participant_id)):
        return {}
    places = (shown.participant_id, shown.session_id or 0, shown.stage_id or 0)
    close = command_button("notification_close", shown.id)
    return {
        f"{LINE}:0": fill({"hidden": False}),
        f"{WORDS}:0": part_fill(notification_words(shown.kind, *places, language=language)),
        f"{CLOSE}:0": fill({name: close[name] for name in ("data-argument", "formAction")}),
    }
