"""A large file is not in the server's memory while a browser does not read it: the export of 20,000 marks."""

import csv
import io
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from tests.apps.ratings.test_export import MANY
from tests.factories import AdminFactory, AppearanceFactory, PieceRatingFactory, SessionFactory
from tests.owner import as_owner
from tests.project.small import Small, small_site
from tests.serving import session_cookie

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(reason="waits for a slow reader")]
TOKEN = "c" * 32
PATIENCE = 60  # seconds
KILOBYTE = 1024
LISTENERS, PERFORMANCES, PIECES = 200, 20, 5
MARKS = LISTENERS * PERFORMANCES * PIECES
FILE_LEAST, GROWTH_MOST = 3_000_000, 4_000_000  # bytes


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Run a web process on the test's database."""
    with small_site(tmp_path) as process:
        yield process


def marks_make() -> int:
    """Store the marks of one session and return its id."""
    session = SessionFactory()
    appearances = [AppearanceFactory(session=session) for _ in range(PERFORMANCES)]
    pieces = [PieceRatingFactory(session_participant=appearances[0]).piece for _ in range(PIECES)]
    users = User.objects.bulk_create(
        [User(username=f"many{n}", email=f"many{n}@example.org", password="!") for n in range(LISTENERS)]
    )
    ids = {"users": users, "places": appearances, "pieces": pieces}
    with transaction.atomic(), as_owner() as cursor:  # only the owner may skip triggers
        cursor.execute(
            MANY.replace(" % 25", " %% 25"), {name: [each.pk for each in rows] for name, rows in ids.items()}
        )
    return int(session.pk)


def export_begin(small: Small, cookie: str, session_id: int) -> socket.socket:
    """Send the form, and return the connection without reading the answer."""
    body = f"csrfmiddlewaretoken={TOKEN}&session={session_id}".encode()
    lines = (
        "POST /ratings-file HTTP/1.1",
        f"Host: localhost:{small.port}",
        f"Cookie: {cookie}; {settings.CSRF_COOKIE_NAME}={TOKEN}",
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    reader = socket.create_connection(("127.0.0.1", small.port), timeout=PATIENCE)
    reader.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    return reader


def read(reader: socket.socket) -> bytes:
    """Read the answer to its end, and return its body."""
    with reader, reader.makefile("rb") as answer:
        return answer.read().partition(b"\r\n\r\n")[2]


def memory(small: Small) -> int:
    assert small.process
    status = Path(f"/proc/{small.process.pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * KILOBYTE


def test_unread_export_costs_no_memory(small: Small) -> None:
    session_id, cookie = marks_make(), session_cookie(AdminFactory())
    for each in [export_begin(small, cookie, session_id) for _ in range(4)]:
        read(each)  # what four exports at once need stays in use
    before = memory(small)
    unread = [export_begin(small, cookie, session_id) for _ in range(3)]
    whole = read(export_begin(small, cookie, session_id))  # in this time the others could have been written as a whole
    assert memory(small) - before < GROWTH_MOST
    assert len(whole) > FILE_LEAST
    rows = csv.reader(io.StringIO(whole.decode("utf-8-sig"), newline=""), strict=True)
    assert sum(1 for _ in rows) == MARKS + PIECES + 1  # with those of the pieces' first listeners, and the header
    assert [read(each) == whole for each in unread] == [True] * 3
