"""Test what a run of version 2 publishes: sheets and their commitment at the closing, and no figures of few raters."""

import csv
import gzip
import hashlib
import io
from decimal import ROUND_HALF_UP, Decimal

import pytest
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.ranking import services
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow, RankingRun
from apps.ranking.selectors import ranking_get, run_get
from apps.ranking.selectors.files import marks_file, program_file, ranking_csv, ranking_json
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import audience, give, listeners, stage_of

pytestmark = pytest.mark.django_db


def close(stage_id):
    services.ranking_compute(stage_id=stage_id)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)


def lines(stage_id):
    """Return the lines of the published file of marks."""
    return unpacked(marks_file(stage_id=stage_id))


def unpacked(file):
    return list(csv.DictReader(io.StringIO(gzip.decompress(bytes(file)).decode("utf-8-sig"))))


def sheets(stage_id):
    """Return the lines of the published file by rater."""
    by_rater = {}
    for line in lines(stage_id):
        by_rater.setdefault(int(line["rater"]), []).append(line)
    return by_rater


def sheet_hashes(stage_id):
    """Return the hashes of the published sheets, computed from the program's description alone."""
    hashes = []
    for sheet in sheets(stage_id).values():
        (salt,), (weight,) = {line["salt"] for line in sheet}, {line["weight"] for line in sheet}
        assert len(bytes.fromhex(salt)) == 16
        marks = sorted((line["performer"], line["points"], line["pieces"]) for line in sheet)
        text = weight + "\n" + "".join("\t".join(mark) + "\n" for mark in marks)
        hashes.append(hashlib.sha256(bytes.fromhex(salt) + text.encode()).digest())
    return hashes


def commitment_of(stage_id):
    """Return the commitment to the published sheets and the hashes of the others."""
    content = ranking_json(stage_id=stage_id)
    hidden = [bytes.fromhex(text) for text in content["missing_sheets"] + content["left_out_sheets"]]
    return hashlib.sha256(b"".join(sorted([*sheet_hashes(stage_id), *hidden]))).hexdigest()


