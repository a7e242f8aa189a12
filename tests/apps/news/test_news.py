"""Test the news: database constraints, the readers' view, and the administrators' writes."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.news import selectors, services
from apps.news.models import BlogPost
from tests.factories import EVENING, AdminFactory, BlogPostFactory

WRITTEN = {
    "title": "Four pianos",
    "excerpt": "They wait.",
    "content": "Behind the stage.\nUnder covers.",
    "image_url": "",
}


@pytest.mark.django_db
@pytest.mark.parametrize(("is_published", "published_at"), [(True, None), (False, EVENING)])
def test_the_database_refuses_a_post_published_without_time_or_a_draft_with_one(is_published, published_at):
    with pytest.raises(IntegrityError, match="post_published_with_time"):
        BlogPostFactory(is_published=is_published, published_at=published_at)


@pytest.mark.django_db
@pytest.mark.parametrize("column", ["title", "excerpt", "content"])
@pytest.mark.parametrize("text", ["", " \n"])
def test_the_database_refuses_a_post_with_a_blank_text(column, text):
    with pytest.raises(IntegrityError, match="written"):
        BlogPostFactory(**{column: text})


@pytest.mark.django_db
def test_the_database_refuses_a_post_beyond_100000_characters():
    assert BlogPostFactory(content="x" * 100_000).pk
    with pytest.raises(IntegrityError, match="post_content_length"), transaction.atomic():
        BlogPostFactory(content="x" * 100_001)


@pytest.mark.django_db
def test_the_database_refuses_a_picture_from_elsewhere():
    with pytest.raises(IntegrityError, match="post_image_is_picture"):
        BlogPostFactory(image_url="http://example.org/a.png")


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
@pytest.mark.parametrize("rows", [1, 3])
def test_reads_take_one_query_for_three_rows_as_for_one(django_assert_num_queries, rows):
    posts = [BlogPostFactory() for _ in range(rows)]
    with django_assert_num_queries(1):
        assert len(selectors.post_list(limit=20)) == rows
    with django_assert_num_queries(1):
        assert selectors.post_get(post_id=posts[0].pk)
    with django_assert_num_queries(1):
        assert len(selectors.post_ids()) == rows


@pytest.mark.django_db
def test_post_create_stamps_what_is_published_and_nothing_else(admin):
    before = timezone.now()
    published = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, is_published=True)
    draft = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, published_at=EVENING)
    assert before <= published.published_at <= timezone.now()
    assert (draft.is_published, draft.published_at) == (False, None)


@pytest.mark.django_db
def test_post_update_stamps_each_save_while_published(admin):
    post = BlogPostFactory()
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=True)
    post.refresh_from_db()
    assert post.published_at != EVENING
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=False)
    post.refresh_from_db()
    assert (post.title, post.is_published, post.published_at) == ("Four pianos", False, None)


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [{"title": " "}, {"excerpt": ""}, {"content": ""}, {"image_url": "ftp://a"}])
def test_post_create_refuses(admin, wrong):
    with pytest.raises(ValidationError):
        services.post_create(actor=admin, author_id=admin.id, **{**WRITTEN, **wrong})


@pytest.mark.django_db
def test_nobody_but_administrators_writes_the_news(nobody):
    post = BlogPostFactory()
    for refused in (
        lambda: services.post_create(actor=nobody, author_id=post.author_id, **WRITTEN),
        lambda: services.post_update(actor=nobody, post_id=post.pk, **WRITTEN, is_published=True),
        lambda: services.post_delete(actor=nobody, post_id=post.pk),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators write the news"):
            refused()
    assert BlogPost.objects.get().title == post.title


def test_every_write_is_heard(listener):
    author = AdminFactory()
    post_id = services.post_create(actor=OPERATOR, author_id=author.pk, **WRITTEN).pk
    assert listener.heard() == {"latest_news", f"post.{post_id}"}
    services.post_update(actor=OPERATOR, post_id=post_id, **WRITTEN, is_published=True)
    assert listener.heard() == {"latest_news", f"post.{post_id}"}
    services.post_delete(actor=OPERATOR, post_id=post_id)
    assert listener.heard() == {"latest_news", f"post.{post_id}"}
    assert not BlogPost.objects.exists()
