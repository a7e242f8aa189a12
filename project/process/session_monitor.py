"""Whether those who sit here signed in still are: every 30 s for all of a process with one query, at once when told."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from apps.accounts.selectors import Seat, seats_get
from apps.accounts.selectors.own_account import sessions_standing
from apps.accounts.services import sessions_slide
from apps.core.bus import Bus
from apps.core.threads import in_thread
from project.limits.rates import RECHECK, SLIDE_EVERY

log = logging.getLogger(__name__)


class Seated(Protocol):
    """One open socket of somebody who signed in."""

    seat: Seat

    def signed_out(self) -> None:
        """The session or the account is gone, or its password is another."""

    def rights_changed(self) -> None:
        """The account may do other things than when the socket was opened, or its session has another key."""


class Recheck:
    """All seated sockets of this process, by account."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.seated: dict[int, set[Seated]] = {}
        self.stops: dict[int, Callable[[], None]] = {}
        self.asked: set[int] = set()
        self.asking: asyncio.Task[None] | None = None

    def enter(self, socket: Seated) -> None:
        """Look after this socket from now on."""
        account = socket.seat.account
        if account not in self.seated:
            self.seated[account] = set()
            self.stops[account] = self.bus.subscribe(f"account.{account}", lambda: self._changed(account))
        self.seated[account].add(socket)

    def leave(self, socket: Seated) -> None:
        """The socket is gone."""
        account = socket.seat.account
        group = self.seated.get(account)
        if group is None:
            return
        group.discard(socket)
        if not group:
            del self.seated[account]
            self.stops.pop(account)()

    async def run(self) -> None:
        """Look at everybody, for ever; now and then note that their sessions are in use."""
        looks = 0
        while True:
            await asyncio.sleep(RECHECK)
            await self._check(tuple(self.seated))
            looks += 1
            if looks % SLIDE_EVERY == 0:
                await self._slide()

    def _changed(self, account: int) -> None:
        self.asked.add(account)
        if self.asking is None:
            self.asking = asyncio.create_task(self._answer())

    async def _answer(self) -> None:
        try:
            while self.asked:
                accounts, self.asked = tuple(self.asked), set()
                await self._check(accounts)
        finally:
            self.asking = None

    async def _check(self, accounts: Iterable[int]) -> None:
        sockets = [socket for account in accounts for socket in self.seated.get(account, ())]
        keys = tuple({(socket.seat.key, socket.seat.account) for socket in sockets})
        if not keys:
            return
        try:
            known = await in_thread(lambda: seats_get(keys=keys))
            gone = {socket.seat.viewer.session for socket in sockets if socket.seat.key not in known} - {""}
            renamed = await in_thread(lambda: sessions_standing(handles=gone)) if gone else frozenset()
        except Exception:
            log.exception("sessions could not be checked; the next look is in %d s", RECHECK)
            return
        for socket in sockets:
            _judge(socket, known.get(socket.seat.key), renamed)

    async def _slide(self) -> None:
        """Move the ends of the sessions whose windows are open: one statement for all of this process."""
        keys = tuple({socket.seat.key for group in self.seated.values() for socket in group})
        if not keys:
            return
        try:
            await in_thread(lambda: sessions_slide(keys=keys))
        except Exception:
            log.exception("sessions in use could not be noted; the next try is in %d s", RECHECK * SLIDE_EVERY)


def _judge(socket: Seated, seat: Seat | None, renamed: Collection[str]) -> None:
    """Tell a window what has become of its seat."""
    if seat is None and socket.seat.viewer.session in renamed:
        socket.rights_changed()  # its browser has another cookie by now, and comes back with it
    elif seat is None or seat.fingerprint != socket.seat.fingerprint:
        socket.signed_out()
    elif seat.viewer.is_admin != socket.seat.viewer.is_admin:
        socket.rights_changed()
    else:
        socket.seat = seat  # name and picture may be others
