"""The schedule: sessions with their performers, day by day, with what is on stage, what is next and what is late."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import groupby

from django.utils import timezone

from apps.competition.selectors.public.participants import AppearanceDetail
from apps.competition.selectors.public.prizes import stages_prized
from apps.competition.selectors.public.programs import following, last_on_stage
from apps.competition.selectors.public.schedule import (
    ScheduledSession,
    minutes_late,
    schedule_day,
    schedule_days,
    schedule_whole,
)
from apps.competition.selectors.public.sessions import Withdrawn, live_session
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.parts.failures import read_or_nothing
from components.parts.prizes import schedule_prizes
from components.parts.sessions.facts import orchestra_line
from components.runtime import Markup, VdomDict, html, public_part, read_once, shared_part
from components.ui.blocks import badge, live_badge, place_words, tabs
from components.ui.empty_states import empty, message
from components.ui.frames import unbroken_words
from components.ui.people import performer_link
from components.ui.venue_time import clock_short, day_month, moment, zone_text
from components.ui.venue_time import day as day_words

PATH, WHOLE = "/schedule", "all"  # the page, and the value of `day` for all days
MINUTES = 60  # of an hour


@public_part(topics=lambda *_: ("live", "sessions", "stages", "featured_participants", "clock.minute"))
def schedule(day: str, *, language: str) -> VdomDict:
    """The schedule of one day ("2027-10-12"), of all days ("all"), or by default that of the live or next session."""
    t, now = texts(language), timezone.now()
    days = read_or_nothing(schedule_days, None, record="Error loading the schedule")
    if days is None:
        words = t("The schedule cannot be shown. Please try again in a moment.")
        return html.div({"data-refresh-after": "5"}, message(words, good=False))
    if not days:
        return html.div(empty(t("No session has been announced yet.")))
    chosen = None if day == WHOLE else _chosen(day, days, now)
    found = schedule_whole() if chosen is None else schedule_day(day=chosen)
    links = [(_address(each), _short(each, language)) for each in days]
    current = f"{PATH}?day={WHOLE}" if chosen is None else _address(chosen)
    ways = tabs(t("Days"), [*links, (f"{PATH}?day={WHOLE}", t("All days"))], current)
    if not found:
        return html.div({"class": "schedule__days"}, ways, empty(t("No session begins on this day.")))
    upcoming = next((each for each in found if not each.session.is_live and not each.is_over(now)), None)
    by_day = groupby(found, key=lambda each: each.session.starts_at.astimezone(venue_zone()).date())
    prized = {each.last_session_id: each.stage_id for each in stages_prized() if each.is_over}
    shown = [_day(list(sessions), upcoming, prized, now, language) for _, sessions in by_day]
    return html.div({"class": "schedule__days"}, ways, html.div({"data-results": ""}, *shown))


def _chosen(day: str, days: Sequence[date], now: datetime) -> date:
    """Return the day of the address, else that of the live session, today or the next day with sessions, or the last.

    A live session may have begun on the day before.
    """
    try:
        return date.fromisoformat(day)
    except ValueError:
        live = read_once(live_session)
        first = (live.starts_at if live else now).astimezone(venue_zone()).date()
        return next((each for each in days if each >= first), days[-1])


def _address(day: date) -> str:
    return f"{PATH}?day={day.isoformat()}"


def _short(day: date, language: str) -> str:
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=venue_zone())
    return day_month(noon, zone=venue_zone(), language=language)


def _day(
    sessions: Sequence[ScheduledSession],
    upcoming: ScheduledSession | None,
    prized: Mapping[int | None, int],
    now: datetime,
    language: str,
) -> VdomDict:
    zone, first = venue_zone(), sessions[0].session.starts_at
    heading = html.h2(day_words(first, zone=zone, language=language, long=True))
    about = texts(language)("Times in the hall: {zone}. Yours come first where they differ.").format(
        zone=zone_text(first, zone=zone)
    )
    rows = [
        _session(each, prized.get(each.session.id), is_next=each is upcoming, now=now, language=language)
        for each in sessions
    ]
    key = f"day-{first.astimezone(zone):%Y-%m-%d}"
    return html.section(
        {"key": key, "class": "schedule"}, heading, html.p({"class": "small muted"}, about), html.ol(*rows)
    )


def _session(
    scheduled: ScheduledSession, prized: int | None, *, is_next: bool, now: datetime, language: str
) -> VdomDict:
    """Return a session with its order of playing; `prized` is the stage whose prizes follow it."""
    t, session = texts(language), scheduled.session
    coming = following(scheduled.appearances) if session.is_live else None
    is_over, last = scheduled.is_over(now), last_on_stage(scheduled.appearances)
    rows = {
        each.order_number: _row(each, session.title, last, is_next=each is coming, is_over=is_over, language=language)
        for each in scheduled.appearances
    }
    rows |= {each.order_number: _withdrawn(each, t) for each in scheduled.withdrawn}
    in_order = (rows[number] for number in sorted(rows))
    order = html.ol({"class": "schedule__order"}, *in_order) if rows else html.p(t("Order not drawn yet"))
    look = "schedule__session is-over" if is_over else "schedule__session"
    return html.li(
        {"key": f"session-{session.id}", "class": look},
        html.h3(html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title))),
        html.p(
            {"class": "schedule__meta row"},
            html.span(moment(session.starts_at, zone=venue_zone(), language=language)),
            " ",
            html.span({"class": "muted"}, session.stage),
            " ",
            *_state(scheduled, is_next, now, t),
        ),
        orchestra_line(session, t, "small muted"),
        order,
        shared_part(schedule_prizes(prized, language=language)) if prized else None,
    )


def _state(scheduled: ScheduledSession, is_next: bool, now: datetime, t: Texts) -> list[Markup]:  # noqa: FBT001 - private
    """Return the badges of a session: live with its delay, late, or next."""
    if scheduled.session.is_live:
        words = late_words(minutes_late(scheduled.appearances), t)
        return [live_badge(t("LIVE NOW")), " ", badge(words) if words else None]
    if scheduled.is_awaited(now):
        return [badge(t("late"))]
    if scheduled.is_over(now):  # in the place of LIVE NOW, so that nothing below moves
        return [badge(t("over"), "quiet")]
    return [badge(t("next"), "quiet")] if is_next else []


def late_words(minutes: int, t: Texts) -> str:
    """Return how late a session is in words, from an hour on in hours and minutes; empty without a delay."""
    if minutes < MINUTES:
        return t.plural("running %(n)d minute late", "running %(n)d minutes late", minutes) if minutes else ""
    hours, rest = divmod(minutes, MINUTES)
    words = t("running {hours} h {minutes} min late") if rest else t("running {hours} h late")
    return words.format(hours=hours, minutes=rest)


def interval_words(appearance: AppearanceDetail, last: AppearanceDetail | None, t: Texts) -> str:
    """Return that a planned interval follows this performance; empty without one, and when it is over.

    `last` is the appearance that entered the stage last.
    """
    minutes = appearance.interval_after
    if minutes is None or (appearance.has_begun and appearance is not last):
        return ""
    return t.plural("then an interval, %(n)d minute", "then an interval, %(n)d minutes", minutes)


def _row(
    appearance: AppearanceDetail,
    title: str,
    last: AppearanceDetail | None,
    *,
    is_next: bool,
    is_over: bool,
    language: str,
) -> VdomDict:
    t = texts(language)
    when: Sequence[Markup] = ()
    if appearance.planned_start is not None:
        when = (clock_short(appearance.planned_start, zone=venue_zone(), language=language),)
    elif not is_over:  # afterwards the number says enough
        when = (place_words(appearance.order_number, title, t),)
    name = performer_link(appearance.participant_id, appearance.name)
    interval = interval_words(appearance, last, t)
    then = (" ", html.span({"class": "small muted"}, interval)) if interval else ()
    person = html.span(name, " ", html.span({"class": "muted"}, appearance.country))
    mark = html.span(_mark(appearance, t, is_next=is_next, is_over=is_over), *then)  # both are in one line on a phone
    number = html.span({"class": "nr"}, str(appearance.order_number))
    return html.li(
        {"key": f"appearance-{appearance.id}"} | ({"class": "is-now"} if appearance.is_performing else {}),
        number,
        " ",
        html.span({"class": "schedule__who"}, person, " ", mark),
        " ",
        html.span({"class": "schedule__when"}, *when),
    )


def _withdrawn(withdrawn: Withdrawn, t: Texts) -> VdomDict:
    """Return the row of a performer who withdrew, struck out at the old place."""
    name = html.s({"class": "muted", "translate": "no"}, withdrawn.name)
    return html.li(
        {"key": f"withdrawn-{withdrawn.participant_id}"},
        html.span({"class": "nr"}, str(withdrawn.order_number)),
        " ",
        html.span({"class": "schedule__who"}, name, " ", badge(t("withdrawn"), "quiet")),
    )


def _mark(appearance: AppearanceDetail, t: Texts, *, is_next: bool, is_over: bool) -> Markup:
    if appearance.is_performing:
        return badge(t("Now Performing"), "now")
    if is_next:
        return badge(t("next"), "quiet")
    return html.span({"class": "small muted"}, t("played")) if appearance.has_begun and not is_over else None
