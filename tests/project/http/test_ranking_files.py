"""The public files of a stage's ranking: their types, compression and caching, and that the program reproduces them."""

import codecs
import csv
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.models import Value
from django.db.models.functions import Concat

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Appearance, Participant
from apps.core import csv_files
from apps.core.threads import in_thread
from apps.ranking import method, method2
from apps.ranking.enums import REASONS
from apps.ranking.models import RankingAccount, RankingRun
from apps.ranking.publication import packed, unpacked
from apps.ranking.services import ranking_close, ranking_compute
from apps.ratings.models import PieceRating
from project.urls import is_other
from tests.apps.ranking.halls import audience, stage_of
from tests.apps.ranking.version_1 import closed_by_version_1
from tests.factories import AdminFactory, ParticipantFactory, SessionFactory, StageFactory, viewer_of
from tests.project.asking import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]
PROGRAM_1, PROGRAM = (Path(module.__file__).read_bytes() for module in (method, method2))
PROGRAM_BEFORE = "d9cc85724b8d86ab4441ae6b224643e7269377d1f27b082594a0764774a84ff5"  # at commit 259ee489
NAMES = ("marks.csv", "ranking.csv", "ranking.json", "ranking.py")


def closed_stage() -> int:
    """Return a stage with a closed ranking. The name of one performer would be a formula in a spreadsheet."""
    stage_id = open_stage()
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    return stage_id


def open_stage() -> int:
    """Return the same stage before the closing."""
    appearances = stage_of(4)
    appearances[0].participant = ParticipantFactory(first_name="=SUM(A1)", second_name="Łęcka;=1,＝2")
    appearances[0].save()
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances[0].session.stage_id


def performers_change(stage_id: int) -> None:
    """Rename a performer, move another one's session to another stage, and delete a third one's appearance."""
    renamed, moved, deleted, _ = Appearance.objects.filter(stage_id=stage_id).order_by("order_number")
    Participant.objects.filter(pk=renamed.participant_id).update(name="Renamed Later")
    Appearance.objects.filter(pk=moved.pk).update(session=SessionFactory())
    PieceRating.objects.filter(appearance=deleted).delete()
    deleted.delete()
    ranking_compute(stage_id=stage_id)


async def test_program_reproduces_the_ranking_from_the_marks(tmp_path: Path) -> None:
    stage_id = await in_thread(closed_stage)
    await in_thread(lambda: performers_change(stage_id))
    printed = await run_program(tmp_path, stage_id, str(stage_id), "1")
    assert printed == (tmp_path / "ranking.csv").read_bytes()
    assert [each.startswith(codecs.BOM_UTF8) for each in (printed, (tmp_path / "marks.csv").read_bytes())] == [True] * 2
    rows = list(csv.DictReader(io.StringIO(printed.decode("utf-8-sig"))))
    assert "'=SUM(A1) Łęcka;'=1,'＝2" in {row["performer"] for row in rows}
    content = json.loads((tmp_path / "ranking.json").read_text())
    json_rows = [{name: "" if value is None else str(value) for name, value in row.items()} for row in content["rows"]]
    assert json_rows == rows
    assert (content["raters"], content["marks"], content["final"], content["run"]) == (12, 48, True, 1)
    assert (tmp_path / "ranking.py").read_bytes() == PROGRAM


async def test_files_have_type_name_and_cache_headers_and_name_no_account() -> None:
    stage_id = await in_thread(closed_stage)
    people = await in_thread(lambda: list(User.objects.values_list("username", "email")))
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
        assert not [text for person in people for text in person if text in answer.text], name
        head = await ask(f"/stages/{stage_id}/{name}", "HEAD")
        assert (head.status, head.header("etag")) == (200, answer.header("etag"))
        again = await ask(f"/stages/{stage_id}/{name}", if_none_match=answer.header("etag"))
        assert (again.status, again.body) == (304, b"")
    for method_name in ("PUT", "POST", "DELETE"):
        assert (await ask(f"/stages/{stage_id}/marks.csv", method_name)).status == 403


