"""Which push services answer: one that does not is left alone for a while, so that it holds up no other."""

import time
from collections import defaultdict
from dataclasses import dataclass
from threading import Lock

from apps.notifications.limits import PUSH_AGAIN, PUSHES_AT_HOST


@dataclass(slots=True)
class _Host:
    answered_at: float = 0.0  # `time.monotonic`, like the next
    paused_until: float = 0.0
    failures: int = 0  # since the last answer


class Hosts:
    """The push services that this process has sent to, by origin."""

    def __init__(self) -> None:
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        self._lock = Lock()

    def answered(self, origin: str) -> None:
        """Note that a push service has answered."""
        with self._lock:
            host = self._hosts[origin]
            host.answered_at, host.paused_until, host.failures = time.monotonic(), 0.0, 0

    def failed(self, origin: str, begun: float) -> None:
        """Note an exchange without an answer. If there was none since it began, the push service is paused.

        The pauses are those of PUSH_AGAIN, one after the other, until it answers.
        """
        with self._lock:
            host, now = self._hosts[origin], time.monotonic()
            if host.answered_at < begun and host.paused_until <= begun:
                host.failures += 1
                pause = PUSH_AGAIN[min(host.failures, len(PUSH_AGAIN)) - 1]
                host.paused_until = now + pause.total_seconds()

    def pause_left(self, origin: str) -> float:
        """Return the seconds until the end of a pause, 0 without one."""
        host = self._hosts.get(origin)
        return max(0.0, host.paused_until - time.monotonic()) if host else 0.0

    def paused(self) -> dict[str, float]:
        """Return the push services that are paused, with the seconds left."""
        with self._lock:
            left = {origin: self.pause_left(origin) for origin in self._hosts}
        return {origin: seconds for origin, seconds in left.items() if seconds}

    def at_once(self, origin: str) -> int:
        """Return how many exchanges with a push service may run: one after a failure, until it answers."""
        host = self._hosts.get(origin)
        return 1 if host and host.failures else PUSHES_AT_HOST


hosts = Hosts()
