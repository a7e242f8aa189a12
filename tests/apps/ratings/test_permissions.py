"""Test that only administrators moderate ratings, and that only authors and administrators delete them."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS
from apps.ratings.enums import RatingKind
from apps.ratings.models import DecidingChoice
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.services.at_once import pieces_at_once_set
from apps.ratings.services.deciding import deciding_set
from apps.ratings.services.moderation import mark_approve, mark_delete, mark_reject, rating_delete
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide, ratings_decide_matching
from apps.ratings.services.removal import appearance_ratings_delete
from tests.apps.ratings.deciding import rows, seen
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, viewer_of
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole():
    """Return the mark of a whole performance; its author also has a mark of a piece."""
    whole = PerformanceRatingFactory()
    PieceRatingFactory(user=whole.user, appearance=whole.appearance)
    return whole


def deletions(whole):
    """Return the deletions of a rating and of its mark of the whole performance, without the actor."""
    return [
        partial(rating_delete, appearance_id=whole.appearance_id, user_id=whole.user_id),
        partial(mark_delete, kind=RatingKind.PERFORMANCE, mark_id=whole.pk),
    ]


def check_refused(writes, actor, match):
    def check(write):
        with pytest.raises(PermissionDenied, match=match):
            write(actor=actor)
        assert rows() == before

    before = rows()
    check_each(writes, check)


def test_ratings_can_be_moderated_only_by_administrators(unprivileged, whole):
    piece = PieceRatingFactory()
    marks = {"kind": RatingKind.PIECE, "mark_id": piece.pk}, {"kind": RatingKind.PERFORMANCE, "mark_id": whole.pk}
    decisions = [partial(decide, **mark) for mark in marks for decide in (mark_approve, mark_reject)]
    decisions += [
        partial(ratings_decide, decision="approve", seen=seen(piece, whole)),
        partial(ratings_decide_matching, decision="reject", filters=QueueFilter(), until=timezone.now()),
        partial(decision_undo, decision_id=1),
        partial(deciding_set, kind=RatingKind.PIECE, both=False),
        partial(pieces_at_once_set, is_on=True),
    ]
    check_refused(decisions, unprivileged, "Only administrators decide")
    assert not DecidingChoice.objects.exists()
    check_refused([partial(appearance_ratings_delete, appearance_id=whole.appearance_id)], unprivileged, None)
    delete_piece = partial(mark_delete, kind=RatingKind.PIECE, mark_id=piece.pk)
    check_refused([*deletions(whole), delete_piece], unprivileged, "only delete your own")


def test_deactivated_author_and_anonymous_visitor_cannot_delete_ratings(whole):
    author = viewer_of(whole.user)
    whole.user.is_active = False
    whole.user.save()
    for actor in (author, ANONYMOUS):
        check_refused(deletions(whole), actor, "only delete your own")
