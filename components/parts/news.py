"""The list of news and one article."""

from apps.core.database.clock import venue_zone
from apps.core.database.paging import Cursor, keyset_page
from apps.core.texts import texts
from apps.news.selectors import PostCard, post_get, post_list
from components.markup import VdomDict, html
from components.parts.people import by
from components.rendering.parts import public_part
from components.ui.blocks import link, list_ways, picture, prose, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames.page_grid import title
from components.ui.venue_time import day

ROWS = 20


@public_part(topics=lambda before: ("latest_news", "profiles"))  # noqa: ARG005 - every list depends on all
def news_list(before: str, *, language: str) -> VdomDict:
    """Published articles, the newest first, those after the cursor `before` when there is one."""
    t = texts(language)
    page = keyset_page(post_list, lambda post: Cursor(post.published_at, post.id), before=before, size=ROWS)
    ways = list_ways("/news", page, t("Show older"), t, look="body row")
    if not page.rows:
        return html.div(empty(t("No news articles available yet.")), ways)
    return html.div(html.ol({"class": "calendar"}, *(_card(post, language) for post in page.rows)), ways)


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
            html.span({"class": "calendar__by"}, by(post.author, t)),
        ),
        html.article({"class": "calendar__pictured" if shown else "calendar__plain"}, words, shown),
    )


@public_part(topics=lambda post_id: (f"post.{post_id}", "profiles"))
def news_article(post_id: int, *, language: str) -> VdomDict:
    """One article: title, long date, author, picture, text."""
    t = texts(language)
    post = post_get(post_id=post_id)
    if post is None:
        return html.article({"class": "body"}, title(t("Article not found")))
    when = day(post.published_at, zone=venue_zone(), language=language, long=True)
    return html.article(
        {"class": "body article"},
        title(post.title),
        html.p({"class": "article__by"}, when, " · ", by(post.author, t)),
        picture(post.image_url, "picture", at_once=True),
        prose(post.content),
    )
