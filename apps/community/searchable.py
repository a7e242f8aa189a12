"""Posts as they are found by a search: by their text, never by their author, who may leave."""

from collections.abc import Collection, Iterator

from apps.community.events import PostsChanged
from apps.community.models import Post
from apps.search.enums import Kind
from apps.search.registry import Document, Searchable, register

_TITLE = 80  # characters of a post's beginning, which is its title


def searchables_register() -> None:
    """Register the posts."""
    register(
        Searchable(
            Kind.POST,
            columns=("posts.content",),
            ids=lambda: Post.objects.order_by("pk").values_list("pk", flat=True).iterator(),
            documents=_posts,
            events={PostsChanged: lambda event: event.post_ids},
        )
    )


def _posts(ids: Collection[int]) -> Iterator[Document]:
    for pk, content, is_hidden in Post.objects.filter(pk__in=ids).values_list("pk", "content", "is_hidden"):
        yield Document(pk, _beginning(content), text=content, is_public=not is_hidden, is_untitled=True, weight=pk)


def _beginning(content: str) -> str:
    """Return the first words of a post, at most _TITLE characters."""
    line = " ".join(content[: 2 * _TITLE].split())
    if len(line) <= _TITLE and len(content) <= 2 * _TITLE:
        return line or "…"
    cut = line[:_TITLE].rsplit(" ", 1)[0] or line[:_TITLE]
    return f"{cut.rstrip(' ,;:.')}…"
