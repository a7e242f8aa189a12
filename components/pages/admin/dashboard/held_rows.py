"""Rows that another moderator has decided since a list was opened.

They stay in their place as decided until the viewer decides next, so that no row moves below a finger or a pointer.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

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
    """Return a row as decided: of the same size, with `words` in place of its buttons, which the style sheet hides."""
    children = (_decided_child(child, words) if isinstance(child, dict) else child for child in row["children"])
    return html.li({**_attributes(row), "data-decided": ""}, *children)


def _decided_child(child: Any, words: str) -> VdomDict:
    attributes = _attributes(child)
    if child["tagName"] == "input":
        return html.input({**attributes, "disabled": True})
    if attributes.get("class") == "queue__acts":
        return html.div(attributes, *child["children"], html.p({"key": "decided", "class": "queue__decided"}, words))
    return cast("VdomDict", child)


def _attributes(node: Any) -> dict[str, Any]:
    """Return the attributes of a node, with its key."""
    return {**node.get("attributes", {}), **({"key": node["key"]} if "key" in node else {})}
