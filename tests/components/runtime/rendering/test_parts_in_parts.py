"""Parts inside parts: a socket follows them for as long as it holds them, and rows that are read together."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from components.runtime.markup import html
from components.runtime.page import Page
from components.runtime.rendering.document import Document
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import (
    MOST_INNER_PARTS,
    REGISTERED,
    Ref,
    public_part,
    read_together,
    shared_part,
)
from components.runtime.rendering.slots import fill, slot
from components.runtime.rendering.tree import NotPublic
from tests.components.runtime.rendering.boards import Screen, settled
from tests.rendering import renew


class House:
    """The data source of three levels of parts (storey, room, lamp); `reads` records each read."""

    def __init__(self) -> None:
        self.rooms: dict[str, tuple[int, ...]] = {"one": (1, 2), "two": (2,)}
        self.texts: dict[int, str] = {}
        self.reads: list[str] = []

        @public_part(topics=lambda number: (f"lamp.{number}",))
        def lamp(number: int, *, language: str) -> Any:
            self.reads.append(f"lamp {number}")
            return html.i(slot("lamp", number), self.texts.get(number, f"lamp {number}"))

        @public_part(topics=lambda number: (f"room.{number}",))
        def room(number: int, *, language: str) -> Any:
            self.reads.append(f"room {number}")
            return html.section(f"room {number}", shared_part(lamp(number, language=language)))

        @public_part(topics=lambda name: (f"storey.{name}",))
        def storey(name: str, *, language: str) -> Any:
            self.reads.append(f"storey {name}")
            return html.div(name, *(shared_part(room(number, language=language)) for number in self.rooms[name]))

        self.lamp, self.room, self.storey = (
            lambda key, part=part: part(key, language="en") for part in (lamp, room, storey)
        )


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Return the data source. Its parts are unregistered after the test."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return House()


def whole(screen: Screen, ref: Ref) -> str:
    """Return the text of this part and of its inner parts in the browser."""

    def words(node: Any) -> str:
        if isinstance(node, str):
            return f"{node} "
        if node["tagName"] == "shared-part":
            return words(screen.held[node["attributes"]["part"]][1])
        return "".join(map(words, node.get("children", ())))

    return words(screen.held[ref.key][1]).strip()


async def change(parts: LiveParts, topic: str) -> None:
    """Notify the registry of a change of this topic, and wait until all parts are read."""
    parts.bus.notify_listeners(topic)
    await settled(parts)


def shows(parts: LiveParts, screen: Screen) -> set[str]:
    """Return the keys of the parts that this screen follows."""
    return {key for key, live in parts.live.items() if any(screen in group.sockets for group in live.groups)}


async def test_nested_parts_are_read_once_for_all_sockets(parts: LiveParts, house: House) -> None:
    count = 20
    screens = [Screen() for _ in range(count)]
    for screen in screens:
        await screen.watch(parts, house.storey("one"))
        await screen.watch(parts, house.storey("two"))
        assert whole(screen, house.storey("one")) == "one room 1 lamp 1 room 2 lamp 2"
        assert [frame["key"] for frame in screen.frames].index(house.lamp(1).key) == 0, "inner parts come first"
    assert sorted(house.reads) == sorted({"storey one", "storey two", "room 1", "room 2", "lamp 1", "lamp 2"})


async def test_change_of_an_inner_part_is_its_own_frame(parts: LiveParts, house: House) -> None:
    one, two = Screen(), Screen()
    await one.watch(parts, house.storey("one"))
    await two.watch(parts, house.storey("two"))
    frames, house.texts[1] = len(one.frames), "a light"
    house.reads.clear()
    await change(parts, "lamp.1")
    assert house.reads == ["lamp 1"]
    assert [frame["key"] for frame in one.frames[frames:]] == [house.lamp(1).key]
    assert whole(one, house.storey("one")) == "one room 1 a light room 2 lamp 2"
    assert whole(two, house.storey("two")) == "two room 2 lamp 2"


async def test_new_inner_part_is_sent_before_the_change_that_shows_it(parts: LiveParts, house: House) -> None:
    screens = [Screen() for _ in range(3)]
    for screen in screens:
        await screen.watch(parts, house.storey("one"))
    house.rooms["one"] = (3, 1)
    house.reads.clear()
    before = [len(screen.frames) for screen in screens]
    await change(parts, "storey.one")
    assert sorted(house.reads) == ["lamp 3", "room 3", "storey one"]
    for screen, known in zip(screens, before, strict=True):
        keys = [frame["key"] for frame in screen.frames[known:]]
        assert keys == [house.lamp(3).key, house.room(3).key, house.storey("one").key]
        assert whole(screen, house.storey("one")) == "one room 3 lamp 3 room 1 lamp 1"


@pytest.mark.usefixtures("house")
async def test_new_inner_part_that_changes_is_sent_once_and_whole(parts: LiveParts) -> None:
    books, named = ["a book"] * 30, []

    @public_part(topics=lambda: ("shelf",))
    def shelf(*, language: str) -> Any:
        return html.ol(*(html.li(book) for book in books))

    @public_part(topics=lambda: ("desk",))
    def desk(*, language: str) -> Any:
        return html.div("desk", *(shared_part(inner) for inner in named))

    at_shelf, at_desk = Screen(), Screen()
    await at_shelf.watch(parts, shelf(language="en"))
    await at_desk.watch(parts, desk(language="en"))
    books[7], known = "another book", len(at_desk.frames)
    await change(parts, "shelf")
    assert "change" in at_shelf.frames[-1], "a change of the shelf alone is not the whole shelf"
    books[8], named[:] = "a third book", [shelf(language="en")]
    parts.bus.notify_listeners("shelf")
    await change(parts, "desk")
    assert [frame["key"] for frame in at_desk.frames[known:]] == [shelf(language="en").key, desk(language="en").key]
    assert at_desk.held[shelf(language="en").key] == at_shelf.held[shelf(language="en").key]


@pytest.mark.usefixtures("house")
async def test_request_between_read_and_frame_gets_no_change_twice(parts: LiveParts) -> None:
    books, named = ["a book"] * 30, []
    begun, door = asyncio.Event(), threading.Event()
    notify = partial(asyncio.get_running_loop().call_soon_threadsafe, begun.set)

    @public_part(topics=lambda: ("light",))
    def light(*, language: str) -> Any:
        notify()
        assert door.wait(20)
        return html.i("a light")

    @public_part(topics=lambda: ("shelf",))
    def shelf(*, language: str) -> Any:
        return html.div(html.ol(*map(html.li, books)), html.p(*map(shared_part, named)))

    screen = Screen()
    live = await screen.watch(parts, shelf(language="en"))
    books[7], named[:] = "another book", [light(language="en")]
    parts.bus.notify_listeners("shelf")
    await begun.wait()  # the shelf is read; the round waits for its inner part
    screen.send_latest((live,), live.full_frame(deflates=False))  # as for a window that requests the part in between
    door.set()
    await settled(parts)
    *_, requested, change = [frame for frame in screen.frames if frame["key"] == live.ref.key]
    assert change["from"] == requested["to"] != change["to"]
    assert "another book" in whole(screen, shelf(language="en"))


async def test_removed_inner_part_is_followed_only_inside_other_parts(parts: LiveParts, house: House) -> None:
    screen = Screen()
    await screen.watch(parts, house.storey("one"))
    await screen.watch(parts, house.storey("two"))
    house.rooms["one"] = ()
    await change(parts, "storey.one")
    kept = {house.storey("one").key, house.storey("two").key, house.room(2).key, house.lamp(2).key}
    assert shows(parts, screen) == kept
    await screen.leave(parts, house.storey("two"))
    assert shows(parts, screen) == {house.storey("one").key}
    await screen.leave(parts, house.storey("one"))
    assert shows(parts, screen) == set()
    for _ in range(8):
        parts.check()
    assert parts.live == {}


async def test_part_of_the_page_stays_without_its_outer_part(parts: LiveParts, house: House) -> None:
    screen = Screen()
    await screen.watch(parts, house.storey("one"))
    await screen.watch(parts, house.lamp(1))
    await screen.leave(parts, house.storey("one"))
    assert shows(parts, screen) == {house.lamp(1).key}
    await screen.leave(parts, house.lamp(1))
    assert shows(parts, screen) == set()


async def test_reconnected_socket_gets_changed_parts_only(parts: LiveParts, house: House) -> None:
    live = await parts.complete([house.storey("one")])
    held = {part.ref.key: part.version for part in live}
    house.texts[2] = "a light"
    await change(parts, "lamp.2")
    screen = Screen()
    screen.held = {part.ref.key: (part.version, part.model) for part in live}
    await screen.watch(parts, house.storey("one"), held)
    assert [frame["key"] for frame in screen.frames] == [house.lamp(2).key]
    assert whole(screen, house.storey("one")) == "one room 1 lamp 1 room 2 a light"


async def test_changes_during_the_first_read_are_not_lost(parts: LiveParts, house: House) -> None:
    screen = Screen()
    watching = asyncio.create_task(screen.watch(parts, house.storey("one")))
    for number in range(4):
        house.rooms["one"] = (number, 1)
        parts.bus.notify_listeners("storey.one")
        await asyncio.to_thread(lambda: None)
    await watching
    await change(parts, "storey.one")
    assert whole(screen, house.storey("one")) == "one room 3 lamp 3 room 1 lamp 1"


async def test_html_of_a_page_has_inner_parts_with_filled_slots(parts: LiveParts, house: House) -> None:
    ref = house.storey("one")
    live = await parts.complete([ref])
    assert parts.complete_if_fresh([ref.key]) == live
    page: Any = Page("", None, title="House", parts={"house": ref})  # type: ignore[arg-type]
    document = Document(page, {"tagName": "main", "children": [dict(shared_part(ref))]})
    anonymous = document.html(live).decode()
    assert '<section>room 1<i data-slot="lamp:1">lamp 1</i></section><section>room 2' in anonymous
    assert anonymous.count('<script type="application/json" data-part=') == 5
    document.fills = {"lamp:2": fill(text="mine"), "lamp:1": fill(part=house.lamp(3).key)}
    own = document.html(await parts.complete([ref, house.lamp(3)])).decode()
    assert '<i data-slot="lamp:2">mine</i>' in own
    assert '<i data-slot="lamp:1"><i data-slot="lamp:3">lamp 3</i></i>' in own, "a slot contains a part"
    parts.bus.notify_listeners("lamp.2")
    assert parts.complete_if_fresh([ref.key]) is None


def test_inner_parts_are_declared_before_and_limited(house: House) -> None:
    late: list[Ref] = []

    @public_part(topics=lambda: ("early",))
    def early(*, language: str) -> Any:
        return html.div(*map(shared_part, late))

    @public_part(topics=lambda: ("later",))
    def later(*, language: str) -> Any:
        return html.div(html.b(slot("own", 1), shared_part(house.lamp(1))))

    def read(ref: Ref) -> None:
        renew(LivePart(ref))

    late[:] = [early(language="en")]
    with pytest.raises(NotPublic, match="it holds early, which is declared after it"):
        read(early(language="en"))
    late[:] = [later(language="en")]
    with pytest.raises(NotPublic, match="it holds later, which is declared after it"):
        read(early(language="en"))
    late[:] = [house.lamp(number) for number in range(MOST_INNER_PARTS + 1)]
    with pytest.raises(NotPublic, match=f"it holds {MOST_INNER_PARTS + 1} parts; the most are {MOST_INNER_PARTS}"):
        read(early(language="en"))
    read(later(language="en"))


async def test_changes_together_are_one_write_for_each_socket(parts: LiveParts, house: House) -> None:
    count = 6
    house.rooms["one"] = tuple(range(count))
    screens = [Screen(deflates=bool(number % 2)) for number in range(20)]
    for screen in screens:
        await screen.watch(parts, house.storey("one"))
        screen.writes = 0
    bytes_before = parts.bytes_out
    for number in range(count):
        house.texts[number] = f"light {number}"
        parts.bus.notify_listeners(f"lamp.{number}")
    house.rooms["one"] = (*range(count), 19)  # and a new part inside
    await change(parts, "storey.one")
    assert [screen.writes for screen in screens] == [1] * len(screens)
    assert len(parts.groups) == 2, "one for compressed frames"
    assert parts.bytes_out > bytes_before


class Shelf:
    """The data source of books and of the list that holds them; `reads` records which rows each read fetched."""

    def __init__(self) -> None:
        self.books = {number: f"book {number}" for number in range(1, 6)}
        self.numbers = [1, 2, 3]
        self.reads: list[tuple[int, ...]] = []

        @public_part(topics=lambda number: ("books", f"book.{number}"), together=self.read)
        def book(number: int, *, language: str) -> Any:
            return html.li(read_together(self.read, number) or "gone")

        @public_part(topics=lambda: ("shelf",))
        def shelf(*, language: str) -> Any:
            return html.ol(*(shared_part(book(number, language=language)) for number in self.numbers))

        self.book, self.ref = book, shelf(language="en")

    def read(self, numbers: tuple[int, ...]) -> dict[int, str]:
        self.reads.append(numbers)
        if 13 in numbers:
            raise RuntimeError("no such book")
        return {number: self.books[number] for number in numbers if number in self.books}

    def shown(self, screen: Screen) -> list[str]:
        """Return the texts of the books in the browser, in the list's order."""
        _, model = screen.held[self.ref.key]
        keys = [child["attributes"]["part"] for child in model["children"]]
        return [screen.held[key][1]["children"][0] for key in keys]


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return Shelf()


