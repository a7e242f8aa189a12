"""Promises of time, which are measured by `make soak` on a machine of its own; `make test` asks whether things happen.

A busy machine is slow, not wrong: there only the work can be counted.
"""

import os

MEASURING = bool(os.environ.get("MEASURING"))


def took_at_most(limit: float, seconds: float, what: str) -> None:
    """Raise AssertionError when `what` took longer than its limit in seconds, where times are measured."""
    assert not MEASURING or seconds < limit, f"{what} took {seconds:.2f} s"


def deadline(limit: float, patience: float) -> float:
    """The seconds to wait for something: its limit where times are measured, else one's patience."""
    return limit if MEASURING else patience
