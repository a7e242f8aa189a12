"""A component that renders itself endlessly is stopped; other components and pages go on."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from components.runtime.markup import component, html, key, use_effect, use_state
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.overrides.render_limits import MOST_NESTED, MOST_REPEATS
from tests.components.runtime.rendering.mounting import CONNECTION, Mounted, mounted, nodes, settled, target

ENOUGH = 5000  # renders after which these components end by themselves, so that a failing test ends too


class Seen:
    """The number of renders, the events, and the state setters of the components."""

    def __init__(self) -> None:
        self.renders = 0
        self.setters: dict[str, Any] = {}
        self.events: list[str] = []

    def next(self, set_number: Callable[[int], None], number: int) -> None:
        """Count a render and request the next one."""
        self.renders += 1
        if self.renders < ENOUGH:
            set_number(number + 1)


def in_its_body(seen: Seen) -> Any:
    """A component that sets its own state while it renders."""

    @component
    def endless() -> Any:
        running, seen.setters["start"] = use_state(False)
        number, set_number = use_state(0)
        if running:
            seen.next(set_number, number)
        return html.p(f"number {number}")

    return endless()


def in_an_effect(seen: Seen) -> Any:
    """A component that sets its own state in an effect after every render."""

    @component
    def endless() -> Any:
        running, seen.setters["start"] = use_state(False)
        number, set_number = use_state(0)

        @use_effect(dependencies=[running, number])
        def again() -> None:
            if running:
                seen.next(set_number, number)

        return html.p(f"number {number}")

    return endless()


def in_a_childs_effect(seen: Seen) -> Any:
    """A component with a child that sets the parent's state after every render."""

    @component
    def child(number: int, more: Callable[[int], None]) -> Any:
        @use_effect(dependencies=[number, more])
        def again() -> None:
            if more is not None:
                seen.next(more, number)

        return html.p(f"number {number}")

    @component
    def endless() -> Any:
        running, seen.setters["start"] = use_state(False)
        number, set_number = use_state(0)
        return html.div(child(number, set_number if running else None))

    return endless()


def in_two_that_set_each_other(seen: Seen) -> Any:
    """Two components, each of which sets the other's state after every render."""
    set_numbers: dict[str, Any] = {}

    @component
    def endless(name: str, other: str) -> Any:
        running, seen.setters[name] = use_state(False)
        number, set_numbers[name] = use_state(0)

        @use_effect(dependencies=[running, number])
        def again() -> None:
            if running or number:
                seen.next(set_numbers[other], number)

        return html.p(f"number {number}")

    def start(on: bool) -> None:
        seen.setters["one"](on)

    seen.setters["start"] = start
    return html.div(endless("one", "two"), endless("two", "one"))


KINDS = [in_its_body, in_an_effect, in_a_childs_effect, in_two_that_set_each_other]


def page(seen: Seen, inner: Any) -> Any:
    """Return a page with `inner` between a working component and one with a handler."""

    @component
    def beside() -> Any:
        number, seen.setters["beside"] = use_state(0)

        def on_click(_event: Any) -> None:
            seen.events.append("click")

        return html.button({"onClick": on_click}, f"beside {number}")

    @component
    def whole() -> Any:
        number, seen.setters["whole"] = use_state(0)
        return html.main(html.h1(f"whole {number}"), inner, beside())

    return whole()


def failed(shown: Mounted) -> list[Any]:
    return [update for update in shown.updates if any("error" in node for node in nodes(update["model"]))]


@pytest.mark.parametrize("kind", KINDS)
async def test_endless_component_is_stopped_without_blocking_the_loop(
    kind: Callable[[Seen], Any], caplog: pytest.LogCaptureFixture
) -> None:
    seen, others = Seen(), Seen()
    turns = 0

    async def tick() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with mounted(page(seen, kind(seen))) as shown, mounted(page(others, None)) as other:
        ticking = asyncio.create_task(tick())
        seen.setters["start"](True)
        others.setters["beside"](1)
        await shown.idle()
        ticking.cancel()
        assert MOST_REPEATS <= seen.renders <= 2 * MOST_REPEATS + 2
        assert turns >= seen.renders, "the event loop was blocked"
        assert len(failed(shown)) == 1
        assert "beside 1" in str(other.updates[-1])
        assert caplog.messages == ["endless renders itself without end and was stopped"]
        seen.setters["beside"](1)
        await shown.idle()
        assert "beside 1" in str(shown.updates[-1]), "other components go on"
        await shown.event(target(shown.updates[-1]["model"], "button"), {})
        await settled(lambda: seen.events == ["click"])
        before = seen.renders
        seen.setters["whole"](1)
        await shown.idle()
        assert "whole 1" in str(shown.updates[-1])
        assert any("error" in node for node in nodes(shown.updates[-1]["model"])), "the component stays stopped"
        assert seen.renders - before <= 1
        assert (shown.failures, len(caplog.records)) == (0, 1)
    caplog.clear()


async def test_external_changes_are_not_counted_as_repeats() -> None:
    """The component's effect sets its state once after each external change."""
    seen = Seen()

    @component
    def following() -> Any:
        number, seen.setters["number"] = use_state(0)
        doubled, set_doubled = use_state(0)

        @use_effect(dependencies=[number])
        def follow() -> None:
            set_doubled(2 * number)

        return html.p(f"{number} {doubled}")

    async with mounted(following()) as shown:
        for number in range(1, 3 * MOST_REPEATS):
            seen.setters["number"](number)
            await shown.idle()
        assert failed(shown) == []
        assert f"{number} {2 * number}" in str(shown.updates[-1])


async def test_component_in_the_place_of_a_stopped_one_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    seen = Seen()
    inner = in_its_body(seen)

    @component
    def sound() -> Any:
        return html.p("sound")

    @component
    def either() -> Any:
        is_sound, seen.setters["sound"] = use_state(False)
        return html.div(key("a", sound()) if is_sound else key("a", inner))

    async with mounted(either()) as shown:
        seen.setters["start"](True)
        await shown.idle()
        assert len(failed(shown)) == 1
        seen.setters["sound"](True)
        await shown.idle()
        assert "sound" in str(shown.updates[-1])
        assert len(failed(shown)) == 1
    caplog.clear()


@pytest.mark.parametrize("times", [1, 2])
async def test_component_inside_itself_is_stopped(times: int, caplog: pytest.LogCaptureFixture) -> None:
    """Inside itself once, it would end at Python's recursion limit; twice, it would never end."""
    seen = Seen()

    @component
    def endless() -> Any:
        seen.renders += 1
        assert seen.renders < ENOUGH
        return html.div([endless() for _ in range(times)])

    async with mounted(page(seen, endless())) as shown:
        assert MOST_NESTED / 2 < seen.renders < 2 * MOST_NESTED
        assert any("error" in node for node in nodes(shown.updates[-1]["model"]))
        assert "beside 0" in str(shown.updates[-1])
        assert shown.failures == 0
        seen.renders = 0
        model = await first_model(page(seen, endless()), CONNECTION)
        assert any("error" in node for node in nodes(model))
        assert seen.renders < 2 * MOST_NESTED
    assert caplog.messages == ["endless holds itself without end and was stopped"] * 2
    caplog.clear()
