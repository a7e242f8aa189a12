"""Covers: parts inside a covered slot never reach a socket with that cover, after any change of parts or cover."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import Viewer
from components.runtime.markup import html
from components.runtime.page import Page
from components.runtime.rendering import live_parts
from components.runtime.rendering.covers import NOTHING, Cover
from components.runtime.rendering.document import Document
from components.runtime.rendering.frames import parts_frame
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.page_slots import MOST, fill_slots, fills_read, slot_query
from components.runtime.rendering.parts import REGISTERED, Ref, public_part, refs_in, shared_part
from components.runtime.rendering.serializer import static_model
from components.runtime.rendering.slots import COVERED, Fills, covered, fill, fill_of, slot
from components.runtime.rendering.tree import PART, plain_tree
from tests.components.runtime.rendering.boards import Screen, settled

NAMES = ("figures", "figures:1", "figures:2", "place", "place:1", "panel:1")
FILLS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from((fill(), fill(text="own"), covered("–"), covered())))


@given(fills=FILLS, name=st.sampled_from(("figures:1", "figures:2", "figures:3", "place:1", "panel:1")))
def test_slot_is_covered_by_the_fill_that_applies_to_it(fills: Fills, name: str) -> None:
    assert Cover.of(fills).covers(name) == (COVERED in (fill_of(fills, name) or {}))


@given(fills=FILLS)
def test_covers_of_the_same_slots_are_equal(fills: Fills) -> None:
    cover = Cover.of(fills)
    more = {"figures:9": covered()} if COVERED in fills.get("figures", {}) else {"figures:9": fill()}
    assert Cover.of(fills | more) == cover
    assert hash(Cover.of(dict(reversed(fills.items())))) == hash(cover)
    assert bool(cover) == any(COVERED in value for value in fills.values())


def test_slots_stay_covered_by_too_many_fills_and_not_by_a_window(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ValueError, match="only the fills of a slot query cover slots"):
        fill_slots({"figures": covered()})

    def many(*, viewer: Viewer) -> Fills:
        return {f"own:{number}": fill(text="x") for number in range(MOST)} | {"figures": covered()}

    assert Cover.of(fills_read(query=slot_query(many), viewer=Viewer(7, "una_corda"))).covers("figures:1")
    assert "many fills too many slots" in caplog.text
    caplog.clear()  # a logged error fails a test


SLOTS = ("figures:1", "figures:2", "place:1")


class World:
    """The data source of pages with boxes, which contain leaves inside and outside of slots. Each leaf has a secret."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - no secret
        self.inside: dict[tuple[str, int], tuple[tuple[int, tuple[str, ...]], ...]] = {}
        self.texts: Counter[int] = Counter()
        self.reads: list[str] = []

        @public_part(topics=lambda number: (f"leaf.{number}",))
        def leaf(number: int, *, language: str) -> Any:
            self.reads.append(f"leaf {number}")
            return html.i(html.b(f"leaf {number} is {self.texts[number]}"))

        @public_part(topics=lambda number: (f"box.{number}",))
        def box(number: int, *, language: str) -> Any:
            self.reads.append(f"box {number}")
            return html.div(f"box {number}", *self._within("box", number, leaf))

        @public_part(topics=lambda number: (f"page.{number}",))
        def page(number: int, *, language: str) -> Any:
            return html.main(f"page {number}", *self._within("page", number, box))

        self.leaf, self.box, self.page = (
            lambda number, part=part: part(number, language="en") for part in (leaf, box, page)
        )

    def _within(self, kind: str, number: int, part: Any) -> list[Any]:
        children = []
        for child, slots in self.inside.get((kind, number), ()):
            inner: Any = shared_part(part(child, language="en"))
            for name in slots:
                inner = html.span({SLOT: name}, "shown: ", inner)
            children.append(inner)
        return children

    def change(self) -> str:
        """Change a leaf, or what a box or a page contains and inside which slots; return the topic."""
        kind = self.chance.choice(("leaf", "leaf", "box", "page"))
        number = self.chance.randrange(6 if kind == "leaf" else 3)
        if kind == "leaf":
            self.texts[number] += 1
        else:
            children = [self.chance.randrange(6 if kind == "box" else 3) for _ in range(self.chance.randrange(4))]
            self.inside[kind, number] = tuple(
                (child, tuple(self.chance.sample(SLOTS, self.chance.choice((0, 1, 1, 2))))) for child in children
            )
        return f"{kind}.{number}"

    def fills(self) -> Fills:
        names = ("figures", "place", *SLOTS)
        return {name: self.chance.choice((fill(), covered())) for name in names if self.chance.random() < 0.4}


SLOT = next(iter(slot("figures", 1)))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Return the data source. Its parts are unregistered after the test."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return World(39)


