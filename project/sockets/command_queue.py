"""The commands and page events of one socket: rate-limited by name; commands run one after the other."""

import asyncio
import logging
import re
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.buckets import Bucket
from apps.core.commands import REGISTERED
from apps.core.observability import security_count
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.runtime.rendering.live_part import frame
from project.limits.rates import COMMANDS, COMMANDS_ADMIN
from project.process.commands import TOO_FAST, CommandRequest, command_run
from project.process.web_process import process

log = logging.getLogger(__name__)
HANDLER = re.compile(r"on[A-Z]")  # handlers of elements; page events have other names


def notice(sentence: str) -> dict[str, Any]:
    """Return a notice frame, which the browser shows in its status line for six seconds."""
    return {"type": "notice", "text": sentence}


class CommandQueue:
    """The commands of one socket; `send` writes a frame to it."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.send = send
        self.buckets: dict[str, Bucket] = {}
        # no deque: an empty one is ten times as large
        self.waiting: list[tuple[CommandRequest, Callable[[], dict[str, Any]]]] = []
        self.task: asyncio.Task[None] | None = None
        self.context = copy_context()  # log records of commands carry the socket's context

    def take(self, command_request: CommandRequest, viewer: Viewer, *, path: str, language: str) -> None:
        """Queue this command; its answer is sent even if the page has changed by then."""
        if command_request.name in REGISTERED and not self._is_free(command_request.name, viewer):
            self.refuse(command_request.key, TOO_FAST, language, again=True)
            return
        self.waiting.append(
            (command_request, partial(command_run, command_request, viewer, path=path, language=language))
        )
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    def is_allowed(self, target: str, viewer: Viewer, language: str) -> bool:
        """Whether the page event of this target may run now. Element handlers are limited by FRAMES alone."""
        name = target.rpartition(":")[2]
        if HANDLER.match(name) or self._is_free(name, viewer):
            return True
        self.refuse("", TOO_FAST, language)
        return False

    def _is_free(self, name: str, viewer: Viewer) -> bool:
        bucket = self.buckets.setdefault(name, Bucket(COMMANDS_ADMIN if viewer.is_admin else COMMANDS))
        unlimited = viewer.is_admin or viewer.id is None
        if bucket.take() and (unlimited or process.connection_limits.account_commands(viewer.id or 0)):
            return True
        security_count("limit reached", account=viewer.id, reason="commands")
        return False

    def refuse(self, key: str, sentence: str, language: str, **more: Any) -> None:
        """Send a refusal: as the answer to the command of this key, or as a notice without a key."""
        text = texts(language)(sentence)
        self.send(frame({"type": "answer", "key": key, "ok": False, "text": text, **more} if key else notice(text)))

    def end(self) -> None:
        """Stop, because the socket is closed. The browser sends unanswered commands again with the same key."""
        if self.task is not None:
            self.task.cancel()
            self.task = None  # a task cancelled before its first step does not clear itself

    async def _run(self) -> None:
        try:
            while self.waiting:
                await self._answer(*self.waiting.pop(0))
        finally:
            self.task = None

    async def _answer(self, command_request: CommandRequest, work: Callable[[], dict[str, Any]]) -> None:
        try:
            answer = await in_thread(work)
        except Exception:
            log.exception(
                "command %s failed without an answer", command_request.name
            )  # the browser sends the command again
        else:
            self.send(frame({"type": "answer", "key": command_request.key, **answer}))
