"""Covers: parts inside a covered slot reach no socket with that cover, however its parts and the cover change."""

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
from components.runtime.rendering.covers import NOTHING, Cover
from components.runtime.rendering.document import Document
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
def test_a_slot_is_covered_if_the_fill_that_it_gets_covers(fills: Fills, name: str) -> None:
    assert Cover.of(fills).covers(name) == (COVERED in (fill_of(fills, name) or {}))


@given(fills=FILLS)
def test_covers_that_cover_the_same_slots_are_one(fills: Fills) -> None:
    cover = Cover.of(fills)
    more = {"figures:9": covered()} if COVERED in fills.get("figures", {}) else {"figures:9": fill()}
    assert Cover.of(fills | more) == cover
    assert hash(Cover.of(dict(reversed(fills.items())))) == hash(cover)
    assert bool(cover) == any(COVERED in each for each in fills.values())


def test_a_window_covers_nothing_itself() -> None:
    with pytest.raises(ValueError, match="only the fills of a slot query cover slots"):
        fill_slots({"figures": covered()})


def test_too_many_fills_uncover_nothing(caplog: pytest.LogCaptureFixture) -> None:
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
        made = []
        for each, slots in self.inside.get((kind, number), ()):
            inner: Any = shared_part(part(each, language="en"))
            for name in slots:
                inner = html.span({SLOT: name}, "shown: ", inner)
            made.append(inner)
        return made

    def change(self) -> str:
        """Change a leaf, or what a box or a page contains and inside which slots; return the topic."""
        kind = self.chance.choice(("leaf", "leaf", "box", "page"))
        number = self.chance.randrange(6 if kind == "leaf" else 3)
        if kind == "leaf":
            self.texts[number] += 1
        else:
            chosen = [self.chance.randrange(6 if kind == "box" else 3) for _ in range(self.chance.randrange(4))]
            self.inside[kind, number] = tuple(
                (each, tuple(self.chance.sample(SLOTS, self.chance.choice((0, 1, 1, 2))))) for each in chosen
            )
        return f"{kind}.{number}"

    def fills(self) -> Fills:
        """Return random fills."""
        every = ("figures", "place", *SLOTS)
        return {name: self.chance.choice((fill(), covered())) for name in every if self.chance.random() < 0.4}


SLOT = next(iter(slot("figures", 1)))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Return the data source. Its parts are unregistered after the test."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return World(39)


def reached(refs: Sequence[Ref], fills: Fills, model_of: Callable[[Any], Any]) -> set[str]:
    """Return the keys of the parts that a browser with these fills shows, found by drawing them as it does."""
    found: set[str] = set()

    def draw(node: Any) -> None:
        if isinstance(node, str):
            return
        attributes = node.get("attributes", {})
        if node["tagName"] == PART:
            if attributes["part"] not in found:
                found.add(attributes["part"])
                draw(model_of(attributes["part"].ref))
            return
        if "text" in (fill_of(fills, attributes.get(SLOT, "")) or {}):
            return
        for child in node.get("children", ()):
            draw(child)

    for ref in refs:
        found.add(ref.key)
        draw(model_of(ref))
    return found


class Covered(Screen):
    """A socket with fills. It refuses every frame of a part that its browser does not show.

    Until another page or cover has taken effect, parts of the former one are still sent.
    """

    def __init__(self, parts: LiveParts, *, deflates: bool = False) -> None:
        super().__init__(deflates=deflates)
        self.parts = parts
        self.fills: Fills = {}
        self.states: list[tuple[tuple[Ref, ...], Fills]] = []  # what may be sent: the present state, and the next

    def cover(self) -> Cover:
        """Return what the fills cover now."""
        return Cover.of(self.fills)

    def send_latest(self, lives: Sequence[LivePart], data: bytes) -> None:
        """Apply the frames, and compare the parts in them with what is drawn."""
        shown = [reached(*state, lambda ref: self.parts.live[ref.key].model) for state in self.states]
        assert any({live.ref.key for live in lives} <= each for each in shown), "a covered part was sent"
        super().send_latest(lives, data)

    async def show(self, *refs: Ref, fills: Fills | None = None) -> None:
        """Show exactly these parts with these fills."""
        self.refs, self.fills = refs or self.refs, self.fills if fills is None else fills
        self.states.append((self.refs, self.fills))
        versions = {key: version for key, (version, _) in self.held.items()} if self.group is None else {}
        self.group = await self.parts.show(self, self.refs, versions, self.group, self.cover)
        del self.states[:-1]

    async def reconnect(self, fills: Fills) -> None:
        """Lose the connection, and come back with the versions that the browser holds."""
        assert self.group is not None
        self.parts.leave(self.group, self)
        self.group, self.states = None, []
        await self.show(fills=fills)


def rendered(ref: Ref) -> Any:
    """Return the model of a fresh render."""
    return plain_tree(ref.part.markup(*ref.parameters, language=ref.language))


async def act(world: World, screen: Covered) -> None:
    """Change the viewer's cover or page, open a part, or lose the connection."""
    match world.chance.randrange(5):
        case 0 | 1:
            await screen.show(fills=world.fills())
        case 2:
            await screen.show(world.page(world.chance.randrange(3)), fills=world.fills())
        case 3:
            await screen.show(screen.refs[0], world.box(world.chance.randrange(3)))
        case _:
            await screen.reconnect(world.fills())


