"""What other apps do at an interval: the performer of a live session leaves the stage, and no other one follows.

An app registers once, in its `AppConfig.ready`; the competition imports none of them. Its functions run inside the
transaction that clears the stage, with the session's row locked.
"""

from collections.abc import Callable

OfSession = Callable[[int], object]  # takes the session's id
_begun: list[OfSession] = []
_undone: list[OfSession] = []


def interval_register(*, begun: OfSession, undone: OfSession) -> None:
    """Register the functions for an interval that begins, and for one whose beginning is undone."""
    _begun.append(begun)
    _undone.append(undone)


def interval_begun(session_id: int) -> None:
    """Call the apps' functions: an interval of this session begins."""
    for begun in _begun:
        begun(session_id)


def interval_undone(session_id: int) -> None:
    """Call the apps' functions: the performer of this session is back on stage, as if there had been no interval."""
    for undone in _undone:
        undone(session_id)
