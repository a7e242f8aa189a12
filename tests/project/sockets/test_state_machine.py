"""State machine: viewers arrive, leave, navigate, lose their socket and stall while pages and parts change.

In any order, each viewer's final page equals a fresh render without data of another viewer.
"""

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, rule, run_state_machine_as_test

from components.routes import Access, Route
from components.runtime.hooks import use_live_query
from components.runtime.markup import Markup, component, html, use_state
from components.runtime.opened_parts import opened_part
from components.runtime.page import Page, PageRequest, Params
from components.runtime.rendering.page_slots import slot_query
from components.runtime.rendering.parts import Ref, page_events, shared_part
from project.process.web_process import process
from tests.factories import UserFactory
from tests.project.pages import Board, declare, page_route, username_of
from tests.screen import Screen
from tests.serving import serving, session_cookie
from tests.wire import EXTENSIONS

declare("home", "list", "own", "leaf")

pytestmark = pytest.mark.django_db(transaction=True)

PATHS = ("/", "/list", "/things/1", "/things/2", "/mine")
TOPICS = ("home", "list", "thing", "shared", "leaf", "own")
EXAMPLES = int(os.environ.get("EXAMPLES", "10"))  # `make soak` tries more
DEADLINE = 10.0  # seconds until a picture must be current


class Stalling:
    """A stalled reader: frames wait in a queue, and of each changed part only the latest frame is sent on resume."""

    def __init__(self, wire: Any) -> None:
        self.wire, self.stalled = wire, False
        self.waiting: list[bytes] = []
        self.pending_latest: dict[Any, None] = {}
        self.prepared, self.latest = wire.send_prepared, wire.send_latest
        wire.send_prepared, wire.send_latest = self.send_prepared, self.send_latest

    def send_prepared(self, data: bytes) -> None:
        if self.stalled:
            self.waiting.append(data)
        else:
            self.prepared(data)

    def send_latest(self, sources: Any, data: bytes) -> None:
        if self.stalled:
            self.pending_latest |= dict.fromkeys(sources)
        else:
            self.latest(sources, data)

    def resume(self) -> None:
        self.stalled = False
        waiting, self.waiting = self.waiting, []
        for data in waiting:
            self.prepared(data)
        pending_latest, self.pending_latest = self.pending_latest, {}
        for live in filter(lambda live: live.is_sent_to(self.wire), pending_latest):
            self.prepared(live.full_frame(deflates=bool(EXTENSIONS)))


def route(
    board: Board,
    pattern: str,
    topics: tuple[str, ...],
    parts: Callable[[Params], tuple[Ref, ...]],
    access: Access = Access.PUBLIC,
) -> Route:
    """Return a route. Its page has a text, the username, parts with slots, and a live query with an initial text."""

    @component
    def shown_page(page: Page) -> Markup:
        text, leaf = page.data
        pressed, set_pressed = use_state(0)

        async def on_press(_: str) -> None:
            set_pressed(lambda before: before + 1)

        later = board.part("thing")(2, language="en")
        return html.main(
            html.h1(text),
            html.p(f"pressed {pressed}"),
            page_events({"press": on_press}),
            live_leaf(board, leaf, later),
            *(shared_part(ref) for ref in page.parts.values()),
        )

    def load(request: PageRequest) -> Page:
        data = (f"{board.read(pattern)}, {username_of(request)}", board.read("leaf"))
        refs = {ref.key: ref for ref in parts(request.params)}
        mine = slot_query(board.fills, topics=("own",), name="own")
        return Page("A test.", shown_page, title=pattern, data=data, parts=refs, topics=topics, slots=(mine,))

    return Route(pattern, load, access)


@component
def live_leaf(board: Board, initial: str, later: Ref) -> Markup:
    """A live query of one viewer. Its text decides whether it opens a part of its own."""
    text = use_live_query(board.read, topics=("leaf",), initial=initial, name="leaf")
    return html.div(html.p(text), opened_part(later) if thing_in(text) == 2 else None)


def thing_in(text: str) -> int:
    """Return the number of the thing that a text selects: 2 if its last digit is odd, otherwise 1."""
    return 2 if text[-1] in "13579" else 1


