"""Events of the demo, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare({"demo": "whether the demo is alive"})


@dataclass(frozen=True, slots=True)
class DemoChanged:
    """The demo was stopped or started, or has ended."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return ("demo",)