async def test_list_and_its_rows_cost_two_reads(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    assert (shelf.reads, shelf.shown(screen)) == ([(1, 2, 3)], ["book 1", "book 2", "book 3"])


async def test_rows_that_change_together_are_read_together(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.reads.clear()
    shelf.books = {1: "first", 2: "second"}
    parts.bus.notify_listeners("books")
    await settled(parts)
    assert [sorted(read) for read in shelf.reads] == [[1, 2, 3]]
    assert shelf.shown(screen) == ["first", "second", "gone"]
    shelf.books[3] = "third"
    parts.bus.notify_listeners("book.3")
    await settled(parts)
    assert (shelf.reads[1:], shelf.shown(screen)) == ([(3,)], ["first", "second", "third"])


async def test_row_that_cannot_be_read_fails_alone(
    parts: LiveParts, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.numbers = [4, 13, 5]
    parts.bus.notify_listeners("shelf")
    await settled(parts)
    models = [screen.held[shelf.book(number, language="en").key][1] for number in (4, 5)]
    assert [model["children"][0] for model in models] == ["book 4", "book 5"]
    assert "parts could not be read together" in caplog.text


async def test_expired_rows_are_read_before_the_notification(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.reads.clear()
    shelf.books = {1: "mine", 2: "book 2", 3: "book 3"}
    parts.expire([shelf.ref])
    lives = {live.ref.key: live for live in await parts.complete([shelf.ref])}
    assert lives[shelf.book(1, language="en").key].pieces == ("<li>mine</li>",)
    assert [sorted(read) for read in shelf.reads] == [[1, 2, 3]]
    assert shelf.shown(screen) == ["mine", "book 2", "book 3"], "sockets get it too"
