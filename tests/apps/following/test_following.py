"""Test following: start and end, refusals, the limit, counts, order, export and deletion."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.services.accounts import account_delete, account_export
from apps.competition.models import Participant
from apps.following.limits import FOLLOWS_MOST
from apps.following.models import Follow
from apps.following.selectors import follow_counts, followed_ids, follows_own, is_followed
from apps.following.services import follow_set
from components.parts.following import follow_fills
from components.runtime.rendering.page_slots import LONGEST, fills_read, slot_query
from tests.factories import PASSWORD, AppearanceFactory, ParticipantFactory, SessionFactory, UserFactory, viewer_of


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def test_repeated_follow_and_unfollow_are_idempotent(fan):
    performer = ParticipantFactory()
    for is_wanted, sentence in ((True, "You follow"), (False, "You no longer follow")):
        for _ in range(2):
            answer = follow_set(actor=fan, participant_id=performer.pk, is_wanted=is_wanted)
            assert answer == f"{sentence} this performer"
            assert is_followed(user_id=fan.id, participant_id=performer.pk) is is_wanted
            assert follow_counts(participant_ids=[performer.pk]).get(performer.pk, 0) == int(is_wanted)


def test_following_needs_a_member_and_a_known_performer(fan):
    for actor in (ANONYMOUS, OPERATOR):
        with pytest.raises(PermissionDenied, match="Please sign in"):
            follow_set(actor=actor, participant_id=ParticipantFactory().pk, is_wanted=True)
    with pytest.raises(ValidationError, match="not found"):
        follow_set(actor=fan, participant_id=999_999, is_wanted=True)


def test_number_of_follows_is_limited_and_all_are_in_the_slots(fan):
    performers = Participant.objects.bulk_create(ParticipantFactory.build_batch(FOLLOWS_MOST + 1))
    Follow.objects.bulk_create(Follow(user_id=fan.id, participant=performer) for performer in performers[:-1])
    with pytest.raises(ValidationError, match="You follow 500 performers, the most that are possible"):
        follow_set(actor=fan, participant_id=performers[-1].pk, is_wanted=True)
    follow_set(actor=fan, participant_id=performers[0].pk, is_wanted=True)  # a repetition is no further one
    assert len(followed_ids(user_id=fan.id)) == FOLLOWS_MOST
    assert len(fills_read(query=slot_query(follow_fills), viewer=fan)) == FOLLOWS_MOST, LONGEST
    follow_set(actor=fan, participant_id=performers[0].pk, is_wanted=False)
    assert follow_set(actor=fan, participant_id=performers[-1].pk, is_wanted=True)


def test_database_refuses_a_second_follow(fan):
    performer = ParticipantFactory()
    follow_set(actor=fan, participant_id=performer.pk, is_wanted=True)
    with pytest.raises(IntegrityError, match="one_follow_of_a_performer"), transaction.atomic():
        Follow.objects.create(user_id=fan.id, participant=performer)


def test_follows_own_is_sorted_by_the_next_performance(fan):
    live = SessionFactory(is_live=True)
    coming = SessionFactory(starts_at=timezone.now() + timedelta(days=1))
    on_stage = AppearanceFactory(session=live, order_number=1, is_performing=True)
    second, third = (AppearanceFactory(session=live, order_number=number) for number in (2, 3))
    later = AppearanceFactory(session=coming, order_number=4)
    ids = [appearance.participant_id for appearance in (on_stage, second, third, later)] + [ParticipantFactory().pk]
    for participant_id in reversed(ids):
        follow_set(actor=fan, participant_id=participant_id, is_wanted=True)
    follow_set(actor=viewer_of(UserFactory()), participant_id=ParticipantFactory().pk, is_wanted=True)
    rows = follows_own(user_id=fan.id)
    assert [row.participant_id for row in rows] == ids
    assert [bool(row.progress and row.progress.is_next) for row in rows] == [False, True, False, False, False]
    assert (rows[3].progress.order_number, rows[3].progress.session) == (4, coming.title)


def test_follows_are_exported_and_deleted_with_their_account(listener):
    fan, other, performer = viewer_of(UserFactory()), viewer_of(UserFactory()), ParticipantFactory()
    for actor in (fan, other):
        follow_set(actor=actor, participant_id=performer.pk, is_wanted=True)
    assert [row["performer"] for row in account_export(actor=fan)["follows"]] == [performer.name]
    listener.heard()
    account_delete(actor=fan, password=PASSWORD)
    assert listener.heard() >= {f"participant.{performer.pk}.follows", f"account.{fan.id}.follows"}
    assert follow_counts(participant_ids=[performer.pk]) == {performer.pk: 1}


def test_stored_counts_equal_the_follows_after_each_change(fan):
    members, performers = [fan, *(viewer_of(UserFactory()) for _ in range(3))], ParticipantFactory.create_batch(4)
    for number, member in enumerate(members):
        for performer in performers[: min(number + 1, 3)]:
            follow_set(actor=member, participant_id=performer.pk, is_wanted=True)
    ids = [performer.pk for performer in performers]
    assert follow_counts(participant_ids=ids) == dict(zip(ids[:3], (4, 3, 2), strict=True))
    follow_set(actor=members[3], participant_id=ids[2], is_wanted=False)
    Follow.objects.filter(user_id=members[2].id, participant_id=ids[2]).update(participant_id=ids[3])
    assert follow_counts(participant_ids=ids) == {ids[0]: 4, ids[1]: 3, ids[3]: 1}
