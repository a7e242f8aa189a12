"""Test when a stage's key and digests are made and deleted, and how shared address blocks change weights."""

import datetime as dt
import gzip
import re
from functools import partial
from ipaddress import ip_network

import psycopg
import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.core.database.fields import venue_zone
from apps.ranking import services, weighing
from apps.ranking.models import RankingRun
from apps.ranking.selectors import stage_counting
from apps.ranking.selectors.files import marks_file, ranking_csv, ranking_json
from apps.ranking.suspicion import CROWDED
from apps.ratings.models import PerformanceRating, PieceRating, RatingOrigin, StageKey
from apps.ratings.services.moderation import rating_delete
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.apps.meanwhile import meanwhile
from tests.apps.ranking.halls import give, later, listeners, stage_of
from tests.factories import viewer_of
from tests.pooled import direct_parameters

pytestmark = pytest.mark.django_db
# Statements on accounts, marks, rankings and digests, whose rows both acts use.
SHARED = re.compile(r"\b(users|stages|stage_keys|ranking_\w+|\w*ratings?\w*)\b")
close = partial(services.ranking_close, actor=OPERATOR, confirmed=True)
reopen = partial(services.ranking_reopen, actor=OPERATOR)
KEYS = "SELECT (SELECT count(*) FROM stage_keys), (SELECT count(*) FROM rating_origins)"


def submit(user, appearances, client="192.0.2.7", *, score=17):
    """Submit a mark of each piece of these performances from this address."""
    for appearance in appearances:
        ratings_submit(
            actor=viewer_of(user), appearance_id=appearance.pk, client=client, score=4, comment="Clear.",
            pieces={entry.piece_id: score for entry in appearance.program.all()},
        )  # fmt: skip


def counts():
    """Return the numbers of keys and digests, in one snapshot."""
    with connection.cursor() as cursor:
        cursor.execute(KEYS)
        return cursor.fetchone()


def key_of(stage_id):
    return bytes(StageKey.objects.get(stage_id=stage_id).key)


def test_open_ranking_has_one_key(stage_id):
    services.ranking_compute(stage_id=stage_id)
    key = key_of(stage_id)
    services.ranking_compute(stage_id=stage_id)
    reopen(stage_id=stage_id)
    assert key_of(stage_id) == key
    empty = stage_of(1)[0].session.stage_id
    assert services.ranking_compute(stage_id=empty).run_id is None
    assert key_of(empty) != key


def test_closing_deletes_key_and_digests_and_reopening_makes_a_new_key(appearances, stage_id):
    (user,) = listeners(1)
    services.ranking_compute(stage_id=stage_id)
    before = key_of(stage_id)
    submit(user, appearances)
    with pytest.raises(services.MarksLeftOut):
        close(stage_id=stage_id, confirmed=False)
    assert counts() == (1, 5)
    close(stage_id=stage_id)
    assert counts() == (0, 0)
    submit(user, appearances)
    services.ranking_compute(stage_id=stage_id)
    assert counts() == (0, 0)
    with pytest.raises(ValidationError, match="There is no such stage"):
        reopen(stage_id=987_654)
    reopen(stage_id=stage_id)
    assert key_of(stage_id) != before
    submit(user, appearances[:2])
    services.ranking_compute(stage_id=stage_id)
    assert counts() == (1, 2)


def test_computation_deletes_the_key_of_a_ranking_closed_by_an_earlier_version(appearances, stage_id):
    services.ranking_compute(stage_id=stage_id)
    submit(*listeners(1), appearances)
    RankingRun.objects.update(is_final=True, final_at=dt.datetime(2026, 11, 1, tzinfo=dt.UTC), secret=None)
    services.ranking_compute(stage_id=stage_id)
    assert counts() == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_other_connections_see_key_and_digests_or_neither(appearances, stage_id):
    services.ranking_compute(stage_id=stage_id)
    submit(*listeners(1), appearances)
    seen = []
    with psycopg.connect(**direct_parameters(), autocommit=True) as watching:

        def look(execute, *arguments):
            result = execute(*arguments)
            seen.append(watching.execute(KEYS).fetchone())
            return result

        with transaction.atomic(), connection.execute_wrapper(look):
            close(stage_id=stage_id)
        seen.append(watching.execute(KEYS).fetchone())
    assert len(seen) > 5
    assert seen == [(1, 5)] * (len(seen) - 1) + [(0, 0)]


