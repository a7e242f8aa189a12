"""Events of the news, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "latest_news": "any article",
        "post.<id>": "one article",
        "planned_posts": "the times at which drafts are to be published",
    }
)


@dataclass(frozen=True, slots=True)
class PostChanged:
    """An article was created, changed or deleted, as a draft or published."""

    post_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("latest_news", f"post.{self.post_id}")


@dataclass(frozen=True, slots=True)
class PublicationPlanned:
    """A draft has another time at which it is to be published, or none any more."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic to notify."""
        return ("planned_posts",)
