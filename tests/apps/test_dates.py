"""Test that the database dates rows: a wrong process clock affects neither dates nor rate limits."""

import datetime as dt

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from apps.accounts.models import User
from apps.community.models import Post, PostComment
from apps.community.services.posts import post_add, post_comment_add
from apps.competition.models import Appearance, Session
from apps.core.models import ErrorLog
from apps.core.services import error_record
from apps.live.models import SessionComment
from apps.live.services import comment_add
from apps.news.models import BlogPost
from apps.news.services import post_create
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.factories import ProgramEntryFactory, UserFactory, viewer_of
from tests.general import app_names

SOON = dt.timedelta(hours=1)
DATED = (
    (SessionComment, "created_at"),
    (Post, "created_at"),
    (PostComment, "created_at"),
    (BlogPost, "created_at"),
    (BlogPost, "published_at"),
    (PieceRating, "created_at"),
    (PieceRating, "updated_at"),
    (PerformanceRating, "updated_at"),
    (AdvanceRecommendation, "updated_at"),
    (User, "created_at"),
    (User, "updated_at"),
    (Session, "created_at"),
    (Appearance, "created_at"),
    (ErrorLog, "created_at"),
)


def test_database_sets_the_date_of_every_column():
    models_of_site = [model for name in app_names() for model in apps.get_app_config(name).get_models()]
    columns = [field for model in models_of_site for field in model._meta.local_fields]
    dates = [field for field in columns if isinstance(field, models.DateTimeField)]
    assert len(dates) >= len(DATED)
    defaults = (models.NOT_PROVIDED, None)
    assert not [field for field in dates if field.auto_now or field.auto_now_add or field.default not in defaults]


@pytest.fixture(params=[dt.timedelta(days=3), dt.timedelta(days=-3)], ids=["ahead", "behind"])
def wrong_clock(request, db, monkeypatch):
    """Move the process clock by days. Return the true time."""
    true_time = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: true_time + request.param)
    return true_time


def test_dates_ignore_the_process_clock(wrong_clock, admin):
    user = UserFactory()
    fan = viewer_of(user)
    entry = ProgramEntryFactory()
    appearance = entry.appearance_id
    mark = {"score": 4, "comment": "Like weather.", "quick_rating": "other"}
    comment_add(actor=fan, session_id=entry.appearance.session_id, content="Bravo")
    post_comment_add(actor=fan, post_id=post_add(actor=fan, content="Good evening").pk, content="And to you")
    post_create(actor=admin, author_id=admin.id, title="A", excerpt="B", content="C", image_url="", is_published=True)
    ratings_submit(actor=fan, appearance_id=appearance, pieces={entry.piece_id: 20}, **mark)
    ratings_submit(actor=fan, appearance_id=appearance, pieces={entry.piece_id: 21}, **mark)
    recommendation_set(actor=fan, appearance_id=appearance, recommendation="up")
    recommendation_set(actor=fan, appearance_id=appearance, recommendation="down")
    error_record(message="Broken")
    user.username = "renamed"
    user.save()
    for model, column in DATED:
        moments = list(model.objects.values_list(column, flat=True))
        assert moments, model
        assert all(abs(moment - wrong_clock) < SOON for moment in moments), (model, column, moments)


def test_save_moves_the_update_date_and_keeps_the_creation_date(db):
    user = UserFactory()
    first, begun = user.updated_at, user.created_at
    user.save(update_fields=["username", "updated_at"])
    stored = User.objects.get(pk=user.pk)
    assert stored.updated_at > first
    assert stored.created_at == begun


def test_comment_limits_ignore_the_process_clock(wrong_clock):
    fan = viewer_of(UserFactory())
    session = ProgramEntryFactory().appearance.session_id
    comment_add(actor=fan, session_id=session, content="Bravo")
    with pytest.raises(ValidationError, match="one comment in 15 seconds"):
        comment_add(actor=fan, session_id=session, content="Brava")
    member = UserFactory()
    User.objects.filter(pk=member.pk).update(created_at=wrong_clock - dt.timedelta(days=30))
    for content in ("Bravo", "Bravi"):
        comment_add(actor=viewer_of(member), session_id=session, content=content)
    with pytest.raises(ValidationError, match="just said the same"):
        comment_add(actor=viewer_of(member), session_id=session, content="Bravo")
