"""The public files of a stage's ranking: their types, compression and caching, and that the program reproduces them."""

import csv
import gzip
import io
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.ranking import method, method2
from apps.ranking.enums import REASONS
from apps.ranking.models import RankingRun
from apps.ranking.services import ranking_close, ranking_compute
from project.urls import is_other
from tests.apps.ranking.halls import audience, stage_of
from tests.apps.ranking.version_1 import closed_by_version_1
from tests.factories import AdminFactory, ParticipantFactory, StageFactory, viewer_of
from tests.project.asking import ask
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)
PROGRAM_1, PROGRAM = (Path(each.__file__).read_bytes() for each in (method, method2))
NAMES = ("marks.csv", "ranking.csv", "ranking.json", "ranking.py")


@pytest.fixture(autouse=True)
async def process_runs() -> AsyncIterator[None]:
    """Run the services of a web process."""
    async with serving():
        yield


def hall() -> int:
    """Return a stage whose ranking is closed. The name of one performer would be a formula in a spreadsheet."""
    stage_id = opened_hall()
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    return stage_id


def opened_hall() -> int:
    """Return the same stage before the closing."""
    appearances = stage_of(4)
    appearances[0].participant = ParticipantFactory(first_name="=SUM(A1)", second_name="Łęcka;=1,＝2")
    appearances[0].save()
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances[0].session.stage_id


