"""The data for the security tests: four visitors, and what others have written.

An app with rows of accounts adds a row of another account: `rows_add` of its `tests/apps/<app>/general.py`.
The tests then try to change that row in every role.
"""

from types import SimpleNamespace

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from apps.community.services.reports import report_add
from apps.competition.models import Appearance
from apps.competition.services.live import performer_set
from apps.live.services import comment_add
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingDecision, RankingRun
from apps.ranking.services import ranking_compute
from apps.ratings.models import PieceRating
from tests.components.conftest import busy_session_with
from tests.factories import (
    PASSWORD,
    AdvanceRecommendationFactory,
    BlogPostFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    PostCommentFactory,
    PostFactory,
    PostReactionFactory,
    SessionFactory,
    StageFactory,
    viewer_of,
)
from tests.general import generals
from tests.owner import sequences_restart


@pytest.fixture
def people(transactional_db) -> SimpleNamespace:
    """Two fans, an administrator, an anonymous visitor, and what others have written.

    The ids are few and small, because the tests try each of them with every command.
    """
    sequences_restart()
    people = SimpleNamespace(anonymous=None)
    for name in ("fan", "other", "administrator"):
        email, is_admin = f"{name}-8c2e5b@secret-mail.example", name == "administrator"
        setattr(people, name, account_create(email=email, password=PASSWORD, username=f"{name}_1", is_admin=is_admin))
    User.objects.update(last_login=timezone.now())  # only accounts that have signed in can become administrators
    busy_session = busy_session_with(3)
    people.session, people.appearances = busy_session.session, busy_session.appearances
    people.article = BlogPostFactory(author=people.administrator)
    for person in (people.other, people.administrator):
        comment_add(actor=viewer_of(person), session_id=people.session.pk, content=f"By {person.username}")
        rate(person, people.appearances[0])
        PostReactionFactory(user=person, post=PostFactory(user=person))
        PostCommentFactory(user=person, post=PostFactory(user=people.other))
    people.post = PostFactory(user=None, content="By a deleted account")
    for person in (people.other, people.administrator):
        report_add(
            actor=viewer_of(person), kind="post", subject_id=people.post.pk, reason="spam", words="Sells tickets"
        )
    PostCommentFactory(user=people.other, post=people.post)
    entry = people.appearances[0].program.order_by("order_number")[0]
    people.entry, people.piece = entry.pk, entry.piece_id
    PerformanceRatingFactory(user=people.other, appearance=people.appearances[1])  # waits for approval
    for person in (people.other, people.administrator):  # new accounts: a rule excludes their marks
        rated = PieceRating.objects.filter(user=person).values("piece_id")
        for marked in people.appearances[0].program.exclude(piece_id__in=rated):
            PieceRatingFactory(user=person, entry=marked, approved=True)
    ranking_compute(stage_id=people.session.stage_id)
    people.closed_stage = SessionFactory().stage_id
    release = {"stage_id": people.session.stage_id, "reason": "A friend.", "decided_by": people.administrator}
    RankingDecision.objects.create(user=people.other, **release)
    closed = {"stage_id": people.closed_stage, "method": 1, "digest": "0" * 64, "raters": 0, "marks": 0, "file": b""}
    counts = dict.fromkeys(NotCounted.values, 0)
    RankingRun.objects.create(**closed, **counts, is_final=True, final_at=timezone.now())
    StageFactory()  # a stage without sessions, which may be deleted
    Appearance.objects.filter(pk=people.appearances[2].pk).update(is_repeated=True)
    performer_set(actor=OPERATOR, appearance_id=people.appearances[0].pk)
    for general in generals().values():
        getattr(general, "rows_add", no_rows)(people.other, people)
    return people


def no_rows(_person: User, _evening: SimpleNamespace) -> None:
    """Add no row: the app has no rows of accounts, or they are added above."""


def rate(person: User, place) -> None:
    """Let this account rate and recommend."""
    PieceRatingFactory(user=person, appearance=place, approved=True)
    PerformanceRatingFactory(user=person, appearance=place, approved=True)
    AdvanceRecommendationFactory(user=person, appearance=place)
