"""The state of the page Import, all of it in the address: which file, after which of its rows."""

from urllib.parse import urlencode

from apps.imports.limits import ROWS_SHOWN

PATH = "/admin/import"
REFUSED = "refused"  # in place of a file's id: the one that was just sent was no file of participants


def rows_at(file: int, after: int = 0) -> str:
    """Return the address of a file's rows after a position."""
    return f"{PATH}?{urlencode({'file': file} | ({'after': after} if after > 0 else {}))}"


def before(after: int) -> int:
    """Return the position after which the rows before those begin."""
    return max(0, after - ROWS_SHOWN)
