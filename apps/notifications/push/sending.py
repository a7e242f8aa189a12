"""Sends messages to push services, several at once, in threads without a database connection."""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from django.conf import settings

from apps.notifications.limits import PUSH_PAUSE, PUSH_PAUSE_MOST, PUSH_TIMEOUT, PUSHES_AT_ONCE
from apps.notifications.push.endpoints import endpoint_is_allowed, host_of
from apps.notifications.push.messages import Message

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
    UNSENT = "the time for this batch is over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one message, and for BUSY how long the push service wants to be left alone."""

    message: Message
    result: Result
    pause: timedelta = PUSH_PAUSE


def messages_send(messages: Sequence[Message], *, until: float) -> Iterator[list[Outcome]]:
    """Send the messages and yield the outcomes as they come. No request begins after `until` (`time.monotonic`)."""
    sender = _Sender(until)
    with ThreadPoolExecutor(min(PUSHES_AT_ONCE, max(1, len(messages))), "push") as threads:
        running = {threads.submit(sender.send, message) for message in messages}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield [future.result() for future in done]
    sender.close()


class _Sender:
    """The connections to push services, one set for each thread."""

    def __init__(self, until: float) -> None:
        self.until, self.own, self.sessions = until, threading.local(), list[requests.Session]()

    def send(self, message: Message) -> Outcome:
        """Send one message. Every failure is an outcome, because it must not stop the other messages."""
        if time.monotonic() > self.until:
            return Outcome(message, Result.UNSENT)
        host = host_of(message.browser.endpoint)
        if not endpoint_is_allowed(message.browser.endpoint):  # PUSH_HOSTS is shorter than it was
            return Outcome(message, Result.GONE)
        try:
            outcome = self._post(message)
        except requests.RequestException as error:
            log.warning("the push service %s did not answer (%s)", host, type(error).__name__)
            return Outcome(message, Result.FAILED)
        except Exception as error:  # noqa: BLE001 - as the docstring says
            log.error(  # noqa: TRY400 - a traceback could show the endpoint
                "a push message for %s could not be made (%s)", host, type(error).__name__
            )
            return Outcome(message, Result.REFUSED)
        return outcome

    def _post(self, message: Message) -> Outcome:
        with self._session().post(
            message.browser.endpoint,
            data=message.encrypted(),
            headers=message.headers(),
            timeout=PUSH_TIMEOUT,
            allow_redirects=False,
            stream=True,  # the body of the answer is not read
        ) as response:
            return _outcome(message, response)

    def _session(self) -> requests.Session:
        """Return this thread's connections, without cookies, proxies and passwords of the environment."""
        session: requests.Session | None = getattr(self.own, "session", None)
        if session is None:
            session = self.own.session = requests.Session()
            session.trust_env = False
            session.verify = settings.PUSH_TEST_AUTHORITY or True
            session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
            self.sessions.append(session)
        return session

    def close(self) -> None:
        """Close the connections."""
        for session in self.sessions:
            session.close()


def _outcome(message: Message, response: Any) -> Outcome:
    status, host = response.status_code, host_of(message.browser.endpoint)
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
