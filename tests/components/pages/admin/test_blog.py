"""The administrators' page of the blog: its list with drafts, its form, publication at once or at a planned time."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.models import User
from apps.core.database.fields import database_now, venue_zone
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from apps.news.services import posts_publish_due
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, UserFactory, viewer_of
from tests.screen import open_page

BLOG = "/admin/blog"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}


@pytest.fixture
def admin(db) -> User:
    return AdminFactory(username="halina_k")


async def test_post_changes_are_shown_in_all_windows(colleague):
    admin = await in_thread(AdminFactory)
    async with (
        open_page(f"{BLOG}?mode=create", user=admin) as writer,
        open_page(BLOG, user=colleague) as other,
        open_page("/news") as reader,
    ):
        assert "No blog posts yet." in other.text
        answer = await command(writer, "post_create", **WRITTEN, is_published="on")
        assert (answer["text"], answer["go"]) == ("Post created successfully", BLOG)
        await reader.until("Four pianos")
        await other.until("They wait.")
        await other.until("Published")
        post = await in_thread(BlogPost.objects.get)
        assert (post.author_id, post.is_published) == (admin.pk, True)
        await other.follow("Edit: Four pianos")
        assert (other.path, other.title) == (f"{BLOG}?mode=edit&id={post.pk}", "Edit Post – Parterre")
        seen = attributes(one(other.tree, "input", name="version"))["defaultValue"]
        answer = await command(other, "post_update", post.pk, **WRITTEN, version=seen)
        assert (answer["text"], answer["go"]) == ("Post updated successfully", BLOG)
        await reader.until("No news articles available yet.")
        await writer.go(BLOG)
        assert "Draft" in writer.text
        answer = await command(writer, "post_delete", post.pk)
        assert answer["text"] == "Post deleted successfully"
        await writer.until("No blog posts yet.")
        await other.go(BLOG)
        assert "No blog posts yet." in other.text


def test_list_shows_state_author_and_date(admin):
    BlogPostFactory(title="Strings", author=admin)
    BlogPostFactory(title="Stalls", is_published=False, author=None)
    seen = opened(BLOG, viewer_of(admin))
    strings, stalls = every(seen.main, "li", "entries__row")
    assert "Draft by former member" in text(stalls)
    assert "Published by halina_k On the site: Strings" in text(strings)
    assert text(one(strings, "div", "entries__aside")) == "12 October 2027"
    asks = attributes(one(strings, "button"))
    assert asks["data-confirm"] == "Delete the post Strings?"
    assert "gone from the site" in asks["data-confirm-words"]


def test_address_filters_the_list(admin):
    BlogPostFactory(title="Strings")
    BlogPostFactory(title="Stalls", is_published=False)
    for address, titles in (
        ("?q=str", ["Strings"]),
        ("?show=drafts", ["Stalls"]),
        ("?show=published", ["Strings"]),
        ("?show=nonsense&page=x", ["Strings", "Stalls"]),
        ("?q=stalls&show=published", []),
    ):
        seen = opened(BLOG + address, viewer_of(admin))
        assert [text(heading) for heading in every(one(seen.main, look="listed"), "h2")] == titles, address
    assert "No posts found matching your criteria." in text(seen.main)


def test_form_shows_stored_values_or_that_the_post_is_missing(admin):
    post = BlogPostFactory(**{**WRITTEN, "image_url": "https://example.org/a.png"}, is_published=False)
    form = one(opened(f"{BLOG}?mode=edit&id={post.pk}", viewer_of(admin)).main, "form")
    fields = {attributes(node)["name"]: attributes(node) for tag in ("input", "textarea") for node in every(form, tag)}
    values = {name: field.get("defaultValue", field.get("defaultChecked")) for name, field in fields.items()}
    seen = values.pop("version")
    planned = {"publish_date": "", "publish_time": ""}
    assert values == {**WRITTEN, "image_url": "https://example.org/a.png", "is_published": False, **planned}
    assert seen.startswith("title:")
    assert attributes(form)["data-draft"] == f"post:{post.pk}"
    assert [text(button) for button in every(form, "button")] == ["Update Post"]
    assert attributes(one(form, "a"))["href"] == BLOG
    seen = opened(f"{BLOG}?mode=create", viewer_of(admin))
    assert [text(button) for button in every(one(seen.main, "form"), "button")] == ["Create Post"]
    missing = opened(f"{BLOG}?mode=edit&id=999", viewer_of(admin))
    assert (missing.page.status, text(one(missing.main, "h1"))) == (404, "Post not found.")


def preview(screen):
    return text(one(screen.tree, look="preview__text"))


async def test_preview_follows_typing_in_this_window_only():
    admin, post = await in_thread(lambda: (AdminFactory(), BlogPostFactory(content="# Before\nIt *was*.")))
    address = f"{BLOG}?mode=edit&id={post.pk}"
    async with open_page(address, user=admin) as writer, open_page(address, user=admin) as other:
        assert preview(writer) == "BeforeIt was."
        field = one(writer.tree, "textarea", id="content")
        wire = field["eventHandlers"]["onInput"]
        assert wire["debounce"] == 400
        typed = "## After\n- one\n- <b>two</b>\n[way](javascript:alert(1))"
        writer._event(wire["target"], {"type": "input", "target": {"value": typed}})
        await writer.until("After")
        shown = one(writer.tree, look="preview__text")
        assert [text(item) for item in every(shown, "li")] == ["one", "<b>two</b>"]
        assert not every(shown, "a")
        assert attributes(one(writer.tree, "textarea", id="content"))["defaultValue"] == post.content
        assert preview(other) == "BeforeIt was."
        writer._event(wire["target"], {"type": "input", "target": {"value": ""}})
        await writer.until("## A heading")


pytestmark = pytest.mark.django_db
PLANNED = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the *stage*.", "image_url": ""}
NOTE = "This is a preview of a draft. Only administrators see it."


def at_venue(hours: int) -> dict[str, str]:
    """Return the form's fields of a time that is this far from now."""
    at = (database_now() + timedelta(hours=hours)).astimezone(venue_zone())
    return {"publish_date": f"{at:%Y-%m-%d}", "publish_time": f"{at:%H:%M}"}


