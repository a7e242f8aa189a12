"""What waits for moderators, narrowed by everything they ask."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.ratings import selectors
from apps.ratings.enums import ApprovalFilter
from apps.ratings.selectors import QueueFilter
from tests.apps.ratings.deciding import PERFORMANCE, PIECE
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def test_the_queue_is_narrowed_by_everything_a_moderator_asks(django_assert_num_queries):
    appearance = AppearanceFactory(participant=ParticipantFactory(second_name="Łęcka"))
    new = UserFactory(username="una_corda")
    old = UserFactory(username="row_g")
    User.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    mark = PieceRatingFactory(session_participant=appearance, user=new, score=25)
    whole = PerformanceRatingFactory(user=old, comment="Like weather.", score=2)
    shown = PerformanceRatingFactory(user=old, approved=True)

    def found(**narrow):
        filters = QueueFilter(**narrow)
        ids = {(each.kind, each.id) for each in selectors.ratings_queue(filters=filters)}
        assert selectors.ratings_match_count(filters=filters).total == len(ids)
        return ids

    a, b, c = (PIECE, mark.pk), (PERFORMANCE, whole.pk), (PERFORMANCE, shown.pk)
    assert found() == {a, b}
    assert found(kind=PIECE) == {a}
    assert found(show=ApprovalFilter.APPROVED) == {c}
    assert found(show=ApprovalFilter.ALL) == {a, b, c}
    assert found(participant_id=appearance.participant_id) == {a}
    assert found(session_id=whole.session_participant.session_id) == {b}
    assert found(score_from=3) == {a}
    assert found(score_to=2) == {b}
    assert found(text="lecka") == {a}
    assert found(text="WEATHER like") == {b}
    assert found(text="corda łęcka") == {a}
    assert found(text="%") == found(text="corda weather") == set()
    assert found(new_accounts=True) == {a}
    with django_assert_num_queries(2):
        selectors.ratings_queue(filters=QueueFilter(text="a", new_accounts=True))
    with django_assert_num_queries(3):
        selectors.ratings_queue(filters=QueueFilter(text="a", session_id=appearance.session_id))
    first = selectors.ratings_queue(filters=QueueFilter(), limit=1)
    cursor = selectors.cursor_of(first[-1], moment=QueueFilter().moment)
    rest = selectors.ratings_queue(filters=QueueFilter(), before=cursor)
    assert {each.kind for each in (*first, *rest)} == {PIECE, PERFORMANCE}
