"""Effects run only while the layout is mounted; asynchronous ones behave as in ReactPy's own layout."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from reactpy import use_async_effect

from components.runtime.hooks import use_connection
from components.runtime.markup import component, html, use_effect, use_state
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.overrides.render_limits import MOST_REPEATS
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, settled, target
from tests.components.runtime.rendering.upstream import upstream_mounted


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


MOUNTS = [mounted, upstream_mounted]


class Diary:
    """The events of an effect in order, and the setters and gates that control it."""

    def __init__(self) -> None:
        self.happened: list[str] = []
        self.setters: dict[str, Any] = {}
        self.gates: dict[int, asyncio.Event] = {}

    def gate(self, number: int) -> asyncio.Event:
        """Return the event for which the run of this number waits."""
        return self.gates.setdefault(number, asyncio.Event())

    def note(self, text: str) -> None:
        self.happened.append(text)

    async def until(self, *happened: str) -> None:
        try:
            await settled(lambda: self.happened == list(happened))
        except TimeoutError:
            assert self.happened == list(happened)


def follower(diary: Diary, *, shield: bool = False) -> Any:
    """Return a component with an effect that waits for the gate of its number and cleans up. A setter removes it."""

    @component
    def following() -> Any:
        number, diary.setters["number"] = use_state(0)
        other, diary.setters["other"] = use_state(0)

        @use_async_effect(dependencies=[number], shield=shield)
        async def follow() -> Callable[[], None]:
            diary.note(f"begin {number}")
            try:
                await diary.gate(number).wait()
            except asyncio.CancelledError:
                diary.note(f"cancelled {number}")
                raise
            diary.note(f"done {number}")
            return lambda: diary.note(f"clean {number}")

        return html.p(f"{number} {other}")

    @component
    def page() -> Any:
        is_there, diary.setters["there"] = use_state(True)
        return html.div(following() if is_there else None)

    return page()


@pytest.mark.parametrize("mount", MOUNTS)
async def test_effect_cleans_up_before_its_next_run_and_at_unmount(mount: Any) -> None:
    diary = Diary()
    async with mount(follower(diary)):
        await diary.until("begin 0")
        diary.gate(0).set()
        await diary.until("begin 0", "done 0")
        diary.setters["other"](1)  # a render without a changed dependency
        diary.setters["number"](1)
        await diary.until("begin 0", "done 0", "clean 0", "begin 1")
        diary.gate(1).set()
        await diary.until("begin 0", "done 0", "clean 0", "begin 1", "done 1")
        diary.setters["there"](False)
        await diary.until("begin 0", "done 0", "clean 0", "begin 1", "done 1", "clean 1")


@pytest.mark.parametrize("mount", MOUNTS)
async def test_running_effect_is_cancelled_by_its_next_run_and_at_unmount(mount: Any) -> None:
    diary = Diary()
    async with mount(follower(diary)):
        await diary.until("begin 0")
        diary.setters["number"](1)
        await diary.until("begin 0", "cancelled 0", "begin 1")
        diary.setters["there"](False)
        await diary.until("begin 0", "cancelled 0", "begin 1", "cancelled 1")


async def test_shielded_effect_cleans_up_before_its_next_run() -> None:
    """ReactPy's own layout overwrites the clean-up with that of the next run."""
    diary = Diary()
    async with mounted(follower(diary, shield=True)):
        await diary.until("begin 0")
        diary.setters["number"](1)
        diary.gate(0).set()
        await diary.until("begin 0", "done 0", "clean 0", "begin 1")
        diary.gate(1).set()
    assert diary.happened[4:] == ["done 1", "clean 1"]


async def test_quick_runs_of_an_effect_are_all_cancelled() -> None:
    """ReactPy's own layout loses the run before the third one, which then never ends."""
    diary = Diary()
    async with mounted(follower(diary)) as shown:
        for number in range(1, 6):
            diary.setters["number"](number)
            await shown.idle()
            await settled(lambda number=number: f"begin {number}" in diary.happened)
        cancelled = [event for event in diary.happened if "cancelled" in event]
        assert cancelled == [f"cancelled {number}" for number in range(5)]
        assert len(asyncio.all_tasks()) == 4, "of this test, and three of the running effect"
    assert diary.happened[-1] == "cancelled 5"
    assert len(asyncio.all_tasks()) == 1


async def test_failed_effect_is_logged_at_once_and_leaves_the_others(caplog: pytest.LogCaptureFixture) -> None:
    diary = Diary()

    @component
    def page() -> Any:
        number, diary.setters["number"] = use_state(0)

        @use_async_effect(dependencies=[number])
        async def failing() -> None:
            diary.note(f"try {number}")
            raise RuntimeError("no")

        @use_async_effect(dependencies=[])
        async def working() -> Callable[[], None]:
            return lambda: diary.note("end")

        return html.p("still here")

    async with mounted(page()) as shown:
        await settled(lambda: len(caplog.records) == 1)
        diary.setters["number"](1)
        await settled(lambda: len(caplog.records) == 2)
        assert shown.failures == 0
    assert diary.happened == ["try 0", "try 1", "end"]
    assert {record.message for record in caplog.records} == {"an effect failed"}
    caplog.clear()


@pytest.mark.parametrize("waits", [False, True])
async def test_endless_effect_is_stopped_unless_it_waits(waits: bool, caplog: pytest.LogCaptureFixture) -> None:
    """A state change after an await counts as external, like an event."""
    most = 4 * MOST_REPEATS
    renders = 0

    @component
    def endless() -> Any:
        nonlocal renders
        renders += 1
        number, set_number = use_state(0)

        @use_async_effect(dependencies=[number])
        async def again() -> None:
            if waits:
                await asyncio.sleep(0)
            if number < most:
                set_number(number + 1)

        return html.p(str(number))

    async with mounted(endless()) as shown:

        def is_stopped() -> bool:
            return any("error" in node for node in nodes(shown.updates[-1]["model"]))

        await settled(lambda: is_stopped() or renders > most)
        assert is_stopped() is not waits
        assert (renders > most) is waits
    messages = [record.message for record in caplog.records]
    assert messages == ([] if waits else ["endless renders itself without end and was stopped"])
    caplog.clear()


async def test_effect_does_not_begin_after_unmount() -> None:
    diary = Diary()
    async with mounted(follower(diary)):
        diary.setters["number"](1)
    assert "begin 1" not in diary.happened