def test_closing_publishes_numbered_sheets_with_the_commitment(appearances, stage_id):
    services.ranking_compute(stage_id=stage_id)
    assert marks_file(stage_id=stage_id) is None
    means = dict(RankingRow.objects.values_list("appearance_id", "mean"))
    for each in appearances:
        scores = PieceRating.objects.filter(appearance=each).values_list("score", flat=True)
        assert means[each.pk] == (Decimal(sum(scores)) / len(scores)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    committed = ranking_json(stage_id=stage_id)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert RankingRun.objects.get().secret is None
    assert commitment_of(stage_id) == committed["commitment"]
    assert len(sheets(stage_id)) == committed["sheets"] == 12
    assert len({line["salt"] for line in lines(stage_id)}) == 12
    names = {each.pk: each.participant.name for each in appearances}
    published = {
        rater: {line["performer"]: int(line["points"]) / int(line["pieces"]) for line in sheet}
        for rater, sheet in sheets(stage_id).items()
    }
    stored = {
        rater: {names[int(pk)]: mark for pk, mark in marks.items()}
        for rater, marks in RankingAccount.objects.values_list("rater", "marks")
    }
    assert stored == published


def test_each_run_has_new_salts_and_older_runs_have_no_marks(appearances, stage_id):
    services.ranking_compute(stage_id=stage_id)
    first = RankingRun.objects.get()
    give(listeners(1)[0], appearances, [1, 2, 3, 4, 5])
    services.ranking_compute(stage_id=stage_id)
    older, newer = RankingRun.objects.order_by("pk")
    assert (older.number, newer.number) == (1, 2)
    assert (bytes(older.file), older.secret) == (b"", None)
    assert bytes(newer.secret) != bytes(first.secret)
    salts = [{line["salt"] for line in unpacked(run.file)} for run in (first, newer)]
    assert len(salts[0]) == 12
    assert not salts[0] & salts[1]


def test_reopened_ranking_gets_new_salts_and_numbers_with_a_computation(appearances, stage_id):
    def numbers():
        return dict(RankingAccount.objects.values_list("pk", "rater"))

    close(stage_id)
    before = gzip.decompress(marks_file(stage_id=stage_id)), numbers(), commitment_of(stage_id)
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert (gzip.decompress(marks_file(stage_id=stage_id)), numbers(), commitment_of(stage_id)) == before
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    assert marks_file(stage_id=stage_id) is None
    services.ranking_compute(stage_id=stage_id)
    assert set(numbers().values()) == {None}
    assert ranking_json(stage_id=stage_id)["run"] == 2
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert commitment_of(stage_id) == ranking_json(stage_id=stage_id)["commitment"] != before[2]
    assert set(numbers().values()) == set(range(1, 13))


def test_performance_with_few_raters_shows_only_their_number(appearances, stage_id):
    (few,) = stage_of(1)
    few.session.stage, few.session.title = appearances[0].session.stage, "Another day"
    few.session.save()
    for user in User.objects.filter(pk__in=PieceRating.objects.values("user_id"))[:9]:
        give(user, [few], [23])
    close(stage_id)
    name = few.participant.name
    row = RankingRow.objects.get(appearance=few)
    assert (row.raters, row.mean, row.score, row.rank, row.lowest, row.score_from) == (9, *[None] * 5)
    listed = csv.DictReader(io.StringIO(ranking_csv(stage_id=stage_id).removeprefix("\ufeff")))
    assert name not in {each["performer"] for each in listed}, "the program does not print it either"
    (content,) = (each for each in ranking_json(stage_id=stage_id)["rows"] if each["performer"] == name)
    assert {name for name, value in content.items() if value is not None} == {"performer", "raters"}
    assert name not in {each["performer"] for each in lines(stage_id)}
    (place,) = (each.place for each in ranking_get(stage_id=stage_id).performances if each.appearance.id == few.pk)
    assert (place.raters, place.mean, place.score, place.rank) == (9, None, None, None)


@pytest.mark.parametrize("closes", ["this version", "the version before"])
def test_left_out_sheet_is_published_as_a_hash(appearances, stage_id, closes, monkeypatch):
    close(stage_id)
    before = ranking_json(stage_id=stage_id)["rows"]
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    (user,) = listeners(1)
    give(user, appearances, [25, 25, 25, 25, 1])
    RankingDecision.objects.create(user=user, stage_id=stage_id, is_left_out=True, reason="A second account.")
    with monkeypatch.context() as patched:
        if closes == "the version before":
            patched.setattr(services, "sheets_remove", lambda _run: False)
        close(stage_id)
    if closes == "the version before":
        (number,) = {line["rater"] for line in lines(stage_id) if line["weight"] == "0"}
        RankingAccount.objects.filter(user=user).update(rater=number)
        services.ranking_compute(stage_id=stage_id)
    account = RankingAccount.objects.get(user=user)
    assert (account.quarters, account.marks, account.why, account.rater) == (0, {}, None, None)
    assert "0" not in {line["weight"] for line in lines(stage_id)}
    assert (len(sheets(stage_id)), run_get(stage_id=stage_id).missing) == (12, 0)
    after = ranking_json(stage_id=stage_id)
    assert (len(after["left_out_sheets"]), after["missing_sheets"]) == (1, [])
    assert commitment_of(stage_id) == after["commitment"]
    account.delete()  # as with the account
    services.ranking_compute(stage_id=stage_id)
    assert ranking_json(stage_id=stage_id) == after
    unseeded = ("rank", "performer", "score", "raters", "mean")
    assert [[row[name] for name in unseeded] for row in after["rows"]] == [
        [row[name] for name in unseeded] for row in before
    ]
    assert (after["raters"], after["marks"], after["not_counted"]["left_out"]) == (12, 60, 5)


def test_ranking_of_few_raters_has_no_sheets():
    appearances = stage_of(3)
    audience(appearances, 9)
    stage_id = appearances[0].session.stage_id
    close(stage_id)
    content = ranking_json(stage_id=stage_id)
    assert (content["sheets"], content["raters"], content["marks"], lines(stage_id)) == (0, 9, 27, [])
    assert content["commitment"] == hashlib.sha256().hexdigest()
    assert b"versions 2 and 3" in program_file(stage_id=stage_id)


def test_previous_version_reads_and_writes_releases(stage_id):
    let_out, left = listeners(2)
    RankingDecision.objects.create(user=left, stage_id=stage_id, is_left_out=True, reason="A second account.")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ranking_releases (user_id, stage_id, released_by_id, reason) "
            "VALUES (%s, %s, NULL, 'Met.') RETURNING id",
            [let_out.pk, stage_id],
        )
        (pk,) = cursor.fetchone()
        assert not RankingDecision.objects.get(pk=pk).is_left_out
        cursor.execute("SELECT id, user_id, stage_id, released_by_id, reason FROM ranking_releases")
        assert cursor.fetchall() == [(pk, let_out.pk, stage_id, None, "Met.")]
        cursor.execute("DELETE FROM ranking_releases WHERE id = %s", [pk])
    assert [each.user_id for each in RankingDecision.objects.all()] == [left.pk]
