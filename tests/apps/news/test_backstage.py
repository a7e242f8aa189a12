"""Test the news for its editors: lists with drafts, edit conflicts and the audit."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from apps.core.audit import audit_list
from apps.core.edits import EditConflict
from apps.news import selectors, services
from apps.news.models import BlogPost
from tests.apps.conftest import run_together
from tests.factories import EVENING, AdminFactory, BlogPostFactory, viewer_of
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}


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
    assert [each.action for each in (created, updated, deleted)] == ["post.create", "post.update", "post.delete"]
    assert {(each.user_id, each.subject, each.subject_id) for each in audit_list()} == {(admin.id, "post", post.pk)}
    assert created.details == {"name": "Four pianos", "after": {**WRITTEN, "is_published": False, "publish_at": None}}
    assert updated.details == {"name": "Five", "before": {"title": "Four pianos"}, "after": {"title": "Five"}}
    assert deleted.details == {"before": {**WRITTEN, "title": "Five", "is_published": False, "publish_at": None}}


def test_edit_does_not_move_a_post_in_the_list(admin):
    old, new = BlogPostFactory(), BlogPostFactory()
    services.post_update(actor=admin, post_id=old.pk, **WRITTEN, is_published=True)
    assert [row.id for row in selectors.posts_admin().rows] == [new.pk, old.pk]
