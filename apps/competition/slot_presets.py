"""The presets of a stage's slots: `catalogue/slots.csv`, the specification's five categories, and the free program."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from apps.competition.works import WORKS

SLOTS = WORKS.with_name("slots.csv")
FIVE, FREE = "five", "free"
NAMES = {  # gettext sources, by key
    FIVE: "Five categories",
    "preliminary": "Preliminary Round, 2025",
    "stage I": "Stage I, 2025",
    "stage II": "Stage II, 2025",
    "stage III": "Stage III, 2025",
    "final": "Final, 2025",
    FREE: "Free program",
}
WorkKey = tuple[str, int | None]  # opus and number


@dataclass(frozen=True, slots=True)
class PresetSlot:
    """A slot of a preset; each of `allowed` is one work, or the works of a set in their order."""

    label: str
    is_free: bool = False
    least: int = 1
    most: int | None = 1
    allowed: tuple[tuple[WorkKey, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset with the minutes of the whole; `has_own_slots` is False for the specification's five."""

    slots: tuple[PresetSlot, ...] = ()
    least_minutes: int | None = None
    most_minutes: int | None = None
    has_own_slots: bool = True


@cache
def presets() -> Mapping[str, Preset]:
    """Return the presets by key, in the order of `NAMES`. Rows with one slot's number are alternatives of one slot."""
    with SLOTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    of_file = {name: _preset(list(found)) for name, found in groupby(rows, key=lambda row: row["stage"])}
    every = {FIVE: Preset(has_own_slots=False), **of_file, FREE: Preset()}
    return {name: every[name] for name in NAMES}


def _preset(rows: list[dict[str, str]]) -> Preset:
    slots = tuple(_slot(list(found)) for _, found in groupby(rows, key=lambda row: row["slot"]))
    return Preset(slots, _minutes(rows[0]["least_minutes"]), _minutes(rows[0]["most_minutes"]))


def _slot(rows: list[dict[str, str]]) -> PresetSlot:
    if any(row["rule"] == "free" for row in rows):
        return PresetSlot(rows[0]["label"], is_free=True, least=0, most=None)
    cells = [cell for row in rows for cell in row["works"].split("|")]
    return PresetSlot(rows[0]["label"], allowed=tuple(tuple(map(_work, cell.split(";"))) for cell in cells))


def _work(cell: str) -> WorkKey:
    """Return the key of "mazurka:17/4" or "ballade:23"."""
    opus, _, number = cell.partition(":")[2].partition("/")
    return opus, int(number) if number else None


def _minutes(cell: str) -> int | None:
    return int(cell) if cell else None
