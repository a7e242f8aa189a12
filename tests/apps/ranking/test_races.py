"""Test deletions, closings and computations at the same time: no deadlock, and no sheet of a deleted account stays."""

import re
from itertools import islice

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.ranking import services
from apps.ranking.models import RankingAccount, RankingRun
from apps.ranking.selectors import run_get
from apps.ratings.models import PieceRating
from tests.apps.meanwhile import meanwhile
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.apps.ranking.test_deleted_accounts import delete
from tests.apps.ranking.test_publication import commitment_of, sheets

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long(reason="computes rankings in concurrent threads"),
]


# Statements on accounts, marks and rankings, whose rows both acts use.
SHARED = re.compile(r"\b(users|stages|stage_keys|ranking_\w+|\w*ratings?\w*)\b")


def stage_and_listener():
    """Return the performances of a computed stage with twelve listeners, its id, and the id of one listener."""
    appearances = stage_of(3, pieces=1)
    people = audience(appearances, 12)
    stage_id = appearances[0].session.stage_id
    services.ranking_compute(stage_id=stage_id)
    return appearances, stage_id, people[0].pk


def closing(stage_id):
    return lambda: services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)


def computing(stage_id):
    return lambda: services.ranking_compute(stage_id=stage_id)


def assert_whole(stage_id, user_id):
    """Compute once more, as the worker does after a deletion. Only the deleted sheet is missing."""
    services.ranking_compute(stage_id=stage_id)
    run = run_get(stage_id=stage_id)
    assert RankingRun.objects.get(pk=run.id).secret is None
    numbers = set(RankingAccount.objects.filter(stage_id=stage_id).values_list("rater", flat=True))
    assert numbers == set(sheets(stage_id))
    assert len(numbers) + run.missing == run.sheets
    assert len(numbers) == 11
    assert commitment_of(stage_id) == run.digest
    assert not User.objects.filter(pk=user_id).exists()


@pytest.mark.parametrize("closes_first", [True, False])
def test_account_deleted_during_the_closing(closes_first):
    """At each statement of the closing, and at the first three of the deletion, which lock the account."""
    stages = []

    def made():
        _, stage_id, user_id = stage_and_listener()
        stages.append((stage_id, user_id))
        acts = closing(stage_id), lambda: delete(user_id)
        return acts if closes_first else acts[::-1]

    rounds = len(list(islice(meanwhile(made, shared=SHARED), None if closes_first else 3)))
    assert rounds >= 3
    for stage_id, user_id in stages[:rounds]:  # the last one may have had one act only
        assert_whole(stage_id, user_id)


def test_computation_during_the_deletion_of_an_account():
    """The ranking is reopened, so that accounts have numbers, and the account has a new mark."""
    stages = []

    def made():
        appearances, stage_id, user_id = stage_and_listener()
        closing(stage_id)()
        services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
        PieceRating.objects.filter(user=user_id, appearance=appearances[0]).update(score=25)
        stages.append((stage_id, user_id))
        return lambda: delete(user_id), computing(stage_id)

    assert len(list(islice(meanwhile(made, shared=SHARED), 3))) == 3
    for stage_id, user_id in stages:
        services.ranking_compute(stage_id=stage_id)
        closing(stage_id)()
        assert_whole(stage_id, user_id)
        assert run_get(stage_id=stage_id).missing == 0


def test_computation_at_each_statement_of_closing_and_reopening():
    stages = []

    def made():
        appearances, stage_id, _ = stage_and_listener()
        give(listeners(1)[0], appearances, [1, 25, 1])
        stages.append(stage_id)
        return closing(stage_id), computing(stage_id)

    def opened():
        _, stage_id, _ = stage_and_listener()
        closing(stage_id)()
        return lambda: services.ranking_reopen(actor=OPERATOR, stage_id=stage_id), computing(stage_id)

    for _, computed in meanwhile(made, shared=SHARED):
        assert computed.run_id is None or isinstance(computed.run_id, int)
    for stage_id in stages:
        run = run_get(stage_id=stage_id)
        assert run.final_at is not None
        assert len(sheets(stage_id)) == run.sheets
        assert commitment_of(stage_id) == run.digest
        assert RankingAccount.objects.filter(stage_id=stage_id, rater__isnull=False).count() == run.sheets
    assert len(list(meanwhile(opened, shared=SHARED))) >= 3