def rounds(appearances, stage_id, first, second):
    """Run two acts concurrently, once for each statement of the first, on an open ranking with two digests.

    Yield the numbers of keys and digests after each round.
    """

    def made():
        reopen(stage_id=stage_id)
        services.ranking_compute(stage_id=stage_id)
        users = listeners(2)
        for user in users:
            submit(user, appearances[:1], score=16)
        return partial(first, users), partial(second, users)

    for results in meanwhile(made, shared=SHARED):
        assert not any(isinstance(each, Exception) for each in results), results
        yield counts()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["submit", "close"])
def test_rating_submitted_during_the_closing_leaves_no_digest(appearances, stage_id, first):
    acts = {
        "submit": lambda users: submit(users[0], appearances[1:2]),
        "close": lambda _: close(stage_id=stage_id),
    }
    (second,) = acts.keys() - {first}
    remaining = list(rounds(appearances, stage_id, acts[first], acts[second]))
    assert len(remaining) > 4
    assert set(remaining) == {(0, 0)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["delete", "close"])
def test_ratings_deleted_during_the_closing_do_not_deadlock(appearances, stage_id, first):
    """`meanwhile` raises the deadlock that PostgreSQL would report."""

    def delete(users):
        with transaction.atomic():
            for user in reversed(users):
                rating_delete(actor=OPERATOR, appearance_id=appearances[0].pk, user_id=user.pk)

    acts = {"delete": delete, "close": lambda _: close(stage_id=stage_id)}
    (second,) = acts.keys() - {first}
    assert set(rounds(appearances, stage_id, acts[first], acts[second])) == {(0, 0)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.limit(300, reason="repeats a race")
def test_account_deleted_during_the_closing_does_not_deadlock(appearances, stage_id):
    def delete(user):
        with transaction.atomic():
            for each in account_data():
                each.on_deletion(user.pk)
            User.objects.get(pk=user.pk).delete()

    def made():
        reopen(stage_id=stage_id)
        (user,) = listeners(1)
        submit(user, appearances)
        PieceRating.objects.update(approved=True)
        PerformanceRating.objects.update(approved=True)
        services.ranking_compute(stage_id=stage_id)
        assert counts()[1] >= 5
        return partial(delete, user), partial(close, stage_id=stage_id)

    services.ranking_compute(stage_id=stage_id)
    number = 0
    for results in meanwhile(made, shared=SHARED):
        assert not any(isinstance(each, Exception) for each in results), results
        assert counts() == (0, 0)
        number += 1
    assert number > 4


@pytest.mark.django_db(transaction=True)
def test_concurrent_submits_and_closings_leave_no_digest_of_a_closed_ranking(appearances, stage_id):
    users = listeners(6)
    services.ranking_compute(stage_id=stage_id)
    for _ in range(4):
        acts = [partial(submit, user, appearances[:2]) for user in users]
        results = run_together(*acts, partial(close, stage_id=stage_id))
        assert not any(isinstance(each, Exception) for each in results), results
        assert counts() == (0, 0)
        results = run_together(*acts, partial(reopen, stage_id=stage_id))
        assert not any(isinstance(each, Exception) for each in results), results
        keys, digests = counts()
        assert keys == 1
        assert digests <= 12


# Weights: a brigade lifts the first performance two days later, one account every two hours, so that only its block
# links it.
HONEST, BRIGADE = 30, 12


def origins(users, appearances, block):
    """Store a digest of this block for all ratings of these accounts."""
    stage_id = appearances[0].session.stage_id
    ratings = PieceRating.objects.filter(user__in=users, appearance__in=appearances)
    RatingOrigin.objects.bulk_create(
        RatingOrigin(user_id=user, appearance_id=place, stage_id=stage_id, digest=f"{block:064x}")
        for user, place in ratings.values_list("user_id", "appearance_id").distinct()
    )


def crowd(appearances, count):
    """Return honest listeners, who marked all performances on the evening."""
    users = listeners(count)
    for number, user in enumerate(users):
        marks = [12 + at % 4 + (number * (at + 3) + at) % 3 for at in range(8)]
        give(user, appearances, marks, updated_at=later(appearances, minutes=20 + number))
    return users


@pytest.fixture
def brigade_stage():
    """Return the performances, honest listeners, and the brigade of a stage with a key."""
    appearances = stage_of(8)
    honest, brigade = crowd(appearances, HONEST), listeners(BRIGADE)
    for number, user in enumerate(brigade):
        marks = [25, *(9 + 3 * (number + at) % 8 for at in range(1, 4))]
        give(user, appearances[:4], marks, updated_at=later(appearances, days=2, hours=2 * number))
    services.ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances, honest, brigade


def judged(appearances):
    """Return the suspicions of all accounts, and the weights that follow."""
    counting = stage_counting(stage_id=appearances[0].session.stage_id)
    marks = [
        weighing.account_mark(
            each,
            counting.evenings[each.appearance_id],
            venue_zone(),
            block=counting.blocks.get((each.user_id, each.appearance_id), ""),
        )
        for each in counting.marks
    ]
    return weighing.judged(marks), weighing.weights_of(counting, venue_zone())


def test_brigade_that_shares_a_block_is_linked_by_it(brigade_stage):
    appearances, _honest, brigade = brigade_stage
    before, _ = judged(appearances)
    origins(brigade, appearances, 1)
    after, weights = judged(appearances)
    for user in brigade:
        assert before[user.pk].links[1] == 0.0
        assert after[user.pk].links[1] > 0.9
        assert after[user.pk].score > before[user.pk].score
        assert weights[user.pk].why["links"][1] > 0.9
    assert after.keys() == before.keys()


def test_block_alone_lowers_no_weight(brigade_stage):
    appearances, honest, brigade = brigade_stage
    before = judged(appearances)
    for number, user in enumerate([*honest, *brigade]):
        origins([user], appearances, number)
    assert judged(appearances) == before, "each account has its own block"
    RatingOrigin.objects.all().delete()
    origins(honest, appearances, 1)
    weights = judged(appearances)[1]
    assert weights == before[1]
    assert not any(user.pk in weights for user in honest)


def test_block_of_a_crowd_changes_no_weight(brigade_stage):
    """The brigade shares a block with honest listeners: with one more than a block may have, then with as many."""
    appearances, honest, brigade = brigade_stage
    more = crowd(appearances, CROWDED + 1 - BRIGADE - HONEST)
    before = judged(appearances)
    assert before[0].keys() >= {user.pk for user in brigade}
    origins([*honest, *more, *brigade], appearances, 1)
    assert judged(appearances) == before
    RatingOrigin.objects.filter(user=more[0]).delete()
    after = judged(appearances)
    assert all(after[0][user.pk].links[1] > 0.9 for user in brigade)
    assert all(after[0][user.pk].score > before[0][user.pk].score for user in brigade)
    assert not any(user.pk in after[1] for user in [*honest, *more])


def test_ratings_from_the_venue_are_not_linked(brigade_stage, settings):
    appearances, _honest, brigade = brigade_stage
    settings.VENUE_ADDRESSES = (ip_network("192.0.2.0/24"),)
    for user in brigade:
        submit(user, appearances[:1], "192.0.2.7", score=25)
    assert counts()[1] == 0
    for user in brigade:
        submit(user, appearances[:1], "198.51.100.7", score=25)
    assert len(stage_counting(stage_id=appearances[0].session.stage_id).blocks) == BRIGADE


def test_no_file_has_a_digest_or_a_key(brigade_stage):
    appearances, _honest, brigade = brigade_stage
    stage_id = appearances[0].session.stage_id
    origins(brigade, appearances, 0xB10C)
    services.ranking_compute(stage_id=stage_id)
    key = bytes(StageKey.objects.get().key).hex()

    for _ in range(2):
        marks = gzip.decompress(marks_file(stage_id=stage_id, is_operator=True)).decode("utf-8-sig")
        for text in (marks, ranking_csv(stage_id=stage_id), repr(ranking_json(stage_id=stage_id))):
            assert len(text) > 100
            assert f"{0xB10C:064x}" not in text
            assert key not in text
        close(stage_id=stage_id)
