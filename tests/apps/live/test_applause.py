"""Test the most applauded moments: hearts and thumbs up of one minute, compared with a count in Python."""

import importlib
from collections import Counter
from random import Random
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from apps.live.enums import Reaction
from apps.live.models import ReactionMoment, SessionReaction
from apps.live.selectors import Applauded, applauded_most
from apps.live.services import ReactionMessage, live_forget, reactions_store
from tests.apps.live.conftest import member
from tests.apps.live.test_curves import ZERO, store_stay
from tests.factories import AppearanceFactory


def applaud(session, seconds):
    """Store applause: its number by second after ZERO, each with one thumb down."""
    ReactionMoment.objects.bulk_create(
        ReactionMoment(session=session, second=ZERO + second, count=count + 1, applause=count)
        for second, count in seconds.items()
    )


def test_applause_excludes_thumbs_down(session, fan):
    reactions_store(messages=[ReactionMessage(session.pk, fan.id, uuid4(), (*Reaction, Reaction.HEART))])
    reactions_store(messages=[ReactionMessage(session.pk, member().id, uuid4(), (Reaction.THUMBS_DOWN,))])
    counts = ReactionMoment.objects.values_list("count", "applause")
    assert [sum(column) for column in zip(*counts, strict=True)] == [5, 3]


def test_database_refuses_more_applause_than_reactions(session):
    with pytest.raises(IntegrityError, match="reaction_moment_applause_few"), transaction.atomic():
        ReactionMoment.objects.create(session=session, second=1, count=1, applause=2)


def test_moment_begins_where_most_follows_within_a_minute(session):
    appearance = AppearanceFactory(session=session)
    store_stay(appearance, 10, 500)
    applaud(session, {5: 90, 20: 4, 100: 3, 159: 3, 160: 2, 300: 5, 500: 90})
    # after 100 come 3 + 3 in a minute, after 159 come 3 + 2
    assert applauded_most(appearance_ids=[appearance.pk]) == (Applauded(appearance.pk, 90, 6),)


def test_moments_of_several_times_on_stage_are_joined_and_sorted(session):
    first, second, quiet = (AppearanceFactory(session=session) for _ in range(3))
    store_stay(first, 0, 50)
    store_stay(second, 50, 100)
    store_stay(first, 200, 300)
    store_stay(quiet, 300, 400)
    applaud(session, {40: 1, 60: 9, 205: 3, 350: 0})
    moments = applauded_most(appearance_ids=[first.pk, second.pk, quiet.pk])
    assert moments == (Applauded(second.pk, 10, 9), Applauded(first.pk, 40, 4))


@pytest.mark.parametrize("seed", range(3))
def test_applauded_moments_equal_a_count_in_python(session, seed, django_assert_num_queries):
    rng, appearances, began, visits = Random(seed), [], 0, {}  # noqa: S311 - test data
    for _ in range(4):
        appearance, ended = AppearanceFactory(session=session), began + rng.randint(30, 300)
        store_stay(appearance, began, ended)
        visits[appearance.pk], began = (began, ended), ended
        appearances.append(appearance)
    applause = Counter(rng.randrange(began) for _ in range(120))
    applaud(session, applause)
    with django_assert_num_queries(1):
        moments = {moment.appearance_id: moment for moment in applauded_most(appearance_ids=list(visits))}
    for pk, (since, until) in visits.items():
        sums = {
            second - since: sum(applause[later] for later in range(second, min(second + 60, until)))
            for second in range(since, until)
            if applause[second]
        }
        assert moments[pk].count == max(sums.values())
        assert moments[pk].second == min(second for second, count in sums.items() if count == moments[pk].count)


def test_migration_counts_taps_that_still_have_a_type(session, fan):
    migration = importlib.import_module("apps.live.migrations.0008_applause_of_moments")
    leaving = member()
    for account, kinds in ((fan, (*Reaction,)), (leaving, (Reaction.HEART,) * 2)):
        reactions_store(messages=[ReactionMessage(session.pk, account.id, uuid4(), kinds)])
    live_forget(user_id=leaving.id)
    SessionReaction.objects.update(timestamp=ZERO * 1000)
    ReactionMoment.objects.all().delete()
    ReactionMoment.objects.create(session=session, second=ZERO, count=5)
    with connection.cursor() as cursor:
        cursor.execute(migration.APPLAUSE)
    assert ReactionMoment.objects.get().applause == 2