async def test_planned_draft_is_published_at_its_time(admin):
    async with (
        open_page(f"{BLOG}?mode=create", user=admin) as writer,
        open_page(BLOG, user=admin) as editor,
        open_page("/news") as reader,
    ):
        answer = await command(writer, "post_create", **PLANNED, **await in_thread(lambda: at_venue(3)))
        assert answer["text"] == "Post created successfully"
        await editor.until("publishes")
        post = await in_thread(BlogPost.objects.get)
        assert timedelta(hours=2) < post.publish_at - post.created_at <= timedelta(hours=3)
        await in_thread(lambda: BlogPost.objects.update(publish_at=post.created_at))
        await in_thread(posts_publish_due)
        await reader.until("Four pianos")
        await editor.until_gone("publishes")


async def test_planned_time_in_the_hour_that_the_clock_shows_twice_is_kept(admin):
    second = datetime(2099, 10, 25, 1, 30, tzinfo=UTC)
    post = await in_thread(lambda: BlogPostFactory(**PLANNED, is_published=False, publish_at=second))
    async with open_page(f"{BLOG}?mode=edit&id={post.pk}", user=admin) as editor:
        seen = attributes(one(editor.tree, "input", name="version"))["defaultValue"]
        same = {"publish_date": "2099-10-25", "publish_time": "02:30", "version": seen}
        assert (await command(editor, "post_update", post.pk, **PLANNED | {"title": "Five pianos"} | same))["ok"]
    post = await in_thread(BlogPost.objects.get)
    assert (post.title, post.publish_at) == ("Five pianos", second)


async def test_impossible_publication_times_are_refused_at_their_fields():
    cases = (
        ({"publish_date": "2020-01-01", "publish_time": "10:00"}, "publish_date", "This time is over.…"),
        ({"publish_date": "", "publish_time": "10:00"}, "publish_date", "Date is required.…"),
        ({"publish_date": "2099-01-01", "publish_time": ""}, "publish_time", "Time is required.…"),
        ({"publish_date": "2099-01-01", "publish_time": "25:61"}, "publish_time", "Time is required.…"),
        ({"publish_date": "2099-03-29", "publish_time": "02:30"}, "publish_time", "There is no such time that day…"),
    )
    async with open_page(f"{BLOG}?mode=create", user=await in_thread(AdminFactory)) as writer:
        await check_refusals(writer, "post_create", "", cases, PLANNED)
    assert not await in_thread(BlogPost.objects.exists)


def test_preview_is_for_administrators_only():
    draft, admin, fan = BlogPostFactory(**PLANNED, is_published=False), AdminFactory(), UserFactory()
    seen = opened(f"/news/{draft.pk}?preview=1", viewer_of(admin))
    assert (seen.page.status, NOTE in text(seen.main), "Behind the stage." in text(seen.main)) == (200, True, True)
    for viewer in (None, viewer_of(fan)):
        draft_page = opened(f"/news/{draft.pk}?preview=1", *([viewer] if viewer else []))
        unknown = opened("/news/987654?preview=1", *([viewer] if viewer else []))
        assert draft_page.page.status == unknown.page.status == 404
        assert text(draft_page.main) == text(unknown.main)
        assert "Article not found" in text(draft_page.main)
    assert opened("/news/987654?preview=1", viewer_of(admin)).page.status == 404


async def test_preview_follows_edits_in_another_window():
    admin, draft = await in_thread(lambda: (AdminFactory(), BlogPostFactory(**PLANNED, is_published=False)))
    async with (
        open_page(f"/news/{draft.pk}?preview=1", user=admin) as preview,
        open_page(f"{BLOG}?mode=edit&id={draft.pk}", user=admin) as editor,
    ):
        seen = attributes(one(editor.tree, "input", name="version"))["defaultValue"]
        fields = {**PLANNED, "version": seen}
        answer = await command(editor, "post_update", draft.pk, **{**fields, "content": "Beside the stage."})
        assert answer["text"] == "Post updated successfully"
        await preview.until("Beside the stage.")
        await command(editor, "post_update", draft.pk, **fields, is_published="on")
        await preview.until("This post is published.")
