"""A ledger of strikes: what was acknowledged is stored after a killed server and cut sockets, and the last strike wins.

Two accounts with two devices each strike the same fields. A message that was not acknowledged is sent again with its
key and its age, as the browser does. Strikes are ten seconds apart, and are sent in another order.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import session_begin
from tests.e2e.server import Server
from tests.servers import CLOSE, PING, PONG, TEXT, Socket, database, site

pytestmark = pytest.mark.long(reason="starts and kills web processes")

STRIKES, APART = 24, 10.0  # messages of an account, and seconds between two of them
KILLS = (25,)  # numbers of acknowledged messages at which the server is killed
CUT_EACH = 7  # messages of a device
COMMENT = "comment"


@pytest.fixture
def server(tmp_path: Path, django_db_modify_db_settings: None) -> Iterator[Server]:
    """A web process with the demo competition, which may be killed."""
    with site(tmp_path, f"{PREFIX}{os.getpid()}_ledger") as made:
        yield made


@dataclass
class Account:
    """An account that marks one performance: its messages in the order of their strikes, and what is acknowledged."""

    user: int
    cookie: str
    appearance: int
    messages: list[dict[str, str]] = field(default_factory=list)  # values by field
    acknowledged: set[int] = field(default_factory=set)  # places of messages
    begun: float = field(default_factory=time.monotonic)

    def age(self, place: int) -> int:
        """Return the milliseconds since the strike of this message; the last one was struck when the test began."""
        return int(1000 * (time.monotonic() - self.begun + (STRIKES - place) * APART))

    def values(self, name: str, places: Any) -> list[str]:
        """Return the values of a field in these messages, in the order of their strikes."""
        return [self.messages[place][name] for place in sorted(places) if name in self.messages[place]]


@dataclass
class Hall:
    """The server, whether it runs, and the accounts."""

    server: Server
    accounts: list[Account]
    runs: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    repeated: int = 0

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged messages."""
        return sum(len(each.acknowledged) for each in self.accounts)

    async def strike(self, account: Account, places: list[int]) -> None:
        """Send these messages over one socket after another, each until it is acknowledged."""
        socket: Socket | None = None
        for number, place in enumerate(places, start=1):
            key, is_cut = str(uuid4()), number % CUT_EACH == 0
            while place not in account.acknowledged:
                await self.runs.wait()
                try:
                    socket = socket or await self.connected(account)
                    socket.send(self.frame(account, place, key))
                    if is_cut:
                        await socket.writer.drain()
                        socket.leave()
                    await self.answered(socket, key)
                    account.acknowledged.add(place)
                    self.changed.set()
                except (asyncio.IncompleteReadError, ConnectionError):
                    socket, is_cut = None, False
                    self.repeated += 1
        if socket:
            socket.leave()

    async def connected(self, account: Account) -> Socket:
        """Return a socket of this account, as soon as it has its page."""
        socket = await Socket(self.server).open("/profile", cookie=account.cookie)
        await self.answered(socket, '"layout-update"')
        return socket

    @staticmethod
    def frame(account: Account, place: int, key: str) -> dict[str, Any]:
        """Return the frame of a message, with the ages of its fields."""
        values = account.messages[place]
        fields = values | {f"age-{name}": str(account.age(place)) for name in values}
        argument = str(account.appearance)
        return {"type": "command", "name": "rating_keep", "argument": argument, "fields": fields, "key": key}

    @staticmethod
    async def answered(socket: Socket, text: str) -> None:
        """Wait for the frame with this text.

        Raises ConnectionError when the socket closes, and when the rate limit asks for another attempt.
        """
        while True:
            kind, data = await socket.frame()
            if kind == PING:
                socket.raw(PONG, data)
            elif kind == CLOSE:
                raise ConnectionError
            elif kind == TEXT and text.encode() in data:
                if '"layout-update"' not in text:
                    answer = json.loads(data)
                    if answer.get("again"):
                        raise ConnectionError
                    assert answer["ok"], data
                return

    async def kill(self, devices: "asyncio.Future[Any]") -> None:
        """Kill the server at the moments of KILLS, compare what is stored, and start it again."""
        for number in KILLS:
            while self.acknowledged < number and not devices.done():
                self.changed.clear()
                await self.changed.wait()
            self.runs.clear()
            await asyncio.to_thread(self.server.kill)
            for account in self.accounts:
                self.compare(account)
            await asyncio.to_thread(self.server.start)
            self.runs.set()

    def compare(self, account: Account) -> None:
        """Assert that of each field a strike is stored that is not older than the last acknowledged one."""
        with database(self.server) as owner:
            sheets = owner.execute(
                "SELECT id, comment FROM rating_drafts WHERE user_id = %s AND session_participant_id = %s",
                [account.user, account.appearance],
            ).fetchall()
            assert len(sheets) <= 1
            ids = [pk for pk, _ in sheets]
            marks = owner.execute("SELECT piece_id, score FROM draft_marks WHERE draft_id = ANY(%s)", [ids]).fetchall()
        stored = {f"piece-{piece}": str(score) for piece, score in marks} | dict.fromkeys(
            [COMMENT] if sheets else [], sheets and sheets[0][1]
        )
        assert len(marks) == len(dict(marks))
        for name in {name for message in account.messages for name in message}:
            acknowledged = account.values(name, account.acknowledged)
            if acknowledged:
                every = account.values(name, range(STRIKES))
                assert stored[name] in every[every.index(acknowledged[-1]) :], (name, stored[name], acknowledged[-1])


