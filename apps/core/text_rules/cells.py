"""Cells of files for spreadsheets: an apostrophe before a formula says that it is a text.

A spreadsheet may divide a line by another sign than the file does. So a formula is guarded at the beginning of a cell
and behind every sign that divides.
"""

import re

DIVIDERS = ";,|\t\r\n"
ACTIVE = "=+-@＝＋－＠﹦﹢﹣﹫−"
_BEGINS = rf"((?:^|[{DIVIDERS}])(?:[^\S\t\r\n]|\")*)"
_FORMULA = rf"('*[{re.escape(ACTIVE)}])"
_UNGUARDED = re.compile(_BEGINS + _FORMULA)
_GUARDED = re.compile(f"{_BEGINS}'{_FORMULA}")


def cell_guard(text: str) -> str:
    """Return the text as a cell has it that no spreadsheet computes."""
    return _UNGUARDED.sub(r"\1'\2", text)


def cell_unguard(text: str) -> str:
    """Return the text of such a cell; it undoes `cell_guard`."""
    return _GUARDED.sub(r"\1\2", text)
