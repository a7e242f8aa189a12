"""What the general tests use of the app news: its selectors' calls on a large database."""

from collections.abc import Mapping
from datetime import timedelta

from apps.core.database.paging import Cursor
from apps.news import selectors as news
from tests.apps.busy_session import ADMIN, NOW, newest
from tests.apps.reads import EXPORT, Read


def _neighbours() -> object:
    post = news.post_get(post_id=newest("blog_posts") - 1)
    assert post is not None
    return news.post_neighbours(post=post)


READS: Mapping[str, list[Read]] = {
    "post_edit": [Read(lambda: news.post_edit(post_id=newest("blog_posts")))],
    "posts_admin": [Read(news.posts_admin, 1500, "numbered pages count articles, which administrators write by hand")],
    "post_counts": [Read(news.post_counts, 1500, "articles are counted, which administrators write by hand")],
    "post_get": [Read(lambda: news.post_get(post_id=newest("blog_posts") - 1))],
    "posts_existing": [Read(lambda: news.posts_existing(ids=(1, 2, 10**9)))],
    "post_ids": [Read(news.post_ids, 100, "the sitemap names all but drafts")],
    "post_list": [
        Read(lambda: news.post_list(limit=3)),
        Read(lambda: news.post_list(limit=21)),
        Read(lambda: news.post_list(limit=21, before=Cursor(NOW - timedelta(hours=1000), 1))),
    ],
    "post_neighbours": [Read(_neighbours)],
    "post_preview": [Read(lambda: news.post_preview(post_id=newest("blog_posts")))],
    "posts_own": [Read(lambda: news.posts_own(user_id=ADMIN), 1000, EXPORT)],
}
# Public functions of those modules without a query, or with a query that the caller completes.
HELPERS = {"post_fields", "post_values", "excerpt_text"}
