"""What an event is and how it is announced; each app lists its own events in its `events.py`."""

from typing import Protocol

from apps.core.bus.topics import publish_topics


class Event(Protocol):
    """Something that happened, with the topics to notify; ids only, never data."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        ...


def publish(event: Event) -> None:
    """Announce `event` when the running transaction commits, and never if it does not."""
    publish_topics(*event.topics)
