"""Test the news: database constraints, selectors for readers, and writes by administrators."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.news import selectors, services
from apps.news.models import BlogPost
from tests.factories import EVENING, AdminFactory, BlogPostFactory
from tests.offenders import check_each

WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}


@pytest.mark.django_db
def test_database_refuses_invalid_posts():
    def check(case):
        constraint, values = case
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            BlogPostFactory(**values)

    blank = [("written", {column: text}) for column in ("title", "excerpt", "content") for text in ("", " \n")]
    others = [
        ("post_published_with_time", {"is_published": True, "published_at": None}),
        ("post_published_with_time", {"is_published": False, "published_at": EVENING}),
        ("post_content_length", {"content": "x" * 100_001}),
        ("post_image_is_picture", {"image_url": "http://example.org/a.png"}),
    ]
    check_each(blank + others, check)
    assert BlogPostFactory(content="x" * 100_000).pk


@pytest.mark.django_db
def test_post_list_has_published_posts_newest_first():
    old = BlogPostFactory(published_at=EVENING - timedelta(days=1))
    new = BlogPostFactory(author=AdminFactory(username="halina_k"), image_url="/static/a.svg")
    BlogPostFactory(is_published=False)
    assert [card.id for card in selectors.post_list(limit=20)] == [new.pk, old.pk]
    assert [card.id for card in selectors.post_list(limit=1)] == [new.pk]
    assert selectors.post_list(limit=20)[0] == selectors.PostCard(
        new.pk, new.title, new.excerpt, "/static/a.svg", EVENING, "halina_k"
    )


@pytest.mark.django_db
def test_post_get_returns_published_posts_only():
    assert selectors.post_get(post_id=BlogPostFactory(is_published=False).pk) is None
    assert selectors.post_get(post_id=987654) is None
    post = BlogPostFactory()
    assert selectors.post_get(post_id=post.pk).content == post.content
    assert selectors.post_ids() == (post.pk,)


@pytest.mark.django_db
def test_selectors_take_one_query_for_any_number_of_rows(django_assert_num_queries):
    for rows in (1, 2, 3):
        post = BlogPostFactory()
        for read in selectors.post_ids, partial(selectors.post_list, limit=20):
            with django_assert_num_queries(1):
                assert len(read()) == rows
        with django_assert_num_queries(1):
            assert selectors.post_get(post_id=post.pk)


@pytest.mark.django_db
def test_post_create_sets_the_publication_time_of_published_posts_only(admin):
    before = timezone.now()
    published = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, is_published=True)
    draft = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, published_at=EVENING)
    assert before <= published.published_at <= timezone.now()
    assert (draft.is_published, draft.published_at) == (False, None)


@pytest.mark.django_db
def test_post_update_sets_the_publication_time_at_each_published_save(admin):
    post = BlogPostFactory()
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=True)
    post.refresh_from_db()
    assert post.published_at != EVENING
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=False)
    post.refresh_from_db()
    assert (post.title, post.is_published, post.published_at) == ("Four pianos", False, None)


@pytest.mark.django_db
def test_news_can_be_written_only_by_administrators(nobody):
    post = BlogPostFactory()
    for write in (
        partial(services.post_create, author_id=post.author_id, **WRITTEN),
        partial(services.post_update, post_id=post.pk, **WRITTEN, is_published=True),
        partial(services.post_delete, post_id=post.pk),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators write the news"):
            write(actor=nobody)
    assert BlogPost.objects.get().title == post.title


def test_each_write_publishes_topics(listener):
    author = AdminFactory()
    post_id = services.post_create(actor=OPERATOR, author_id=author.pk, **WRITTEN).pk
    topics = {"latest_news", f"post.{post_id}"}
    assert listener.heard() == topics
    services.post_update(actor=OPERATOR, post_id=post_id, **WRITTEN, is_published=True)
    assert listener.heard() == topics
    services.post_delete(actor=OPERATOR, post_id=post_id)
    assert listener.heard() == topics
    assert not BlogPost.objects.exists()
