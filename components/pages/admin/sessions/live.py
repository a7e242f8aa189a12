"""Live control: the live session, the performer and the next one; and the running order of a session's form."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from apps.competition.limits import ORDER_MOST
from apps.competition.order_drafts import OrderDraft
from apps.competition.selectors.admin.live import LiveControl, live_control_get, sessions_nearest
from apps.competition.selectors.admin.participants import ParticipantOption, participant_options
from apps.competition.selectors.admin.sessions import AppearanceRow, SessionEdit
from apps.competition.selectors.public.participants import SessionCard, SessionDetail
from apps.competition.selectors.public.programs import last_on_stage
from apps.competition.selectors.public.schedule import minutes_late
from apps.core.database.fields import venue_zone
from apps.core.limits import SEARCH_LENGTH
from apps.core.text_rules import search_texts
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from components.pages.admin.choices import PARTICIPANT, find_name
from components.pages.admin.sessions.planned import planned, shift_form
from components.parts.sessions.schedule import late_words
from components.runtime import (
    Markup,
    VdomDict,
    command_button,
    component,
    event,
    html,
    key,
    use_live_query,
    use_state,
    web_module,
)
from components.ui.blocks import badge, live_badge, visually_hidden
from components.ui.forms import end_session, field
from components.ui.frames import answer_line, unbroken_words
from components.ui.people import person_name
from components.ui.venue_time import clock_text, moment

TOPICS = ("live", "sessions")
CONTROL_TOPICS = (*TOPICS, "ratings.waiting", "ratings.latest")  # the numbers of ratings, too
ALL = "/admin?tab=live"
WAIT = 300  # milliseconds after the last key until sessions are searched


@component
def live_control(initial: LiveControl, language: str) -> VdomDict:
    """Render the controls, kept current; each step can be undone for five seconds."""
    t = texts(language)
    control = use_live_query(live_control_get, topics=CONTROL_TOPICS, initial=initial)
    return html.section(
        {"class": "cue", "aria-labelledby": "cue-heading", "data-answers": ""},
        *(_running(control, control.session, language) if control.session else _quiet(t)),
        _all(t),
        key("others", other_sessions(control.others, is_quiet=control.session is None, language=language)),
    )


def _running(control: LiveControl, session: SessionDetail, language: str) -> list[Markup]:
    t = texts(language)
    when = moment(session.starts_at, zone=venue_zone(), language=language)
    return [
        live_badge(t("LIVE NOW")),
        html.h2({"id": "cue-heading"}, html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title))),
        html.p({"class": "small muted"}, when),
        _now(control, t),
        answer_line(),
        _following(control, session.id, t),
        html.div({"class": "row cue__steps"}, _interval(control, session.id, t), _undo(control, session.id, t)),
        _late(control, session.id, t),
        _choice(control, t) if control.appearances else None,
        html.div(
            {"class": "row row--apart cue__end"},
            _clear(session.id, t) if control.performer else html.span(),
            html.button(
                {"class": "button button--plain button--small"} | end_session(session, t), t("End Live Session")
            ),
        ),
    ]


def _quiet(t: Texts) -> list[Markup]:
    words = t("Choose the session that begins now. Everybody who watches sees it at once.")
    heading = html.h2({"id": "cue-heading"}, t("No session is live"))
    return [heading, html.p({"class": "cue__quiet muted"}, words), answer_line()]


def _all(t: Texts) -> VdomDict:
    """Return the link to all of live control, shown where the panel is short (Tonight on a phone)."""
    return html.a(
        {"key": "all", "class": "link cue__all", "href": ALL}, t("All"), visually_hidden(t(" of live control"))
    )


def _now(control: LiveControl, t: Texts) -> VdomDict:
    performer = control.performer
    if performer is None:
        inside = html.p({"class": "cue__nobody"}, t("Nobody is on stage."))
    else:
        number = html.span({"class": "nr"}, str(performer.order_number))
        inside = html.p({"class": "person__name"}, number, " ", person_name(performer.name))
    own = {"class": "cue__now", "aria-live": "polite"}
    return html.div(own, html.p({"class": "cue__label"}, t("Now Performing")), inside, _since(control, t))


def _since(control: LiveControl, t: Texts) -> Markup:
    """Return when the performer was called, or since when there is an interval; None before the first call."""
    last = last_on_stage(control.appearances)
    if last is None:
        return None
    at = last.came_at if last.is_performing else last.left_at
    if at is None:
        return None
    words, minutes = t("called at {time}"), None
    if not last.is_performing:
        words = t("Interval since {time}") if control.following else t("Empty since {time}")
        minutes = last.interval_after if control.following else None
    shown = words.format(time=clock_text(at, zone=venue_zone(), language=t.language))
    more = f", {t.plural('%(n)d minute planned', '%(n)d minutes planned', minutes)}" if minutes else ""
    return html.p({"class": "small muted"}, shown + more)


def _following(control: LiveControl, session_id: int, t: Texts) -> VdomDict:
    following = control.following
    if following is None:
        words = t("Everybody has played.") if control.appearances else t("Nobody is in the order of playing yet.")
        if control.performer:
            words = t("This is the last performance.")
        return html.p({"class": "cue__last muted"}, words)
    after = f"{session_id}:{control.performer.id}" if control.performer else session_id
    label = [t("Next performer") if last_on_stage(control.appearances) else t("First performer")]
    if following.planned_start:
        at = clock_text(following.planned_start, zone=venue_zone(), language=t.language)
        label.append(t("planned {time}").format(time=at))
    if late := late_words(minutes_late(control.appearances), t):
        label.append(late)
    return html.button(
        {"class": "button cue__next"} | command_button("performer_next", after, busy=t("Processing...")),
        ", ".join(label),
        " ",
        html.b({"translate": "no"}, f"{following.order_number} {following.name}"),
    )


def _interval(control: LiveControl, session_id: int, t: Texts) -> Markup:
    """Return the button that begins the interval, with its planned length; None between performers and at the end."""
    performer = control.performer
    if performer is None or control.following is None:
        return None
    words, minutes = t("Interval"), performer.interval_after
    if minutes:
        words = t.plural(
            "Interval, %(n)d minute, planned after this performance",
            "Interval, %(n)d minutes, planned after this performance",
            minutes,
        )
    command = command_button("performer_clear", session_id, busy=t("Processing..."))
    return html.button({"class": "button button--plain button--small"} | command, words)


def _undo(control: LiveControl, session_id: int, t: Texts) -> Markup:
    """Return the button that takes the last call or the interval back, None before the first call."""
    last = last_on_stage(control.appearances)
    if last is None:
        return None
    interval = command_button("interval_take_back", f"{session_id}:{last.stay_id}", busy=t("Processing..."))
    command = call_back(last, t) if last.is_performing else interval
    what = t(" the call of {number}").format(number=last.order_number) if last.is_performing else t(" the interval")
    look = {"class": "button button--plain button--small cue__undo"}
    return html.button(look | command, t("Undo"), visually_hidden(what))


def _late(control: LiveControl, session_id: int, t: Texts) -> Markup:
    """Return the form that shifts the planned times, from the next performer on if that one has a time."""
    following = control.following or control.performer
    shift = shift_form(session_id, control.appearances, following.id if following else 0, t)
    if shift is None:
        return None
    summary = html.summary({"class": "link"}, t("Early or late? Shift the planned times"))
    return html.details({"class": "cue__other", "key": "late"}, summary, shift)


def _choice(control: LiveControl, t: Texts) -> VdomDict:
    heading = html.h3({"class": "cue__label", "id": "cue-choice"}, t("Or choose"))
    rows = [
        html.li({"key": f"appearance-{each.id}"}, _chosen(each, t), _call_back(each, control.rated.get(each.id, 0), t))
        for each in control.appearances
    ]
    return html.div(
        {"class": "cue__choice"}, heading, html.ol({"class": "cue__list", "aria-labelledby": "cue-choice"}, *rows)
    )


def _chosen(appearance: AppearanceRow, t: Texts) -> VdomDict:
    current = {"aria-current": "true"} if appearance.is_performing else {}
    question = t("Call {number} {name} now?").format(number=appearance.order_number, name=appearance.name)
    asked = {"data-ask": question, "data-ask-yes": t("Call")}
    return html.button(
        command_button("performer_set", appearance.id) | current | asked,
        html.span({"class": "nr", "aria-hidden": "true"}, str(appearance.order_number)),
        html.span(
            visually_hidden(t("Perform:")),
            " ",
            person_name(appearance.name),
            *planned(appearance.planned_start, t.language),
        ),
        badge(t("Now"), "now") if appearance.is_performing else None,
    )


def _call_back(appearance: AppearanceRow, rated: int, t: Texts) -> Markup:
    """Return the button that takes the last call of this performer back, with the number of submitted ratings."""
    if appearance.stay_id is None:
        return None
    count = t.plural("%(n)d rating: take the call back", "%(n)d ratings: take the call back", rated)
    words = count if rated else t("Has not played: take the call back")
    number, name = html.span({"class": "nr"}), visually_hidden(f" ({appearance.name})", has_name=True)
    return html.button(call_back(appearance, t), number, html.span({"class": "link small"}, words, name))


def call_back(appearance: AppearanceRow, t: Texts) -> dict[str, str]:
    """Return the attributes of a button that takes the last call of a performer back; the server may ask."""
    question = t("Take back the call of {name}?").format(name=appearance.name)
    asked = {"data-ask": question, "data-ask-yes": t("Take back")}
    return command_button("call_take_back", f"{appearance.id}:{appearance.stay_id}", busy=t("Processing...")) | asked


def _clear(session_id: int, t: Texts) -> VdomDict:
    doing = command_button("performer_clear", session_id, busy=t("Processing..."))
    return html.button({"class": "link"} | doing, t("Clear performer"))


@component
def other_sessions(nearest: tuple[SessionCard, ...], is_quiet: bool, language: str) -> Markup:  # noqa: FBT001 - props
    """Render the sessions that can go live: the nearest in time, or the matches of a search in all sessions."""
    t = texts(language)
    no_matches: tuple[SessionCard, ...] = ()
    (text, matches), set_matches = use_state(("", no_matches))

    async def on_search(sent: dict[str, Any]) -> None:
        match sent:
            case {"target": {"value": str(typed)}}:
                query = typed.strip()[:SEARCH_LENGTH]
                set_matches((query, await in_thread(partial(sessions_nearest, query=query)) if query else no_matches))

    if not nearest:
        return None
    own: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    own["onInput"] = event(on_search, debounce=WAIT)
    body = html.div(
        {"class": "cue__found"},
        field(t("Search all sessions"), "live-search", **own),
        key(f"found-{text}", found_sessions(text, matches, language)) if text else _cards(nearest, language),
    )
    if is_quiet:
        return html.div({"class": "cue__other"}, body)
    return html.details({"class": "cue__other"}, html.summary({"class": "link"}, t("Other sessions")), body)


@component
def found_sessions(text: str, first: tuple[SessionCard, ...], language: str) -> VdomDict:
    """Render the sessions that match a search, kept current."""
    matches = use_live_query(sessions_nearest, topics=TOPICS, initial=first, query=text)
    if not matches:
        return html.p({"class": "muted", "role": "status"}, texts(language)("No sessions found."))
    return _cards(matches, language)


def _cards(cards: tuple[SessionCard, ...], language: str) -> VdomDict:
    return html.ul(
        *(html.li({"key": f"other-{card.id}", "class": "row row--apart"}, *_other(card, language)) for card in cards)
    )


def _other(card: SessionCard, language: str) -> list[Markup]:
    when = html.span({"class": "cue__when"}, moment(card.starts_at, zone=venue_zone(), language=language))
    return [
        html.span(html.span({"class": "cue__title"}, card.title), " ", when),
        set_live(card.id, card.title, language),
    ]


def set_live(session_id: int, title: str, language: str) -> VdomDict:
    """Return the button that sets a session live; the page that shows it also shows live control."""
    t = texts(language)
    name = t("Set as Live: {title}").format(title=title)
    look = {"class": "button button--plain button--small", "aria-label": name}
    confirmation = {"data-ask": t("Set {title} as live?").format(title=title), "data-ask-yes": t("Set as Live")}
    sets = command_button("session_set_live", session_id, busy=t("Processing..."))
    return html.button(look | sets | confirmation, t("Set as Live"))


PERFORMER_SEARCH_WAIT = 200  # milliseconds between two searches
NAME = "participant_ids"
FILL_FORM = "order-fill"  # the form that the list and the stage go with (`order_panel`)
ORDER = web_module("modules/backstage/running-order.js", "RunningOrder")
Option = tuple[int, str, str, str]  # id, name, country, folded texts for the search


def search_read(sent: Sequence[Any]) -> tuple[str, list[int]] | None:
    """Return the search text from the browser, and the ids without a known name; None for malformed data."""
    match sent:
        case [{"text": str(text), "ids": [*ids]}] if len(ids) <= ORDER_MOST and all(type(pk) is int for pk in ids):
            return text[:SEARCH_LENGTH], [pk for pk in ids if 0 < pk < 2**63]
    return None


@component
def running_order(
    session: SessionEdit | None,
    options: Sequence[ParticipantOption],
    draft: OrderDraft | None,
    drafted: Mapping[int, Any],
    language: str,
) -> VdomDict:
    """Render the field with the ids in order, and the list; the search covers all participants.

    The script puts the order of `draft` into the field, once for its stamp. `drafted` are its participants. The list
    leaves out the order numbers of withdrawn performers.
    """
    playing = {each.participant_id: each for each in (session.appearances if session else ())}
    t, (shown_options, set_shown_options) = texts(language), use_state(lambda: _options(playing, options))
    known = _options(drafted, ()) if draft else []

    async def on_search(*sent: Any) -> None:
        search = search_read(sent)
        if search is not None:
            text, ids = search
            read = partial(participant_options, query=text, chosen=tuple(ids))
            set_shown_options(_options({}, await in_thread(read)))

    # the field is part of the first render, so that a draft can be restored into it
    own = {"name": NAME, "id": NAME, "defaultValue": ",".join(map(str, playing)), "class": "visually-hidden"}
    drawn = {"name": NAME, "find": find_name(PARTICIPANT), "options": [*shown_options, *known], "words": _words(t)} | {
        "onSearch": event(on_search, throttle=PERFORMER_SEARCH_WAIT),
        "fill": FILL_FORM,
        "gone": [each.order_number for each in (session.withdrawn if session else ())],
        "draft": {"stamp": draft.stamp, "ids": list(drafted)} if draft else None,
    }
    return html.div(html.input(own | {"type": "text", "tabIndex": -1, "aria-hidden": "true"}), ORDER(drawn))


def _options(playing: Mapping[int, Any], options: Sequence[ParticipantOption]) -> list[Option]:
    rows = {option.id: option for option in options} | dict(playing)
    return [(pk, row.name, row.country, search_texts(row.name)) for pk, row in rows.items()]


def _words(t: Texts) -> dict[str, str]:
    return {
        "add": t("Add a participant"),
        "search": t("Search by name"),
        "empty": t("Nobody is in the order of playing yet."),
        "none": t("No participants found matching your criteria."),
        "gone": t("No longer there"),
        "take": t("Remove"),
        "remove": t("Remove: {name}"),
        "up": t("Move up: {name}"),
        "down": t("Move down: {name}"),
        "moved": t("{name}: now {number} of {count}."),
        "removed": t("{name} removed."),
        "added": t("{name} added as number {number}."),
    }
