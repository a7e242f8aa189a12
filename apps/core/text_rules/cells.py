"""Cells that a spreadsheet would take for formulae: an apostrophe before them says that they are texts."""

import re

_GUARDED = re.compile(r"'+[=+\-@\t]")
_ACTIVE = re.compile(r"'*[=+\-@\t]")


def cell_guard(text: str) -> str:
    """Return the text as a cell has it that no spreadsheet computes."""
    return f"'{text}" if _ACTIVE.match(text) else text


def cell_unguard(text: str) -> str:
    """Return the text of such a cell; it undoes `cell_guard`."""
    return text[1:] if _GUARDED.match(text) else text
