"""A component with a live query shows its initial data, follows its topics, and stops when it is unmounted."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from reactpy.types import Connection, Location

from apps.core.events import topics_declare
from components.runtime.hooks import Read, use_live_query
from components.runtime.markup import component, html, use_state
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from tests.components.runtime.rendering.mounting import settled
from tests.reading import readable

Show = Callable[[Any], None]
setters: dict[str, Any] = {}
topics_declare(dict.fromkeys(("topic.a", "topic.b"), "of a test"))


def named(name: str) -> str:
    return f"{name} read"


@component
def leaf(name: str) -> Any:
    """A component with a live query on the topic of this name."""
    return html.p(use_live_query(named, topics=(f"topic.{name}",), initial=f"{name} initial", name=name))


@component
def chooser() -> Any:
    """A component that mounts `leaf` with the selected name, or shows a text without one."""
    name, setters["name"] = use_state("a")
    return html.div(leaf(name) if name else "empty")


class PageConnection:
    """A page connection that records its live queries by topics."""

    page = SimpleNamespace(path="/leaves")

    def __init__(self) -> None:
        self.followed: dict[tuple[str, ...], tuple[Callable[[], Any], Show]] = {}

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Show) -> Callable[[], None]:
        """Record a live query. Return the function that ends it."""
        self.followed[topics] = (read, show)
        return lambda: self.followed.pop(topics) and None

    def change(self, topic: str) -> None:
        """Run the live query on this topic again and show its result."""
        read, show = self.followed[(topic,)]
        show(read())


def connection(carrier: PageConnection) -> Any:
    return Connection({}, Location("/", ""), SimpleNamespace(follow=carrier.follow, page=carrier.page))


class Shown:
    """The mounted `chooser` and the texts that its layout has sent."""

    def __init__(self, carrier: PageConnection) -> None:
        self.texts: list[str] = []
        self.layout = PageLayout(with_connection(chooser(), connection(carrier)), self._sent, lambda: None)

    def _sent(self, update: dict[str, Any]) -> None:
        self.texts.append(readable(update["model"]))

    async def until(self, text: str) -> None:
        """Wait until the last sent text is `text` and effects have run."""
        await settled(lambda: self.texts[-1:] == [text])
        for _ in range(5):
            await asyncio.sleep(0)


async def test_first_render_has_initial_data_and_follows_no_topic() -> None:
    carrier = PageConnection()
    model = await first_model(leaf("a"), connection(carrier))
    assert readable(model) == "a initial"
    assert carrier.followed == {}


async def test_changed_query_shows_its_initial_data_and_follows_its_topics() -> None:
    carrier = PageConnection()
    shown = Shown(carrier)
    async with shown.layout:
        await shown.until("a initial")
        carrier.change("topic.a")
        await shown.until("a read")
        setters["name"]("b")
        await shown.until("b initial")
        assert list(carrier.followed) == [("topic.b",)]
        carrier.change("topic.b")
        await shown.until("b read")
        setters["name"]("")
        await shown.until("empty")
        assert carrier.followed == {}, "an unmounted query follows no topic"


def test_reads_are_equal_by_selector_and_arguments() -> None:
    def other(name: str) -> str:
        return name

    first = Read(named, (("name", "a"),))
    assert first == Read(named, (("name", "a"),))
    assert hash(first) == hash(Read(named, (("name", "a"),)))
    assert first != Read(named, (("name", "b"),))
    assert first != Read(other, (("name", "a"),))
    assert first() == "a read"


async def test_live_query_on_an_unknown_topic_is_rejected(caplog: pytest.LogCaptureFixture) -> None:
    await first_model(leaf("lost"), connection(PageConnection()))
    words = "TopicUnknown: the page /leaves, its live query named: no event publishes the topic 'topic.lost'"
    assert words in caplog.text
    caplog.clear()  # a logged error fails a test
