"""Test closed accounts: their marks are neither shown nor counted, and reopening restores them."""

import random
from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.community.enums import ReportKind
from apps.community.selectors.reports import reportable_text
from apps.community.services.reports import report_add
from apps.competition.dependents import appearance_dependents
from apps.ratings.enums import Advance, ApprovalFilter, RatingKind
from apps.ratings.events import RatingsChanged, RecommendationsChanged
from apps.ratings.limits import RATINGS
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.selectors.counts import RecommendationCounts, recommendation_counts, waiting_counts
from apps.ratings.selectors.lists import day_marks, ratings_latest, ratings_own_list, ratings_public, ratings_words
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count, ratings_queue
from apps.ratings.selectors.statistics import participant_figures, performance_figures
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.apps.ratings.closing import differences
from tests.apps.ratings.deciding import rows, seen
from tests.factories import (
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

MARKS = (PieceRating, PerformanceRating)
STEPS = 80


def close(user):
    assert account_deactivate(actor=OPERATOR, account_id=user.pk)


def reopen(user):
    assert account_activate(actor=OPERATOR, account_id=user.pk)


@pytest.fixture
def rated(db):
    """Return the program entry of two users' ratings and recommendations; each user also has a waiting mark."""
    entry = ProgramEntryFactory()
    place = {"session_participant": entry.session_participant}
    for name, score in (("stays", 10), ("goes", 20)):
        user = UserFactory(username=name)
        PieceRatingFactory(entry=entry, user=user, score=score, approved=True)
        PerformanceRatingFactory(**place, user=user, score=score // 5, approved=True, comment=f"{name} heard it.")
        AdvanceRecommendationFactory(**place, user=user)
        waiting = PieceRatingFactory(user=user)
        PerformanceRatingFactory(user=user, session_participant=waiting.session_participant)
    return entry


def everything(place):
    """Return what the public and moderators read of two users' marks: authors and counts."""
    figures = performance_figures(appearance_ids=[place.pk]).get(place.pk)
    all_figures = participant_figures(participant_id=place.participant_id)
    now = timezone.now()
    queues = {
        (kind, show): (
            sorted({each.author for each in ratings_queue(filters=QueueFilter(kind=kind, show=show))}),
            ratings_match_count(filters=QueueFilter(kind=kind, show=show)).total,
            ratings_match_count(filters=QueueFilter(kind=kind, show=show, new_accounts=True)).total,
        )
        for kind in RatingKind
        for show in ApprovalFilter
    }
    return {
        "figures": (figures.all_pieces.count, figures.all_pieces.mean, figures.overall.count, figures.overall.mean),
        "participant": (all_figures.pieces.count, all_figures.overall.count),
        "day": day_marks(since=now, until=now).figures.count,
        "latest": sorted(each.author for each in ratings_latest()),
        "public": sorted(each.author for each in ratings_public(participant_id=place.participant_id)),
        "words": sorted(each.whole.comment for each in ratings_words(appearance_id=place.pk, limit=3)),
        "advance": recommendation_counts(appearance_ids=[place.pk])[place.pk],
        "waiting": waiting_counts(),
        "queues": queues,
    }


def test_what_a_closed_account_gave_neither_shows_nor_counts_and_comes_back_as_it_was(rated):
    place, goes = rated.session_participant, User.objects.get(username="goes")
    kept, shown, own = rows(), everything(place), ratings_own_list(user_id=goes.pk)
    assert shown["figures"] == (2, 15, 2, 3)
    assert shown["advance"] == RecommendationCounts(2, 0)
    close(goes)
    assert differences() == []
    only = everything(place)
    assert only["figures"] == (1, 10, 1, 2)
    assert (only["participant"], only["day"]) == ((1, 1), 1)
    assert only["latest"] == only["public"] == ["stays"]
    assert only["words"] == ["stays heard it."]
    assert only["advance"] == RecommendationCounts(1, 0)
    assert only["waiting"] == dict.fromkeys(RatingKind, 1)
    counts = {ApprovalFilter.WAITING: 1, ApprovalFilter.APPROVED: 1, ApprovalFilter.ALL: 2}
    for (_, show), found in only["queues"].items():
        assert found == (["stays"], counts[show], counts[show])
    reopen(goes)
    assert differences() == []
    assert (rows(), everything(place), ratings_own_list(user_id=goes.pk)) == (kept, shown, own)


def test_somebody_created_closed_gives_nothing_that_shows(db):
    whole = PerformanceRatingFactory(user=UserFactory(is_active=False), approved=True)
    AdvanceRecommendationFactory(user=whole.user, session_participant=whole.session_participant)
    assert (ratings_latest(), recommendation_counts(appearance_ids=[whole.session_participant_id])) == ((), {})
    assert differences() == []


def test_whatever_statement_closes_an_account_its_marks_follow(rated):
    place = rated.session_participant
    User.objects.filter(username__in=["stays", "goes"]).update(is_active=False)
    assert performance_figures(appearance_ids=[place.pk]) == {}
    assert differences() == []
    user = User.objects.get(username="stays")
    user.is_active = True
    user.save()
    assert [each.author for each in ratings_latest()] == ["stays"]
    assert differences() == []


def test_what_would_be_deleted_is_counted_all_the_same(rated):
    place = rated.session_participant
    before = appearance_dependents([place.pk])
    User.objects.update(is_active=False)
    assert appearance_dependents([place.pk]) == before != {}


def test_the_words_of_a_closed_account_cannot_be_reported(rated):
    whole = PerformanceRating.objects.get(user__username="goes", approved=True)
    what = {"kind": ReportKind.RATING_COMMENT, "subject_id": whole.pk}
    assert reportable_text(**what)
    close(whole.user)
    assert reportable_text(**what) is None
    with pytest.raises(ValidationError):
        report_add(actor=viewer_of(UserFactory()), reason="spam", **what)


@pytest.mark.django_db(transaction=True)
def test_every_window_that_shows_a_mark_hears_of_it(listener, rated):
    goes = User.objects.get(username="goes")
    place = rated.session_participant
    given = PieceRating.objects.filter(user=goes).select_related("session_participant__session")
    places = [(mark.session_participant_id, mark.session_participant.participant_id) for mark in given]
    appearances, participants = zip(*places, strict=True)
    stages = tuple(mark.session_participant.session.stage_id for mark in given)
    pieces = tuple(mark.piece_id for mark in given)
    ratings = RatingsChanged((goes.pk,), appearances, participants, stages, pieces, public=True, waiting=True)
    advance = RecommendationsChanged((goes.pk,), (place.pk,), (place.participant_id,), (place.session.stage_id,))
    heard = {f"account.{goes.pk}", *ratings.topics, *advance.topics}
    listener.heard()
    close(goes)
    assert listener.heard() == heard
    reopen(goes)
    assert listener.heard() == heard
    waits = PieceRatingFactory()
    listener.heard()
    close(waits.user)
    stage_id = waits.session_participant.session.stage_id
    own = {f"account.{waits.user_id}", f"account.{waits.user_id}.ratings"}
    assert listener.heard() == {*own, f"stage.{stage_id}.ratings", "ratings.waiting"}


class Weeks:
    """Some weeks in which users rate, leave, and have their accounts closed and reopened, and moderators decide."""

    def __init__(self, admin, seed):
        self.admin, self.luck = admin, random.Random(seed)  # noqa: S311 - a repeatable evening
        self.entries = [ProgramEntryFactory() for _ in range(3)]
        self.entries.append(ProgramEntryFactory(session_participant=self.entries[0].session_participant))
        self.fans = [UserFactory() for _ in range(5)]

    def fan(self):
        return self.luck.choice(self.fans)

    def rate(self):
        entry = self.luck.choice(self.entries)
        ratings_submit(
            actor=viewer_of(self.fan()),
            session_participant_id=entry.session_participant_id,
            pieces={entry.piece_id: self.luck.randint(1, 25)},
            score=self.luck.randint(1, 5),
            comment="So.",
        )

    def recommend(self):
        place, word = self.luck.choice(self.entries).session_participant_id, self.luck.choice(Advance.values)
        recommendation_set(actor=viewer_of(self.fan()), session_participant_id=place, recommendation=word)

    def decide(self):
        waiting = [mark for table in MARKS for mark in table.objects.filter(approved=False)]
        some = self.luck.sample(waiting, min(len(waiting), 3))
        ratings_decide(actor=self.admin, decision=self.luck.choice(["approve", "reject"]), seen=seen(*some))

    def undo(self):
        if last := decision_last(user_id=self.admin.id):
            decision_undo(actor=self.admin, decision_id=last.id)

    def close(self):
        account_deactivate(actor=OPERATOR, account_id=self.fan().pk)

    def reopen(self):
        account_activate(actor=OPERATOR, account_id=self.fan().pk)

    def leave(self):
        fan = self.fan()
        User.objects.filter(pk=fan.pk).update(password="!")
        account_delete(actor=viewer_of(fan), password="", is_fresh=True)
        self.fans[self.fans.index(fan)] = UserFactory()


def whatever(weeks):
    """Take a random step, and roll it back if a service refuses it."""
    steps = [weeks.rate] * 8 + [weeks.decide] * 3 + [weeks.recommend, weeks.undo, weeks.close, weeks.reopen] * 2
    try:
        with transaction.atomic():
            weeks.luck.choice([*steps, weeks.leave])()
    except (ValidationError, PermissionDenied):
        pass


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.long
def test_after_anything_the_database_keeps_what_marks_and_accounts_give(admin, seed, monkeypatch):
    monkeypatch.setattr("apps.ratings.services.submission.RATINGS", replace(RATINGS, amount=STEPS))
    weeks = Weeks(admin, seed)
    has_been = set()
    for number in range(STEPS):
        whatever(weeks)
        assert differences() == [], number
        for table in (*MARKS, AdvanceRecommendation):
            has_been |= {(table, each) for each in table.objects.values_list("is_author_active", flat=True)}
    assert len(has_been) == 6
