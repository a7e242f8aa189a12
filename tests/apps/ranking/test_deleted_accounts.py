"""Test that sheets of deleted accounts leave the files of closed rankings, and that the commitment is still checked."""

import gzip

import pytest
from django.db import connection, transaction
from psycopg import sql

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.ranking import closed_files, services
from apps.ranking.models import RankingAccount, RankingMissingSheet, RankingRun
from apps.ranking.selectors import run_get
from apps.ranking.selectors.files import marks_file, ranking_csv, ranking_json
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import give, listeners
from tests.apps.ranking.test_publication import close, commitment_of, sheets, unpacked

pytestmark = pytest.mark.django_db


@transaction.atomic
def delete(user_id: int) -> None:
    """Delete an account as its owner does: lock its row, delete what each app has of it, then the row."""
    user = User.objects.select_for_update().get(pk=user_id)
    for each in account_data():
        each.on_deletion(user_id)
    user.delete()


def texts_of_the_database() -> str:
    """Return all rows of all tables, with packed files as texts."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        texts = []
        for (table,) in cursor.fetchall():
            cursor.execute(sql.SQL("SELECT row_to_json(each)::text FROM {} AS each").format(sql.Identifier(table)))
            texts += [row for (row,) in cursor.fetchall()]
    files = RankingRun.objects.values_list("file", flat=True)
    texts += [gzip.decompress(bytes(file)).decode() for file in files if file]
    return "\n".join(texts)


def test_deleted_account_leaves_a_hash_and_the_ranking_stays(appearances, stage_id, listener):
    close(stage_id)
    published, committed = ranking_csv(stage_id=stage_id), run_get(stage_id=stage_id).digest
    user_id, rater = RankingAccount.objects.values_list("user_id", "rater").first()
    (salt,) = {line["salt"] for line in sheets(stage_id)[rater]}
    others = {number: sheet for number, sheet in sheets(stage_id).items() if number != rater}
    listener.heard()
    delete(user_id)
    assert f"stage.{stage_id}.ratings" in listener.heard()
    assert services.ranking_compute(stage_id=stage_id).run_id is None
    assert f"ranking.{stage_id}" in listener.heard()
    assert sheets(stage_id) == others
    assert ranking_csv(stage_id=stage_id) == published
    content = ranking_json(stage_id=stage_id)
    assert (content["sheets"], len(content["missing_sheets"]), run_get(stage_id=stage_id).missing) == (12, 1, 1)
    assert commitment_of(stage_id) == content["commitment"] == committed
    assert salt not in texts_of_the_database()
    services.ranking_compute(stage_id=stage_id)
    assert listener.heard() == set(), "no sheet is left to remove"


def test_deletions_before_and_after_a_computation_are_removed(appearances, stage_id):
    close(stage_id)
    gone = list(RankingAccount.objects.values_list("user_id", flat=True)[:3])
    delete(gone[0])
    services.ranking_compute(stage_id=stage_id)
    for user_id in gone[1:]:
        delete(user_id)
    services.ranking_compute(stage_id=stage_id)
    assert (len(sheets(stage_id)), run_get(stage_id=stage_id).missing) == (9, 3)
    assert commitment_of(stage_id) == run_get(stage_id=stage_id).digest


def test_next_computation_removes_the_sheet_after_a_failed_one(appearances, stage_id, monkeypatch):
    close(stage_id)
    delete(RankingAccount.objects.values_list("user_id", flat=True)[0])
    sheets_of = closed_files.sheets_of
    monkeypatch.setattr(closed_files, "sheets_of", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        services.ranking_compute(stage_id=stage_id)
    assert ranking_json(stage_id=stage_id)["missing_sheets"] == []
    monkeypatch.setattr(closed_files, "sheets_of", sheets_of)
    services.ranking_compute(stage_id=stage_id)
    assert commitment_of(stage_id) == run_get(stage_id=stage_id).digest


def test_account_deleted_between_last_run_and_closing_is_missing(appearances, stage_id):
    (user,) = listeners(1)
    give(user, appearances, [9, 10, 11, 12, 13])
    services.ranking_compute(stage_id=stage_id)
    delete(user.pk)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    services.ranking_compute(stage_id=stage_id)
    assert (len(sheets(stage_id)), run_get(stage_id=stage_id).missing) == (12, 1)
    assert commitment_of(stage_id) == run_get(stage_id=stage_id).digest


def test_open_ranking_has_no_missing_sheets(appearances, stage_id):
    services.ranking_compute(stage_id=stage_id)
    user_id = PieceRating.objects.values_list("user_id", flat=True).first()
    delete(user_id)
    assert not RankingMissingSheet.objects.exists()
    services.ranking_compute(stage_id=stage_id)
    assert len({line["rater"] for line in unpacked(marks_file(stage_id=stage_id, is_operator=True))}) == 11
