"""Test the news for its editors: lists with drafts, two concurrent editors, and the audit."""

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

pytestmark = pytest.mark.django_db
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}


def titles(page):
    return [row.title for row in page.rows]


def test_the_list_has_drafts_too_the_newest_first_and_is_searched():
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


@pytest.mark.parametrize("rows", [1, 45])
def test_the_list_comes_in_pages_of_twenty_with_two_queries(django_assert_num_queries, rows):
    author = AdminFactory()
    BlogPostFactory.create_batch(rows, author=author)
    with django_assert_num_queries(2):
        page = selectors.posts_admin(number=99)
    assert (page.number, page.pages, page.total) == ((rows + 19) // 20, (rows + 19) // 20, rows)
    numbers = range(1, page.pages + 1)
    assert len({row.id for number in numbers for row in selectors.posts_admin(number=number).rows}) == rows


def test_an_empty_list_is_one_page():
    page = selectors.posts_admin(number=-3)
    assert (page.rows, page.number, page.pages, page.total) == ((), 1, 1, 0)


def test_the_author_is_whoever_acts(admin):
    assert services.post_create(actor=admin, **WRITTEN).author_id == admin.id


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"title": " "}, "title", "Title is required."),
        ({"excerpt": ""}, "excerpt", "Excerpt is required."),
        ({"content": "\n"}, "content", "Content is required."),
        ({"image_url": "http://example.org/a.png"}, "image_url", "A picture needs an https:// address"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(admin, wrong, field, sentence):
    with pytest.raises(ValidationError) as caught:
        services.post_create(actor=admin, **{**WRITTEN, **wrong})
    assert list(caught.value.error_dict) == [field]
    assert caught.value.messages[0].startswith(sentence)


def test_what_two_change_apart_is_both_stored_and_the_later_one_is_told(admin):
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


def test_the_later_editor_of_one_field_is_told_and_wins_with_the_new_version(admin):
    post = BlogPostFactory(**WRITTEN)
    seen = selectors.post_edit(post_id=post.pk).version
    mine = {"actor": admin, "post_id": post.pk, **WRITTEN, "is_published": True}
    services.post_update(**{**mine, "title": "Five pianos"}, version=seen)
    with pytest.raises(EditConflict, match="Five pianos") as caught:
        services.post_update(**{**mine, "title": "Six pianos"}, version=seen)
    assert BlogPost.objects.get().title == "Five pianos"
    services.post_update(**{**mine, "title": "Six pianos"}, version=caught.value.version)
    assert BlogPost.objects.get().title == "Six pianos"
    assert selectors.post_edit(post_id=987654) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told_of_the_other():
    admin = viewer_of(AdminFactory())
    post = BlogPostFactory(**WRITTEN)
    for turn in range(5):
        seen = selectors.post_edit(post_id=post.pk).version
        mine = {"actor": admin, "post_id": post.pk, "excerpt": "So.", "content": "So.", "image_url": ""}
        save = partial(services.post_update, **mine, is_published=True, version=seen)
        answers = run_together(partial(save, title=f"One {turn}"), partial(save, title=f"Two {turn}"))
        assert sorted(type(answer).__name__ for answer in answers) == ["EditConflict", "Saved"]


def test_every_write_is_noted_with_before_and_after(admin):
    post = services.post_create(actor=admin, **WRITTEN)
    services.post_update(actor=admin, post_id=post.pk, **{**WRITTEN, "title": "Five"}, is_published=False)
    services.post_delete(actor=admin, post_id=post.pk)
    deleted, updated, created = audit_list()
    assert [each.action for each in (created, updated, deleted)] == ["post.create", "post.update", "post.delete"]
    assert {(each.user_id, each.subject, each.subject_id) for each in audit_list()} == {(admin.id, "post", post.pk)}
    assert created.details == {"name": "Four pianos", "after": {**WRITTEN, "is_published": False, "publish_at": None}}
    assert updated.details == {"name": "Five", "before": {"title": "Four pianos"}, "after": {"title": "Five"}}
    assert deleted.details == {"before": {**WRITTEN, "title": "Five", "is_published": False, "publish_at": None}}


def test_what_changed_last_does_not_move_in_the_list(admin):
    old, new = BlogPostFactory(), BlogPostFactory()
    services.post_update(actor=admin, post_id=old.pk, **WRITTEN, is_published=True)
    assert [row.id for row in selectors.posts_admin().rows] == [new.pk, old.pk]
