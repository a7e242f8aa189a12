"""Test scheduled drafts: each is published once at its time, and never after the time was removed."""

from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.core.audit import audit_list
from apps.core.database import steady_clock
from apps.core.database.fields import database_now
from apps.core.database.steady_clock import SteadyClock
from apps.core.edits import EditConflict
from apps.news import selectors, services
from apps.news.models import BlogPost
from tests.apps.conftest import run_together
from tests.factories import AdminFactory, BlogPostFactory, viewer_of

pytestmark = pytest.mark.django_db
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}
LATER, PAST = timedelta(hours=2), timedelta(seconds=1)


def plan(post: BlogPost, ahead: timedelta) -> None:
    """Set the draft's publication time without the service, which refuses the past."""
    BlogPost.objects.filter(pk=post.pk).update(is_published=False, published_at=None, publish_at=database_now() + ahead)


def test_draft_is_published_at_its_time(admin):
    post = services.post_create(actor=admin, **WRITTEN, publish_at=database_now() + LATER)
    assert (post.is_published, post.published_at) == (False, None)
    left = services.posts_publish_due()
    assert left is not None
    assert LATER - timedelta(minutes=1) < left <= LATER
    assert selectors.post_get(post_id=post.pk) is None
    plan(post, -PAST)
    before = database_now()
    assert services.posts_publish_due() is None
    stored = BlogPost.objects.get()
    assert (stored.is_published, stored.publish_at) == (True, None)
    assert before <= stored.published_at <= database_now()
    assert selectors.post_get(post_id=post.pk).title == "Four pianos"
    (entry, *_) = audit_list()
    assert (entry.action, entry.subject_id, entry.user_id) == ("post.publish", post.pk, None)
    assert (entry.details["before"]["is_published"], entry.details["after"]["is_published"]) == (False, True)


def test_draft_waits_when_the_clock_leaps_ahead_until_it_is_right_or_stays_so(monkeypatch):
    minute, day = timedelta(minutes=1), timedelta(days=1)
    start, clock = database_now(), SteadyClock()
    monkeypatch.setattr(services, "_clock", clock)
    posts = [BlogPostFactory() for _ in range(3)]
    for post, ahead in zip(posts, (2 * minute, timedelta(hours=12), 13 * minute), strict=True):
        plan(post, ahead)
    for minutes, shift, published in (
        (0, timedelta(0), 0),
        (1, day, 0),
        (3, day, 1),  # the first one is due by the clock before its leap
        (4, timedelta(0), 1),
        (5, day, 1),
        (14, day, 2),
        (15, day, 3),  # ten minutes after the leap
        (16, timedelta(0), 3),
    ):
        passed = minutes * minute
        monkeypatch.setattr(steady_clock, "database_now", lambda now=start + passed + shift: now)
        elapsed = 1000 + passed.total_seconds()
        monkeypatch.setattr(steady_clock, "time", SimpleNamespace(monotonic=lambda at=elapsed: at))
        services.posts_publish_due()
        assert BlogPost.objects.filter(is_published=True).count() == published, minutes


def test_scheduling_and_publishing_publish_topics(listener):
    post = services.post_create(actor=OPERATOR, **WRITTEN, publish_at=database_now() + LATER)
    assert listener.heard() == {"latest_news", f"post.{post.pk}", "planned_posts"}
    plan(post, -PAST)
    services.posts_publish_due()
    assert listener.heard() == {"latest_news", f"post.{post.pk}"}


def test_past_time_is_refused_unless_an_edit_keeps_it(admin):
    with pytest.raises(ValidationError) as refusal:
        services.post_create(actor=admin, **WRITTEN, publish_at=database_now() - PAST)
    sentence = "This time is over. Choose a later one, or publish immediately."
    assert refusal.value.message_dict == {"publish_date": [sentence]}
    post = BlogPostFactory(**WRITTEN)
    plan(post, -PAST)
    post.refresh_from_db()
    saved = services.post_update(
        actor=admin, post_id=post.pk, **{**WRITTEN, "title": "Five"}, is_published=False, publish_at=post.publish_at
    )
    assert (saved.row.title, saved.row.publish_at) == ("Five", post.publish_at)


