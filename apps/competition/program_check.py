"""The check of a program against its stage: which item fills which slot, and the notes. Notes refuse nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a slot allows: all single works of a category, or one piece; `members` are the pieces of a set."""

    category: str = ""
    piece_id: int = 0
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotRule:
    """A slot: from `least` to `most` items (None means any number). A free one allows all works without orchestra."""

    allowed: tuple[Allowed, ...] = ()
    is_free: bool = False
    least: int = 1
    most: int | None = 1

    def allows(self, item: "Item") -> bool:
        """Return whether this item may fill the slot."""
        return (self.is_free and not item.with_orchestra) or any(_fits(each, item) for each in self.allowed)


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a program in the order of playing.

    `members` are the pieces of a set, `minutes` its usual length if known. `is_played`: the same person has
    it, or a piece of it, in the program of an earlier stage.
    """

    piece_id: int
    category: str
    members: tuple[int, ...] = ()
    minutes: Decimal | None = None
    with_orchestra: bool = False
    is_played: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """The result: `slots` has each item's slot as an index, None for an item outside of all slots.

    `missing` are pairs of a slot's index and the number of items that it lacks; `outside` and `played` are indexes of
    items. `minutes` is the sum of the known lengths, `unknown` the number of items without one.
    """

    slots: tuple[int | None, ...]
    missing: tuple[tuple[int, int], ...]
    outside: tuple[int, ...]
    played: tuple[int, ...]
    minutes: Decimal
    unknown: int
    is_short: bool
    is_long: bool

    @property
    def notes(self) -> int:
        """The number of notes."""
        return len(self.missing) + len(self.outside) + len(self.played) + self.is_short + self.is_long


def program_check(
    rules: Sequence[SlotRule],
    items: Sequence[Item],
    *,
    least_minutes: int | None = None,
    most_minutes: int | None = None,
) -> Check:
    """Return which slot each item fills, and what is missing, outside, played already, too short or too long.

    As many required places as possible are filled, then as many items as possible have a place. Of equal solutions the
    earlier item has the earlier slot, and free slots come last. Without `rules` no item is outside. A program that has
    items of unknown length is never too short. At most 40 items times 20 slots.
    """
    places = _Places(rules, items)
    for slot in _order(rules):
        while places.count(slot) < rules[slot].least and places.fill(slot, set()):
            pass
    for item in range(len(items)):
        if item not in places.slot_of:
            places.place(item, set())
    lacking = ((slot, rule.least - places.count(slot)) for slot, rule in enumerate(rules))
    known = [item.minutes for item in items if item.minutes is not None]
    total, unknown = sum(known, Decimal(0)), len(items) - len(known)
    return Check(
        slots=tuple(places.slot_of.get(item) for item in range(len(items))),
        missing=tuple((slot, count) for slot, count in lacking if count > 0),
        outside=tuple(item for item in range(len(items)) if rules and item not in places.slot_of),
        played=tuple(at for at, item in enumerate(items) if item.is_played),
        minutes=total,
        unknown=unknown,
        is_short=bool(items) and not unknown and least_minutes is not None and total < least_minutes,
        is_long=most_minutes is not None and total > most_minutes,
    )


def _fits(allowed: Allowed, item: Item) -> bool:
    if allowed.category:
        return allowed.category == item.category and not item.members
    return allowed.piece_id == item.piece_id or bool(item.members and allowed.members == item.members)


def _order(rules: Sequence[SlotRule]) -> list[int]:
    return sorted(range(len(rules)), key=lambda slot: (rules[slot].is_free, slot))


class _Places:
    """The items in slots: a maximum matching by augmenting paths."""

    def __init__(self, rules: Sequence[SlotRule], items: Sequence[Item]) -> None:
        self.rules = rules
        self.slot_of: dict[int, int] = {}
        self._slots = {at: [s for s in _order(rules) if rules[s].allows(item)] for at, item in enumerate(items)}

    def count(self, slot: int) -> int:
        """Return the number of items in a slot."""
        return sum(each == slot for each in self.slot_of.values())

    def fill(self, slot: int, tried: set[int]) -> bool:
        """Put one more item into a slot, also one of another slot that finds a substitute; return whether it worked."""
        for item in self._candidates(slot):
            if item in tried:
                continue
            tried.add(item)
            holder = self.slot_of.get(item)
            if holder is None or self.fill(holder, tried):
                self.slot_of[item] = slot
                return True
        return False

    def place(self, item: int, tried: set[int]) -> bool:
        """Put an item into a slot, also one whose item finds another slot; return whether it worked."""
        slots = [slot for slot in self._slots[item] if slot not in tried]
        tried.update(slots)
        with_room = [slot for slot in slots if self._has_room(slot)]
        for slot in with_room or slots:
            if with_room or any(self.place(other, tried) for other in self._held(slot)):
                self.slot_of[item] = slot
                return True
        return False

    def _has_room(self, slot: int) -> bool:
        most = self.rules[slot].most
        return most is None or self.count(slot) < most

    def _candidates(self, slot: int) -> list[int]:
        """Return the items that a slot may take, those without a slot first."""
        fitting = [at for at, slots in self._slots.items() if slot in slots and self.slot_of.get(at) != slot]
        return sorted(fitting, key=lambda at: (at in self.slot_of, at))

    def _held(self, slot: int) -> list[int]:
        return [at for at, each in self.slot_of.items() if each == slot]
