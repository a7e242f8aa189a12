"""Test recommendations that a participant advances: saved, changed, withdrawn, refused."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.core.models import RateLimitUse
from apps.ratings.limits import RATINGS
from apps.ratings.models import AdvanceRecommendation
from apps.ratings.services.submission import recommendation_set
from tests.factories import EVENING, AdvanceRecommendationFactory, AppearanceFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db

SAVED, WITHDRAWN = "Your recommendation has been saved!", "Your recommendation has been withdrawn."


def stored():
    return list(AdvanceRecommendation.objects.order_by("pk").values_list("user_id", "recommendation"))


def test_recommendation_is_saved_changed_and_withdrawn(fan):
    other = AdvanceRecommendationFactory(recommendation="up")
    own = AdvanceRecommendationFactory(user_id=fan.id, recommendation="up")
    unchanged = [(other.user_id, "up"), (own.user_id, "up")]
    recommend = partial(recommendation_set, actor=fan, appearance_id=other.appearance_id)
    for word, answer, left in (
        ("up", SAVED, ["up"]),
        ("down", SAVED, ["down"]),
        ("down", WITHDRAWN, []),
        ("up", SAVED, ["up"]),
    ):
        assert recommend(recommendation=word) == answer
        assert stored() == [*unchanged, *((fan.id, stored_word) for stored_word in left)]


def test_unknown_appearances_and_words_are_refused(fan):
    for appearance_id, word in ((987654, "up"), (AppearanceFactory().pk, "left"), (AppearanceFactory().pk, "")):
        with pytest.raises(ValidationError, match=r"Failed to save recommendation\. Please try again\."):
            recommendation_set(actor=fan, appearance_id=appearance_id, recommendation=word)
    assert stored() == []


def test_recommendations_are_open_from_the_begin_to_the_publication(fan):
    ahead = AppearanceFactory(session__starts_at=EVENING)
    with pytest.raises(ValidationError, match="once the performance begins"):
        recommendation_set(actor=fan, appearance_id=ahead.pk, recommendation="up")
    played = AppearanceFactory()
    stage_id = played.session.stage_id
    advancements_publish(actor=OPERATOR, stage_id=stage_id, participant_ids=[played.participant_id])
    with pytest.raises(ValidationError) as refusal:
        recommendation_set(actor=fan, appearance_id=played.pk, recommendation="up")
    assert refusal.value.messages == ["It has been announced who advances, so recommendations are closed."]
    assert stored() == []
    advancements_withdraw(actor=OPERATOR, stage_id=stage_id)
    recommendation_set(actor=fan, appearance_id=played.pk, recommendation="up")
    assert stored() == [(fan.id, "up")]


def test_recommending_needs_an_active_account():
    appearance, user = AppearanceFactory(), UserFactory()
    deactivated = viewer_of(user)
    user.is_active = False
    user.save()
    for actor in (ANONYMOUS, OPERATOR, deactivated):
        with pytest.raises(PermissionDenied, match="Sign in to recommend"):
            recommendation_set(actor=actor, appearance_id=appearance.pk, recommendation="up")
    assert stored() == []


def test_recommendations_are_rate_limited(fan):
    appearance = AppearanceFactory()
    for _ in range(RATINGS.amount):
        recommendation_set(actor=fan, appearance_id=appearance.pk, recommendation="up")
    with pytest.raises(ValidationError, match="a lot in one minute"):
        recommendation_set(actor=fan, appearance_id=appearance.pk, recommendation="up")
    assert stored() == []
    assert len(RateLimitUse.objects.get(name="rating").back_at) == RATINGS.amount == 30


@pytest.mark.django_db(transaction=True)
def test_concurrent_recommendations_alternate(fan):
    recommend = partial(recommendation_set, actor=fan, appearance_id=AppearanceFactory().pk, recommendation="up")
    start = threading.Barrier(8)

    def click(_):
        try:
            start.wait(30)
            return recommend()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(click, range(8)))
    assert sorted(answers) == [SAVED] * 4 + [WITHDRAWN] * 4
    assert stored() == []
