"""The title page's sections; each follows news and participants, as specified."""

from dataclasses import dataclass
from functools import partial

from apps.competition.selectors import (
    Appearance,
    LiveNow,
    ParticipantCard,
    SessionDetail,
    following,
    last_on_stage,
    live_now,
    live_session,
    participant_featured,
    session_appearances,
)
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from apps.news.selectors import PostCard, post_list
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.parts.people import by, entry
from components.rendering.parts import public_part
from components.ui.blocks import picture, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames.page_grid import unbroken_pair
from components.ui.venue_time import day

# with the clock, so that a section whose read failed is read again
TOPICS = ("latest_news", "featured_participants", "clock.minute")
NEWS_SHOWN = 3
FEATURED_SHOWN = 6


@public_part(topics=lambda: (*TOPICS, "live"))
def live_banner(*, language: str) -> VdomDict:
    """The line below the masthead during a live session: red while somebody plays, quiet and as high in an interval."""
    t, nothing = texts(language), _Live(None, None, ())
    live = read_or_nothing(_live_read, nothing)
    if live.now is not None:
        return _playing(live.now, t)
    return (
        _between(live.session, live.appearances, t) if live.session else html.div({"class": "livebar", "hidden": True})
    )


@dataclass(frozen=True, slots=True)
class _Live:
    """Who is on stage; when nobody is, the live session and who plays in it."""

    now: LiveNow | None
    session: SessionDetail | None
    appearances: tuple[Appearance, ...]


def _live_read() -> _Live:
    now = live_now()
    session = None if now else live_session()
    return _Live(now, session, session_appearances(session_id=session.id) if session else ())


def _between(session: SessionDetail, appearances: tuple[Appearance, ...], t: Texts) -> VdomDict:
    """Return the line of a live session on whose stage nobody is."""
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


def _playing(now: LiveNow, t: Texts) -> VdomDict:
    return html.div(
        {"class": "livebar sheet"},
        html.a(
            {"href": f"/sessions/{now.session_id}"},
            html.span({"class": "livebar__badge live-now"}, t("Live Now")),
            " ",
            html.strong(now.name),
            " ",
            html.span(f"{now.country} · {now.session_title}"),
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
    """Up to six featured participants with how often they perform."""
    cards: tuple[ParticipantCard, ...] = read_or_nothing(partial(participant_featured, limit=FEATURED_SHOWN), ())
    if not cards:
        return html.div({"class": "body"}, empty(texts(language)("No featured participants available yet.")))
    return html.ul({"class": "body cast"}, *(_featured_card(card, texts(language)) for card in cards))


def _featured_card(card: ParticipantCard, t: Texts) -> VdomDict:
    count = t.plural("%(n)d performance", "%(n)d performances", card.appearance_count)
    below = html.p({"class": "person__from"}, f"{card.country} · {unbroken_pair(count)}")
    return html.li({"key": f"participant-{card.id}"}, entry(card, card.id, "h3", below))
