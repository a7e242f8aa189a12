"""Test that sheets of deleted accounts leave the files of rankings that version 1 closed."""

import gzip

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant
from apps.ranking import method, services
from apps.ranking.models import RankingAccount, RankingMissingSheet, RankingRun
from apps.ranking.selectors import ranking_get, run_get
from apps.ranking.selectors.files import marks_file, ranking_csv, ranking_json
from tests.apps.ranking.halls import age, give, listeners
from tests.apps.ranking.test_deleted_accounts import delete, texts_of_the_database
from tests.apps.ranking.test_publication import unpacked
from tests.apps.ranking.version_1 import closed_by_version_1

pytestmark = pytest.mark.django_db
THIRDS = [7, 8, 8, 9, 25]


@pytest.fixture
def raters(appearances):
    """Return listeners beside the audience: the first two with equal sheets; the third has marks of three pieces."""
    made = listeners(3)
    for user in made[:2]:
        give(user, appearances, [3, 1, 4, 1, 5])
    give(made[2], appearances, THIRDS)
    return made


def sheets(stage_id):
    """Return the marks of each rater of the published file, as texts."""
    marks = {}
    for line in unpacked(marks_file(stage_id=stage_id)):
        marks.setdefault(line["rater"], {})[line["performer"]] = line["mark"]
    return marks


def sheet_of(stage_id, user_id):
    """Return the marks of an account by the names in the file, as texts."""
    names = {each.appearance.id: each.appearance.name for each in ranking_get(stage_id=stage_id).performances}
    (marks,) = RankingAccount.objects.filter(stage_id=stage_id, user_id=user_id).values_list("marks", flat=True)
    return {names[int(pk)]: repr(mark) for pk, mark in marks.items()}


def deleted(stage_id, *users):
    """Delete these accounts and compute; return the remaining sheets and the number of missing ones."""
    for user in users:
        delete(user.pk)
    services.ranking_compute(stage_id=stage_id)
    return sheets(stage_id), run_get(stage_id=stage_id).missing


def test_sheet_leaves_the_file_and_the_ranking_stays(appearances, stage_id, raters, listener):
    run = closed_by_version_1(stage_id)
    before, published, summary = sheets(stage_id), ranking_csv(stage_id=stage_id), ranking_json(stage_id=stage_id)
    own = sheet_of(stage_id, raters[2].pk)
    (number,) = (rater for rater, sheet in before.items() if sheet == own)
    services.ranking_compute(stage_id=stage_id)
    assert sheets(stage_id) == before, "no account was deleted yet"
    listener.heard()
    delete(raters[2].pk)
    assert f"stage.{stage_id}.ratings" in listener.heard()
    assert services.ranking_compute(stage_id=stage_id).run_id is None
    assert f"ranking.{stage_id}" in listener.heard()
    assert sheets(stage_id) == {rater: sheet for rater, sheet in before.items() if rater != number}
    assert gzip.decompress(marks_file(stage_id=stage_id)).startswith(b"rater,performer,mark\n")
    assert ranking_csv(stage_id=stage_id) == published
    assert ranking_json(stage_id=stage_id) == summary | {"seed": None}
    assert (run_get(stage_id=stage_id).missing, run_get(stage_id=stage_id).method) == (1, method.VERSION)
    assert list(RankingMissingSheet.objects.values_list("run_id", "rater", "hash")) == [(run.pk, int(number), "")]
    assert f"\n{number}," not in texts_of_the_database().replace("\r", "")
    services.ranking_compute(stage_id=stage_id)
    assert listener.heard() == set(), "no sheet is left to remove"


def test_one_of_equal_sheets_leaves_for_each_account(appearances, stage_id, raters):
    closed_by_version_1(stage_id)
    equal = sheet_of(stage_id, raters[0].pk)
    assert list(deleted(stage_id, raters[0])[0].values()).count(equal) == 1
    remaining, missing = deleted(stage_id, raters[1])
    assert equal not in remaining.values()
    assert (len(remaining), missing) == (13, 2)


def test_accounts_deleted_before_the_upgrade_are_removed(appearances, stage_id, raters):
    """A deletion records no sheet of version 1, so this is the state that the previous version left."""
    closed_by_version_1(stage_id)
    own = sheet_of(stage_id, raters[2].pk)
    remaining, missing = deleted(stage_id, *raters)
    assert own not in remaining.values()
    assert (len(remaining), missing) == (12, 3)


def test_account_without_a_sheet_removes_no_sheet(appearances, stage_id, raters):
    (new,) = listeners(1)
    age([new], hours=2)
    give(new, appearances, [1, 2, 3, 4, 5])
    closed_by_version_1(stage_id)
    before = sheets(stage_id)
    assert len(before) == 15
    assert deleted(stage_id, new) == (before, 0)


def test_no_sheet_is_removed_while_an_account_has_no_equal_sheet(appearances, stage_id, raters):
    """Stored marks that are in no sheet show that the file and the accounts do not belong together."""
    closed_by_version_1(stage_id)
    before = sheets(stage_id)
    RankingAccount.objects.filter(user=raters[0]).update(marks={str(each.pk): 2.125 for each in appearances})
    assert deleted(stage_id, raters[2]) == (before, 0)


def test_run_without_stored_accounts_keeps_its_file(appearances, stage_id, raters):
    closed_by_version_1(stage_id, has_accounts=False)
    before = sheets(stage_id)
    assert deleted(stage_id, raters[2])[0] == before


def test_sheets_that_differ_only_in_a_renamed_performer_are_told_apart(appearances, stage_id, raters):
    twin, other = listeners(2)
    give(twin, appearances, [20, *THIRDS[1:]])
    give(other, appearances, [21, 9, 9, 9, 9])
    closed_by_version_1(stage_id)
    Participant.objects.filter(pk=appearances[0].participant_id).update(name="Renamed Later")
    removed = [sorted(sheet_of(stage_id, user.pk).values()) for user in (raters[2], other)]
    remaining, missing = deleted(stage_id, raters[2], other)
    assert not [sheet for sheet in remaining.values() if sorted(sheet.values()) in removed]
    assert (len(remaining), missing) == (15, 2)


def test_reopened_ranking_is_closed_with_version_2(appearances, stage_id, raters):
    closed_by_version_1(stage_id)
    delete(raters[2].pk)
    services.ranking_compute(stage_id=stage_id)
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    services.ranking_compute(stage_id=stage_id)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    run = run_get(stage_id=stage_id)
    assert (run.method, run.number, run.sheets, run.missing) == (3, 1, 14, 0)
    assert RankingRun.objects.filter(stage_id=stage_id, is_final=True).count() == 1
