"""The list of news, and an article with its links to other pages."""

from datetime import datetime
from functools import partial

from apps.competition.selectors.public.participants import Named, named_in
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.texts import texts
from apps.news.article_text import plain_text
from apps.news.limits import NAMED
from apps.news.selectors import PostCard, PostLink, PostNeighbours, post_get, post_list, post_neighbours
from components.parts.article_text import article_text
from components.parts.failures import read_or_nothing
from components.parts.people import by
from components.runtime import Markup, VdomDict, html, public_part, read_once
from components.ui.blocks import framed_picture, keeping_places, link, list_ways, picture, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import title
from components.ui.people import person_name
from components.ui.venue_time import day

ROWS = 20


@public_part(topics=lambda before: ("latest_news", "profiles"))  # noqa: ARG005 - every list depends on all
def news_list(before: str, *, language: str) -> VdomDict:
    """A page of published articles, newest first, after the cursor `before`."""
    t = texts(language)
    nothing: KeysetPage[PostCard] = KeysetPage((), "", "")
    page = read_or_nothing(partial(_page, before), nothing, record="Error fetching news")
    ways = list_ways("/news", page, t("Show older"), t, look="body row")
    if not page.rows:
        return html.div(empty(t("No news articles available yet.")), ways)
    return html.div(keeping_places([_card(post, language) for post in page.rows], "calendar", t), ways)


def _page(before: str) -> KeysetPage[PostCard]:
    return keyset_page(post_list, lambda post: Cursor(post.published_at, post.id), before=before, size=ROWS)


def _card(post: PostCard, language: str) -> VdomDict:
    t, to = texts(language), f"/news/{post.id}"
    when = day(post.published_at, zone=venue_zone(), language=language)
    words = html.div(
        html.h2(html.a({"href": to}, post.title)),
        html.p({"class": "calendar__text"}, post.excerpt),
        html.p(link(to, t("Read more"), visually_hidden(f": {post.title}"))),
    )
    shown = picture(post.image_url, "picture calendar__picture")
    return html.li(
        {"key": f"post-{post.id}"},
        html.p(
            {"class": "calendar__when"},
            when,
            html.span({"class": "calendar__by"}, *by(post.author, t)),
        ),
        html.article({"class": "calendar__pictured" if shown else "calendar__plain"}, words, shown),
    )


@public_part(topics=lambda post_id: (f"post.{post_id}", "profiles"))
def news_article(post_id: int, *, language: str) -> VdomDict:
    """One article: title, long date, author, picture, text."""
    t = texts(language)
    post = read_once(post_get, post_id=post_id)
    if post is None:
        return html.div({"role": "article", "class": "body"}, title(t("Article not found")))
    return article_body(post.title, post.published_at, post.author, post.image_url, post.content, language=language)


def article_body(
    heading: str, at: datetime | None, author: str, image_url: str, content: str, *, language: str
) -> VdomDict:
    """Return the markup of an article; `at` dates it, None for a draft without a time."""
    when = day(at, zone=venue_zone(), language=language, long=True) if at else None
    return html.div(
        {"role": "article", "class": "body article"},
        title(heading),
        html.p({"class": "article__by"}, when, " · " if when else "", *by(author, texts(language))),
        framed_picture(image_url, "article__picture", at_once=True) if image_url else None,
        article_text(content),
    )


@public_part(topics=lambda post_id: (f"post.{post_id}", "featured_participants", "sessions"))
def news_named(post_id: int, *, language: str) -> VdomDict:
    """Links to the participants and sessions that an article names."""
    post = read_once(post_get, post_id=post_id)
    named = named_in(plain_text(post.content))[:NAMED] if post else ()
    if not named:
        return html.div({"hidden": True})
    return html.section(
        {"class": "body article__named", "aria-labelledby": "article-named"},
        html.h2({"id": "article-named"}, texts(language)("In this article")),
        html.ul(
            *(
                html.li(
                    {"key": f"{each.kind}-{each.id}"},
                    link(_address(each), person_name(each.name) if each.kind == "participant" else each.name),
                )
                for each in named
            )
        ),
    )


def _address(named: Named) -> str:
    return f"/{'participants' if named.kind == 'participant' else 'sessions'}/{named.id}"


@public_part(topics=lambda post_id: ("latest_news", f"post.{post_id}"))
def news_neighbours(post_id: int, *, language: str) -> VdomDict:
    """Links to the previous and the next article."""
    t, post = texts(language), read_once(post_get, post_id=post_id)
    beside = post_neighbours(post=post) if post else PostNeighbours(None, None)
    ways = [_way(beside.older, t("Previous article"), "prev"), _way(beside.newer, t("Next article"), "next")]
    return html.nav({"class": "body article__ways", "aria-label": t("More news"), "hidden": not any(ways)}, *ways)


def _way(post: PostLink | None, words: str, rel: str) -> Markup:
    if post is None:
        return None
    name = html.span({"class": "small muted"}, words)
    return html.p({"key": rel, "class": f"article__{rel}"}, name, " ", link(f"/news/{post.id}", post.title))
