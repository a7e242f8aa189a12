"""Repeated effects and removed handlers leak no memory (measured with tracemalloc) and no tasks."""

import asyncio
import gc
import os
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from reactpy import use_async_effect

from components.runtime.markup import component, html, use_effect, use_state
from tests.components.runtime.rendering.mounting import mounted, settled, target

TIMES = int(os.environ.get("TIMES", "300"))  # `make soak` repeats more often
MOST = 4 + 1200 / TIMES  # bytes that one repetition may leave; a kept reference has eight


@pytest.fixture
def tracing() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


async def bytes_left(repeat: Callable[[int], Awaitable[None]]) -> float:
    """Return the average number of bytes that one repetition leaves."""

    async def size_after(numbers: range) -> int:
        for number in numbers:
            await repeat(number)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    before = await size_after(range(TIMES // 4))
    return (await size_after(range(TIMES // 4, TIMES // 4 + TIMES)) - before) / TIMES


@pytest.mark.usefixtures("tracing")
@pytest.mark.parametrize("waits", [False, True])
async def test_repeated_effect_leaves_no_memory(waits: bool) -> None:
    setters: dict[str, Any] = {}
    counts = {"begun": 0, "ended": 0}

    def begin() -> Callable[[], None]:
        counts["begun"] += 1
        return end

    def end() -> None:
        counts["ended"] += 1

    @component
    def following() -> Any:
        number, setters["number"] = use_state(0)
        if waits:

            @use_async_effect(dependencies=[number])
            async def follow_soon() -> Callable[[], None]:
                return begin()

        else:

            @use_effect(dependencies=[number])
            def follow() -> Callable[[], None]:
                return begin()

        return html.p(str(number))

    async with mounted(following()) as shown:

        async def run_again(number: int) -> None:
            setters["number"](number + 1)
            await shown.idle()
            await settled(lambda: counts["begun"] == number + 2)
            shown.updates.clear()

        assert await bytes_left(run_again) < MOST
        assert counts["begun"] - counts["ended"] <= 1
        assert len(asyncio.all_tasks()) <= 3
    assert counts["begun"] == counts["ended"]


@pytest.mark.usefixtures("tracing")
async def test_handler_of_a_removed_row_leaves_no_memory() -> None:
    setters: dict[str, Any] = {}
    typed: list[int] = []

    @component
    def rows() -> Any:
        number, setters["number"] = use_state(0)
        take = {"onChange": lambda _event: typed.append(number)}
        return html.ol(html.li({"key": f"row-{number}"}, html.input({"value": ""} | take)))

    async with mounted(rows()) as shown:
        layout = shown.layout

        async def use_and_remove(number: int) -> None:
            typed.clear()
            await shown.event(target(shown.updates[-1]["model"], "input", "onChange"), {}, seq=1)
            await settled(lambda: bool(typed))
            setters["number"](number + 1)
            await shown.idle()
            del shown.updates[:-1]

        assert await bytes_left(use_and_remove) < MOST
        await settled(lambda: not layout._event_queues)
        assert layout._event_processing_tasks == {}
        assert len(layout._last_event_seq_by_target) <= 1


async def test_handler_has_no_task_between_events() -> None:
    taken: list[int] = []
    doors = [asyncio.Event() for _ in range(4)]

    @component
    def button() -> Any:
        async def on_click(event: Any) -> None:
            await doors[event["number"]].wait()
            taken.append(event["number"])

        return html.button({"onClick": on_click})

    async with mounted(button()) as shown:
        at = target(shown.updates[-1]["model"], "button")
        before = len(asyncio.all_tasks())
        for pair in ((0, 1), (2, 3)):
            for number in pair:
                await shown.event(at, {"number": number})
            assert len(asyncio.all_tasks()) == before + 1
            for number in pair:
                doors[number].set()
            await settled(lambda: len(asyncio.all_tasks()) == before)
        assert taken == [0, 1, 2, 3], "in order"


async def test_events_above_the_queue_size_are_all_handled() -> None:
    taken: list[int] = []

    @component
    def button() -> Any:
        return html.button({"onClick": lambda event: taken.append(event["number"])})

    async with mounted(button()) as shown:
        at = target(shown.updates[-1]["model"], "button")
        sent = 2500  # more than REACTPY_MAX_QUEUE_SIZE
        await asyncio.gather(*(shown.event(at, {"number": number}) for number in range(sent)))
        await settled(lambda: len(taken) == sent)
    assert taken == sorted(taken)


async def test_unmount_while_handlers_end_is_no_failure() -> None:
    @component
    def buttons() -> Any:
        async def on_click(_event: Any) -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                raise

        async def on_quick_click(_event: Any) -> None:
            await asyncio.sleep(0)

        return html.p(html.button({"onClick": on_click}), html.button({"onClick": on_quick_click}))

    async with mounted(buttons()) as shown:
        for number in (0, 1):
            await shown.event(target(shown.updates[-1]["model"], "button", number=number), {})
        await asyncio.sleep(0)
    await settled(lambda: len(asyncio.all_tasks()) == 1)
