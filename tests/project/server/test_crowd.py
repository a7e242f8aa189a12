"""A full audience behind one network address in no list, through nginx: it registers, signs in, watches, writes.

`make soak` lets a thousand people register (`CROWD`), with 1,200 sockets. `pytest -s` prints the numbers.
"""

import asyncio
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import count
from pathlib import Path
from secrets import token_hex

import pytest

from project.launcher.serve import files_allow
from project.limits.rates import CROWDED, POLL_EVERY, SOCKETS_PER_ADDRESS
from tests.conftest import PREFIX
from tests.e2e.server import Server, demo_database
from tests.factories import PASSWORD
from tests.nginx import Nginx
from tests.project.server.test_full_house import live_session
from tests.project.visitors import Reply, Visitor
from tests.servers import CLOSE, TEXT, Socket, request
from tests.waiting import wait_until

PEOPLE = int(os.environ.get("CROWD", "12"))  # more than the ten registrations an hour of a former limit
SOCKETS = max(PEOPLE * 6 // 5, SOCKETS_PER_ADDRESS + 10)
AT_ONCE = 16
HOUR = 3_600.0  # seconds
LINK = re.compile(r"\nTo: (\S+)\n(?:(?!\nTo: ).)*?(/verify-email\?key=[^\s\"<>&]+)", re.DOTALL)
LOGGED = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z [A-Z]+ [^\n]*\n")  # a line of the log may stand inside a mail's line
BUSY = "Many people are logging in right now"


class Crowd:
    """People with one network address, and the proxy in front of one web process."""

    def __init__(self, proxy: Nginx, server: Server) -> None:
        self.proxy, self.server, self.page = proxy, server, live_session(server)
        self.people = [Visitor(proxy) for _ in range(PEOPLE)]  # type: ignore[arg-type]  # it has a port too
        self.answers: Counter[str] = Counter()  # steps with their statuses

    def post(self, number: int, step: str, path: str, **typed: str) -> None:
        """Post the form of a page as this person; again while all hashing slots are taken, as the page asks to."""
        person = self.people[number]
        while True:
            self.note(f"{step}, page", person.get(path))
            reply = person.post(path, **typed)
            if BUSY not in reply.text:
                break
            self.answers["hashing slots were taken"] += 1
        self.note(step, reply)

    def note(self, step: str, reply: Reply) -> Reply:
        self.answers[f"{step}: {reply.status}"] += 1
        return reply

    def register(self, number: int) -> None:
        names = {"email": f"p{number}@crowd.example", "username": f"crowd_{number}"}
        self.post(number, "register", "/register", **names, password1=PASSWORD)

    def links(self) -> dict[str, str]:
        """Return the mailed links by e-mail address: without EMAIL_URL the site prints its mails."""
        return dict(found.groups() for found in LINK.finditer(LOGGED.sub("", self.server.said())))  # type: ignore[misc]  # two groups

    def come_in(self, number: int, link: str) -> None:
        """Confirm the address, sign in with another browser, watch by a poll, and write, except the first one."""
        self.post(number, "confirm", link)
        self.people[number] = Visitor(self.proxy)  # type: ignore[arg-type]
        self.post(number, "sign in", "/login", login=f"p{number}@crowd.example", password=PASSWORD)
        self.note("watch", self.people[number].get(self.page))
        self.note("poll", self.people[number].get(f"{self.page}?parts=1&half=&versions="))
        if number:
            self.write(number)

    def write(self, number: int) -> None:
        fields, key = {"content": f"Bravo {number}"}, token_hex(16)
        frame = {
            "type": "command", "name": "comment_add", "argument": self.page.rpartition("/")[2], "fields": fields,
            "key": key,
        }  # fmt: skip
        reply = self.note("write", self.people[number].post_json(f"/do/comment_add?from={self.page}", frame))
        assert '"ok": true' in reply.html, (reply.html, self.answers)

    def come(self) -> None:
        """Let everyone register and come in, and check that no step was refused."""
        begun, everyone = time.monotonic(), range(PEOPLE)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self.register, everyone))
            assert self.answers["register: 302"] == PEOPLE, self.answers
            wait_until(lambda: len(self.links()) == PEOPLE, "all mails are sent")
            links = self.links()
            list(pool.map(self.come_in, everyone, [links[f"p{number}@crowd.example"] for number in everyone]))
        took = time.monotonic() - begun
        print(f"{PEOPLE} people in {took:.0f} s: {dict(self.answers)}")  # noqa: T201 - the numbers of the run
        steps = {"register": 302, "confirm": 302, "sign in": 302, "watch": 200, "poll": 200, "write": 200}
        done = {step: self.answers[f"{step}: {status}"] for step, status in steps.items()}
        assert done == dict.fromkeys(steps, PEOPLE) | {"write": PEOPLE - 1}
        assert not [answer for answer in self.answers if answer.endswith(f": {HTTPStatus.TOO_MANY_REQUESTS:d}")]
        assert took < HOUR


@pytest.fixture
def crowd(django_db_modify_db_settings: None, tmp_path: Path) -> Iterator[Crowd]:
    """A crowd at a site with the demo competition. Both upstream servers of the proxy are one web process."""
    with demo_database(f"{PREFIX}{os.getpid()}_crowd") as address:
        server = Server(tmp_path, address, BEHIND_PROXY="1", EMAIL_URL="", VENUE_ADDRESSES="")
        proxy = Nginx(tmp_path, [server.port, server.port])
        server.environment["PUBLIC_URL"] = proxy.address
        try:
            server.start()
            proxy.start()
            files_allow()
            yield Crowd(proxy, server)
        finally:
            proxy.stop()
            server.kill()


async def opened(crowd: Crowd) -> tuple[Socket, int]:
    """Open one socket; return it with its close code, 0 for one that is live."""
    viewer = await Socket(crowd.proxy).open(crowd.page)  # type: ignore[arg-type]
    assert viewer.accepted, viewer.head
    while True:
        kind, data = await viewer.frame()
        if kind == TEXT and b'"layout-update"' in data:
            return viewer, 0
        if kind == CLOSE:
            return viewer, int.from_bytes(data[:2], "big")


@pytest.mark.limit(120 + 3 * PEOPLE, reason="three passwords of each person are hashed")
async def test_crowd_behind_one_address_comes_in_and_writes_from_windows_beyond_the_socket_limit(crowd: Crowd) -> None:
    await asyncio.to_thread(crowd.come)
    numbers, viewers = count(), []

    async def come() -> None:
        while next(numbers) < SOCKETS:
            viewers.append(await opened(crowd))

    await asyncio.gather(*(come() for _ in range(AT_ONCE)))
    codes = Counter(code for _, code in viewers)
    assert codes.keys() == {0, CROWDED}
    assert codes[0] >= SOCKETS_PER_ADDRESS  # more if it takes so long that silent ones are closed
    polls = [await request(crowd.proxy, f"{crowd.page}?parts=1&half=&versions=") for _ in range(codes[CROWDED])]  # type: ignore[arg-type]
    assert {status for status, _ in polls} == {HTTPStatus.OK}
    paces = [
        int(found[1]) if (found := re.search(rb"Poll-After: (\d+)", answer)) else POLL_EVERY for _, answer in polls
    ]
    print(f"{SOCKETS} windows: {dict(codes)}; the last poll is asked to wait for {max(paces):.0f} s")  # noqa: T201
    await asyncio.to_thread(crowd.write, 0)
    for viewer, _ in viewers:
        viewer.leave()
