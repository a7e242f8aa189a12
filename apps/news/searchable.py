"""Articles as they are found by a search; drafts are not public."""

from collections.abc import Collection, Iterator

from apps.news.article_text import plain_text
from apps.news.events import PostChanged
from apps.news.models import BlogPost
from apps.search.enums import Kind
from apps.search.registry import Document, Searchable, register


def searchables_register() -> None:
    """Register the articles."""
    register(
        Searchable(
            Kind.NEWS,
            columns=("blog_posts.title", "blog_posts.excerpt", "blog_posts.content"),
            ids=lambda: BlogPost.objects.order_by("pk").values_list("pk", flat=True).iterator(),
            documents=_articles,
            events={PostChanged: lambda event: (event.post_id,)},
        )
    )


def _articles(ids: Collection[int]) -> Iterator[Document]:
    for each in BlogPost.objects.filter(pk__in=ids):
        yield Document(
            each.pk,
            each.title,
            each.excerpt,
            plain_text(each.content),
            is_public=each.is_published,
            weight=int(each.published_at.timestamp()) if each.published_at else 0,
        )
