"""Whether those who sit here signed in still are: every 30 s for all of a process with one query, at once when told."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from apps.accounts.selectors import AccountSession, account_sessions_get
from apps.accounts.selectors.own_account import sessions_existing
from apps.accounts.services import sessions_slide
from apps.core.bus import Bus
from apps.core.threads import in_thread
from project.limits.rates import SESSION_CHECK_EVERY, SLIDE_EVERY

log = logging.getLogger(__name__)


class SignedInSocket(Protocol):
    """One open socket of somebody who signed in."""

    account_session: AccountSession

    def signed_out(self) -> None:
        """The session or the account is gone, or its password is another."""

    def rights_changed(self) -> None:
        """The account may do other things than when the socket was opened, or its session has another key."""


class SessionMonitor:
    """All seated sockets of this process, by account."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.sockets: dict[int, set[SignedInSocket]] = {}
        self.stops: dict[int, Callable[[], None]] = {}
        self.asked: set[int] = set()
        self.asking: asyncio.Task[None] | None = None

    def enter(self, socket: SignedInSocket) -> None:
        """Look after this socket from now on."""
        account = socket.account_session.account
        if account not in self.sockets:
            self.sockets[account] = set()
            self.stops[account] = self.bus.subscribe(f"account.{account}", lambda: self._changed(account))
        self.sockets[account].add(socket)

    def leave(self, socket: SignedInSocket) -> None:
        """The socket is gone."""
        account = socket.account_session.account
        group = self.sockets.get(account)
        if group is None:
            return
        group.discard(socket)
        if not group:
            del self.sockets[account]
            self.stops.pop(account)()

    async def run(self) -> None:
        """Look at everybody, for ever; now and then note that their sessions are in use."""
        looks = 0
        while True:
            await asyncio.sleep(SESSION_CHECK_EVERY)
            await self._check(tuple(self.sockets))
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
        sockets = [socket for account in accounts for socket in self.sockets.get(account, ())]
        keys = tuple({(socket.account_session.key, socket.account_session.account) for socket in sockets})
        if not keys:
            return
        try:
            known = await in_thread(lambda: account_sessions_get(keys=keys))
            gone = {
                socket.account_session.viewer.session for socket in sockets if socket.account_session.key not in known
            } - {""}
            renamed = await in_thread(lambda: sessions_existing(handles=gone)) if gone else frozenset()
        except Exception:
            log.exception("sessions could not be checked; the next look is in %d s", SESSION_CHECK_EVERY)
            return
        for socket in sockets:
            _tell(socket, known.get(socket.account_session.key), renamed)

    async def _slide(self) -> None:
        """Move the ends of the sessions whose windows are open: one statement for all of this process."""
        keys = tuple({socket.account_session.key for group in self.sockets.values() for socket in group})
        if not keys:
            return
        try:
            await in_thread(lambda: sessions_slide(keys=keys))
        except Exception:
            log.exception(
                "sessions in use could not be noted; the next try is in %d s", SESSION_CHECK_EVERY * SLIDE_EVERY
            )


def _tell(socket: SignedInSocket, account_session: AccountSession | None, renamed: Collection[str]) -> None:
    """Tell a window what has become of its seat."""
    if account_session is None and socket.account_session.viewer.session in renamed:
        socket.rights_changed()  # its browser has another cookie by now, and comes back with it
    elif account_session is None or account_session.fingerprint != socket.account_session.fingerprint:
        socket.signed_out()
    elif account_session.viewer.is_admin != socket.account_session.viewer.is_admin:
        socket.rights_changed()
    else:
        socket.account_session = account_session  # name and picture may be others
