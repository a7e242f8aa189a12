"""Slots: elements of public markup with attributes and content that one viewer's values replace.

    html.button({"hidden": True} | slot("written_by", comment.author_id), ...)   # in a shared part, or in cached markup
    Page(..., slots=(slot_query(read, topics=("account.<id>.ratings",), participant_id=7),))     # fills them on a page
    read(viewer=..., participant_id=7) -> {"written_by:42": fill({"hidden": False})}

A slot in a shared part may contain further parts. `covered` replaces its content and withholds these parts from the
viewer: they are neither in the HTML nor in the frames that this viewer gets (`covers.py`, ADR 26).

    html.span(slot("figures", 17), shared_part(performance_mean(17, language="en")))     # in a part
    read(viewer=...) -> {"figures": covered("–"), "figures:17": fill()}          # all figures are covered except one

Slot queries (`page_slots.py`) read the fills. Parts that a window opens fill slots as well
(`components/runtime/opened_parts.py`). Rows may share a slot: one fill shows every button of one author.
"""

from collections.abc import Mapping
from typing import Any

from components.runtime.commands import POSTED, command_button
from components.runtime.rendering.tree import PART

SLOT = "data-slot"  # the attribute that names an element's slot
COVERED = "covered"  # the key of a fill that withholds the parts inside its slot
FILLABLE = frozenset(
    ["hidden", "disabled", "value", "checked", "class", "data-own", "data-argument"]
)  # and all of aria-
Fill = Mapping[str, Any]
Fills = Mapping[str, Fill]


def slot(name: str, key: str | int) -> dict[str, str]:
    """Return attributes that make an element a slot."""
    return {SLOT: f"{name}:{key}"}


def fill(attributes: Mapping[str, str | bool] | None = None, text: str | None = None, *, part: str = "") -> Fill:
    """Return the fill of a slot: attributes that replace its own, and as content a `text` or the part with that key.

    The page must show that part. Raises ValueError for an attribute outside FILLABLE and `aria-`; of addresses only
    the `formAction` of a command is allowed.
    """
    for name, value in (attributes or {}).items():
        is_own_command = name == "formAction" and str(value).startswith(POSTED)
        if name not in FILLABLE and not name.startswith("aria-") and not is_own_command:
            raise ValueError(f"{name} is not an attribute that may fill a slot")
    content = {"part": part} if part else {"text": text} if text is not None else {}
    return ({"attributes": dict(attributes)} if attributes else {}) | content


def covered(text: str = "", attributes: Mapping[str, str | bool] | None = None) -> Fill:
    """Return the fill of a slot that withholds its inner parts from the viewer: a text in their place, and attributes.

    Only a slot query covers. Filled for a common name ("figures"), it covers every slot of that name; an empty fill
    (`fill()`) of one of them ("figures:17") uncovers that one. Parts that the page itself lists are never withheld.
    """
    return {**fill(attributes, text), COVERED: True}


def pressed(name: str, argument: str | int) -> Fill:
    """Return the fill of a toggle button that is pressed: its next press sends the command with this argument."""
    button = command_button(name, argument)
    return fill({"aria-pressed": "true"} | {key: button[key] for key in ("data-argument", "formAction")})


def fill_of(fills: Fills, name: str) -> Fill | None:
    """Return the fill of the slot "written_by:42": its own, else that of all slots "written_by", else None."""
    return fills[name] if name in fills else fills.get(name.partition(":")[0])


def slot_fill(node: dict[str, Any], fill: Fill | None) -> dict[str, Any]:
    """Return the element with this fill; without a fill, return it unchanged."""
    if not fill:
        return node
    more: dict[str, Any] = {"attributes": {**node["attributes"], **fill.get("attributes", {})}}
    if "part" in fill:
        more["children"] = [{"tagName": PART, "attributes": {"part": fill["part"]}}]
    elif "text" in fill:
        more["children"] = [fill["text"]]
    return node | more
