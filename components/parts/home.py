"""The home page's sections; each follows news and participants, as specified."""

from dataclasses import dataclass
from functools import partial

from apps.competition.selectors.public.participants import (
    Appearance,
    ParticipantCard,
    SessionCard,
    SessionDetail,
    participant_featured,
)
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import live_session, session_appearances
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.news.selectors import PostCard, post_list
from components.parts.failures import read_or_nothing
from components.parts.people import by, entry
from components.parts.sessions import coming_sessions_read
from components.runtime import VdomDict, html, public_part, read_once
from components.ui.blocks import picture, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import unbroken_pair
from components.ui.venue_time import day, moment

# includes the clock, so that a failed read of a section is repeated
TOPICS = ("latest_news", "featured_participants", "clock.minute")
NEWS_SHOWN = 3
FEATURED_SHOWN = 6


@public_part(topics=lambda: (*TOPICS, "live", "sessions"))
def live_banner(*, language: str) -> VdomDict:
    """The line below the masthead: red during a performance, else quiet; hidden if no session is live or to come."""
    t = texts(language)
    live = read_or_nothing(_live_read, _Live())
    if live.session is None:
        return _ahead(live.coming, language) if live.coming else html.div({"class": "livebar", "hidden": True})
    now = performer(live.appearances)
    return _playing(now, live.session, t) if now else _between(live.session, live.appearances, t)


@dataclass(frozen=True, slots=True)
class _Live:
    """The live session and its performers, else the next session."""

    session: SessionDetail | None = None
    appearances: tuple[Appearance, ...] = ()
    coming: SessionCard | None = None


def _live_read() -> _Live:
    if session := read_once(live_session):
        return _Live(session=session, appearances=read_once(session_appearances, session_id=session.id))
    return _Live(coming=next(iter(coming_sessions_read()), None))


def _between(session: SessionDetail, appearances: tuple[Appearance, ...], t: Texts) -> VdomDict:
    """Return the line of a live session with an empty stage."""
    coming, last = following(appearances), last_on_stage(appearances)
    if coming is None:
        label, words = session.title, t("Everybody has played.") if last else t("It begins soon")
    else:
        label = t("Interval") if last else t("It begins soon")
        turn = t("Next: {number} {name}") if last else t("First: {number} {name}")
        words = turn.format(number=coming.order_number, name=coming.name)
    return html.div(
        {"class": "livebar livebar--rest sheet"},
        html.a(
            {"href": f"/sessions/{session.id}"},
            html.span({"class": "livebar__badge"}, label),
            " ",
            html.strong(words),
            " ",
            html.span(session.title) if coming else None,
            " ",
            html.span({"class": "livebar__go"}, t("Watch")),
        ),
    )


def _ahead(coming: SessionCard, language: str) -> VdomDict:
    """Return the line without a live session: when the next one begins."""
    words = texts(language)("Next: {title}").format(title=coming.title)
    return html.div(
        {"class": "livebar livebar--rest livebar--ahead sheet"},
        html.a(
            {"href": f"/sessions/{coming.id}"},
            html.span({"class": "livebar__badge"}, words),
            " ",
            moment(coming.starts_at, zone=venue_zone(), language=language),
        ),
    )


def _playing(now: Appearance, session: SessionDetail, t: Texts) -> VdomDict:
    return html.div(
        {"class": "livebar sheet"},
        html.a(
            {"href": f"/sessions/{session.id}"},
            html.span({"class": "livebar__badge live-now"}, t("Live Now")),
            " ",
            html.strong(now.name),
            " ",
            html.span(f"{now.country} · {session.title}"),
            " ",
            html.span({"class": "livebar__go"}, t("Watch")),
        ),
    )


@public_part(topics=lambda: (*TOPICS, "profiles"))
def latest_news(*, language: str) -> VdomDict:
    """The three newest articles, the first of them large."""
    posts: tuple[PostCard, ...] = read_or_nothing(partial(post_list, limit=NEWS_SHOWN), ())
    if not posts:
        return html.div({"class": "body"}, empty(texts(language)("No news articles available yet.")))
    return html.div({"class": "body news"}, *(_article(post, language) for post in posts))


def _article(post: PostCard, language: str) -> VdomDict:
    t, to = texts(language), f"/news/{post.id}"
    return html.article(
        {"key": f"post-{post.id}"},
        picture(post.image_url, "news__picture"),
        day(post.published_at, zone=venue_zone(), language=language),
        html.h3(html.a({"href": to}, post.title)),
        html.p(
            f"{post.excerpt} ",
            html.a({"class": "keep", "href": to}, t("Read more"), visually_hidden(f": {post.title}")),
        ),
        html.p({"class": "news__meta"}, by(post.author, t)),
    )


@public_part(topics=lambda: TOPICS)
def featured_participants(*, language: str) -> VdomDict:
    """Up to six featured participants with their number of performances."""
    cards: tuple[ParticipantCard, ...] = read_or_nothing(partial(participant_featured, limit=FEATURED_SHOWN), ())
    if not cards:
        return html.div({"class": "body"}, empty(texts(language)("No featured participants available yet.")))
    return html.ul({"class": "body cast"}, *(_featured_card(card, texts(language)) for card in cards))


def _featured_card(card: ParticipantCard, t: Texts) -> VdomDict:
    count = t.plural("%(n)d performance", "%(n)d performances", card.appearance_count)
    below = html.p({"class": "person__from"}, f"{card.country} · {unbroken_pair(count)}")
    return html.li({"key": f"participant-{card.id}"}, entry(card, card.id, "h3", below))
