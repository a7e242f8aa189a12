"""Test race conditions between closing or reopening an account and its owner's or a moderator's writes."""

import re
from functools import partial
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.core.database.fields import database_now
from apps.ratings.enums import RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.services.moderation import rating_delete
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from apps.ratings.services.removal import appearance_ratings_delete, rating_comments_hide, rating_comments_lock
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.apps.meanwhile import meanwhile
from tests.apps.ratings.closing import differences
from tests.apps.ratings.deciding import seen
from tests.factories import (
    AppearanceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long(reason="repeats concurrent writes in several threads"),
    pytest.mark.limit(300, reason="repeats a write at each of its statements"),
]


# Statements on accounts, marks, decisions and recommendations, whose rows both writers use.
SHARED = re.compile(r"\b(users|\w*ratings?\w*|\w*recommendation\w*)\b")


@pytest.fixture
def places():
    """Return two appearances with programs of two pieces, and a third without ratings."""
    return [
        [ProgramEntryFactory(appearance=appearance) for _ in range(2)]
        for appearance in AppearanceFactory.create_batch(3)
    ]


def rated(places) -> SimpleNamespace:
    """Return a user who rated two of the places: the first has an approved mark, all marks of the second wait."""
    user = UserFactory(password="!")
    appearances = [entries[0].appearance_id for entries in places[:2]]
    of_user = [{"user": user, "appearance_id": appearance_id} for appearance_id in appearances]
    PieceRating.objects.bulk_create(
        PieceRating(**own, piece_id=entry.piece_id, score=20, approved=entry == places[0][0])
        for own, entries in zip(of_user, places, strict=False)
        for entry in entries
    )
    PerformanceRating.objects.bulk_create(PerformanceRating(**own, score=4, comment="So.") for own in of_user)
    AdvanceRecommendation.objects.bulk_create(AdvanceRecommendation(**own, recommendation="up") for own in of_user)
    marks = [mark for table in (PerformanceRating, PieceRating) for mark in table.objects.filter(user=user)]
    return SimpleNamespace(
        user=user, fan=viewer_of(user), places=places, waiting=[mark for mark in marks if not mark.approved]
    )


def submitted(there, place):
    """Return a submit of a place by its author; each piece has the mark 5."""
    return partial(
        ratings_submit,
        actor=there.fan,
        appearance_id=there.places[place][0].appearance_id,
        pieces={entry.piece_id: 5 for entry in there.places[place]},
        score=1,
        comment="Heard again.",
    )


def recommended(there, place, word):
    appearance_id = there.places[place][0].appearance_id
    return partial(recommendation_set, actor=there.fan, appearance_id=appearance_id, recommendation=word)


def decided(there, decision):
    return partial(ratings_decide, actor=OPERATOR, decision=decision, seen=seen(*there.waiting))


def all_decided(_there):
    return partial(
        ratings_decide_matching,
        actor=OPERATOR,
        decision="reject",
        filters=QueueFilter(kind=RatingKind.PERFORMANCE, both=True),
        until=database_now(),
    )


def undone(there, decision):
    return partial(decision_undo, actor=OPERATOR, decision_id=decided(there, decision)().id)


def hidden(there):
    ids = [mark.pk for mark in there.waiting if isinstance(mark, PerformanceRating)]

    @transaction.atomic
    def hide():
        rating_comments_lock(ids=ids)
        rating_comments_hide(ids=ids, hidden=True)

    return hide


def emptied(there, place):
    appearance_id = there.places[place][0].appearance_id
    return partial(appearance_ratings_delete, actor=OPERATOR, appearance_id=appearance_id)


def deleted(there):
    appearance_id = there.places[1][0].appearance_id
    return partial(rating_delete, actor=OPERATOR, appearance_id=appearance_id, user_id=there.user.pk)


OWN_WRITES = {
    "rate again": lambda there: submitted(there, 0),
    "rate another place": lambda there: submitted(there, 2),
    "recommend": lambda there: recommended(there, 2, "up"),
    "recommend otherwise": lambda there: recommended(there, 0, "down"),
    "leave": lambda there: partial(account_delete, actor=there.fan, password="", is_fresh=True),
}
OTHER_WRITES = {
    "approve": lambda there: decided(there, "approve"),
    "reject": lambda there: decided(there, "reject"),
    "reject all": all_decided,
    "undo an approval": lambda there: undone(there, "approve"),
    "undo a rejection": lambda there: undone(there, "reject"),
    "hide": hidden,
    "delete": deleted,
    "empty a place": lambda there: emptied(there, 0),
    "store without a service": lambda there: partial(PieceRatingFactory, entry=there.places[2][0], user=there.user),
}


def closing(there):
    return partial(account_deactivate, actor=OPERATOR, account_id=there.user.pk)


def opening(there):
    account_deactivate(actor=OPERATOR, account_id=there.user.pk)
    return partial(account_activate, actor=OPERATOR, account_id=there.user.pk)


def interleavings(places, write, change, *, change_first):
    """Yield the account's owner and the results of the write and the change, for each order of their statements."""
    people = []

    def writes():
        people.append(rated(places))
        pair = write(people[-1]), change(people[-1])
        return pair[::-1] if change_first else pair

    for number, results in enumerate(meanwhile(writes, shared=SHARED), 1):
        assert differences() == [], number
        yield people[-1].user, *(results[::-1] if change_first else results)
    assert number > 1


@pytest.mark.parametrize("change_first", [False, True])
@pytest.mark.parametrize("write", OWN_WRITES)
def test_owner_writes_before_the_account_is_closed_or_is_refused(places, write, change_first):
    orders = 0
    for user, result, change in interleavings(places, OWN_WRITES[write], closing, change_first=change_first):
        orders += 1
        stored = User.objects.filter(pk=user.pk).first()
        if stored is None:
            assert (result, type(change)) in {(None, bool), (None, User.DoesNotExist)}
        else:
            assert (change, stored.is_active) == (True, False)
            assert isinstance(result, str | PermissionDenied)
    assert orders > 2


@pytest.mark.parametrize("change_first", [False, True])
@pytest.mark.parametrize("write", ["approve", "reject", "undo an approval", "undo a rejection"])
def test_account_deleted_during_a_decision_leaves_no_marks(places, write, change_first):
    leave = OWN_WRITES["leave"]
    for user, result, deleted in interleavings(places, OTHER_WRITES[write], leave, change_first=change_first):
        assert deleted is None
        assert not User.objects.filter(pk=user.pk).exists()
        assert not PieceRating.objects.filter(user_id=user.pk).exists()
        assert not isinstance(result, Exception) or isinstance(result, ValidationError), result


@pytest.mark.parametrize("change_first", [False, True])
@pytest.mark.parametrize(
    ("write", "change"),
    [*((write, closing) for write in OTHER_WRITES), ("approve", opening), ("undo a rejection", opening)],
)
def test_writes_of_others_succeed_while_the_account_changes(places, write, change, change_first):
    for user, result, changed in interleavings(places, OTHER_WRITES[write], change, change_first=change_first):
        assert changed is True
        assert User.objects.get(pk=user.pk).is_active is (change is opening)
        assert not isinstance(result, Exception) or write == "reject all", result
