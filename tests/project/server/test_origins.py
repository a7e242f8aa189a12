"""Ratings submitted to a real web process: over a socket, as a frame without sockets, and as a form without scripts.

Each transport stores the digest of the address block of its own connection. Behind a proxy that is the address in
X-Real-IP, and without one it is the peer's.
"""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from http import HTTPStatus
from itertools import product
from uuid import uuid4

import pytest

from apps.core.threads import in_thread
from apps.ratings.models import PieceRating, RatingOrigin, StageKey
from apps.ratings.services.origins import stage_key_make
from components.runtime.rendering.posting import FROM, KEY
from tests.factories import ProgramEntryFactory, UserFactory
from tests.offenders import check_each
from tests.project.small import Small, small_site
from tests.project.visitors import Visitor
from tests.servers import Socket
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
ENVIRONMENT = {"DRAIN_SECONDS": "0", "EMAIL_URL": "", "VENUE_ADDRESSES": "203.0.113.0/24"}


@pytest.fixture(scope="module")
def proxied(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """A process behind a proxy, which names the client's address."""
    environment = {**ENVIRONMENT, "BEHIND_PROXY": "1", "LOG_FORMAT": "json"}
    with small_site(tmp_path_factory.mktemp("proxied"), **environment) as small:
        yield small


@pytest.fixture(scope="module")
def direct(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """A process without a proxy, which ignores X-Real-IP."""
    with small_site(tmp_path_factory.mktemp("direct"), **ENVIRONMENT, BEHIND_PROXY="") as small:
        yield small


class Rater:
    """A new account with the performance that it rates."""

    def __init__(self, server: Small) -> None:
        self.server, self.user = server, UserFactory()
        self.cookie = session_cookie(self.user)
        self.entry = ProgramEntryFactory()
        stage_key_make(stage_id=self.entry.appearance.session.stage_id)

    @property
    def place(self) -> str:
        return str(self.entry.appearance_id)

    @property
    def fields(self) -> dict[str, str]:
        return {f"piece-{self.entry.piece_id}": "17", "score": "4", "comment": "Clear.", "quick_rating": ""}

    @property
    def frame(self) -> dict[str, object]:
        key = uuid4().hex
        return {"type": "command", "name": "ratings_submit", "argument": self.place, "fields": self.fields, "key": key}

    def over_socket(self, *, real_ip: str) -> None:
        """Submit over a socket."""

        async def submit() -> None:
            socket = await Socket(self.server).live(cookie=self.cookie, real_ip=real_ip)
            await answered(socket, self.frame)
            socket.leave()

        asyncio.run(submit())

    def visitor(self, real_ip: str) -> Visitor:
        """Return the account's browser, with the token of a form."""
        visitor = Visitor(self.server, X_Real_IP=real_ip)
        visitor.get("/login")
        visitor.cookies.load(self.cookie)
        return visitor

    def by_form(self, *, real_ip: str) -> None:
        """Post the form, as a browser without scripts."""
        address = f"/do/ratings_submit?argument={self.place}"
        reply = self.visitor(real_ip).post(address, **self.fields, **{KEY: uuid4().hex, FROM: "/"})
        assert (reply.status, "answer=" in reply.to) == (HTTPStatus.SEE_OTHER, True), reply

    def by_frame(self, *, real_ip: str) -> None:
        """Post the frame of a socket, as the client does on networks without sockets."""
        reply = self.visitor(real_ip).post_json("/do/ratings_submit?from=/", self.frame)
        assert json.loads(reply.html)["ok"], reply

    def digest(self, block: str) -> str:
        """Return the digest of a block with the key of the performance's stage."""
        key = StageKey.objects.get(stage_id=self.entry.appearance.session.stage_id).key
        return hmac.new(bytes(key), block.encode(), hashlib.sha256).hexdigest()

    def stored(self) -> list[str]:
        """Return the stored digests, of a rating that is stored."""
        assert PieceRating.objects.filter(user=self.user, piece=self.entry.piece, score=17).exists()
        return list(RatingOrigin.objects.filter(user=self.user).values_list("digest", flat=True))


TRANSPORTS = {"socket": Rater.over_socket, "form": Rater.by_form, "frame": Rater.by_frame}


async def answered(socket: Socket, frame: dict[str, object]) -> None:
    """Send a frame, and wait for the answer that it has succeeded."""
    socket.send(frame)
    assert json.loads(await socket.until(b'"answer"'))["ok"]


BLOCKS = {
    "192.0.2.7": "192.0.2.0/24",
    "::ffff:198.51.100.9": "198.51.100.0/24",
    "2001:db8:1:2:3:4:5:6": "2001:db8:1::/48",
    "203.0.113.80": None,  # the venue's
}


def test_each_transport_stores_the_address_block_of_its_connection(proxied: Small) -> None:
    def check(case: tuple[str, str]) -> None:
        transport, address = case
        rater = Rater(proxied)
        TRANSPORTS[transport](rater, real_ip=address)
        block = BLOCKS[address]
        assert rater.stored() == ([rater.digest(block)] if block else [])

    check_each(product(TRANSPORTS, BLOCKS), check)


def test_client_cannot_name_its_address_without_a_proxy(direct: Small) -> None:
    def check(transport: str) -> None:
        rater = Rater(direct)
        TRANSPORTS[transport](rater, real_ip="192.0.2.7")
        assert rater.stored() == [rater.digest("127.0.0.0/24")]

    check_each(TRANSPORTS, check)


def test_windows_of_one_account_have_their_own_addresses(proxied: Small) -> None:
    """Both are open before the first one submits, so an address by account would be that of the second."""
    rater = Rater(proxied)
    stored = []

    async def submit() -> None:
        first = await Socket(proxied).live(cookie=rater.cookie, real_ip="192.0.2.7")
        second = await Socket(proxied).live(cookie=rater.cookie, real_ip="198.51.100.9")
        for socket in (first, second, first):
            await answered(socket, rater.frame)
            stored.append(await in_thread(rater.stored))
        for socket in (first, second):
            socket.leave()

    asyncio.run(submit())
    first, second = rater.digest("192.0.2.0/24"), rater.digest("198.51.100.0/24")
    assert stored == [[first], [second], [first]]


def test_log_has_neither_digest_nor_key(proxied: Small) -> None:
    """It is the last test of the process, which it ends."""
    rater = Rater(proxied)
    for submit in TRANSPORTS.values():
        submit(rater, real_ip="192.0.2.7")
    [digest] = rater.stored()
    proxied.end_quietly()
    assert "/do/ratings_submit" in proxied.text
    for secret in (digest, bytes(StageKey.objects.get().key).hex()):
        assert secret not in proxied.text
