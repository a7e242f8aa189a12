"""One call of a selector on a large database, as each app's `general.py` lists them."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Read:
    """A selector's call, and the number of rows that a query may read in addition to its result, with the reason."""

    call: Callable[[], object]
    more: int = 0
    because: str = ""


EXPORT = "a person takes along what is theirs, three times a day at most"
MERGED = "the authors' names are read along their ids, up to the last of them: here they are the first 5,000 accounts"
SEARCH = "an administrator's search for words looks through what waits"
OF_A_STAGE = "a ranking is made of all marks of its stage, outside of page views"
