"""Groups of sockets: random changes, openings and losses end as a fresh render, with one write for each round."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from components.runtime.markup import html
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import REGISTERED, Ref, public_part, shared_part
from components.runtime.rendering.serializer import static_model
from components.runtime.rendering.tree import plain_tree
from tests.components.runtime.rendering.boards import Screen, settled

SCREENS, CHANGES = 300, 1000
STEPS, ROWS, LEAVES = range(4), range(12), range(20)  # pages, parts that windows open, and parts inside these


class World:
    """The data source of pages that contain leaves, and of rows that windows open, which contain leaves too."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - no secret
        self.inside: dict[tuple[str, int], tuple[int, ...]] = {}
        self.texts: Counter[int] = Counter()

        @public_part(topics=lambda number: (f"leaf.{number}",))
        def leaf(number: int, *, language: str) -> Any:
            return html.i({"class": "leaf"}, f"leaf {number}", html.b(str(self.texts[number])))

        @public_part(topics=lambda number: (f"row.{number}",))
        def row(number: int, *, language: str) -> Any:
            return html.li(*self._leaves("row", number, leaf))

        @public_part(topics=lambda number: (f"page.{number}",))
        def page(number: int, *, language: str) -> Any:
            return html.main(f"page {number}", *self._leaves("page", number, leaf))

        self.row, self.page = (lambda number, part=part: part(number, language="en") for part in (row, page))

    def _leaves(self, kind: str, number: int, leaf: Any) -> list[Any]:
        return [shared_part(leaf(each, language="en")) for each in self.inside.get((kind, number), (number,))]

    def change(self) -> str:
        """Change one leaf, or what a page or row contains; return the topic."""
        kind = self.chance.choice(("leaf", "leaf", "row", "page"))
        if kind == "leaf":
            number = self.chance.choice(LEAVES)
            self.texts[number] += 1
        else:
            number = self.chance.choice(ROWS if kind == "row" else STEPS)
            self.inside[kind, number] = tuple(self.chance.sample(LEAVES, self.chance.randrange(5)))
        return f"{kind}.{number}"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Return the data source. Its parts are unregistered after the test."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return World(38)


def rendered(ref: Ref) -> Any:
    """Return the model of a fresh render."""
    return static_model(plain_tree(ref.part.markup(*ref.parameters, language=ref.language)))


async def act(world: World, parts: LiveParts, screen: Screen) -> None:
    """Open or close a row, go to another page, or lose the connection and come back, sometimes with an empty cache."""
    match world.chance.randrange(6):
        case 0 | 1 | 2:
            await screen.watch(parts, world.row(world.chance.choice(ROWS)))
        case 3 | 4 if len(screen.refs) > 1:
            await screen.leave(parts, screen.refs[-1])
        case _:
            assert screen.group is not None
            parts.leave(screen.group, screen)
            keeps = world.chance.random() < 0.5
            screen.held = screen.held if keeps else {}
            screen.refs, screen.group = (), None
            versions = {key: version for key, (version, _) in screen.held.items()}
            await screen.watch(parts, world.page(world.chance.choice(STEPS)), versions)


async def test_after_random_changes_every_socket_of_both_kinds_shows_a_fresh_render(
    parts: LiveParts, world: World
) -> None:
    screens = [Screen(deflates=bool(number % 2)) for number in range(SCREENS)]
    for screen in screens:
        await screen.watch(parts, world.page(world.chance.choice(STEPS)))
    for number in range(CHANGES):
        for _ in range(world.chance.randrange(3)):
            parts.bus.notify_listeners(world.change())
        await act(world, parts, world.chance.choice(screens))
        if number % 5 == 0:
            await settled(parts)
    await settled(parts)
    for screen in screens:
        assert screen.group is not None
        for live in screen.group.shown:
            version, model = screen.held[live.ref.key]
            assert (version, static_model(model)) == (live.version, rendered(live.ref))
    assert sum(len(group.sockets) for group in parts.groups.values()) == SCREENS
    assert {live for group in parts.groups.values() for live in group.shown} == {
        live for live in parts.live.values() if live.groups
    }


@pytest.mark.parametrize("changed", [1, 6])
async def test_what_changes_together_is_one_write_for_each_socket_and_one_frame_for_each_group(
    parts: LiveParts, world: World, changed: int
) -> None:
    world.inside["page", 0] = tuple(range(changed))
    screens = [Screen(deflates=bool(number % 2)) for number in range(20)]
    for screen in screens:
        await screen.watch(parts, world.page(0))
    before, sent = [screen.writes for screen in screens], parts.bytes_out
    for number in range(changed):
        world.texts[number] += 1
        parts.bus.notify_listeners(f"leaf.{number}")
    world.inside["page", 0] = (*range(changed), 19)  # and a new part inside
    parts.bus.notify_listeners("page.0")
    await settled(parts)
    assert [screen.writes - number for screen, number in zip(screens, before, strict=True)] == [1] * len(screens)
    assert len(parts.groups) == 2
    assert parts.bytes_out > sent


async def test_the_last_socket_of_a_group_leaves_nothing(parts: LiveParts, world: World) -> None:
    screens = [Screen() for _ in range(3)]
    for screen in screens:
        await screen.watch(parts, world.page(1))
        await screen.watch(parts, world.row(2))
    assert len(parts.groups) == 1
    for screen in screens:
        await screen.leave(parts, world.row(2))
        await screen.leave(parts, world.page(1))
    assert parts.groups == {}
    assert not any(live.groups for live in parts.live.values())