class Site(RuleBasedStateMachine):
    """One web process, its pages and its viewers."""

    viewers = Bundle("viewers")
    cookies: tuple[str, ...] = ("",)
    names: tuple[str, ...] = ("",)

    def __init__(self) -> None:
        super().__init__()
        self.board = Board()
        self.number = 0
        self.screens: list[Screen] = []
        self.stalls: dict[Screen, Stalling] = {}
        self.pressed: dict[Screen, int] = {}  # presses on the current page and socket
        self.online: set[Screen] = set()
        thing = self.board.part("thing")
        outer = self.board.part(
            "shared", holes="own", number=1, holds=lambda text: (thing(thing_in(text), language="en"),)
        )
        parts = [outer, thing]
        self.routes = (
            route(self.board, "/", ("home",), lambda _: (parts[0](language="en"),)),
            route(self.board, "/list", ("list",), lambda _: (parts[0](language="en"), parts[1](1, language="en"))),
            route(self.board, "/things/{id}", (), lambda p: (parts[1](int(p["id"]), language="en"),)),
            route(self.board, "/mine", ("home",), lambda _: (), Access.SIGNED_IN),
            page_route(self.board, "/login"),
        )
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("components.routes.table", lambda: self.routes)
        self.runner = asyncio.Runner()
        self.process = serving()
        self.run(self.process.__aenter__())

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    @rule(target=viewers, who=st.integers(0, 2), path=st.sampled_from(PATHS))
    def arrive(self, who: int, path: str) -> Any:
        if len(self.screens) >= 6:
            return multiple()
        screen = Screen(self.cookies[who % len(self.cookies)])
        self.screens.append(screen)
        self.run(screen.load(path))
        self.online.add(screen)
        self.stalls[screen] = Stalling(screen.wire)
        self.pressed[screen] = 0
        return screen

    @rule(screen=consumes(viewers))
    def go_away(self, screen: Screen) -> None:
        self.run(screen.leave())
        self.screens.remove(screen)
        self.online.discard(screen)

    @rule(screen=viewers, path=st.sampled_from(PATHS))
    def navigate(self, screen: Screen, path: str) -> None:
        if screen in self.online and not self.stalls[screen].stalled:
            before = screen.path
            self.run(screen.go(path))
            if screen.path != before:
                self.pressed[screen] = 0
            if screen._serving is not None and screen.wire is not self.stalls[screen].wire:  # a full page load
                self.stalls[screen] = Stalling(screen.wire)

    @rule(screen=viewers)
    def press(self, screen: Screen) -> None:
        if screen in self.online and not self.stalls[screen].stalled and "pressed" in screen.text:
            self.run(self.press_once(screen))

    async def press_once(self, screen: Screen) -> None:
        self.pressed[screen] += 1
        screen.act("press", "")
        await screen.until(f"pressed {self.pressed[screen]}")

    @rule(screen=viewers)
    def lose(self, screen: Screen) -> None:
        if screen in self.online:
            self.run(screen.leave())
            self.online.discard(screen)

    @rule(screen=viewers)
    def come_back(self, screen: Screen) -> None:
        if screen not in self.online:
            self.run(screen.go_online())
            self.pressed[screen] = 0
            self.online.add(screen)
            self.stalls[screen] = Stalling(screen.wire)

    @rule(screen=viewers)
    def stall(self, screen: Screen) -> None:
        self.stalls[screen].stalled = screen in self.online

    @rule(screen=viewers)
    def take(self, screen: Screen) -> None:
        if self.stalls[screen].stalled:
            self.stalls[screen].resume()

    @rule(topic=st.sampled_from(TOPICS))
    def change(self, topic: str) -> None:
        self.number += 1
        names = {"home": ("/", "/mine"), "list": ("/list",), "thing": ("thing-1", "thing-2")}
        for name in names.get(topic, (topic,)):
            self.board.texts[name] = f"{name} number {self.number}"
        self.run(self.notify(topic))

    async def notify(self, topic: str) -> None:
        process.bus.notify_listeners(topic)

    @rule()
    def lose_the_bus(self) -> None:
        self.run(self.reload())

    async def reload(self) -> None:
        process.bus.reload_all()

    def teardown(self) -> None:
        try:
            for screen in self.screens:
                if screen in self.online and self.stalls[screen].stalled:
                    self.stalls[screen].resume()
                elif screen not in self.online:
                    self.run(screen.go_online())
                    self.pressed[screen] = 0
            for screen in self.screens:
                self.run(self.compare(screen))
        finally:
            for screen in self.screens:
                self.run(screen.leave())
            self.run(self.process.__aexit__(None, None, None))
            self.runner.close()  # ends running coroutines, which would disturb later renders
            self.patch.undo()

    async def agree(self, *screens: Screen) -> None:
        """Wait until all screens show the same text."""
        try:
            async with asyncio.timeout(DEADLINE):
                while len({screen.text for screen in screens}) > 1:
                    waits = [asyncio.create_task(screen.changed.wait()) for screen in screens]
                    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                    for wait, screen in zip(waits, screens, strict=True):
                        wait.cancel()
                        screen.changed.clear()
        except TimeoutError:
            raise AssertionError("\n".join(screen.text for screen in screens)) from None

    async def compare(self, screen: Screen) -> None:
        fresh = Screen(screen.cookie)
        await fresh.load(screen.path)
        try:
            for _ in range(self.pressed[screen]):
                fresh.act("press", "")
            await self.agree(screen, fresh)
        finally:
            await fresh.leave()
        own = self.names[self.cookies.index(screen.cookie)]
        others = [name for name in self.names if name and name != own]
        assert not [name for name in others if name in screen.text]


def test_each_window_ends_with_a_fresh_render() -> None:
    users = [UserFactory() for _ in range(2)]
    Site.cookies = ("", *(session_cookie(user) for user in users))
    Site.names = ("", *(user.username for user in users))
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Site,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=checks,
            phases=[Phase.reuse, Phase.generate],  # without shrinking, which takes minutes
        ),
    )
