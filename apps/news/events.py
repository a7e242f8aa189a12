"""Events of the news. Topics: `latest_news` any article, `post.<id>` one article."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PostChanged:
    """An article was created, changed or deleted, as a draft or published."""

    post_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("latest_news", f"post.{self.post_id}")
