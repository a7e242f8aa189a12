"""Random changes over a slow connection that is cut: the browser's model ends equal to a fresh render."""

import asyncio
import logging
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from reactpy import use_async_effect

from components.runtime.markup import Component, cached_markup, component, html, key, use_effect, use_state
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.serializer import static_model
from tests.components.runtime.rendering.mounting import CONNECTION, Mounted, mounted, nodes, settled

STEPS = int(os.environ.get("STEPS", "200"))  # `make soak` takes more
EVERY = 10  # steps from one comparison to the next
TURNS = 20  # idle turns of the event loop, after which an asynchronous effect has ended
CUT = 77  # steps from one cut of the connection to the next, on average
SEEDS = range(int(os.environ.get("SEEDS", "1")))
BAD: tuple[Callable[[], Any], ...] = (
    lambda: html.p({"title": float("nan")}),
    lambda: html.p({"title": {1}}, html.b({"onClick": lambda _event: None})),
    lambda: html.p(html.i({"key": 1}), html.i({"key": "1"})),
    lambda: html.p(html.i({"key": 1, "onClick": lambda _event: None}), html.i({"key": "1"})),
    lambda: 1 / 0,
)


class World:
    """The values that all components show, by the component's name, and their followers."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.followers: dict[str, list[Callable[[int], None]]] = {}
        self.begun = self.ended = 0

    def get(self, name: str) -> int:
        return self.values.get(name, 0)

    def set(self, name: str, value: int) -> None:
        """Change the value and call its followers."""
        self.values[name] = value
        for follower in tuple(self.followers.get(name, ())):
            follower(value)

    def follow(self, name: str, follower: Callable[[int], None]) -> Callable[[], None]:
        """Call the follower on each change, until the returned function is called."""
        followers = self.followers.setdefault(name, [])
        followers.append(follower)
        self.begun += 1

        def end() -> None:
            followers.remove(follower)
            self.ended += 1

        return end


def use_value(world: World, name: str) -> int:
    """Return the value of this name and render again when it changes."""
    (of, value), set_shown = use_state((name, world.get(name)))

    @use_effect(dependencies=[name])
    def follow() -> Callable[[], None]:
        def show(new: int) -> None:
            set_shown(lambda before: before if before == (name, new) else (name, new))

        show(world.get(name))
        return world.follow(name, show)

    return value if of == name else world.get(name)


@cached_markup
def sign(text: str) -> Any:
    return html.section(html.h2(text), "as ever")


@component
def leaf(world: World, name: str) -> Any:
    value = use_value(world, name)

    def press(_event: Any) -> None:
        world.set(name, value + 1)

    return html.p(html.button({"onClick": press}, f"{name} {value}"), "" if value % 2 else sign(name))


@component
def waiting(world: World, name: str) -> Any:
    """A number, and its double, which an asynchronous effect computes."""
    value = use_value(world, name)
    doubled, set_doubled = use_state(2 * value)

    @use_async_effect(dependencies=[value])
    async def double() -> Callable[[], None]:
        for _ in range(value % 3):
            await asyncio.sleep(0)
        set_doubled(2 * value)
        return world.follow(f"{name} doubled", lambda _value: None)

    return html.p({"data-value": value}, f"{doubled}")


@component
def rows(world: World, name: str) -> Any:
    """Rows for the set bits of the number, in reverse order for odd numbers."""
    value = use_value(world, name)
    order = [number for number in range(5) if value >> number & 1]
    return html.ol(
        [key(f"row-{number}", anything(world, f"{name}.{number}")) for number in order[:: 1 - value % 2 * 2]]
    )


@component
def either(world: World, name: str) -> Any:
    """One of five kinds of children in one position, by the number."""
    value = use_value(world, name)
    inside: tuple[Any, ...] = (
        anything(world, f"{name}.a"), html.i("static"), None, html.b({"onClick": lambda _event: None}, "b"), sign(name),
    )  # fmt: skip
    return html.div({"class": f"kind-{value % 5}"}, "text", inside[value % 5], leaf(world, f"{name}.b"))


@component
def fragile(world: World, name: str) -> Any:
    """A component that fails for every third number, in one of several ways."""
    value = use_value(world, name)
    bad = BAD[value // 3 % len(BAD)]() if value % 3 == 2 else None
    return html.div(anything(world, f"{name}.a"), bad, html.p(str(value)))


KINDS: Sequence[Callable[[World, str], Component]] = (leaf, waiting, rows, either, fragile)


def anything(world: World, name: str) -> Component:
    """Return the component of this name; the name decides its kind. At depth 4 it has no children."""
    kinds = KINDS if name.count(".") < 4 else KINDS[:2]
    return random.Random(name).choice(kinds)(world, name)  # noqa: S311 - no secret


@component
def page(world: World) -> Any:
    return html.main([key(f"kind-{number}", kind(world, f"top{number}")) for number, kind in enumerate(KINDS)])


class Browser:
    """A browser's model, which applies updates with a delay."""

    def __init__(self, shown: Mounted) -> None:
        self.shown, self.taken = shown, 0
        self.model: Any = None

    def take(self, most: int) -> None:
        for update in self.shown.updates[self.taken : self.taken + most]:
            self.model = put(self.model, update["path"].split("/")[1:], update["model"])
            self.taken += 1

    def targets(self) -> list[str]:
        """Return the targets of all handlers in the browser's model; some no longer exist on the server."""
        return [
            str(handler["target"]) for node in nodes(self.model) for handler in node.get("eventHandlers", {}).values()
        ]


