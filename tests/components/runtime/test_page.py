"""Refusals of invalid pages name the page and the part, slot or topic."""

from typing import Any

import pytest

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.events import TopicUnknown, topics_declare
from components.routes import Load, Route, Target
from components.runtime.page import Page, PageInvalid, PageRequest, filled, joined
from components.runtime.rendering.page_slots import SlotQuery, slot_query
from components.runtime.rendering.parts import PublicPart, Ref
from components.runtime.rendering.slots import Fills, fill

FAN = Viewer(7, "fan")
topics_declare(dict.fromkeys(("lamp.<id>", "account.<id>.lamps"), "of a test"))


def lamp(number: int, *, topic: str = "lamp") -> Ref:
    """A part that depends on the topic of its number."""
    return PublicPart("lamp", lambda: None, lambda pk: (f"{topic}.{pk}",))(number, language="en")


def page_at(path: str, load: Load) -> Page:
    """Return the page of this `load`, as if it was in the table of routes."""
    return Target(Route(path, load), {}, {}, path, path).load(ANONYMOUS, "en")


def page(**more: Any) -> Load:
    """Return a `load` function of a page with these parts, slots or topics."""
    return lambda _: Page("A test.", lambda _: None, **more)  # type: ignore[arg-type, return-value]


def test_unknown_part_is_rejected_with_the_page_and_its_parts() -> None:
    house = page_at("/house", page(parts={"hall": lamp(1), "stairs": lamp(2)}))
    assert house.parts["stairs"].key == "lamp:2:en"
    with pytest.raises(PageInvalid, match=r"the page /house has no part named 'hell'; its parts: hall, stairs"):
        house.parts["hell"]
    with pytest.raises(PageInvalid, match=r"the page /tent has no part named 'hall'; its parts: none"):
        page_at("/tent", page()).parts["hall"]


def test_two_parts_with_one_name_are_rejected() -> None:
    def load(_: PageRequest) -> Page:
        parts = joined({"hall": lamp(1)}, {"stairs": lamp(2)}, {"hall": lamp(3)})
        return Page("A test.", lambda _: None, parts=parts)  # type: ignore[arg-type, return-value]

    with pytest.raises(PageInvalid, match=r"the page /house: two parts are named 'hall': lamp:1:en and lamp:3:en"):
        page_at("/house", load)
    assert list(joined({"hall": lamp(1)}, {"stairs": lamp(2)})) == ["hall", "stairs"]


def lamp_fills(*, viewer: Viewer) -> Fills:
    return {f"switch:{viewer.id}": fill({"hidden": False})}


def other_fills(*, viewer: Viewer) -> Fills:
    """Fill the same slots for other rows, as another feature does."""
    return {"bulb": fill(text=viewer.username), "switch:1": fill({"hidden": True})}


@pytest.mark.django_db  # the frame of every page reads a member's newest notification
def test_slot_of_two_features_is_rejected() -> None:
    both: tuple[SlotQuery, ...] = (slot_query(lamp_fills), slot_query(other_fills))
    one = page_at("/house", page(slots=both[:1]))
    assert filled(one, FAN).all_fills == {"switch:7": fill({"hidden": False})}
    two = page_at("/house", page(slots=both))
    assert filled(two, ANONYMOUS).fills == ()
    words = r"two features fill the slot 'switch' of the page /house: lamp_fills and other_fills"
    with pytest.raises(PageInvalid, match=words):
        filled(two, FAN)


def test_topics_that_no_event_publishes_are_rejected() -> None:
    slots = (slot_query(lamp_fills, topics=("account.<id>.lamps", "lamb.1")),)
    invalid: list[tuple[dict[str, Any], str]] = [
        ({"topics": ("lamp.1", "lamb.1")}, "the page /house"),
        ({"cache_topics": ("lamb.1",)}, "the page /house"),
        ({"parts": {"hall": lamp(1), "stairs": lamp(1, topic="lamb")}}, "the page /house, its part 'stairs'"),
        ({"slots": slots}, "the page /house, its slots lamp_fills"),
    ]
    for more, where in invalid:
        with pytest.raises(TopicUnknown, match=f"^{where}: no event publishes the topic 'lamb.1'"):
            page_at("/house", page(**more))
