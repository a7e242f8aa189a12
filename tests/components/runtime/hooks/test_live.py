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
from tests.reading import readable

Show = Callable[[Any], None]
setters: dict[str, Any] = {}
topics_declare(dict.fromkeys(("topic.a", "topic.b"), "of a test"))


def named(name: str) -> str:
    """The selector of the live query."""
    return f"{name} read"


@component
def leaf(name: str) -> Any:
    """A component with a live query on the topic of this name."""
    return html.p(use_live_query(named, topics=(f"topic.{name}",), initial=f"{name} initial", name=name))


@component
def chooser() -> Any:
    """A component that mounts `leaf` with the selected name, or shows a text without one."""
    name, setters["name"] = use_state("a")
    return html.div(leaf(name) if name else "nothing")


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
    """Return a ReactPy connection that carries `carrier`."""
    return Connection({}, Location("/", ""), SimpleNamespace(follow=carrier.follow, page=carrier.page))


class ApprovalFilter:
    """The mounted `chooser` and the texts that its layout has sent."""

    def __init__(self, carrier: PageConnection) -> None:
        self.texts: list[str] = []
        self.layout = PageLayout(with_connection(chooser(), connection(carrier)), self._sent, lambda: None)

    def _sent(self, update: dict[str, Any]) -> None:
        self.texts.append(readable(update["model"]))

    async def until(self, text: str) -> None:
        """Let effects and renders run until the last sent text is `text`."""
        async with asyncio.timeout(20):
            while self.texts[-1:] != [text]:
                sequence = asyncio.Event()
                asyncio.get_running_loop().call_soon(sequence.set)
                await sequence.wait()


async def turns() -> None:
    """Run five turns of the event loop."""
    for _ in range(5):
        sequence = asyncio.Event()
        asyncio.get_running_loop().call_soon(sequence.set)
        await sequence.wait()


async def test_the_first_render_is_complete_and_follows_nothing() -> None:
    carrier = PageConnection()
    model = await first_model(leaf("a"), connection(carrier))
    assert readable(model) == "a initial"
    assert carrier.followed == {}


async def test_a_change_is_shown() -> None:
    carrier = PageConnection()
    shown = ApprovalFilter(carrier)
    async with shown.layout:
        await shown.until("a initial")
        await turns()
        carrier.change("topic.a")
        await shown.until("a read")


async def test_another_question_is_answered_at_once_and_followed_instead() -> None:
    carrier = PageConnection()
    shown = ApprovalFilter(carrier)
    async with shown.layout:
        await shown.until("a initial")
        await turns()
        carrier.change("topic.a")
        await shown.until("a read")
        setters["name"]("b")
        await shown.until("b initial")
        await turns()
        assert list(carrier.followed) == [("topic.b",)]
        carrier.change("topic.b")
        await shown.until("b read")


async def test_a_leaf_that_goes_follows_no_more() -> None:
    carrier = PageConnection()
    shown = ApprovalFilter(carrier)
    async with shown.layout:
        await shown.until("a initial")
        await turns()
        setters["name"]("")
        await shown.until("nothing")
        await turns()
        assert carrier.followed == {}


def test_equal_reads_are_one() -> None:
    def other(name: str) -> str:
        return name

    first = Read(named, (("name", "a"),))
    assert first == Read(named, (("name", "a"),))
    assert hash(first) == hash(Read(named, (("name", "a"),)))
    assert first != Read(named, (("name", "b"),))
    assert first != Read(other, (("name", "a"),))
    assert first() == "a read"


async def test_a_live_query_on_a_topic_that_no_event_publishes_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    await first_model(leaf("lost"), connection(PageConnection()))
    words = "TopicUnknown: the page /leaves, its live query named: no event publishes the topic 'topic.lost'"
    assert words in caplog.text
    caplog.clear()  # a logged error fails a test
