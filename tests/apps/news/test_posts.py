"""Test the news: database constraints, selectors for readers and editors, writes, edit conflicts and the audit."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.core.audit import audit_list
from apps.core.edits import EditConflict
from apps.news import selectors, services
from apps.news.models import BlogPost
from tests.apps.conftest import run_together
from tests.factories import EVENING, AdminFactory, BlogPostFactory, viewer_of
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}


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


def test_post_list_has_published_posts_newest_first():
    old = BlogPostFactory(published_at=EVENING - timedelta(days=1))
    new = BlogPostFactory(author=AdminFactory(username="halina_k"), image_url="/static/a.svg")
    BlogPostFactory(is_published=False)
    assert [card.id for card in selectors.post_list(limit=20)] == [new.pk, old.pk]
    assert [card.id for card in selectors.post_list(limit=1)] == [new.pk]
    assert selectors.post_list(limit=20)[0] == selectors.PostCard(
        new.pk, new.title, new.excerpt, "/static/a.svg", EVENING, "halina_k"
    )


def test_post_get_returns_published_posts_only():
    assert selectors.post_get(post_id=BlogPostFactory(is_published=False).pk) is None
    assert selectors.post_get(post_id=987654) is None
    post = BlogPostFactory()
    assert selectors.post_get(post_id=post.pk).content == post.content
    assert selectors.post_ids() == (post.pk,)


def test_selectors_take_one_query_for_any_number_of_rows(django_assert_num_queries):
    for rows in (1, 2, 3):
        post = BlogPostFactory()
        for read in selectors.post_ids, partial(selectors.post_list, limit=20):
            with django_assert_num_queries(1):
                assert len(read()) == rows
        with django_assert_num_queries(1):
            assert selectors.post_get(post_id=post.pk)


def test_post_create_sets_the_publication_time_of_published_posts_only(admin):
    before = timezone.now()
    published = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, is_published=True)
    draft = services.post_create(actor=admin, author_id=admin.id, **WRITTEN, published_at=EVENING)
    assert before <= published.published_at <= timezone.now()
    assert (draft.is_published, draft.published_at) == (False, None)


def test_post_update_sets_the_publication_time_at_each_published_save(admin):
    post = BlogPostFactory()
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=True)
    post.refresh_from_db()
    assert post.published_at != EVENING
    services.post_update(actor=admin, post_id=post.pk, **WRITTEN, is_published=False)
    post.refresh_from_db()
    assert (post.title, post.is_published, post.published_at) == ("Four pianos", False, None)


def test_news_can_be_written_only_by_administrators(unprivileged):
    post = BlogPostFactory()
    for write in (
        partial(services.post_create, author_id=post.author_id, **WRITTEN),
        partial(services.post_update, post_id=post.pk, **WRITTEN, is_published=True),
        partial(services.post_delete, post_id=post.pk),
    ):
        with pytest.raises(PermissionDenied, match="Only administrators write the news"):
            write(actor=unprivileged)
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


def titles(page):
    return [row.title for row in page.rows]


def test_posts_admin_lists_drafts_newest_first_and_searches():
    BlogPostFactory(title="Strings", author__username="halina_k")
    BlogPostFactory(title="Stalls", is_published=False, excerpt="On velvet.")
    BlogPostFactory(title="Written later, published before", published_at=EVENING - timedelta(days=3000))
    assert titles(selectors.posts_admin()) == ["Strings", "Stalls", "Written later, published before"]
    assert titles(selectors.posts_admin(published=False)) == ["Stalls"]
    assert titles(selectors.posts_admin(query="HALINA")) == ["Strings"]
    assert titles(selectors.posts_admin(query="velvet\x00")) == ["Stalls"]
    assert titles(selectors.posts_admin(query="%")) == []
    row, _ = selectors.posts_admin(published=True).rows
    assert (row.author, row.is_published, row.published_at) == ("halina_k", True, EVENING)


def test_posts_admin_returns_pages_of_twenty_with_two_queries(django_assert_num_queries):
    page = selectors.posts_admin(number=-3)
    assert (page.rows, page.number, page.pages, page.total) == ((), 1, 1, 0)
    author = AdminFactory()
    for more, rows, pages in ((1, 1, 1), (44, 45, 3)):
        BlogPostFactory.create_batch(more, author=author)
        with django_assert_num_queries(2):
            page = selectors.posts_admin(number=99)
        assert (page.number, page.pages, page.total) == (pages, pages, rows)
    assert len({row.id for number in (1, 2, 3) for row in selectors.posts_admin(number=number).rows}) == rows


def test_invalid_values_are_refused_at_their_field(admin):
    def check(case):
        field, value, sentence = case
        with pytest.raises(ValidationError) as refusal:
            services.post_create(actor=admin, **WRITTEN | {field: value})
        assert list(refusal.value.error_dict) == [field]
        assert refusal.value.messages[0].startswith(sentence)

    cases = [("title", " ", "Title is required."), ("excerpt", "", "Excerpt is required.")]
    cases += [("content", text, "Content is required.") for text in ("", "\n")]
    cases += [
        ("image_url", url, "A picture needs an https:// address") for url in ("http://example.org/a.png", "ftp://a")
    ]
    check_each(cases, check)


def test_edits_of_different_fields_are_both_stored(admin):
    post = BlogPostFactory(**WRITTEN, is_published=True)
    update = partial(
        services.post_update, actor=admin, post_id=post.pk, version=selectors.post_edit(post_id=post.pk).version
    )
    update(**{**WRITTEN, "title": "Five pianos", "image_url": "/static/p.svg"}, is_published=False)
    saved = update(**{**WRITTEN, "excerpt": "They still wait."}, is_published=True)
    assert saved.kept_fields == ("Title", "Image URL", "Published")
    stored = BlogPost.objects.get()
    assert (stored.title, stored.excerpt, stored.image_url) == ("Five pianos", "They still wait.", "/static/p.svg")
    assert (stored.is_published, stored.published_at) == (False, None)
    assert audit_list()[0].details == {
        "name": "Five pianos",
        "before": {"excerpt": "They wait."},
        "after": {"excerpt": "They still wait."},
    }


def test_later_edit_of_one_field_needs_the_new_version(admin):
    post = BlogPostFactory(**WRITTEN)
    seen = selectors.post_edit(post_id=post.pk).version
    mine = {"actor": admin, "post_id": post.pk, **WRITTEN, "is_published": True}
    services.post_update(**{**mine, "title": "Five pianos"}, version=seen)
    with pytest.raises(EditConflict, match="Five pianos") as conflict:
        services.post_update(**{**mine, "title": "Six pianos"}, version=seen)
    assert BlogPost.objects.get().title == "Five pianos"
    services.post_update(**{**mine, "title": "Six pianos"}, version=conflict.value.version)
    assert BlogPost.objects.get().title == "Six pianos"
    assert selectors.post_edit(post_id=987654) is None


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_edits_of_a_field_is_refused():
    admin = viewer_of(AdminFactory())
    post = BlogPostFactory(**WRITTEN)
    for turn in range(5):
        seen = selectors.post_edit(post_id=post.pk).version
        mine = {"actor": admin, "post_id": post.pk, "excerpt": "So.", "content": "So.", "image_url": ""}
        save = partial(services.post_update, **mine, is_published=True, version=seen)
        answers = run_together(partial(save, title=f"One {turn}"), partial(save, title=f"Two {turn}"))
        assert sorted(type(answer).__name__ for answer in answers) == ["EditConflict", "Saved"]


def test_audit_stores_values_before_and_after_each_write(admin):
    post = services.post_create(actor=admin, **WRITTEN)
    services.post_update(actor=admin, post_id=post.pk, **{**WRITTEN, "title": "Five"}, is_published=False)
    services.post_delete(actor=admin, post_id=post.pk)
    deleted, updated, created = audit_list()
    assert post.author_id == admin.id
    assert [entry.action for entry in (created, updated, deleted)] == ["post.create", "post.update", "post.delete"]
    assert {(entry.user_id, entry.subject, entry.subject_id) for entry in audit_list()} == {(admin.id, "post", post.pk)}
    assert created.details == {"name": "Four pianos", "after": {**WRITTEN, "is_published": False, "publish_at": None}}
    assert updated.details == {"name": "Five", "before": {"title": "Four pianos"}, "after": {"title": "Five"}}
    assert deleted.details == {"before": {**WRITTEN, "title": "Five", "is_published": False, "publish_at": None}}


def test_edit_does_not_move_a_post_in_the_list(admin):
    old, new = BlogPostFactory(), BlogPostFactory()
    services.post_update(actor=admin, post_id=old.pk, **WRITTEN, is_published=True)
    assert [row.id for row in selectors.posts_admin().rows] == [new.pk, old.pk]
