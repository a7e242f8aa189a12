"""Misspelled addresses of pages, files and pictures: those of existing objects redirect, all others lead home."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import ANONYMOUS
from apps.core.threads import in_thread
from apps.following.models import CalendarKey
from components.routes import table as pages
from project.http.addresses import table
from project.http.misspelled import EXISTING, meant
from tests.factories import (
    AdminFactory,
    BlogPostFactory,
    ParticipantFactory,
    PieceFactory,
    SessionFactory,
    UserFactory,
)
from tests.offenders import check_each
from tests.project.asking import ask, signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
SECRET = "Ab-_" + "9" * 39
MISSING = 999_999
PRIVATE = "/calendars/"  # answers 404 for an unknown address, because programs ask for it


@pytest.fixture
def named():
    """The parameters of addresses for existing objects."""
    session, participant = SessionFactory(), ParticipantFactory()
    CalendarKey.objects.create(user=UserFactory(), secret=SECRET)
    ids = {"session_id": session.pk, "stage_id": session.stage_id, "participant_id": participant.pk}
    return ids | {"secret": SECRET, "name": "ranking.csv", "news": BlogPostFactory().pk, "pieces": PieceFactory().pk}


def filled(pattern, named):
    """Return the address of a pattern for these objects."""
    for name, value in named.items():
        for converter in ("id", "secret", "stage_file", "command"):
            pattern = pattern.replace(f"<{converter}:{name}>", str(value))
    return pattern


async def test_every_readable_address_is_found_in_another_spelling(named):
    missing = named | dict.fromkeys(("session_id", "stage_id", "participant_id"), MISSING) | {"secret": "x" * 43}
    expected = {}
    for row in table():
        if "<rest:" in row.pattern:
            continue
        path, other = filled(row.pattern, named), filled(row.pattern, missing)
        found = (302, "/" if row.is_posted else path)
        expected |= {f"{path}{end}": found for end in (").", "%22", ",")}
        expected |= {f"/{path.replace('/', '//')}": found}
        if other != path:
            expected[f"{other}."] = (404, "") if other.startswith(PRIVATE) else (302, "/")
    expected = {path: answer for path, answer in expected.items() if not path.startswith("/.well-known/")}
    answers = {path: await ask(path) for path in expected}
    got = {path: (each.status, each.header("location")) for path, each in answers.items()}
    check_each(expected, lambda path: got[path] == (expected[path][0], expected[path][1]), at_least=60)
    assert answers[f"/calendars/{SECRET}.ics,"].header("referrer-policy") == "no-referrer"


async def test_page_in_another_spelling_is_found_if_its_object_exists(named):
    numbers = {"stages": named["stage_id"], "sessions": named["session_id"], "participants": named["participant_id"]}
    numbers |= {"news": named["news"], "pieces": named["pieces"]}
    expected = {}
    for route in pages():
        if "{id}" in route.pattern and not route.only_with:
            path = route.pattern.replace("{id}", str(numbers[route.pattern.split("/")[1]]))
            expected |= {f"{path}).?a=b)": f"{path}?a=b)", path.upper(): path}
            expected[route.pattern.replace("{id}", f"{MISSING}.")] = "/"
    expected |= {
        "/Calendar.ICS": "/calendar.ics",
        "/calendars": "/",
        "/.Well-Known/X": "/",
        "/Robots.txt": "/robots.txt",
    }
    got = {path: (await ask(path)).header("location") for path in expected}
    assert got == expected


async def test_draft_in_another_spelling_is_found_by_an_administrator_only():
    draft = await in_thread(lambda: BlogPostFactory(is_published=False, published_at=None).pk)
    admin = await signed_in(AdminFactory)
    path = f"/news/{draft}"
    assert (await ask(f"{path}).?preview=1", cookie=admin)).header("location") == f"{path}?preview=1"
    assert (await ask(f"{path}).?preview=1")).header("location") == "/"


def test_unknown_address_costs_one_query_at_most(named):
    def costs(path):
        with CaptureQueriesContext(connection) as queries:
            meant(path, ANONYMOUS)
        assert len(queries) <= 1, queries.captured_queries

    news = f"/news/{named['news']}"
    check_each([*(f"{filled(row.pattern, named)})" for row in table()), f"{news}.", news.upper()], costs)


def test_every_parameter_of_an_object_is_looked_up():
    names = {part.split(":")[1].split(">")[0] for row in table() for part in row.pattern.split("<")[1:]}
    assert names - EXISTING.keys() == {"name"}  # of a ranking's file, which its pattern lists, and of a command
