"""Rows that another moderator has decided since a list was opened.

They stay in their place as decided until the viewer decides next, so that no row moves below a finger or a pointer.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from apps.core.moderation import OthersDecision
from components.runtime import VdomDict, html

Row = TypeVar("Row")
Rows = list[tuple[Row, OthersDecision | None]]


def rows_in_place(
    first: Sequence[Row], now: Sequence[Row], decided: Mapping[str, OthersDecision], name: Callable[[Row], str]
) -> Rows[Row]:
    """Return the rows `now`, and between them those of `first` that are in `decided`, by `name`, at their place."""
    shown: Rows[Row] = [(row, None) for row in now]
    names, place = [name(row) for row in now], 0
    for row in first:
        row_name = name(row)
        if row_name in names:
            place = names.index(row_name) + 1
        elif row_name in decided:
            shown.insert(place, (row, decided[row_name]))
            names.insert(place, row_name)
            place += 1
    return shown


def decided_row(row: VdomDict, words: str) -> VdomDict:
    """Return a row as decided: of the same size, with `words` in place of its buttons."""
    attributes = {**row["attributes"], "data-decided": ""}
    children = [_decided_child(child, words) if isinstance(child, dict) else child for child in row["children"]]
    return VdomDict({**row, "attributes": attributes, "children": children})  # type: ignore[typeddict-item]


def _decided_child(child: VdomDict, words: str) -> VdomDict:
    attributes = child.get("attributes", {})
    if child["tagName"] == "input":
        return {**child, "attributes": {**attributes, "disabled": True}}
    if attributes.get("class") == "queue__acts":
        answer = html.p({"key": "decided", "class": "queue__decided"}, words)
        return {**child, "children": [*child["children"], answer]}
    return child
