"""Events and topics: what happened, and which reads it makes stale.

Each app declares its topics in its `events.py` only:

    TOPICS = topics_declare({"prize.<id>": "one prize"})

    @dataclass(frozen=True, slots=True)
    class PrizeAwarded:
        prize_id: int

        @property
        def topics(self) -> tuple[str, ...]:
            return (f"prize.{self.prize_id}",)

Every read that depends on topics names them as `topics=`: a page (`Page`), a shared part (`public_part`, a function of
its parameters), the slot query of a feature (`slot_query`, where `<id>` is the viewer's id) and a live query
(`use_live_query`). A topic that no app declares raises TopicUnknown: in an event when it is published, in a page with
its parts and slots when it is loaded, in a live query when it is rendered.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from apps.core.bus.topics import publish_topics

_declared: dict[str, str] = {}


class TopicUnknown(ValueError):
    """A topic that no app declares, so that no event publishes it."""


def topics_declare(topics: Mapping[str, str]) -> Mapping[str, str]:
    """Declare topics with their descriptions and return them; "<id>" in a topic matches any number.

    Raises ValueError for a topic that is already declared with another description.
    """
    for topic, what in topics.items():
        if _declared.setdefault(topic, what) != what:
            raise ValueError(f"the topic {topic!r} is declared twice: {_declared[topic]!r} and {what!r}")
    _is_declared.cache_clear()
    return topics


def topics_check(topics: Iterable[str], *, where: str) -> None:
    """Raise TopicUnknown for a topic that no app declares; `where` names its user in the error."""
    for topic in topics:
        if not _is_declared(topic):
            raise TopicUnknown(f"{where}: no event publishes the topic {topic!r} (apps/core/events.py)")


@lru_cache(maxsize=4096)
def _is_declared(topic: str) -> bool:
    return ".".join("<id>" if word.isdecimal() else word for word in topic.split(".")) in _declared


TOPICS = topics_declare({"clock.minute": "a minute has passed, in each process by itself; no write publishes it"})


class Event(Protocol):
    """An event with the topics to notify. It carries ids only, never data."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        ...


def publish(event: Event) -> None:
    """Publish the topics of `event` when the running transaction commits; a rollback discards them.

    Raises TopicUnknown for a topic that no app declares.
    """
    topics_check(event.topics, where=type(event).__name__)
    publish_topics(*event.topics)
    note(event)


_subscribers: list[Callable[[Event], None]] = []


def events_subscribe(subscriber: Callable[[Event], None]) -> None:
    """Register a function that is called with each event, in the transaction that publishes it."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def note(event: Event) -> None:
    """Pass an event to its subscribers, without its topics: for writes that no open page needs to show."""
    for subscriber in _subscribers:
        subscriber(event)