@pytest.mark.parametrize("viewers", [40])
async def test_after_random_changes_every_socket_has_what_its_browser_draws_and_got_nothing_else(
    parts: LiveParts, world: World, viewers: int
) -> None:
    screens = [Covered(parts, deflates=bool(number % 2)) for number in range(viewers)]
    for screen in screens:
        await screen.show(world.page(world.chance.randrange(3)), fills=world.fills())
    for number in range(600):
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
    assert sum(len(group.sockets) for group in parts.groups.values()) == viewers
    assert len(parts.groups) < viewers, "equal covers share a group"


async def test_new_rows_are_covered_without_any_action_and_a_change_that_moves_one_out_uncovers_it(
    parts: LiveParts, world: World
) -> None:
    covered_one, everybody = Covered(parts), Covered(parts)
    await covered_one.show(world.page(0), fills={"figures": covered()})
    await everybody.show(world.page(0))
    world.inside["box", 1] = ((4, ("figures:1",)), (5, ()))
    world.inside["page", 0] = ((1, ()),)
    parts.bus.notify_listeners("page.0")
    await settled(parts)
    assert {world.leaf(4).key, world.leaf(5).key} <= everybody.held.keys()
    assert covered_one.held.keys() & {world.leaf(4).key, world.leaf(5).key} == {world.leaf(5).key}
    world.inside["box", 1] = ((4, ("figures:1",)), (4, ()))
    parts.bus.notify_listeners("box.1")
    await settled(parts)
    assert world.leaf(4).key in covered_one.held, "it is shown in a second place that is not covered"
    assert covered_one.frames[-1]["key"] == world.box(1).key, "and is there before the change that shows it"


async def test_uncovering_sends_exactly_what_was_hidden_and_covering_sends_no_more(
    parts: LiveParts, world: World
) -> None:
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


async def test_a_part_that_is_hidden_from_all_is_not_read_again_until_somebody_uncovers_it(
    parts: LiveParts, world: World
) -> None:
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


async def test_a_cover_that_changes_during_a_read_is_kept(parts: LiveParts, world: World) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)),)
    screen = Covered(parts)
    asked: list[Cover] = []

    def cover_now() -> Cover:
        asked.append(NOTHING if not asked else Cover.of({"figures": covered()}))
        return asked[-1]

    screen.refs, screen.fills = (world.box(1),), {"figures": covered()}
    screen.states = [(screen.refs, screen.fills)]
    screen.group = await parts.show(screen, screen.refs, {}, None, cover_now)
    assert screen.held.keys() == {world.box(1).key}
    assert list(parts.groups.values()) == [screen.group], "the group of the cover before is gone"


async def test_viewers_with_equal_covers_share_one_group_and_groups_with_equal_content_one_frame(
    parts: LiveParts, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)), (5, ("figures:2",)))
    seeing = [fill(), covered()]
    screens = [Covered(parts) for _ in range(8)]
    for number, screen in enumerate(screens):
        await screen.show(world.box(1), fills={"figures": covered(), "figures:1": seeing[number % 2]})
    assert len(parts.groups) == 2
    made: list[Sequence[bytes]] = []
    frame_of = "components.runtime.rendering.live_parts.parts_frame"
    from components.runtime.rendering.frames import parts_frame

    monkeypatch.setattr(frame_of, lambda contents: made.append(contents) or parts_frame(contents))
    world.inside["box", 1] += ((3, ()),)
    parts.bus.notify_listeners("box.1")
    await settled(parts)
    assert len(made) == 1
    assert [world.leaf(number).key in screens[0].held for number in (3, 4, 5)] == [True, True, False]
    assert [world.leaf(number).key in screens[1].held for number in (3, 4, 5)] == [True, False, False]


async def test_a_slow_reader_is_owed_nothing_that_was_covered_since(parts: LiveParts, world: World) -> None:
    world.inside["box", 1] = ((4, ("figures:1",)),)
    screen = Covered(parts)
    await screen.show(world.box(1))
    live = parts.live[world.leaf(4).key]
    assert live.is_sent_to(screen)
    await screen.show(fills={"figures": covered()})
    assert not live.is_sent_to(screen)


def test_slots_around_a_part_are_known_only_if_all_its_places_are_in_slots(world: World) -> None:
    four, five = (shared_part(world.leaf(number)) for number in (4, 5))
    twice = html.div(html.p(slot("a", 1), html.b(slot("b", 1), four)), html.p(slot("c", 1), four), five)
    refs, around = refs_in(plain_tree(twice), world.box(1).part)
    assert {ref.key for ref in refs} == {world.leaf(4).key, world.leaf(5).key}
    assert around == {world.leaf(4).key: (frozenset({"a:1", "b:1"}), frozenset({"c:1"}))}
    once_more = html.div(html.p(slot("c", 1), four), four)
    assert refs_in(plain_tree(once_more), world.box(1).part)[1] == {}
    assert Cover.of({"b": covered(), "c": covered()}).hides(around[world.leaf(4).key])
    assert not Cover.of({"b": covered()}).hides(around[world.leaf(4).key])


async def test_the_html_of_a_covered_page_has_neither_the_part_nor_its_data(parts: LiveParts, world: World) -> None:
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
    everything = await parts.complete([ref])
    assert len(everything) == 4
    document.fills = {}
    assert "leaf 4 is 0" in document.html(everything).decode()
