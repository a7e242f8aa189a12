"""Time limits, which `make soak` measures on an otherwise idle machine; `make test` only checks that things happen.

On a busy machine times are not reliable, so there a test can only count work.
"""

import os

MEASURING = bool(os.environ.get("MEASURING"))


def took_at_most(limit: float, seconds: float, what: str) -> None:
    """Raise AssertionError if `what` took longer than `limit` seconds, when times are measured."""
    assert not MEASURING or seconds < limit, f"{what} took {seconds:.2f} s"


def deadline(limit: float, patience: float) -> float:
    """Return the seconds to wait for something: `limit` when times are measured, else `patience`."""
    return limit if MEASURING else patience
