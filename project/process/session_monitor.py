"""Checks the sessions of all signed-in sockets: every 30 s with one query, and at once when an account changes."""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from apps.accounts.actors import Viewer
from apps.accounts.selectors.own_account import sessions_existing
from apps.accounts.selectors.sessions import AccountSession, account_sessions_get
from apps.accounts.services.sessions import sessions_slide
from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from project.limits.rates import SESSION_CHECK_EVERY, SLIDE_EVERY

log = logging.getLogger(__name__)


class SignedInSocket(Protocol):
    """The part of a signed-in socket that the monitor uses."""

    account_session: AccountSession

    def signed_out(self) -> None:
        """Handle the end of the session or account, or a changed password."""

    def rights_changed(self) -> None:
        """Handle changed rights of the account, or a new key of its session."""


class SessionMonitor:
    """The signed-in sockets of this process, by account."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.sockets: dict[int, set[SignedInSocket]] = {}
        self.stops: dict[int, Callable[[], None]] = {}
        self.accounts_due: set[int] = set()
        self.check_task: asyncio.Task[None] | None = None

    def enter(self, socket: SignedInSocket) -> None:
        """Include this socket in the checks."""
        account = socket.account_session.account
        if account not in self.sockets:
            self.sockets[account] = set()
            self.stops[account] = self.bus.subscribe(f"account.{account}", lambda: self._schedule(account))
        self.sockets[account].add(socket)

    def leave(self, socket: SignedInSocket) -> None:
        """Remove this closed socket from the checks."""
        account = socket.account_session.account
        group = self.sockets.get(account)
        if group is None:
            return
        group.discard(socket)
        if not group:
            del self.sockets[account]
            self.stops.pop(account)()

    async def run(self) -> None:
        """Check all sessions every SESSION_CHECK_EVERY seconds. Extend them after every SLIDE_EVERY checks."""
        looks = 0
        while True:
            await asyncio.sleep(SESSION_CHECK_EVERY)
            await self._check(tuple(self.sockets))
            looks += 1
            if looks % SLIDE_EVERY == 0:
                await self._slide()

    def _schedule(self, account: int) -> None:
        self.accounts_due.add(account)
        if self.check_task is None:
            self.check_task = asyncio.create_task(self._checks_run())

    async def _checks_run(self) -> None:
        try:
            while self.accounts_due:
                accounts, self.accounts_due = tuple(self.accounts_due), set()
                await self._check(accounts)
        finally:
            self.check_task = None

    async def _check(self, accounts: Iterable[int]) -> None:
        sockets = [socket for account in accounts for socket in self.sockets.get(account, ())]
        keys = tuple({(socket.account_session.key, socket.account_session.account) for socket in sockets})
        if not keys:
            return
        try:
            account_sessions = await in_thread(lambda: account_sessions_get(keys=keys))
            known = [each.account_session for each in sockets]
            handles = {each.viewer.session for each in known if each.key not in account_sessions} - {""}
            renewed = await in_thread(lambda: sessions_existing(handles=handles)) if handles else frozenset()
        except Exception:
            log.exception("%d sessions could not be checked; the next check is in %d s", len(keys), SESSION_CHECK_EVERY)
            return
        for socket in sockets:
            _socket_update(socket, account_sessions.get(socket.account_session.key), renewed)

    async def _slide(self) -> None:
        """Extend the sessions of open windows with one statement for this process."""
        keys = tuple({socket.account_session.key for group in self.sockets.values() for socket in group})
        if not keys:
            return
        try:
            await in_thread(lambda: sessions_slide(keys=keys))
        except Exception:
            log.exception(
                "%d sessions in use could not be extended; the next try is in %d s",
                len(keys),
                SESSION_CHECK_EVERY * SLIDE_EVERY,
            )


def _socket_update(socket: SignedInSocket, account_session: AccountSession | None, renewed: Collection[str]) -> None:
    """Apply the new state of its session to a socket. `renewed` are handles of sessions with a new key."""
    if account_session is None and socket.account_session.viewer.session in renewed:
        socket.rights_changed()  # its browser has the new cookie by now, and reconnects with it
    elif account_session is None or account_session.fingerprint != socket.account_session.fingerprint:
        socket.signed_out()
    elif _rights(account_session.viewer) != _rights(socket.account_session.viewer):
        socket.rights_changed()
    else:
        socket.account_session = account_session  # the name or picture may have changed


def _rights(viewer: Viewer) -> tuple[bool, bool]:
    """Return what decides which content the viewer's open windows get."""
    return viewer.is_admin, viewer.covers_texts