def test_publishing_immediately_removes_the_time(admin):
    post = services.post_create(actor=admin, **WRITTEN, publish_at=database_now() + LATER)
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=True)
    stored = BlogPost.objects.get()
    assert (stored.is_published, stored.publish_at) == (True, None)


def test_scheduling_is_refused_after_the_post_was_published(admin):
    post = services.post_create(actor=admin, **WRITTEN, publish_at=database_now() + LATER)
    seen = selectors.post_edit(post_id=post.pk).version
    plan(post, -PAST)
    services.posts_publish_due()
    later = {"actor": admin, **WRITTEN, "is_published": False, "publish_at": database_now() + 2 * LATER}
    with pytest.raises(EditConflict):
        services.post_update(post_id=post.pk, **later, version=seen)
    unplanned = BlogPostFactory(**WRITTEN, is_published=False)
    seen = selectors.post_edit(post_id=unplanned.pk).version
    services.post_update(actor=admin, post_id=unplanned.pk, **WRITTEN, is_published=True)
    with pytest.raises(ValidationError, match="has been published in the meantime"):
        services.post_update(post_id=unplanned.pk, **later, version=seen)


def test_database_refuses_a_published_post_with_a_scheduled_time():
    post = BlogPostFactory(is_published=True)
    with pytest.raises(IntegrityError, match="post_planned_is_draft"), transaction.atomic():
        BlogPost.objects.filter(pk=post.pk).update(publish_at=database_now())


@pytest.mark.django_db(transaction=True)
def test_two_threads_publish_each_draft_once():
    for _ in range(5):
        BlogPost.objects.all().delete()
        posts = BlogPostFactory.create_batch(3, **WRITTEN)
        for post in posts:
            plan(post, -PAST)
        run_together(services.posts_publish_due, services.posts_publish_due)
        ids = [post.pk for post in posts]
        published = [entry.subject_id for entry in audit_list() if entry.action == "post.publish"]
        assert sorted(pk for pk in published if pk in ids) == ids


@pytest.mark.django_db(transaction=True)
def test_draft_is_not_published_after_its_time_was_removed_concurrently():
    for _ in range(5):
        post = BlogPostFactory(**WRITTEN)
        plan(post, -PAST)
        seen = selectors.post_edit(post_id=post.pk).version
        remove = partial(
            services.post_update, actor=OPERATOR, post_id=post.pk, **WRITTEN, is_published=False, version=seen
        )
        removed, _ = run_together(remove, services.posts_publish_due)
        stored = BlogPost.objects.get(pk=post.pk)
        is_removed = not isinstance(removed, Exception) and not removed.kept_fields
        assert stored.is_published is not is_removed
        services.posts_publish_due()
        assert BlogPost.objects.get(pk=post.pk).is_published is not is_removed


STEPS = st.sampled_from(["plan later", "plan due", "remove", "publish", "withdraw", "run", "edit"])


@given(steps=st.lists(STEPS, min_size=1, max_size=12))
def test_any_sequence_of_steps_publishes_like_an_oracle(steps):
    with transaction.atomic():
        admin, is_published, planned = viewer_of(AdminFactory()), False, ""
        post = services.post_create(actor=admin, **WRITTEN)
        for step in steps:
            stored = BlogPost.objects.get(pk=post.pk)
            save = partial(services.post_update, actor=admin, post_id=post.pk, **WRITTEN)
            match step:
                case "plan later":
                    save(is_published=False, publish_at=database_now() + LATER)
                    is_published, planned = False, "later"
                case "plan due":
                    plan(post, -PAST)
                    is_published, planned = False, "due"
                case "remove" | "withdraw":
                    save(is_published=False)
                    is_published, planned = False, ""
                case "publish":
                    save(is_published=True)
                    is_published, planned = True, ""
                case "edit":
                    save(is_published=stored.is_published, publish_at=stored.publish_at)
                case "run":
                    services.posts_publish_due()
                    is_published, planned = is_published or planned == "due", "" if planned == "due" else planned
            stored = BlogPost.objects.get(pk=post.pk)
            assert (stored.is_published, stored.publish_at is not None) == (is_published, planned != "")
        transaction.set_rollback(True)
