"""Events of the community, and the topics that they publish.

The database publishes `reports` as well, when a reported text is deleted (`sql/report_cases_end.sql`).
"""

from dataclasses import dataclass

from apps.core.events import topics_declare
from apps.live.events import Performances, own_words_topic, words_topics

TOPICS = topics_declare(
    {
        "community": "which posts the feed has",
        "community_post.<id>": "one post's counts, comments, author and subject, and whether it exists",
        "account.<id>.reactions": "one person's reactions to posts",
        "reports": "what was reported, and the decisions about it",
        "account.<id>.hidden": "which texts of one person are hidden",
    }
)


@dataclass(frozen=True, slots=True)
class PostsChanged:
    """Posts were added, deleted, hidden or restored, or lost their author; `performances` are their subjects.

    `post_ids` are those that were added, deleted, hidden or restored.
    """

    performances: Performances = ()
    post_ids: tuple[int, ...] = ()
    author_id: int | None = None  # who added one

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = () if self.author_id is None else (own_words_topic(self.author_id),)
        return ("community", *words_topics(self.performances), *own)


@dataclass(frozen=True, slots=True)
class PostChanged:
    """Counts, comments, authors or subjects of these posts changed, or they were deleted, hidden or restored."""

    post_ids: tuple[int, ...]
    author_id: int | None = None  # who added a comment

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = () if self.author_id is None else (own_words_topic(self.author_id),)
        return (*(f"community_post.{pk}" for pk in self.post_ids), *own)


@dataclass(frozen=True, slots=True)
class ReactionChanged:
    """A user's reaction to a post was added, changed or withdrawn."""

    post_id: int
    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics of the post and of the user's own reactions."""
        return (f"community_post.{self.post_id}", f"account.{self.user_id}.reactions")


@dataclass(frozen=True, slots=True)
class ReportsChanged:
    """A report was made, decided or undone; `author_ids` are the authors of texts that were hidden or restored."""

    author_ids: tuple[int, ...] = ()

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("reports", *(f"account.{pk}.hidden" for pk in self.author_ids))
