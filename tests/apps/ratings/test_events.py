"""Test which topics a write of a rating publishes after its commit."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete, mark_reject
from apps.ratings.services.removal import account_ratings_delete
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.factories import (
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
)


def waits(*appearances):
    return {"ratings.waiting", *(f"session_participant.{each.pk}.waiting" for each in appearances)}


def own(user_id):
    return f"account.{user_id}.ratings"


def public(user_id, *appearances):
    ratings = {topic for appearance in appearances for topic in about(appearance, "ratings")}
    pieces = {f"piece.{entry.piece_id}" for place in appearances for entry in place.program.all()}
    return {"ratings.latest", f"author.{user_id}.ratings", *ratings, *pieces}


def ranked(*appearances):
    return {f"stage.{place.session.stage_id}.ratings" for place in appearances}


def about(appearance, what):
    return {f"session_participant.{appearance.pk}.{what}", f"participant.{appearance.participant_id}.{what}"}


def test_submit_and_recommendation_publish_topics(listener, fan):
    entry = ProgramEntryFactory()
    appearance = entry.appearance
    submit = partial(ratings_submit, actor=fan, appearance_id=appearance.pk, score=3, comment="So.")
    submit(pieces={entry.piece_id: 10})
    assert listener.heard() == {own(fan.id), *waits(appearance), *ranked(appearance)}
    submit(pieces={entry.piece_id: 10})
    assert listener.heard() == {own(fan.id)}
    PieceRating.objects.update(approved=True)
    submit(pieces={entry.piece_id: 11})
    assert listener.heard() == {own(fan.id), *waits(appearance), *public(fan.id, appearance), *ranked(appearance)}
    for _ in range(2):
        recommendation_set(actor=fan, appearance_id=appearance.pk, recommendation="up")
        assert listener.heard() == {own(fan.id), *about(appearance, "recommendations"), *ranked(appearance)}


@pytest.mark.parametrize(
    ("kind", "factory"), [(RatingKind.PIECE, PieceRatingFactory), (RatingKind.PERFORMANCE, PerformanceRatingFactory)]
)
def test_decisions_and_deletions_publish_topics(listener, kind, factory):
    rating = factory()
    author, appearance = own(rating.user_id), rating.appearance
    with pytest.raises(PermissionDenied):
        mark_approve(actor=ANONYMOUS, kind=kind, mark_id=rating.pk)
    assert listener.heard() == set()
    mark_approve(actor=OPERATOR, kind=kind, mark_id=rating.pk)
    assert listener.heard() == {author, *waits(appearance), *public(rating.user_id, appearance), *ranked(appearance)}
    mark_delete(actor=OPERATOR, kind=kind, mark_id=rating.pk)
    assert listener.heard() == {author, *public(rating.user_id, appearance), *ranked(appearance)}
    for end in (mark_reject, mark_delete):
        waiting = factory(appearance=appearance)
        end(actor=OPERATOR, kind=kind, mark_id=waiting.pk)
        assert listener.heard() == {own(waiting.user_id), *waits(appearance), *ranked(appearance)}


def test_account_deletion_publishes_topics_of_all_its_ratings(listener):
    fan = UserFactory()
    approved, waiting = PieceRatingFactory(user=fan, approved=True), PerformanceRatingFactory(user=fan)
    advance = AdvanceRecommendationFactory(user=fan)
    account_ratings_delete(fan.pk)
    appearances = approved.appearance, waiting.appearance
    recommended = about(advance.appearance, "recommendations")
    stages = ranked(*appearances, advance.appearance)
    assert listener.heard() == {own(fan.pk), *waits(*appearances), *public(fan.pk, *appearances), *recommended, *stages}
    account_ratings_delete(fan.pk)
    assert listener.heard() == set()
