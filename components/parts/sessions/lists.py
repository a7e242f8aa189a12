"""Lists of sessions: the live one, the tabs of the session list, and the next ones."""

from datetime import datetime
from functools import partial

from django.utils import timezone

from apps.competition.enums import SessionFilter
from apps.competition.selectors.public.participants import LiveCard, SessionCard, SessionDetail
from apps.competition.selectors.public.programs import following, performer
from apps.competition.selectors.public.sessions import (
    live_session,
    session_appearances,
    session_list,
    session_live,
    sessions_coming,
)
from apps.core.database.fields import venue_day, venue_zone
from apps.core.texts import Texts, texts
from components.parts.failures import read_or_nothing
from components.parts.live import UNREADABLE
from components.parts.programme import STAGE_VIDEO
from components.parts.sessions.facts import orchestra_line
from components.runtime import Markup, VdomDict, html, public_part, read_once
from components.ui.blocks import badge, keeping_places, live_badge, paging, visually_hidden
from components.ui.empty_states import empty, message
from components.ui.frames import unbroken_pair, unbroken_words
from components.ui.people import performer_link, person_name, with_names
from components.ui.venue_time import moment

COMING_SHOWN = 3


@public_part(topics=lambda *_: ("live", "sessions", "clock.minute"))  # upcoming sessions become past
def session_cards(when: str, number: int, *, language: str) -> VdomDict:
    """A page of one tab's sessions ("upcoming", "past" or "all") by date, below the live one.

    A session that ended today keeps the place of the live one. Rows keep their places in an open window.
    """
    t, now = texts(language), timezone.now()
    read = partial(session_list, when=SessionFilter(when), now=now, number=number)
    page = read_or_nothing(read, None, record="Error loading sessions")
    if page is None:
        return _failure(t)
    first = read_or_nothing(partial(session_live, ended_since=venue_day(now)[0]), None, record=UNREADABLE)
    above = [_card(first.session, now, language, _stage(first, language))] if first else []
    others = [_card(card, now, language) for card in page.rows if not (first and card.id == first.session.id)]
    fields = {"show": "" if when == SessionFilter.UPCOMING else when}
    ways = paging(page.number, page.pages, path="/sessions", query=fields, language=language)
    rows = keeping_places([*above, *others], "calendar", t) if above or others else None
    return html.div(rows, None if page.rows else _none(when, t), ways)


def _none(when: str, t: Texts) -> VdomDict:
    """Return that the tab has no sessions."""
    words = {"upcoming": t("upcoming"), "past": t("past"), "all": t("all")}
    yet = html.p(t("No session has been announced yet.")) if when == SessionFilter.ALL else None
    return empty(t("No {filter} sessions found.").format(filter=words[when]), more=yet)


def _stage(first: LiveCard, language: str) -> VdomDict:
    """Return the current performer and the link to the video; after the end, the link to the summary."""
    t, session = texts(language), first.session
    to = f"/sessions/{session.id}"
    if not session.is_live:
        way = html.a(
            {"key": "over", "class": "link", "href": to}, t("To the summary"), visually_hidden(f": {session.title}")
        )
        return html.p(
            {"class": "calendar__stage"}, html.span({"class": "muted"}, t("The session has ended.")), " ", way
        )
    watch = html.a(
        {"key": "watch", "class": "watch", "href": f"{to}#{STAGE_VIDEO}"},
        t("Watch"),
        visually_hidden(f": {session.title}"),
    )
    if first.participant_id is None:
        return html.p({"class": "calendar__stage"}, html.span({"class": "muted"}, t("Nobody is on stage.")), " ", watch)
    name = performer_link(first.participant_id, first.name, "calendar__performer")
    who = html.span(name, " ", html.span({"class": "muted"}, first.country))
    return html.p({"class": "calendar__stage"}, badge(t("Now Performing"), "now"), " ", who, " ", watch)


def _failure(t: Texts) -> VdomDict:
    """Return the error; its cause is in the log, and the read is repeated."""
    words = t("Error loading sessions: {message}").format(message=t("Please try again in a moment."))
    return html.div({"data-refresh-after": "5"}, message(words, good=False))


