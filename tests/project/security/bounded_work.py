"""Helpers that bound work: texts as long as the longest request, and a limit of processor time for reading them."""

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LENGTH = 65_536  # characters, the longest request; 8 KB would reveal cubic work, 64 KB reveals quadratic work
SECONDS = 2.0  # of processor time: twenty times what is needed; quadratic work is a minute


@contextmanager
def work_bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Fail as soon as the block has used more processor time than this, without the objects of other tests.

    A collection of garbage visits everything that the tests before have left, which is no work of the block.
    """

    def stop(*_: Any) -> None:
        raise AssertionError(f"more than {seconds} s of work")

    before = signal.signal(signal.SIGVTALRM, stop)
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()
        signal.signal(signal.SIGVTALRM, before)


def repeated(repeat: str) -> list[str]:
    """Return repeated text as long as a request: before a sign that does not match, and within addresses."""
    text = (repeat * LENGTH)[:LENGTH]
    return [f"{text}!\n", f"/{text} ", f"https://{text}\\"]
