"""What happens in the community, and whose screens it makes out of date.

Topics: `community` which posts there are; `community_post.<id>` one post's counts, comments and author, and whether it
is there.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PostsChanged:
    """A post came, or one is gone, hidden or restored."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of the feed."""
        return ("community",)


@dataclass(frozen=True, slots=True)
class PostChanged:
    """These posts have other counts, comments or authors, or are gone, hidden or restored."""

    post_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"community_post.{pk}" for pk in self.post_ids)