def _card(card: SessionCard, now: datetime, language: str, stage: Markup = None) -> VdomDict:
    t = texts(language)
    label = video_label(card, now, t)
    return html.li(
        {"key": f"session-{card.id}"},
        html.p({"class": "calendar__when"}, moment(card.starts_at, zone=venue_zone(), language=language)),
        html.div(
            html.h2(html.a({"href": f"/sessions/{card.id}"}, *unbroken_words(card.title))),
            html.p(
                {"class": "calendar__meta row"},
                live_badge(t("LIVE NOW")) if card.is_live else None,
                html.span(_stage_name(card, now), f" · {_size(card, t)}"),
                badge(label) if label else None,
            ),
            stage,
            orchestra_line(card, t, "calendar__text"),
            _description(card.description),
        ),
    )


def _stage_name(card: SessionCard, now: datetime) -> Markup:
    """Return the stage's name; a link to its ranking once the session has begun."""
    if card.starts_at > now and not card.is_live:
        return card.stage
    return html.a({"href": f"/stages/{card.stage_id}"}, card.stage)


def _size(card: SessionCard, t: Texts) -> str:
    """Return the number of participants in words, also if it is not known yet."""
    if not card.participant_count:
        return t("Order not drawn yet")
    return unbroken_pair(t.plural("%(n)d participant", "%(n)d participants", card.participant_count))


def _description(text: str) -> Markup:
    return html.p({"class": "calendar__text"}, text) if text else None


def video_label(session: SessionCard | SessionDetail, now: datetime, t: Texts) -> str:
    """Return the video's label: a stream until the session is over, then a recording; empty when there is none."""
    if not session.youtube_id:
        return ""
    return t("Live Stream") if session.is_live or session.starts_at >= now else t("Recording Available")


@public_part(topics=lambda: ("live", "sessions", "featured_participants", "clock.minute"))
def coming_sessions(*, language: str) -> VdomDict:
    """The current or next performer of the live session, and the next sessions: three rows together."""
    t = texts(language)
    live = read_or_nothing(partial(read_once, live_session), None)
    nothing: tuple[SessionCard, ...] = ()
    rows = [_live_row(live, t)] if live else []
    coming = read_or_nothing(coming_sessions_read, nothing)
    rows += [_coming_row(card, language) for card in coming[: COMING_SHOWN - len(rows)]]
    if not rows:
        return html.div(empty(t("No further session is announced.")))
    return html.ol({"class": "agenda"}, *rows)


def coming_sessions_read() -> tuple[SessionCard, ...]:
    """Return the next sessions that are not live. Parts that are rendered together share the read."""
    return read_once(_coming)


def _coming() -> tuple[SessionCard, ...]:
    return sessions_coming(now=timezone.now(), limit=COMING_SHOWN)


def _live_row(session: SessionDetail, t: Texts) -> VdomDict:
    appearances = read_once(session_appearances, session_id=session.id)
    now, coming = performer(appearances), following(appearances)
    words: list[Markup] = [t("Everybody has played.")]
    if coming is not None:
        words = [person_name(coming.name)]
    elif now is not None:
        words = with_names(t("{name} plays last"), name=now.name)
    return html.li(
        {"key": f"session-{session.id}"},
        html.p({"class": "agenda__when"}, t("next") if coming else t("now")),
        html.p({"class": "agenda__what"}, html.a({"href": f"/sessions/{session.id}"}, *words)),
        html.p({"class": "agenda__more"}, session.title),
    )


def _coming_row(card: SessionCard, language: str) -> VdomDict:
    return html.li(
        {"key": f"session-{card.id}"},
        html.p({"class": "agenda__when"}, moment(card.starts_at, zone=venue_zone(), language=language)),
        html.p(
            {"class": "agenda__what"},
            html.a({"href": f"/sessions/{card.id}"}, *unbroken_words(card.title)),
        ),
        html.p({"class": "agenda__more"}, f"{card.stage} · {_size(card, texts(language))}"),
    )
