"""The check of programs: hand-made ones against the slots of the file of presets, and random ones against all ways."""

import random
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from apps.competition.program_check import Allowed, Check, Item, SlotRule, program_check
from apps.competition.slot_presets import WorkKey, presets
from apps.competition.works import works

IDS: dict[WorkKey, int] = {(each.opus, each.number): at for at, each in enumerate(works(), start=1)}
WORKS = {IDS[each.opus, each.number]: each for each in works()}


def ids(name: str) -> tuple[int, ...]:
    """Return the works of "28/13-18", "53" or "27/2"."""
    opus, _, numbers = name.partition("/")
    first, _, last = numbers.partition("-")
    return tuple(IDS[opus, n] for n in range(int(first), int(last or first) + 1)) if first else (IDS[opus, None],)


def item(name: str, **more: Any) -> Item:
    found = [WORKS[pk] for pk in ids(name)]
    members = ids(name) if len(found) > 1 else ()
    minutes = sum((each.minutes for each in found), Decimal(0))
    piece_id = 10_000 + ids(name)[0] if members else ids(name)[0]
    return Item(piece_id, found[0].category, members, minutes, found[0].with_orchestra, **more)


def rules(stage: str) -> tuple[SlotRule, ...]:
    def allowed(keys: tuple[WorkKey, ...]) -> Allowed:
        found = tuple(IDS[key] for key in keys)
        return Allowed(piece_id=found[0]) if len(found) == 1 else Allowed(piece_id=-1, members=found)

    return tuple(
        SlotRule(tuple(map(allowed, slot.allowed)), slot.is_free, slot.least, slot.most)
        for slot in presets()[stage].slots
    )


def checked(stage: str, *items: str | Item) -> Check:
    preset = presets()[stage]
    program = [item(each) if isinstance(each, str) else each for each in items]
    return program_check(rules(stage), program, least_minutes=preset.least_minutes, most_minutes=preset.most_minutes)


FULL = ["28/1-24", "53", "60"]  # 24 preludes, a polonaise, the barcarolle


@pytest.mark.parametrize(
    ("stage", "program", "slots", "missing", "outside"),
    [
        ("preliminary", ["25/11", "10/2", "48/1", "24/4", "31"], [0, 1, 2, 3, 4], [], []),
        ("preliminary", ["31", "24/4", "25/7", "10/2", "10/5"], [4, 3, 2, 1, 0], [], []),  # a slow etude as nocturne
        ("preliminary", ["10/4", "10/5", "48/1", "24/4", "31"], [0, None, 2, 3, 4], [1], [1]),  # two of group a
        ("stage I", ["42", "60", "10/1", "10/3"], [2, 3, 0, 1], [], []),
        ("stage I", ["42", "60", "10/3", "62/1"], [2, 3, 1, None], [0], [3]),
        ("stage II", FULL, [0, 1, 2], [], []),
        ("stage II", ["26/1-2", "28/13-18", "35"], [1, 0, 2], [], []),
        ("stage II", ["28/7-12", "26/1", "53", "44"], [0, 2, 1, 2], [], []),  # one of a pair alone is another solo work
        ("stage II", ["28/1-6", "53"], [2, 1], [0], []),  # the first six are no group of the rule
        ("stage III", ["60", "58", "33/1-4", "52"], [2, 0, 1, 2], [], []),
        ("stage III", ["35", "58", "33/1"], [0, 2, 2], [1], []),  # one mazurka is not its opus
        ("stage III", ["35", "17/1-4", "11"], [0, 1, None], [], [2]),  # no concerto among the solo works
        ("final", ["61", "21"], [0, 1], [], []),
        ("final", ["11", "21"], [1, None], [0], [1]),
        ("free", ["11", "28/1-24", "25/1"], [None, None, None], [], []),
    ],
)
def test_slots_of_real_stages(stage, program, slots, missing, outside):
    check = checked(stage, *program)
    assert list(check.slots) == slots
    assert [slot for slot, _ in check.missing] == missing
    assert list(check.outside) == outside


def test_minutes_and_played_works_are_notes():
    right = checked("stage III", "58", "33/1-4", "60")
    total = sum(item(each).minutes or 0 for each in ("58", "33/1-4", "60"))
    assert (right.minutes, right.unknown) == (total, 0)
    assert (right.is_short, right.is_long) == (total < 45, total > 55)
    assert checked("stage III", "58").is_short
    assert checked("stage III", "58", "33/1-4", "60", "52", "44").is_long
    unknown = checked("stage III", "58", Item(1, "other"))
    assert (unknown.unknown, unknown.is_short) == (1, False)  # its length may be enough
    played = checked("final", "61", item("21", is_played=True))
    assert (played.played, played.notes) == ((1,), 1)
    empty = checked("stage III")
    assert (empty.is_short, empty.minutes, len(empty.missing)) == (False, 0, 2)


def best(slots: list[SlotRule], items: list[Item]) -> tuple[int, int]:
    """Return the most required places and then the most items that any assignment fills, of all assignments."""
    ways = product(*([None, *(at for at, slot in enumerate(slots) if slot.allows(each))] for each in items))
    results = [(0, 0)]
    for way in ways:
        counts = [way.count(at) for at in range(len(slots))]
        if all(slot.most is None or count <= slot.most for slot, count in zip(slots, counts, strict=True)):
            required = sum(min(count, slot.least) for slot, count in zip(slots, counts, strict=True))
            results.append((required, len(way) - way.count(None)))
    return max(results)


def test_no_assignment_fills_more_places():
    seeded = random.Random(55)  # noqa: S311 - no secret
    for _ in range(300):
        slots = []
        for _ in range(seeded.randint(1, 4)):
            categories = tuple(Allowed(category=each) for each in seeded.sample("abcd", seeded.randint(0, 2)))
            least = seeded.randint(0, 2)
            slots.append(SlotRule(categories, seeded.random() < 0.2, least, seeded.choice([None, max(1, least), 2])))
        items = [Item(at, seeded.choice("abcde")) for at in range(seeded.randint(0, 5))]
        check = program_check(slots, items)
        counts = [check.slots.count(at) for at in range(len(slots))]
        assert all(slot.most is None or count <= slot.most for slot, count in zip(slots, counts, strict=True))
        required = sum(min(count, slot.least) for slot, count in zip(slots, counts, strict=True))
        assert (required, len(items) - check.slots.count(None)) == best(slots, items), (slots, items)
        assert check == program_check(slots, items)