def accounts(server: Server, desk: content.Desk) -> list[Account]:
    """Return two accounts without marks of a performance, each with its messages."""
    with database(server) as owner:
        query = "SELECT id, username FROM users WHERE is_active AND NOT is_admin ORDER BY id LIMIT 2"
        users = owner.execute(query).fetchall()
        [(appearance,)] = owner.execute(
            "SELECT appearance.id FROM session_participants AS appearance JOIN sessions ON sessions.id = session_id "
            "WHERE NOT is_live AND starts_at < now() AND NOT EXISTS (SELECT FROM rating_drafts "
            "WHERE session_participant_id = appearance.id AND user_id = ANY(%s)) ORDER BY appearance.id LIMIT 1",
            [[pk for pk, _ in users]],
        ).fetchall()
        pieces = owner.execute(
            "SELECT DISTINCT piece_id FROM session_participant_pieces WHERE session_participant_id = %s ORDER BY 1",
            [appearance],
        ).fetchall()
    names = [f"piece-{pk}" for (pk,) in pieces]
    made = []
    for user, username in users:
        cookie = f"{settings.SESSION_COOKIE_NAME}={desk.do(session_begin, username)}"
        account = Account(user, cookie, appearance)
        struck = dict.fromkeys(names, 0)
        for place in range(STRIKES):
            name = names[place % min(len(names), 3)]
            struck[name] += 1  # each mark of a piece is another one
            account.messages.append({name: str(struck[name])} | ({COMMENT: f"Strike {place}"} if place % 2 else {}))
        assert max(struck.values()) <= 25
        made.append(account)
    return made


async def test_acknowledged_strikes_survive_kills_and_the_last_one_wins(
    server: Server, django_db_blocker: DjangoDbBlocker
) -> None:
    desk = content.Desk(f"{PREFIX}{os.getpid()}_ledger", django_db_blocker.unblock)
    try:
        hall = Hall(server, accounts(server, desk))
    finally:
        desk.leave()
    hall.runs.set()
    chosen, work = random.Random(39), []  # noqa: S311 - test data
    for account in hall.accounts:
        places = chosen.sample(range(STRIKES), STRIKES)
        work += [hall.strike(account, places[::2]), hall.strike(account, places[1::2])]
    devices = asyncio.gather(*work)
    try:
        await asyncio.gather(devices, hall.kill(devices))
    finally:
        devices.cancel()
        with suppress(asyncio.CancelledError):
            await devices
    cuts = 4 * (STRIKES // 2 // CUT_EACH)
    assert hall.repeated >= cuts
    assert hall.acknowledged == 2 * STRIKES
    for account in hall.accounts:
        hall.compare(account)  # all is acknowledged: the last strike of each field
