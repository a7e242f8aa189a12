"""Test the computation of rankings from the counted marks, and their storage, closing, reopening and removal."""

import csv
import gzip
import io
import json
import subprocess
import sys
from contextlib import contextmanager, suppress
from decimal import Decimal

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from apps.accounts.actors import OPERATOR
from apps.ranking import method2, services
from apps.ranking.enums import REASONS, NotCounted
from apps.ranking.limits import CPU_A_MARK, CPU_LEAST, SOON
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow, RankingRun
from apps.ranking.selectors import places_of_participant, ranking_get, run_get, stage_counting
from apps.ranking.selectors.files import marks_file, ranking_csv, ranking_json
from apps.ranking.services import Computed
from apps.ratings.services.removal import account_ratings_delete
from tests.apps.ranking.halls import age, audience, give, listeners, stage_of
from tests.factories import (
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    ProgramEntryFactory,
    viewer_of,
)
from tests.pooled import direct_parameters

pytestmark = pytest.mark.django_db


def lines(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_run_stores_the_result_of_the_method(appearances, stage_id):
    (young,) = listeners(1)
    give(young, appearances, [1, 2, 3, 4, 5])
    age([young], hours=2)
    services.ranking_compute(stage_id=stage_id)
    names = {each.pk: each.participant.name for each in appearances}
    counted = stage_counting(stage_id=stage_id).marks
    assert len(counted) == 60
    weights = dict(RankingAccount.objects.values_list("user_id", "quarters"))
    expected = method2.ranking(
        (
            method2.Given(str(pk), names[mark.appearance_id], mark.points, mark.pieces, weights[pk])
            for pk, mark in counted
        ),
        stage=stage_id,
        run=1,
    )
    run = RankingRun.objects.get()
    assert (run.number, run.raters, run.marks, run.sheets, run.new, run.method) == (1, 12, 60, 12, 5, 3)
    stored = {names[row.appearance_id]: row for row in RankingRow.objects.all()}
    assert len(stored) == len(expected.rows) == 5
    for row in expected.rows:
        for name in ("rank", "lowest", "highest", "raters"):
            assert getattr(stored[row.performer], name) == getattr(row, name), name
        for name in ("score", "score_from", "score_to", "mean"):
            points, hundredths = getattr(stored[row.performer], name), getattr(row, name)
            assert (points is None) == (hundredths is None), name
            assert points is None or 100 * points == hundredths, name


def test_exported_program_prints_the_same_ranking(appearances, stage_id, tmp_path, all_draws):
    call_command("ranking", "compute", str(stage_id))
    call_command("ranking", "export", str(stage_id), str(tmp_path))
    assert {file.name for file in tmp_path.iterdir()} == {"marks.csv", "ranking.csv", "ranking.json", "ranking.py"}
    numbers = (str(stage_id), "1")
    command = [sys.executable, "-I", str(tmp_path / "ranking.py"), str(tmp_path / "marks.csv"), *numbers]
    printed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert printed == (tmp_path / "ranking.csv").read_text() == ranking_csv(stage_id=stage_id)
    assert len(lines(printed)) == 5
    read = json.loads((tmp_path / "ranking.json").read_text())
    strings = [{name: "" if value is None else str(value) for name, value in row.items()} for row in read["rows"]]
    assert strings == lines(printed)
    assert (read["commitment"], read["raters"], read["marks"]) == (RankingRun.objects.get().digest, 12, 60)
    assert (read["stage"], read["run"], read["sheets"]) == (stage_id, 1, 12)
    assert set(read["not_counted"]) == {reason.value for reason in REASONS[2]}


def test_raters_in_the_file_are_anonymous_and_renumbered_by_each_run(appearances, stage_id):
    texts = set()
    for _ in range(3):
        RankingRun.objects.all().delete()
        services.ranking_compute(stage_id=stage_id)
        text = gzip.decompress(marks_file(stage_id=stage_id, is_operator=True)).decode("utf-8-sig")
        numbers = [int(line["rater"]) for line in lines(text)]
        assert set(numbers) == set(range(1, 13))
        assert numbers == sorted(numbers)
        assert "listener" not in text
        texts.add(text)
    assert len(texts) == 3


def test_only_new_input_makes_a_new_run_and_old_runs_are_deleted(appearances, stage_id, listener):
    first = services.ranking_compute(stage_id=stage_id)
    made_at = run_get(stage_id=stage_id).made_at
    listener.heard()
    assert services.ranking_compute(stage_id=stage_id) == first
    assert listener.heard() == set()
    assert run_get(stage_id=stage_id).made_at > made_at
    for user in listeners(3):
        give(user, appearances, [9, 10, 11, 12, 13], approved=False)
        services.ranking_compute(stage_id=stage_id)  # waiting marks are counted separately and make a new run
        assert listener.heard() == {f"ranking.{stage_id}"}
    assert RankingRun.objects.count() == services.KEPT
    assert RankingRun.objects.values("input_digest").distinct().count() == 1
    assert RankingRun.objects.values("digest").distinct().count() == services.KEPT, "each run has new salts"


@pytest.mark.django_db(transaction=True)
def test_stage_locked_by_another_process_is_computed_later(appearances, stage_id):
    with psycopg.connect(**direct_parameters(), autocommit=True) as other:
        lock = ("hashtext('parterre ranking of a stage computes')", stage_id)
        other.execute(f"SELECT pg_advisory_lock({lock[0]}, %s)", lock[1:])
        assert services.ranking_compute(stage_id=stage_id) == Computed(due_in=SOON)
        assert not RankingRun.objects.exists()
        other.execute(f"SELECT pg_advisory_unlock({lock[0]}, %s)", lock[1:])
        assert services.ranking_compute(stage_id=stage_id).run_id
        other.execute(f"SELECT pg_advisory_lock({lock[0]}, %s)", lock[1:])  # the computation released it


def test_performers_of_one_name_have_different_labels_in_files(stage_id, appearances):
    twin = ParticipantFactory(name=appearances[0].participant.name)
    other = AppearanceFactory(session=appearances[0].session, participant=twin)
    ProgramEntryFactory(appearance=other)
    for user in listeners(3):
        give(user, [other, *appearances[:2]], [7, 8, 9])
    services.ranking_compute(stage_id=stage_id)
    assert len({row["performer"] for row in ranking_json(stage_id=stage_id)["rows"]}) == 6


def test_rank_needs_ten_raters_and_a_run_needs_marks():
    appearances = stage_of(4)
    stage_id = appearances[0].session.stage_id
    assert services.ranking_compute(stage_id=stage_id).run_id is None
    assert ranking_get(stage_id=stage_id).run is None
    audience(appearances[:3], 9)
    assert services.ranking_compute(stage_id=stage_id).run_id
    places = [row.place for row in ranking_get(stage_id=stage_id).page().rows]
    assert [(place.rank, place.raters) for place in places] == [(None, 9)] * 3 + [(None, 0)]
    assert {place.mean for place in places} == {None}


def test_page_has_ranks_shared_ranks_and_recommendations(appearances, stage_id):
    AdvanceRecommendationFactory(appearance=appearances[1])
    AdvanceRecommendationFactory(appearance=appearances[1], recommendation="down")
    services.ranking_compute(stage_id=stage_id)
    RankingRow.objects.filter(rank=2).update(rank=1, lowest=1)
    rows = ranking_get(stage_id=stage_id).page().rows
    assert [row.place.rank for row in rows] == [1, 1, 3, 4, 5]
    assert [row.place.is_shared for row in rows] == [True, True, False, False, False]
    (recommended,) = (row for row in rows if row.appearance.id == appearances[1].pk)
    assert (recommended.recommendations.up, recommended.recommendations.down) == (1, 1)
    place = places_of_participant(participant_id=appearances[1].participant_id)[appearances[1].pk]
    assert place.rank == recommended.place.rank


@pytest.mark.parametrize("performances", [1, 40])
def test_ranking_takes_four_queries_for_any_number_of_performances(django_assert_num_queries, performances):
    appearances = stage_of(performances)
    stage_id = appearances[0].session.stage_id
    run = RankingRun.objects.create(stage_id=stage_id, **run_columns())
    row = {"rank": 1, "score": Decimal(12), "raters": 10, "mean": Decimal(12)}
    RankingRow.objects.bulk_create(RankingRow(run=run, appearance=each, **row) for each in appearances)
    with django_assert_num_queries(4):
        assert ranking_get(stage_id=stage_id).page().total == performances


def run_columns(**columns):
    counts = dict.fromkeys(NotCounted.values, 0)
    return {"method": 1, "digest": "0" * 64, "raters": 12, "marks": 60, "file": b"", **counts, **columns}


def test_failed_computation_is_reported_and_the_last_run_stays(appearances, stage_id, monkeypatch, caplog):
    services.ranking_compute(stage_id=stage_id)
    before = run_get(stage_id=stage_id)
    more = listeners(1)[0]
    give(more, appearances, [1, 2, 3, 4, 5])
    monkeypatch.setattr(method2, "ranking", lambda *_, **__: 1 / 0)
    call_command("ranking", "compute", str(stage_id), stderr=(errors := io.StringIO()))
    assert errors.getvalue() == f"Stage {stage_id}: it could not be computed; the log says why.\n"
    assert "ZeroDivisionError" in caplog.text
    after = run_get(stage_id=stage_id)
    assert after.failed_at is not None
    assert (after.id, after.made_at) == (before.id, before.made_at)
    monkeypatch.undo()
    services.ranking_compute(stage_id=stage_id)
    assert run_get(stage_id=stage_id).failed_at is None
    assert run_get(stage_id=stage_id).raters == 13


def test_deleted_marks_leave_the_next_run_but_not_the_final_one(appearances, stage_id):
    user = listeners(1)[0]
    give(user, appearances, [25, 1, 25, 1, 25])
    services.ranking_compute(stage_id=stage_id)
    assert run_get(stage_id=stage_id).raters == 13
    account_ratings_delete(user.pk)
    services.ranking_compute(stage_id=stage_id)
    assert run_get(stage_id=stage_id).raters == 12
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    final = ranking_csv(stage_id=stage_id)
    for other in audience(appearances, 3):
        account_ratings_delete(other.pk)
    assert services.ranking_compute(stage_id=stage_id).run_id is None
    assert ranking_csv(stage_id=stage_id) == final


def test_computation_does_not_overwrite_a_ranking_closed_during_it(appearances, stage_id, monkeypatch):
    services.ranking_compute(stage_id=stage_id)
    give(listeners(1)[0], appearances, [1, 2, 3, 4, 5])
    ranking = method2.ranking

    def slow(*marks, **seeds):
        services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", slow)
    assert services.ranking_compute(stage_id=stage_id).run_id is None
    assert RankingRun.objects.get().raters == 12


def test_database_refuses_inconsistent_rows(appearances, stage_id):
    run = RankingRun.objects.create(stage_id=stage_id, **run_columns())
    row = {"rank": 2, "score": Decimal(12), "raters": 10, "mean": Decimal(12), "lowest": 1, "highest": 2}
    accepted = []
    for columns in (
        {"rank": 0},
        {"rank": None},
        {"score": Decimal("0.99")},
        {"score": None},
        {"lowest": 3, "highest": 4},
        {"lowest": None},
        {"score_to": Decimal(12)},
        {"lowest": 2, "highest": 1},
        {"score_from": Decimal(13), "score_to": Decimal(12)},
        {"mean": Decimal("25.01")},
        {"mean": None},
        {"raters": 0},
        {"rank": None, "score": None, "lowest": None, "highest": None, "mean": None, "raters": 10},
    ):
        with suppress(IntegrityError), transaction.atomic():
            RankingRow.objects.create(run=run, appearance=appearances[0], **row | columns)
            accepted.append(columns)
            transaction.set_rollback(True)
    assert accepted == []


def _version_2(**columns):
    return {"method": 2, "number": 1, "input_digest": "0" * 64, "sheets": 0} | columns


def test_database_refuses_two_final_runs_and_two_decisions(stage_id, admin):
    RankingRun.objects.create(stage_id=stage_id, **run_columns(is_final=True, final_at="2026-01-01T00:00Z"))
    for columns in (
        {"is_final": True, "final_at": "2026-01-01T00:00Z"},
        {"is_final": True},
        {"final_at": "2026-01-01T00:00Z"},
        {"digest": "x"},
        {"new": -1},
        {"method": 2},
        {"number": 1},
        {"secret": b"x"},
        _version_2(number=0),
        _version_2(input_digest="x"),
        _version_2(sheets=None),
        _version_2(secret=b"x", is_final=True, final_at="2026-01-01T00:00Z"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            RankingRun.objects.create(stage_id=stage_id, **run_columns(**columns))
    user = listeners(1)[0]
    RankingDecision.objects.create(user=user, stage_id=stage_id, reason="Once.")
    for reason in ("Twice.", " ", "x" * 301):
        with pytest.raises(IntegrityError), transaction.atomic():
            RankingDecision.objects.create(user=user, stage_id=stage_id, reason=reason)
    RankingRun.objects.create(stage_id=stage_id, **run_columns(**_version_2()))
    with pytest.raises(IntegrityError), transaction.atomic():
        RankingRun.objects.create(stage_id=stage_id, **run_columns(**_version_2()))
    with pytest.raises(IntegrityError), transaction.atomic():
        RankingAccount.objects.create(user=user, stage_id=stage_id, is_in_burst=False, quarters=3)
    assert viewer_of(user).is_signed_in


def test_cpu_limit_grows_with_the_marks(appearances, stage_id):
    limits = []

    @contextmanager
    def limit(seconds):
        limits.append(seconds)
        yield

    services.ranking_compute(stage_id=stage_id, limit=limit)
    give(listeners(1)[0], appearances, [1, 2, 3, 4, 5])
    services.ranking_compute(stage_id=stage_id, limit=limit)
    assert limits == [CPU_LEAST + CPU_A_MARK * marks for marks in (60, 65)]


def test_deleted_stage_does_not_stop_the_others(appearances, stage_id, capsys):
    give(listeners(12)[0], appearances, [1, 2, 3, 4, 5])
    call_command("ranking", "compute", str(stage_id), "999999", "--json")
    assert json.loads(capsys.readouterr().out)["999999"] is None
    assert run_get(stage_id=stage_id) is not None


def test_command_reports_errors_in_a_sentence(db):
    for action in ("compute", "show", "export"):
        with pytest.raises(CommandError, match=r"Stage not found\."):
            call_command("ranking", action, "99")
    appearances = stage_of(1)
    with pytest.raises(CommandError, match="no ranking"):
        call_command("ranking", "show", str(appearances[0].session.stage_id))
