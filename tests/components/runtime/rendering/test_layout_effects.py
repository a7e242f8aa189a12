"""Effects run only while the layout is mounted, and need no task."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from components.runtime.hooks import use_connection
from components.runtime.markup import component, html, use_effect, use_state
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, settled, target


async def test_first_render_runs_no_effects() -> None:
    ran: list[str] = []

    @component
    def inner() -> Any:
        @use_effect(dependencies=[])
        def effect() -> None:
            ran.append("inner")

        return html.p(str(use_connection().carrier))

    @component
    def outer() -> Any:
        @use_effect(dependencies=[])
        def effect() -> None:
            ran.append("outer")

        return html.div(inner())

    model = await first_model(outer(), CONNECTION)
    await asyncio.sleep(0)
    assert [node["tagName"] for node in nodes(model) if node["tagName"]] == ["div", "p"]
    assert ran == []
    async with mounted(outer()) as shown:
        await settled(lambda: sorted(ran) == ["inner", "outer"])
        assert shown.updates[0]["path"] == ""
        assert shown.updates[0]["model"] == model, "hydration needs the same nesting in both"


async def test_unmount_ends_effects_and_tasks() -> None:
    ended: list[str] = []
    started = asyncio.Event()

    @component
    def effective() -> Any:
        @use_effect(dependencies=[])
        def effect() -> Any:
            started.set()
            return lambda: ended.append("cleaned")

        return html.button({"onClick": lambda _event: None}, "Press")

    before = len(asyncio.all_tasks())
    async with mounted(effective()) as shown:
        await asyncio.wait_for(started.wait(), 20)
        await shown.event(target(shown.updates[0]["model"], "button"), {})
    assert ended == ["cleaned"]
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == before


async def test_effects_need_no_task_and_clean_up_in_order() -> None:
    happened: list[str] = []

    @component
    def page() -> Any:
        number, set_number = use_state(0)

        @use_effect(dependencies=[number])
        def follow() -> Callable[[], None]:
            happened.append(f"begin {number}")
            return lambda: happened.append(f"end {number}")

        async def on_click(event: Any) -> None:
            set_number(number + 1)

        return html.button({"onClick": on_click})

    before = len(asyncio.all_tasks())
    async with mounted(page()) as shown:
        assert len(asyncio.all_tasks()) == before
        handler = shown.layout._event_handlers[target(shown.updates[-1]["model"], "button")]
        await handler.function([{}])
        await shown.idle()
        assert happened == ["begin 0", "end 0", "begin 1"]
    assert happened == ["begin 0", "end 0", "begin 1", "end 1"]


async def test_failed_effect_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    happened: list[str] = []

    @component
    def page() -> Any:
        @use_effect(dependencies=[])
        def failing() -> None:
            raise RuntimeError("no")

        @use_effect(dependencies=[])
        def working() -> Callable[[], None]:
            happened.append("begin")
            return lambda: happened.append("end")

        return html.p("still here")

    async with mounted(page()) as shown:
        assert shown.failures == 0
    assert happened == ["begin", "end"]
    assert [record.message for record in caplog.records] == ["an effect failed"]
    caplog.clear()


@component
def one_of_many(happened: list[str], name: str, inside: int) -> Any:
    """A component with an effect, and `inside` of the same kind in it."""

    @use_effect(dependencies=[])
    def follow() -> Callable[[], None]:
        happened.append(f"begin {name}")
        return lambda: happened.append(f"end {name}")

    return html.div([one_of_many(happened, f"{name}{number}", inside - 1) for number in range(inside)])


async def test_unmount_during_a_render_ends_all_begun_effects() -> None:
    for turns in range(0, 60, 3):
        happened: list[str] = []
        layout = PageLayout(with_connection(one_of_many(happened, "a", 3), CONNECTION), lambda _: None, lambda: None)
        async with layout:
            for _ in range(turns):
                await asyncio.sleep(0)
        begun, ended = ([event.split()[1] for event in happened if event.startswith(kind)] for kind in ("begin", "end"))
        assert sorted(begun) == sorted(ended), f"after {turns} turns of the event loop"