def reached(refs: Sequence[Ref], fills: Fills, model_of: Callable[[Any], Any]) -> set[str]:
    """Return the keys of the parts that a browser with these fills shows, found by drawing them as it does."""
    keys: set[str] = set()

    def draw(node: Any) -> None:
        if isinstance(node, str):
            return
        attributes = node.get("attributes", {})
        if node["tagName"] == PART:
            if attributes["part"] not in keys:
                keys.add(attributes["part"])
                draw(model_of(attributes["part"].ref))
            return
        if "text" in (fill_of(fills, attributes.get(SLOT, "")) or {}):
            return
        for child in node.get("children", ()):
            draw(child)

    for ref in refs:
        keys.add(ref.key)
        draw(model_of(ref))
    return keys


class Covered(Screen):
    """A socket with fills. It rejects every frame of a part that its browser does not show.

    Until another page or cover has taken effect, parts of the former one are still sent.
    """

    def __init__(self, parts: LiveParts, *, deflates: bool = False) -> None:
        super().__init__(deflates=deflates)
        self.parts = parts
        self.fills: Fills = {}
        self.states: list[tuple[tuple[Ref, ...], Fills]] = []  # what may be sent: the present state, and the next

    def cover(self) -> Cover:
        return Cover.of(self.fills)

    def send_latest(self, lives: Sequence[LivePart], data: bytes) -> None:
        """Apply the frames, and compare the parts in them with what is drawn."""
        shown = [reached(*state, lambda ref: self.parts.live[ref.key].model) for state in self.states]
        assert any({live.ref.key for live in lives} <= keys for keys in shown), "a covered part was sent"
        super().send_latest(lives, data)

    async def show(self, *refs: Ref, fills: Fills | None = None) -> None:
        self.refs, self.fills = refs or self.refs, self.fills if fills is None else fills
        self.states.append((self.refs, self.fills))
        versions = {key: version for key, (version, _) in self.held.items()} if self.group is None else {}
        self.group = await self.parts.show(self, self.refs, versions, self.group, self.cover)
        del self.states[:-1]

    async def reconnect(self, fills: Fills, *, is_empty: bool) -> None:
        """Lose the connection, and come back with the versions that the browser has, or with an empty cache."""
        assert self.group is not None
        self.parts.leave(self.group, self)
        self.group, self.states = None, []
        if is_empty:
            self.held = {}
        await self.show(fills=fills)


def rendered(ref: Ref) -> Any:
    return plain_tree(ref.part.markup(*ref.parameters, language=ref.language))


async def act(world: World, screen: Covered) -> None:
    """Change the viewer's cover or page, open or close a part, or lose the connection."""
    match world.chance.randrange(6):
        case 0 | 1:
            await screen.show(fills=world.fills())
        case 2:
            await screen.show(world.page(world.chance.randrange(3)), fills=world.fills())
        case 3:
            await screen.show(screen.refs[0], world.box(world.chance.randrange(3)))
        case 4:
            await screen.show(screen.refs[0])
        case _:
            await screen.reconnect(world.fills(), is_empty=world.chance.random() < 0.5)


async def test_random_changes_reach_exactly_the_sockets_that_draw_them(parts: LiveParts, world: World) -> None:
    viewers = 15
    screens = [Covered(parts, deflates=bool(number % 2)) for number in range(viewers)]
    for screen in screens:
        await screen.show(world.page(world.chance.randrange(3)), fills=world.fills())
    for number in range(300):
        for _ in range(world.chance.randrange(3)):
            parts.bus.notify_listeners(world.change())
        await act(world, world.chance.choice(screens))
        if number % 5 == 0:
            await settled(parts)
    await settled(parts)
    for screen in screens:
        assert screen.group is not None
        assert {live.ref.key for live in screen.group.shown} == reached(screen.refs, screen.fills, rendered)
        for live in screen.group.shown:
            version, model = screen.held[live.ref.key]
            assert (version, static_model(model)) == (live.version, static_model(rendered(live.ref)))
    groups = parts.groups.values()
    assert sum(len(group.sockets) for group in groups) == viewers
    assert {live for group in groups for live in group.shown} == {live for live in parts.live.values() if live.groups}
    assert len(parts.groups) < viewers, "equal covers share a group"


async def test_uncovering_sends_exactly_the_hidden_parts(parts: LiveParts, world: World) -> None:
    world.inside["page", 0] = ((1, ("place:1",)), (2, ()))
    world.inside["box", 1] = ((4, ()),)
    world.inside["box", 2] = ((5, ("figures:1",)),)
    screen = Covered(parts)
    await screen.show(world.page(0), fills={"figures": covered(), "place": covered()})
    assert [frame["key"] for frame in screen.frames] == [world.box(2).key, world.page(0).key]
    await screen.show(fills={"figures": covered(), "place": covered(), "figures:1": fill()})
    assert [frame["key"] for frame in screen.frames[2:]] == [world.leaf(5).key]
    await screen.show(fills={})
    assert [frame["key"] for frame in screen.frames[3:]] == [world.leaf(4).key, world.box(1).key]
    await screen.show(fills={"figures": covered("–")})
    for topic in ("leaf.5", "leaf.4"):
        world.texts[int(topic[-1])] += 1
        parts.bus.notify_listeners(topic)
    await settled(parts)
    assert [frame["key"] for frame in screen.frames[5:]] == [world.leaf(4).key]