async def test_the_program_prints_of_the_marks_what_the_site_says(tmp_path: Path) -> None:
    stage_id = await in_thread(hall)
    for name in NAMES:
        answer = await ask(f"/stages/{stage_id}/{name}")
        assert answer.status == 200, name
        (tmp_path / name).write_bytes(answer.body)
    printed = subprocess.run(  # noqa: ASYNC221 - a short process of this test
        [sys.executable, "-I", "ranking.py", "marks.csv", str(stage_id), "1"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert printed.stdout == (tmp_path / "ranking.csv").read_bytes()
    rows = list(csv.DictReader(io.StringIO(printed.stdout.decode())))
    assert "'=SUM(A1) Łęcka;'=1,'＝2" in {row["performer"] for row in rows}
    content = json.loads((tmp_path / "ranking.json").read_text())
    assert [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in content["rows"]
    ] == rows
    assert (content["raters"], content["marks"], content["final"], content["run"]) == (12, 48, True, 1)
    assert (tmp_path / "ranking.py").read_bytes() == PROGRAM


async def test_nobody_is_named() -> None:
    stage_id = await in_thread(hall)
    people = await in_thread(lambda: list(User.objects.values_list("username", "email")))
    for name in NAMES[:3]:
        answer = await ask(f"/stages/{stage_id}/{name}")
        assert not [each for person in people for each in person if each in answer.text], name
    marks = (await ask(f"/stages/{stage_id}/marks.csv")).text.splitlines()
    assert marks[0] == "rater,performer,points,pieces,weight,salt"
    assert {line.split(",")[0] for line in marks[1:]} == {str(number) for number in range(1, 13)}


async def test_what_is_sent_says_what_it_is_and_that_it_may_be_kept() -> None:
    stage_id = await in_thread(hall)
    types = ("text/csv; charset=utf-8", "text/csv; charset=utf-8", "application/json", "text/x-python; charset=utf-8")
    saved = (f"marks-{stage_id}.csv", f"ranking-{stage_id}.csv", f"ranking-{stage_id}.json", "ranking.py")
    for name, kind, file in zip(NAMES, types, saved, strict=True):
        answer = await ask(f"/stages/{stage_id}/{name}")
        assert answer.header("content-type") == kind
        assert answer.header("content-disposition") == f'attachment; filename="{file}"'
        assert answer.header("cache-control") == "public, max-age=30"
        assert answer.header("x-content-type-options") == "nosniff"
        assert "Accept-Encoding" in answer.header("vary")
        assert not answer.every("set-cookie")
        head = await ask(f"/stages/{stage_id}/{name}", "HEAD")
        assert (head.status, head.header("etag")) == (200, answer.header("etag"))
        again = await ask(f"/stages/{stage_id}/{name}", if_none_match=answer.header("etag"))
        assert (again.status, again.body) == (304, b"")


async def test_marks_are_packed_for_who_takes_them_so() -> None:
    stage_id = await in_thread(hall)
    plain = await ask(f"/stages/{stage_id}/marks.csv", accept_encoding="gzip;q=0")
    packed = await ask(f"/stages/{stage_id}/marks.csv", accept_encoding="br, gzip")
    assert (plain.header("content-encoding"), packed.header("content-encoding")) == ("", "gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert packed.header("etag") != plain.header("etag")
    assert (await ask(f"/stages/{stage_id}/ranking.csv", accept_encoding="gzip")).header("content-encoding") == ""


async def test_a_closed_ranking_is_another_answer() -> None:
    stage_id = await in_thread(opened_hall)
    before = await ask(f"/stages/{stage_id}/ranking.json")
    admin = await in_thread(lambda: viewer_of(AdminFactory()))
    await in_thread(lambda: ranking_close(actor=admin, stage_id=stage_id, confirmed=True))
    after = await ask(f"/stages/{stage_id}/ranking.json", if_none_match=before.header("etag"))
    assert (after.status, json.loads(after.body)["final"]) == (200, True)


async def test_an_open_ranking_has_no_file_of_marks() -> None:
    stage_id = await in_thread(opened_hall)
    answer = await ask(f"/stages/{stage_id}/marks.csv")
    assert (answer.status, answer.text) == (404, "The marks are published when the ranking is closed.\n")
    for name in NAMES[1:]:
        assert (await ask(f"/stages/{stage_id}/{name}")).status == 200


def hall_of_version_1() -> int:
    """Return a stage whose ranking version 1 computed and closed; one performance has too few raters for a rank."""
    appearances = stage_of(4)
    audience(appearances[:3], 12)
    audience(appearances[1:], 3)
    stage_id = appearances[0].session.stage_id
    closed_by_version_1(stage_id)
    return stage_id


async def test_a_ranking_that_version_1_closed_has_its_files_and_its_program(tmp_path: Path) -> None:
    stage_id = await in_thread(hall_of_version_1)
    for name in NAMES:
        answer = await ask(f"/stages/{stage_id}/{name}")
        assert answer.status == 200, name
        (tmp_path / name).write_bytes(answer.body)
    assert (tmp_path / "ranking.py").read_bytes() == PROGRAM_1
    printed = subprocess.run(  # noqa: ASYNC221 - a short process of this test
        [sys.executable, "-I", "ranking.py", "marks.csv"], cwd=tmp_path, capture_output=True, check=True
    )
    assert printed.stdout == (tmp_path / "ranking.csv").read_bytes()
    content = json.loads((tmp_path / "ranking.json").read_text())
    assert (content["method"], content["final"], set(content["not_counted"])) == (
        1,
        True,
        {each.value for each in REASONS[1]},
    )
    assert content["seed"] == await in_thread(RankingRun.objects.values_list("digest", flat=True).get)


async def test_an_unknown_stage_is_its_page_and_one_without_a_ranking_a_sentence() -> None:
    stage = await in_thread(StageFactory)
    for name in NAMES:
        for method_name in ("GET", "HEAD"):
            unknown = await ask(f"/stages/999999/{name}", method_name)
            assert unknown.status == 404, name
        assert "Stage not found." in (await ask(f"/stages/999999/{name}")).text
    for name in NAMES[:3]:
        early = await ask(f"/stages/{stage.pk}/{name}")
        assert (early.status, early.text) == (404, "There is no ranking of this stage yet.\n")
        assert early.header("content-type") == "text/plain; charset=utf-8"
    assert (await ask(f"/stages/{stage.pk}/ranking.py")).status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/stages/2", "/stages/02/marks.csv", "/stages/2/marks.csv/", "/stages/2/secrets.csv", "/stages/2/marksxcsv"),
        *("/stages/x/marks.csv", "/stages/1000000000000000000/marks.csv", "/stages/2/marks.csv\n", "/stages/method"),
    ],
)
def test_other_addresses_are_pages(path: str) -> None:
    assert not is_other(path)


def test_addresses_with_a_number_are_known_as_no_pages() -> None:
    assert all(is_other(f"/stages/{number}/{name}") for name in NAMES for number in (0, 2, 999_999_999_999_999_999))
    assert is_other("/sitemap.xml")
    assert is_other("/do/ranking_close")


async def test_files_are_read_and_not_written() -> None:
    stage_id = await in_thread(hall)
    for method_name in ("PUT", "POST", "DELETE"):
        assert (await ask(f"/stages/{stage_id}/marks.csv", method_name)).status == 403
