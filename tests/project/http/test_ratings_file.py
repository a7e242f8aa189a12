"""`/ratings-file`: access, the fresh sign-in, forged posts, and the file as a browser receives it."""

import csv
import io

import pytest
from django.test import AsyncClient, Client

from apps.accounts.models import FormAnswer, User
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from apps.ratings.services.export import COLUMNS
from tests.factories import AdminFactory, PieceRatingFactory, SessionFactory, UserFactory
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/ratings-file"


def browser(user: User | None = None, *, seconds_ago: float = 0.0, **more: bool) -> Client:
    """Return a browser in which this account signed in so long ago."""
    client = Client(**more)
    if user:
        client.cookies.load(session_cookie(user, signed_in=seconds_ago))
    return client


def exports() -> int:
    return AuditEntry.objects.filter(action__endswith=".export").count()


async def test_file_is_streamed() -> None:
    mark = await in_thread(PieceRatingFactory)
    client = AsyncClient()
    client.cookies.load(await in_thread(lambda: session_cookie(AdminFactory())))
    response = await client.post(ADDRESS, {"session": str(mark.appearance.session_id)})
    assert response.status_code == 200
    content = b"".join([chunk async for chunk in response.streaming_content])
    header, row = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert tuple(header) == COLUMNS
    assert row[COLUMNS.index("username")] == mark.user.username
    session_id = mark.appearance.session_id
    assert response["Content-Disposition"] == f'attachment; filename="ratings-session-{session_id}.csv"'
    assert (response["Content-Length"], response["Cache-Control"]) == (str(len(content)), "no-store")
    assert response["Content-Type"] == "text/csv; charset=utf-8"


def test_file_requires_an_administrator_with_a_fresh_sign_in() -> None:
    session_id, boss = PieceRatingFactory().appearance.session_id, AdminFactory()
    page = f"%2Fadmin%2Frecords%3Fexport%3Dsession%26of%3D{session_id}%23export"
    for client, to in (
        (browser(), "/login?next=%2Fadmin%2Frecords"),
        (browser(UserFactory()), "/"),
        (browser(UserFactory(is_admin=True, is_active=False)), "/login?next=%2Fadmin%2Frecords"),
        (browser(boss, seconds_ago=3_600), f"/reauthenticate?next={page}"),
    ):
        response = client.post(ADDRESS, {"session": str(session_id)})
        assert (response.status_code, response["Location"]) == (303, to)
        assert client.get(f"{ADDRESS}?session={session_id}").status_code == 303
    assert browser(boss).get(f"{ADDRESS}?session={session_id}")["Location"] == "/admin/records"
    assert browser(boss).put(ADDRESS).status_code == 405
    assert exports() == 0


def test_invalid_forms_are_refused() -> None:
    sessions = [{"session": value} for value in ("", "x", "-1", "٣", "9" * 40)]
    admin = browser(AdminFactory())
    for form in ({}, *sessions, {"session": "1", "stage": "1"}, {"account": "1"}):
        assert admin.post(ADDRESS, form)["Location"] == "/admin/records", form
    response = admin.post(ADDRESS, {"stage": "99999"})
    assert response["Location"].startswith("/admin/records?answer=")
    assert FormAnswer.objects.get().data["answer"]["text"] == "There is nothing of this kind any more."
    strict = browser(AdminFactory(), enforce_csrf_checks=True)
    assert strict.post(ADDRESS, {"session": str(SessionFactory().pk)}).status_code == 403
    assert exports() == 0
