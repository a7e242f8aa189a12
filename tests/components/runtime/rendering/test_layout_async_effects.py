"""Asynchronous effects behave as in ReactPy's own layout; other components need no task."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from components.runtime.markup import component, html, use_async_effect, use_effect, use_state
from components.runtime.rendering.overrides.render_limits import MOST_REPEATS
from tests.components.runtime.rendering.mounting import mounted, nodes, settled
from tests.components.runtime.rendering.upstream import upstream_mounted

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


@pytest.mark.parametrize("mount", MOUNTS)
async def test_shielded_effect_is_completed(mount: Any) -> None:
    diary = Diary()
    async with mount(follower(diary, shield=True)):
        await diary.until("begin 0")
        diary.setters["number"](1)
        await asyncio.sleep(0)
        diary.gate(0).set()
        await settled(lambda: "begin 1" in diary.happened)
        assert diary.happened[:2] == ["begin 0", "done 0"]
        diary.gate(1).set()
        await settled(lambda: "done 1" in diary.happened)
        diary.setters["there"](False)
        await settled(lambda: "clean 1" in diary.happened)
    assert not any("cancelled" in event for event in diary.happened)


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


@pytest.mark.parametrize("mount", MOUNTS)
async def test_timeout_inside_an_effect_is_handled_there(mount: Any) -> None:
    diary = Diary()

    @component
    def page() -> Any:
        shown, set_shown = use_state("waiting")

        @use_async_effect(dependencies=[])
        async def read() -> None:
            try:
                async with asyncio.timeout(0.01):
                    await asyncio.Event().wait()
            except TimeoutError:
                set_shown("too late")

        return html.p(shown)

    async with mount(page()) as shown:
        await settled(lambda: bool(shown.updates) and "too late" in str(shown.updates[-1]))
    assert diary.happened == []


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


async def test_component_without_asynchronous_effects_has_no_task() -> None:
    @component
    def page(waits: bool) -> Any:
        @use_effect(dependencies=[])
        def follow() -> Callable[[], None]:
            return lambda: None

        if waits:

            @use_async_effect(dependencies=[])
            async def wait() -> None:
                """End at once."""

        return html.p()

    before = asyncio.all_tasks()
    async with mounted(page(waits=False)):
        assert asyncio.all_tasks() == before
    async with mounted(page(waits=True)):
        assert asyncio.all_tasks() > before
    assert asyncio.all_tasks() == before


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
