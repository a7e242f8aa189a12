"""Test recommendations of who should advance: saved, changed, withdrawn."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.core.models import RateLimitUse
from apps.ratings.limits import RATINGS
from apps.ratings.models import AdvanceRecommendation
from apps.ratings.services.submission import recommendation_set
from tests.factories import (
    EVENING,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    UserFactory,
    viewer_of,
)

SAVED, WITHDRAWN = "Your recommendation has been saved!", "Your recommendation has been withdrawn."


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def stored():
    return list(AdvanceRecommendation.objects.order_by("pk").values_list("user_id", "recommendation"))


@pytest.mark.django_db
def test_a_click_saves_another_changes_and_the_same_withdraws(fan):
    appearance = AppearanceFactory()
    clicks = [("up", SAVED, ["up"]), ("down", SAVED, ["down"]), ("down", WITHDRAWN, []), ("up", SAVED, ["up"])]
    for word, answer, left in clicks:
        assert recommendation_set(actor=fan, session_participant_id=appearance.pk, recommendation=word) == answer
        assert stored() == [(fan.id, each) for each in left]


@pytest.mark.django_db
def test_recommendations_of_others_stay(fan):
    other = AdvanceRecommendationFactory(recommendation="up")
    elsewhere = AdvanceRecommendationFactory(user_id=fan.id, recommendation="up")
    for _ in range(2):
        recommendation_set(actor=fan, session_participant_id=other.session_participant_id, recommendation="up")
    assert stored() == [(other.user_id, "up"), (elsewhere.user_id, "up")]


@pytest.mark.django_db
def test_what_is_unknown_is_refused_with_the_words_of_the_specification(fan):
    for appearance_id, word in ((987654, "up"), (AppearanceFactory().pk, "left"), (AppearanceFactory().pk, "")):
        with pytest.raises(ValidationError, match=r"Failed to save recommendation\. Please try again\."):
            recommendation_set(actor=fan, session_participant_id=appearance_id, recommendation=word)
    assert stored() == []


@pytest.mark.django_db
def test_nobody_recommends_before_it_begins_nor_once_it_is_published_who_advances(fan):
    ahead = AppearanceFactory(session__starts_at=EVENING)
    with pytest.raises(ValidationError, match="once the performance begins"):
        recommendation_set(actor=fan, session_participant_id=ahead.pk, recommendation="up")
    played = AppearanceFactory()
    stage_id = played.session.stage_id
    advancements_publish(actor=OPERATOR, stage_id=stage_id, participant_ids=[played.participant_id])
    with pytest.raises(ValidationError) as refused:
        recommendation_set(actor=fan, session_participant_id=played.pk, recommendation="up")
    assert refused.value.messages == ["It has been announced who advances, so recommendations are closed."]
    assert stored() == []
    advancements_withdraw(actor=OPERATOR, stage_id=stage_id)
    recommendation_set(actor=fan, session_participant_id=played.pk, recommendation="up")
    assert stored() == [(fan.id, "up")]


@pytest.mark.django_db
def test_only_active_accounts_recommend():
    appearance, user = AppearanceFactory(), UserFactory()
    deactivated = viewer_of(user)
    user.is_active = False
    user.save()
    for nobody in (ANONYMOUS, OPERATOR, deactivated):
        with pytest.raises(PermissionDenied, match="Sign in to recommend"):
            recommendation_set(actor=nobody, session_participant_id=appearance.pk, recommendation="up")
    assert stored() == []


@pytest.mark.django_db
def test_recommending_counts_as_a_turn(fan):
    appearance = AppearanceFactory()
    for _ in range(RATINGS.amount):
        recommendation_set(actor=fan, session_participant_id=appearance.pk, recommendation="up")
    with pytest.raises(ValidationError, match="a lot in one minute"):
        recommendation_set(actor=fan, session_participant_id=appearance.pk, recommendation="up")
    assert stored() == []
    assert len(RateLimitUse.objects.get(name="rating").back_at) == RATINGS.amount == 30


@pytest.mark.django_db(transaction=True)
def test_twenty_clicks_at_once_come_to_what_one_after_the_other_would(fan):
    appearance = AppearanceFactory()
    start = threading.Barrier(20)

    def click(_):
        try:
            start.wait(30)
            return recommendation_set(actor=fan, session_participant_id=appearance.pk, recommendation="up")
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(click, range(20)))
    assert sorted(answers) == [SAVED] * 10 + [WITHDRAWN] * 10
    assert stored() == []
