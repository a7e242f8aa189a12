"""The home page's sections; each follows news and participants, as specified."""

from functools import partial

from apps.competition.selectors.public.participants import ParticipantCard, participant_featured
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.news.selectors import PostCard, post_list
from components.parts.failures import read_or_nothing
from components.parts.people import by, entry
from components.runtime import VdomDict, html, public_part
from components.ui.blocks import picture, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import unbroken_pair
from components.ui.venue_time import day

# includes the clock, so that a failed read of a section is repeated
TOPICS = ("latest_news", "featured_participants", "clock.minute")
NEWS_SHOWN = 3
FEATURED_SHOWN = 6


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
        html.h3(html.a({"href": to}, post.title)),
        html.p({"class": "news__excerpt"}, post.excerpt),
        html.p(
            {"class": "news__meta"},
            day(post.published_at, zone=venue_zone(), language=language),
            html.span(*by(post.author, t)),
            html.a({"class": "keep", "href": to}, t("Read more"), visually_hidden(f": {post.title}")),
        ),
    )


@public_part(topics=lambda: TOPICS)
def featured_participants(*, language: str) -> VdomDict:
    """Up to six featured participants with their number of performances."""
    cards: tuple[ParticipantCard, ...] = read_or_nothing(partial(participant_featured, limit=FEATURED_SHOWN), ())
    if not cards:
        return html.div({"class": "body"}, empty(texts(language)("No featured participants available yet.")))
    return html.ul({"class": "body cast cast--home"}, *(_featured_card(card, texts(language)) for card in cards))


def _featured_card(card: ParticipantCard, t: Texts) -> VdomDict:
    count = t.plural("%(n)d performance", "%(n)d performances", card.appearance_count)
    below = html.p({"class": "person__from"}, f"{card.country} · {unbroken_pair(count)}")
    return html.li({"key": f"participant-{card.id}"}, entry(card, card.id, "h3", below))
