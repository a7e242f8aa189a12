"""Test closed accounts: their marks are neither returned nor counted until the account is reopened."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.community.enums import ReportKind
from apps.community.selectors.reports import reportable_text
from apps.community.services.reports import report_add
from apps.competition.dependents import appearance_dependents
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.events import RatingsChanged, RecommendationsChanged
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.selectors.counts import RecommendationCounts, recommendation_counts, waiting_counts
from apps.ratings.selectors.lists import day_marks, ratings_latest, ratings_own_list, ratings_public, ratings_words
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_match_count, ratings_queue
from apps.ratings.selectors.statistics import participant_figures, performance_figures
from tests.apps.ratings.closing import differences
from tests.apps.ratings.deciding import rows
from tests.factories import (
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
)


def close(user):
    assert account_deactivate(actor=OPERATOR, account_id=user.pk)


def reopen(user):
    assert account_activate(actor=OPERATOR, account_id=user.pk)


@pytest.fixture
def rated(db):
    """Return the program entry of two users' ratings and recommendations; each user also has a waiting rating."""
    entry = ProgramEntryFactory()
    place = {"appearance": entry.appearance}
    for name, score in (("stays", 10), ("goes", 20)):
        user = UserFactory(username=name)
        PieceRatingFactory(entry=entry, user=user, score=score, approved=True)
        PerformanceRatingFactory(**place, user=user, score=score // 5, approved=True, comment=f"{name} heard it.")
        AdvanceRecommendationFactory(**place, user=user)
        waiting = PieceRatingFactory(user=user)
        PerformanceRatingFactory(user=user, appearance=waiting.appearance)
    return entry


def queue(**narrowing):
    """Return the authors of a moderation queue, and its counts with old and without old accounts."""
    counts = [ratings_match_count(filters=QueueFilter(**narrowing, new_accounts=new)).total for new in (False, True)]
    return sorted({rating.author for rating in ratings_queue(filters=QueueFilter(**narrowing))}), *counts


def selected(place):
    """Return the authors and counts that selectors return of two users' ratings."""
    figures = performance_figures(appearance_ids=[place.pk]).get(place.pk)
    all_figures = participant_figures(participant_id=place.participant_id)
    now = timezone.now()
    return {
        "figures": (figures.all_pieces.count, figures.all_pieces.mean, figures.overall.count, figures.overall.mean),
        "participant": (all_figures.pieces.count, all_figures.overall.count),
        "day": day_marks(since=now, until=now).figures.count,
        "latest": sorted(rating.author for rating in ratings_latest()),
        "public": sorted(rating.author for rating in ratings_public(participant_id=place.participant_id)),
        "words": sorted(rating.whole.comment for rating in ratings_words(appearance_id=place.pk, limit=3)),
        "advance": recommendation_counts(appearance_ids=[place.pk])[place.pk],
        "waiting": waiting_counts(),
        "queues": {(kind, show): queue(kind=kind, show=show) for kind in RatingKind for show in ApprovalFilter},
    }


def test_ratings_of_a_closed_account_are_hidden_until_it_is_reopened(rated):
    place, goes = rated.appearance, User.objects.get(username="goes")
    before = rows(), selected(place), ratings_own_list(user_id=goes.pk)
    assert (before[1]["figures"], before[1]["advance"]) == ((2, 15, 2, 3), RecommendationCounts(2, 0))
    close(goes)
    assert differences() == []
    counts = {ApprovalFilter.WAITING: 1, ApprovalFilter.APPROVED: 1, ApprovalFilter.ALL: 2}
    assert selected(place) == {
        "figures": (1, 10, 1, 2),
        "participant": (1, 1),
        "day": 1,
        "latest": ["stays"],
        "public": ["stays"],
        "words": ["stays heard it."],
        "advance": RecommendationCounts(1, 0),
        "waiting": dict.fromkeys(RatingKind, 1),
        "queues": {(kind, show): (["stays"], count, count) for kind in RatingKind for show, count in counts.items()},
    }
    reopen(goes)
    assert differences() == []
    assert (rows(), selected(place), ratings_own_list(user_id=goes.pk)) == before


def test_ratings_of_an_account_created_closed_are_hidden(db):
    whole = PerformanceRatingFactory(user=UserFactory(is_active=False), approved=True)
    AdvanceRecommendationFactory(user=whole.user, appearance=whole.appearance)
    assert (ratings_latest(), recommendation_counts(appearance_ids=[whole.appearance_id])) == ((), {})
    assert differences() == []


def test_ratings_follow_accounts_that_are_closed_without_a_service(rated):
    place = rated.appearance
    User.objects.filter(username__in=["stays", "goes"]).update(is_active=False)
    assert performance_figures(appearance_ids=[place.pk]) == {}
    assert differences() == []
    user = User.objects.get(username="stays")
    user.is_active = True
    user.save()
    assert [rating.author for rating in ratings_latest()] == ["stays"]
    assert differences() == []


def test_dependents_include_ratings_of_closed_accounts(rated):
    place = rated.appearance
    before = appearance_dependents([place.pk])
    User.objects.update(is_active=False)
    assert appearance_dependents([place.pk]) == before != {}


def test_comment_of_a_closed_account_cannot_be_reported(rated, fan):
    whole = PerformanceRating.objects.get(user__username="goes", approved=True)
    subject = {"kind": ReportKind.RATING_COMMENT, "subject_id": whole.pk}
    assert reportable_text(**subject)
    close(whole.user)
    assert reportable_text(**subject) is None
    with pytest.raises(ValidationError):
        report_add(actor=fan, reason="spam", **subject)


@pytest.mark.django_db(transaction=True)
def test_closing_and_reopening_publish_topics_of_all_ratings(listener, rated):
    goes = User.objects.get(username="goes")
    place = rated.appearance
    columns = "appearance_id", "appearance__participant_id", "appearance__stage_id"
    columns = zip(*PieceRating.objects.filter(user=goes).values_list(*columns, "piece_id"), strict=True)
    ratings = RatingsChanged((goes.pk,), *columns, public=True, waiting=True)
    advance = RecommendationsChanged((goes.pk,), (place.pk,), (place.participant_id,), (place.session.stage_id,))
    topics = {f"account.{goes.pk}", *ratings.topics, *advance.topics}
    listener.heard()
    close(goes)
    assert listener.heard() == topics
    reopen(goes)
    assert listener.heard() == topics
    waits = PieceRatingFactory()
    listener.heard()
    close(waits.user)
    stage_id = waits.appearance.session.stage_id
    own = {f"account.{waits.user_id}", f"account.{waits.user_id}.ratings"}
    waiting = {"ratings.waiting", f"session_participant.{waits.appearance_id}.waiting"}
    assert listener.heard() == {*own, f"stage.{stage_id}.ratings", *waiting}
