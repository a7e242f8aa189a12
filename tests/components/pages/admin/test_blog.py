"""The administrators' page of the blog: its list with drafts, its form, concurrent edits, and publication."""

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, viewer_of
from tests.screen import open_page

BLOG = "/admin/blog"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}
KEPT = "Somebody else changed this meanwhile, and it is kept:"


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


async def test_concurrent_edits_are_merged_or_a_conflict():
    admin, post = await in_thread(AdminFactory), await in_thread(lambda: BlogPostFactory(**WRITTEN))
    async with open_page(f"{BLOG}?mode=edit&id={post.pk}", user=admin) as screen:
        own_fields = {
            **WRITTEN,
            "is_published": "on",
            "version": attributes(one(screen.tree, "input", name="version"))["defaultValue"],
        }
        assert (await command(screen, "post_update", post.pk, **{**own_fields, "title": "Five pianos"}))["ok"]
        apart = await command(screen, "post_update", post.pk, **{**own_fields, "excerpt": "They still wait."})
        assert apart["text"] == f"Post updated successfully\n{KEPT} Title."
        refused = await command(screen, "post_update", post.pk, **{**own_fields, "title": "Six pianos"})
        assert (refused["ok"], refused["field"]) == (False, "title")
        assert refused["text"] == (
            "Title was changed meanwhile. It is now “Five pianos”.\nSave again to keep what you wrote."
        )
        second = {**own_fields, "title": "Six pianos", "version": refused["version"]}
        answer = await command(screen, "post_update", post.pk, **second)
        assert answer["text"] == f"Post updated successfully\n{KEPT} Excerpt."
    stored = await in_thread(BlogPost.objects.get)
    assert (stored.title, stored.excerpt) == ("Six pianos", "They still wait.")


async def test_invalid_posts_are_refused_at_their_fields():
    cases = (
        ({"title": " "}, "title", "Title is required.…"),
        ({"excerpt": ""}, "excerpt", "Excerpt is required.…"),
        ({"content": "\n"}, "content", "Content is required.…"),
        ({"image_url": "not an address"}, "image_url", "A picture needs an https:// address…"),
    )
    async with open_page(f"{BLOG}?mode=create", user=await in_thread(AdminFactory)) as screen:
        await check_refusals(screen, "post_create", "", cases, WRITTEN)
    assert await in_thread(BlogPost.objects.count) == 0


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


@pytest.mark.parametrize("rows", [1, 45])
def test_query_count_is_independent_of_posts(admin, django_assert_num_queries, rows):
    BlogPostFactory.create_batch(rows, author=admin)
    viewer = viewer_of(admin)
    with django_assert_num_queries(2):
        page, _ = loaded(f"{BLOG}?page=3", viewer)
    assert (len(page.data.page.rows), page.data.page.pages) == ((1, 1) if rows == 1 else (5, 3))


def test_form_shows_stored_values(admin):
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


def test_form_of_a_new_and_of_a_missing_post(admin):
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
