"""Sends messages to push services, several at once, in the event loop of a thread without a database connection."""

import asyncio
import logging
import ssl
import time
from collections import Counter, deque
from collections.abc import Coroutine, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from threading import Thread
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings

from apps.notifications.limits import (
    PUSH_EXCHANGE,
    PUSH_PAUSE,
    PUSH_PAUSE_MOST,
    PUSH_TIMEOUT,
    PUSHES_AT_ONCE,
    PUSHES_TAKEN,
)
from apps.notifications.push.endpoints import audience_of, endpoint_is_allowed, host_of
from apps.notifications.push.hosts import hosts
from apps.notifications.push.messages import Message

if TYPE_CHECKING:
    import aiohttp

log = logging.getLogger(__name__)
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
_BUSY = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}


class Result(Enum):
    """What became of a message."""

    SENT = "the push service has it"
    REFUSED = "the push service does not take it; another try would not change that"
    GONE = "the subscription has ended"
    BUSY = "the push service asks for a pause"
    FAILED = "no answer, or an error of the push service"
    PAUSED = "the push service does not answer others"
    UNSENT = "the time for this batch is over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one message, and for BUSY and PAUSED how long the push service is left alone."""

    message: Message
    result: Result
    pause: timedelta = PUSH_PAUSE

    @property
    def is_tried(self) -> bool:
        """Whether the push service was asked."""
        return self.result not in {Result.PAUSED, Result.UNSENT}


class Sender:
    """Messages on their way: those that wait, by the origin of their push service, and the running exchanges.

    At most PUSHES_AT_ONCE run, and of one push service as many as `Hosts.at_once` allows. Push services take turns.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[tuple[Message, float]]] = {}
        self._running: dict[Future[Outcome], str] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="push exchanges", daemon=True)
        self._session: aiohttp.ClientSession | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End the running exchanges, and close the connections."""
        if self._thread.is_alive():
            for running in self._running:
                running.cancel()
            self._run(self._close()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()

    @property
    def is_busy(self) -> bool:
        """Whether a message waits, or an exchange runs."""
        return bool(self._waiting or self._running)

    @property
    def full(self) -> list[str]:
        """The origins of push services for which enough messages wait, or that are paused."""
        return [*hosts.paused(), *(origin for origin, waiting in self._waiting.items() if len(waiting) >= PUSHES_TAKEN)]

    def add(self, messages: Sequence[Message], *, until: float) -> None:
        """Send these messages too. No exchange of them begins after `until` (`time.monotonic`)."""
        for message in messages:
            self._waiting.setdefault(audience_of(message.browser.endpoint), deque()).append((message, until))

    def outcomes(self, *, within: float) -> list[Outcome]:
        """Begin what may begin, and return the outcomes that come first, none after `within` seconds."""
        known = [*self._begin(), *self._drop_paused()]
        done, _ = wait(self._running, timeout=0 if known else within, return_when=FIRST_COMPLETED)
        for future in done:
            del self._running[future]
        return [*known, *(future.result() for future in done), *self._drop_paused()]

    def _begin(self) -> list[Outcome]:
        """Begin exchanges, one of each push service in turn. Return the outcomes of messages that need none."""
        known, at_once = list[Outcome](), Counter(self._running.values())
        ready = deque(self._waiting)
        while ready and len(self._running) < PUSHES_AT_ONCE:
            origin = ready.popleft()
            if at_once[origin] >= hosts.at_once(origin) or hosts.pause_left(origin):
                continue
            message, until = self._waiting[origin].popleft()
            if not self._waiting[origin]:
                del self._waiting[origin]
            else:
                ready.append(origin)
            if time.monotonic() > until:
                known.append(Outcome(message, Result.UNSENT))
            elif not endpoint_is_allowed(message.browser.endpoint):  # PUSH_HOSTS is shorter than it was
                known.append(Outcome(message, Result.GONE))
            else:
                self._running[self._run(self._send(message, origin))] = origin
                at_once[origin] += 1
        return known

    def _drop_paused(self) -> list[Outcome]:
        """Return the messages that wait for paused push services."""
        dropped = list[Outcome]()
        for origin, seconds in hosts.paused().items():
            pause = timedelta(seconds=seconds)
            dropped += [Outcome(message, Result.PAUSED, pause) for message, _ in self._waiting.pop(origin, ())]
        return dropped

    def _run(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        if not self._thread.is_alive():
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _send(self, message: Message, origin: str) -> Outcome:
        """Send one message. Every failure is an outcome, because it must not stop the other messages."""
        import aiohttp  # noqa: PLC0415 - only a process that sends messages needs it

        host, begun = host_of(message.browser.endpoint), time.monotonic()
        try:
            outcome = await self._post(message)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            log.warning("the push service %s did not answer (%s)", host, type(error).__name__)
            hosts.failed(origin, begun)
            return Outcome(message, Result.FAILED)
        except Exception as error:  # noqa: BLE001 - as the docstring says
            log.error(  # noqa: TRY400 - a traceback could show the endpoint
                "a push message for %s could not be made (%s)", host, type(error).__name__
            )
            return Outcome(message, Result.REFUSED)
        hosts.answered(origin)
        return outcome

    async def _close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _post(self, message: Message) -> Outcome:
        if self._session is None:
            self._session = _session()
        async with self._session.post(
            message.browser.endpoint, data=message.encrypted(), headers=message.headers(), allow_redirects=False
        ) as response:  # its body is not read
            return _outcome(message, response)


def _session() -> "aiohttp.ClientSession":
    """Return connections without cookies, and without proxies and passwords of the environment.

    An exchange ends after PUSH_EXCHANGE seconds, whatever the push service sends.
    """
    import aiohttp  # noqa: PLC0415 - as above
    import certifi  # noqa: PLC0415 - as above

    trusted = ssl.create_default_context(cafile=settings.PUSH_TEST_AUTHORITY or certifi.where())
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=PUSHES_AT_ONCE, ssl=trusted),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=PUSH_EXCHANGE, sock_connect=PUSH_TIMEOUT, sock_read=PUSH_TIMEOUT),
        trust_env=False,
    )


def _outcome(message: Message, response: "aiohttp.ClientResponse") -> Outcome:
    status, host = response.status, host_of(message.browser.endpoint)
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Outcome(message, Result.SENT)
    if status in _GONE:
        return Outcome(message, Result.GONE)
    if status in _BUSY:
        pause = pause_of(response.headers.get("Retry-After", ""), datetime.now(UTC))
        log.warning("the push service %s asks for a pause of %d s", host, pause.total_seconds())
        return Outcome(message, Result.BUSY, pause)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        log.warning("the push service %s failed (%d)", host, status)
        return Outcome(message, Result.FAILED)
    log.warning("the push service %s refuses a message (%d)", host, status)
    return Outcome(message, Result.REFUSED)


def pause_of(text: str, now: datetime) -> timedelta:
    """Return the pause that Retry-After asks for, in seconds or as a date: 1 s to PUSH_PAUSE_MOST; else PUSH_PAUSE."""
    if text.isascii() and text.isdigit():
        seconds = float(min(int(text[:9]), PUSH_PAUSE_MOST.total_seconds()))
        return max(timedelta(seconds=seconds), timedelta(seconds=1))
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return PUSH_PAUSE
    left = (date if date.tzinfo else date.replace(tzinfo=UTC)) - now
    return min(max(left, timedelta(seconds=1)), PUSH_PAUSE_MOST)