async def test_part_that_is_covered_for_all_is_not_read_again(parts: LiveParts, world: World) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)),)
    screen = Covered(parts)
    await screen.show(world.box(1), fills={"figures": covered()})
    world.reads.clear()
    for _ in range(3):
        world.texts[4] += 1
        parts.bus.notify_listeners("leaf.4")
        parts.bus.notify_listeners("box.1")
        await settled(parts)
    assert world.reads == ["box 1"] * 3
    await screen.show(fills={})
    assert world.reads == ["box 1"] * 3 + ["leaf 4"]
    assert "leaf 4 is 3" in str(screen.held[world.leaf(4).key])


async def test_cover_that_changes_during_a_read_is_applied(parts: LiveParts, world: World) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)),)
    screen = Covered(parts)
    covers: list[Cover] = []

    def cover_now() -> Cover:
        covers.append(Cover.of({"figures": covered()}) if covers else NOTHING)
        return covers[-1]

    screen.refs, screen.fills = (world.box(1),), {"figures": covered()}
    screen.states = [(screen.refs, screen.fills)]
    screen.group = await parts.show(screen, screen.refs, {}, None, cover_now)
    assert screen.held.keys() == {world.box(1).key}
    assert list(parts.groups.values()) == [screen.group], "the group of the former cover is removed"


async def test_equal_covers_share_a_group_and_equal_contents_a_frame(
    parts: LiveParts, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)), (5, ("figures:2",)))
    screens = [Covered(parts) for _ in range(8)]
    for number, screen in enumerate(screens):
        await screen.show(world.box(1), fills={"figures": covered(), "figures:1": (fill(), covered())[number % 2]})
    assert len(parts.groups) == 2
    frames: list[Sequence[bytes]] = []
    monkeypatch.setattr(live_parts, "parts_frame", lambda contents: frames.append(contents) or parts_frame(contents))
    world.inside["box", 1] += ((3, ()),)
    parts.bus.notify_listeners("box.1")
    await settled(parts)
    assert len(frames) == 1
    assert [world.leaf(number).key in screens[0].held for number in (3, 4, 5)] == [True, True, False]
    assert [world.leaf(number).key in screens[1].held for number in (3, 4, 5)] == [True, False, False]


async def test_slow_socket_gets_no_part_that_was_covered_since(parts: LiveParts, world: World) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)),)
    screen = Covered(parts)
    await screen.show(world.box(1))
    live = parts.live[world.leaf(4).key]
    assert live.is_sent_to(screen)
    await screen.show(fills={"figures": covered()})
    assert not live.is_sent_to(screen)


def test_part_is_inside_slots_only_if_all_its_places_are(world: World) -> None:
    four, five = (shared_part(world.leaf(number)) for number in (4, 5))
    twice = html.div(html.p(slot("a", 1), html.b(slot("b", 1), four)), html.p(slot("c", 1), four), five)
    refs, around = refs_in(plain_tree(twice), world.box(1).part)
    assert {ref.key for ref in refs} == {world.leaf(4).key, world.leaf(5).key}
    assert around == {world.leaf(4).key: (frozenset({"a:1", "b:1"}), frozenset({"c:1"}))}
    once_more = html.div(html.p(slot("c", 1), four), four)
    assert refs_in(plain_tree(once_more), world.box(1).part)[1] == {}
    assert Cover.of({"b": covered(), "c": covered()}).hides(around[world.leaf(4).key])
    assert not Cover.of({"b": covered()}).hides(around[world.leaf(4).key])


async def test_html_of_a_covered_page_has_neither_the_part_nor_its_data(parts: LiveParts, world: World) -> None:
    world.inside["page", 0] = ((1, ()),)
    world.inside["box", 1] = ((4, ("figures:1",)), (5, ("figures:2",)))
    ref = world.page(0)
    page = Page("", None, title="World", parts={"page": ref})  # type: ignore[arg-type]
    document = Document(page, {"tagName": "main", "children": [dict(shared_part(ref))]})
    document.fills = {"figures": covered("–"), "figures:2": fill()}
    seen = document.html(await parts.complete([ref], Cover.of(document.fills))).decode()
    assert "leaf 4" not in seen
    assert "leaf:4" not in seen.replace(str(parts.live[world.box(1).key].data), ""), "only the box names it"
    assert '<span data-slot="figures:1">–</span><span data-slot="figures:2">shown: <i><b>leaf 5 is 0' in seen
    uncovered = await parts.complete([ref])
    assert len(uncovered) == 4
    document.fills = {}
    assert "leaf 4 is 0" in document.html(uncovered).decode()