def put(model: Any, steps: list[str], new: Any) -> Any:
    """Return a copy of the model with `new` at this path."""
    if not steps:
        return new
    step: Any = int(steps[0]) if isinstance(model, list) else steps[0]
    copied = model.copy()
    copied[step] = put(model[step], steps[1:], new)
    return copied


class Evening:
    """A viewer during random changes, with a slow connection that is cut."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - no secret
        self.world, self.stack = World(), AsyncExitStack()
        self.browser: Browser

    async def connect(self) -> None:
        """Open the page, or reconnect after a cut: pending updates are lost."""
        await self.stack.aclose()
        self.browser = Browser(await self.stack.enter_async_context(mounted(page(self.world))))
        self.browser.take(1)

    async def step(self) -> None:
        """Do one random step: change a value, send an event, wait, or apply updates."""
        match self.chance.randrange(10):
            case 0 | 1 | 2 | 3:
                names = [name for name, followers in self.world.followers.items() if followers]
                self.world.set(self.chance.choice(sorted(names)), self.chance.randrange(64))
            case 4 | 5 if targets := self.browser.targets():
                await self.browser.shown.event(self.chance.choice(targets), {})
            case 6 | 7:
                for _ in range(self.chance.randrange(8)):
                    await asyncio.sleep(0)
            case _:
                self.browser.take(self.chance.randrange(4))
        if self.chance.random() < 1 / CUT:
            await self.connect()

    async def compare(self) -> None:
        """Wait until no render and no event is pending, and compare the browser's model with a fresh render."""
        shown, turns = self.browser.shown, 0
        while turns < TURNS:
            await asyncio.sleep(0)
            turns = turns + 1 if self.is_idle() else 0
        self.browser.take(len(shown.updates))
        shown.updates.clear()
        self.browser.taken = 0
        assert shown.failures == 0
        fresh = await first_model(page(self.world), CONNECTION)
        assert static_model(self.browser.model) == static_model(fresh)
        assert sorted(self.browser.targets()) == sorted(shown.layout._event_handlers)

    def is_idle(self) -> bool:
        """Return whether no render and no event is pending in this turn."""
        layout = self.browser.shown.layout
        return layout._rendering is None and not layout._event_queues


@pytest.fixture
def no_logging() -> Iterator[None]:
    """Disable logging, because many components fail."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("no_logging")
@pytest.mark.parametrize("seed", SEEDS)
async def test_random_changes_end_as_a_fresh_render(seed: int) -> None:
    evening = Evening(seed)
    before = len(asyncio.all_tasks())
    await evening.connect()
    for number in range(1, STEPS + 1):
        await evening.step()
        if number % EVERY == 0:
            await evening.compare()
    await evening.stack.aclose()
    assert evening.world.begun == evening.world.ended > STEPS / 4
    assert not any(evening.world.followers.values())
    await settled(lambda: len(asyncio.all_tasks()) <= before)
