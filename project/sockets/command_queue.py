"""What one viewer asks for by name: as often as the limits allow, and one change after the other."""

import asyncio
import logging
import re
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.security_log import security_count
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.rendering.live_part import frame
from project.limits.rates import ACTIONS, ACTIONS_DESK, Bucket
from project.process.web_process import process
from project.sockets.frames import LayoutEvent

log = logging.getLogger(__name__)
HANDLER = re.compile(r"on[A-Z]")  # of an element; named actions are called otherwise
Work = Callable[[], dict[str, Any]]


def notice(sentence: str) -> dict[str, Any]:
    """The frame of a remark, which the browser shows in its status line for six seconds."""
    return {"type": "notice", "text": sentence}


class Acts:
    """The named actions of one socket; `send` writes a frame to it."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.send = send
        self.buckets: dict[str, Bucket] = {}
        self.waiting: list[tuple[str, Work]] = []  # every socket has one: an empty deque is ten times as large
        self.task: asyncio.Task[None] | None = None
        self.context = copy_context()  # what is logged is logged as this socket's

    def allowed(self, event: LayoutEvent, viewer: Viewer, language: str) -> bool:
        """Whether the named action behind this target may run now; fields and buttons are bounded by frames alone."""
        name = event.target.rpartition(":")[2]
        if HANDLER.match(name):
            return True
        bucket = self.buckets.setdefault(name, Bucket(ACTIONS_DESK if viewer.is_admin else ACTIONS))
        free = viewer.is_admin or viewer.id is None
        if bucket.take() and (free or process.connection_limits.account_commands(viewer.id or 0)):
            return True
        security_count("limit reached", account=viewer.id, reason="acts")
        self.refuse(event.key, "That was a little fast. Please try again in a moment.", language, again=True)
        return False

    def refuse(self, key: str, sentence: str, language: str, **more: Any) -> None:
        """Say why an event is not taken: as the answer to an act of this key, or as a remark where there is no key."""
        text = texts(language)(sentence)
        self.send(frame({"type": "answer", "key": key, "ok": False, "text": text, **more} if key else notice(text)))

    def run(self, key: str, work: Work) -> None:
        """Do this when all before it is done, and answer. A layout that changes or ends meanwhile stops nothing."""
        self.waiting.append((key, work))
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    def end(self) -> None:
        """Nobody hears answers any more; whoever comes back asks again with the same key."""
        if self.task is not None:
            self.task.cancel()

    async def _run(self) -> None:
        try:
            while self.waiting:
                await self._answer(*self.waiting.pop(0))
        finally:
            self.task = None

    async def _answer(self, key: str, work: Work) -> None:
        try:
            answer = await in_thread(work)
        except Exception:
            log.exception("an act has no answer")  # the browser asks again
        else:
            self.send(frame({"type": "answer", "key": key, **answer}))
