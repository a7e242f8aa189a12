"""One call of a selector on a large database, as each app's `general.py` lists them."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Read:
    """A selector's call, and the number of rows that a query may read in addition to its result, with the reason."""

    call: Callable[[], object]
    more: int = 0
    because: str = ""


EXPORT = "the export of an account, at most three times a day"
MERGED = "a merge join reads the authors' names by id, here those of the first 5,000 accounts"
SEARCH = "a text search of administrators scans the waiting rows"
OF_A_STAGE = "a ranking reads all marks of its stage, outside of page views"