async def test_marks_file_has_numbers_of_raters_and_is_sent_with_gzip() -> None:
    stage_id = await in_thread(closed_stage)
    plain = await ask(f"/stages/{stage_id}/marks.csv", accept_encoding="gzip;q=0")
    packed = await ask(f"/stages/{stage_id}/marks.csv", accept_encoding="br, gzip")
    assert (plain.header("content-encoding"), packed.header("content-encoding")) == ("", "gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert packed.header("etag") != plain.header("etag")
    assert (await ask(f"/stages/{stage_id}/ranking.csv", accept_encoding="gzip")).header("content-encoding") == ""
    header, *lines = plain.text.splitlines()
    assert header == "\ufeffrater,performer,points,pieces,weight,salt"
    assert {line.split(",")[0] for line in lines} == {str(number) for number in range(1, 13)}


async def test_open_ranking_has_no_marks_file_until_it_is_closed() -> None:
    stage_id = await in_thread(open_stage)
    answer = await ask(f"/stages/{stage_id}/marks.csv")
    assert (answer.status, answer.text) == (404, "The marks are published when the ranking is closed.\n")
    files = [await ask(f"/stages/{stage_id}/{name}") for name in NAMES[1:]]
    assert [file.status for file in files] == [200] * 3
    admin = await in_thread(lambda: viewer_of(AdminFactory()))
    await in_thread(lambda: ranking_close(actor=admin, stage_id=stage_id, confirmed=True))
    after = await ask(f"/stages/{stage_id}/ranking.json", if_none_match=files[1].header("etag"))
    assert (after.status, json.loads(after.body)["final"]) == (200, True)


def closed_stage_of_version_1() -> int:
    """Return a stage closed by version 1 of the method; one performance has too few raters for a rank."""
    appearances = stage_of(4)
    audience(appearances[:3], 12)
    audience(appearances[1:], 3)
    stage_id = appearances[0].session.stage_id
    closed_by_version_1(stage_id)
    return stage_id


async def run_program(folder: Path, stage_id: int, *arguments: str) -> bytes:
    """Store all files of the stage in this folder, and return what the program prints."""
    for name in NAMES:
        answer = await ask(f"/stages/{stage_id}/{name}")
        assert answer.status == 200, name
        (folder / name).write_bytes(answer.body)
    command = [sys.executable, "-I", "ranking.py", "marks.csv", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout  # noqa: ASYNC221 - a short process


async def test_ranking_of_version_1_keeps_its_files_and_program(tmp_path: Path) -> None:
    stage_id = await in_thread(closed_stage_of_version_1)
    await in_thread(lambda: Participant.objects.update(name=Concat(Value("Renamed "), "name")))
    await in_thread(lambda: ranking_compute(stage_id=stage_id))
    printed = await run_program(tmp_path, stage_id)
    assert printed == (tmp_path / "ranking.csv").read_bytes()
    assert (tmp_path / "ranking.py").read_bytes() == PROGRAM_1
    content = json.loads((tmp_path / "ranking.json").read_text())
    assert (content["method"], content["final"]) == (1, True)
    assert set(content["not_counted"]) == {reason.value for reason in REASONS[1]}
    assert content["seed"] == await in_thread(RankingRun.objects.values_list("digest", flat=True).get)


def closed_stage_without_byte_order_mark() -> int:
    """Return a stage with a ranking as version 2 closed it before its files began with the mark."""
    stage_id = closed_stage()
    run = RankingRun.objects.get(stage_id=stage_id)
    run.file = packed(unpacked(bytes(run.file)))
    run.save(update_fields=["file"])
    return stage_id


async def test_ranking_closed_without_byte_order_mark_keeps_its_files_and_program(tmp_path: Path) -> None:
    stage_id = await in_thread(closed_stage_without_byte_order_mark)
    printed = await run_program(tmp_path, stage_id, str(stage_id), "1")
    assert printed == (tmp_path / "ranking.csv").read_bytes()
    assert not [name for name in NAMES if (tmp_path / name).read_bytes().startswith(codecs.BOM_UTF8)]
    assert hashlib.sha256((tmp_path / "ranking.py").read_bytes()).hexdigest() == PROGRAM_BEFORE
    await in_thread(lambda: RankingAccount.objects.filter(stage_id=stage_id).first().delete())
    await in_thread(lambda: ranking_compute(stage_id=stage_id))
    kept = (await ask(f"/stages/{stage_id}/marks.csv")).body
    assert kept != (tmp_path / "marks.csv").read_bytes()
    assert kept.startswith(b"rater,")


async def test_missing_stage_or_ranking_answers_404() -> None:
    stage = await in_thread(StageFactory)
    for name in NAMES:
        unknown = await ask(f"/stages/999999/{name}")
        assert (unknown.status, unknown.text) == (404, "Stage not found.\n")
        assert (await ask(f"/stages/999999/{name}", "HEAD")).status == 404, name
    for name in NAMES[:3]:
        early = await ask(f"/stages/{stage.pk}/{name}")
        assert (early.status, early.text) == (404, "There is no ranking of this stage yet.\n")
        assert early.header("content-type") == "text/plain; charset=utf-8"
    assert (await ask(f"/stages/{stage.pk}/ranking.py")).status == 200


def test_only_exact_file_addresses_are_not_pages() -> None:
    assert all(is_other(f"/stages/{number}/{name}") for name in NAMES for number in (0, 2, 999_999_999_999_999_999))
    assert is_other("/sitemap.xml")
    assert is_other("/do/ranking_close")
    pages = ["/stages/2", "/stages/02/marks.csv", "/stages/2/marks.csv/", "/stages/2/secrets.csv", "/stages/method"]
    pages += ["/stages/2/marksxcsv", "/stages/x/marks.csv", "/stages/1000000000000000000/marks.csv"]
    assert not [path for path in (*pages, "/stages/2/marks.csv\n") if is_other(path)]


def test_one_function_writes_all_csv() -> None:
    """The programs of a ranking run alone, so each has a writer of its own."""
    root = Path(csv_files.__file__).parents[2]
    writers = {path for part in ("apps", "components", "project") for path in (root / part).rglob("*.py")}
    writers = {path for path in writers if re.search(r"csv\.writer|DictWriter", path.read_text(encoding="utf-8"))}
    assert writers == {Path(module.__file__) for module in (csv_files, method, method2)}
