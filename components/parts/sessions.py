"""The list of sessions."""

from datetime import datetime
from functools import partial

from django.utils import timezone

from apps.competition.enums import SessionFilter
from apps.competition.selectors import SessionCard, SessionDetail, session_list
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html
from components.parts.failures import read_or_nothing
from components.rendering.parts import public_part
from components.ui.blocks import badge, live_badge
from components.ui.empty_states import empty, message
from components.ui.frames.page_grid import unbroken_pair, unbroken_words
from components.ui.venue_time import moment


@public_part(topics=lambda when: ("sessions", "clock.minute"))  # noqa: ARG005 - what is upcoming becomes past
def session_cards(when: str, *, language: str) -> VdomDict:
    """The sessions of one tab ("upcoming", "past" or "all") by date."""
    t, now = texts(language), timezone.now()
    cards = read_or_nothing(
        partial(session_list, when=SessionFilter(when), now=now), None, record="Error loading sessions"
    )
    if cards is None:
        return _failure(t)
    if not cards:
        words = {"upcoming": t("upcoming"), "past": t("past"), "all": t("all")}
        return html.div(empty(t("No {filter} sessions found.").format(filter=words[when])))
    return html.ol({"class": "calendar"}, *(_card(card, now, language) for card in cards))


def _failure(t: Texts) -> VdomDict:
    """Return the error; its cause is in the log, and the read is repeated."""
    words = t("Error loading sessions: {message}").format(message=t("Please try again in a moment."))
    return html.div({"data-refresh-after": "5"}, message(words, good=False))


def _card(card: SessionCard, now: datetime, language: str) -> VdomDict:
    t = texts(language)
    count = t.plural("%(n)d participant", "%(n)d participants", card.participant_count)
    label = video_label(card, now, t)
    return html.li(
        {"key": f"session-{card.id}"},
        html.p({"class": "calendar__when"}, moment(card.starts_at, zone=venue_zone(), language=language)),
        html.div(
            html.h2(html.a({"href": f"/sessions/{card.id}"}, *unbroken_words(card.title))),
            html.p(
                {"class": "calendar__meta row"},
                live_badge(t("LIVE NOW")) if card.is_live else None,
                html.span(f"{card.stage} · {unbroken_pair(count)}"),
                badge(label) if label else None,
            ),
            _description(card.description),
        ),
    )


def _description(text: str) -> Markup:
    return html.p({"class": "calendar__text"}, text) if text else None


def video_label(session: SessionCard | SessionDetail, now: datetime, t: Texts) -> str:
    """Return the video's label: a stream until the session is over, then a recording; empty when there is none."""
    if not session.youtube_id:
        return ""
    return t("Live Stream") if session.is_live or session.starts_at >= now else t("Recording Available")
