"""Work within bounds: texts as long as a request can be, and a limit of the processor's seconds for what reads them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LENGTH = (
    65_536  # characters: the longest request; where 8 KB would only show what is cubic, this shows what is quadratic
)
SECONDS = 0.5  # of the processor: twenty times what is needed


@contextmanager
def work_bounded(seconds: float = SECONDS) -> Iterator[None]:
    """Fail when what is inside takes more seconds of the processor, instead of waiting for its end."""

    def stop(*_: Any) -> None:
        raise AssertionError(f"more than {seconds} s of work")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def repeated(repeat: str) -> list[str]:
    """As long as a request can be: by itself, before a sign that fits nowhere, and behind the begin of an address."""
    text = (repeat * LENGTH)[:LENGTH]
    return [text, f"{text}!\n", f"/{text} ", f"https://{text}\\"]
