"""The administrators' page of the blog: its list with drafts, its form, concurrent edits, and publication."""

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, UserFactory, viewer_of
from tests.screen import open_page

BLOG = "/admin/blog"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage.", "image_url": ""}
KEPT = "Somebody else changed this meanwhile, and it is kept:"
live = pytest.mark.django_db(transaction=True)


@pytest.fixture
def boss(db) -> User:
    return AdminFactory(username="halina_k")


@live
async def test_what_is_published_stands_in_the_news_and_in_the_other_administrators_list():
    halina, ignacy = await in_thread(AdminFactory), await in_thread(AdminFactory)
    async with (
        open_page(f"{BLOG}?mode=create", user=halina) as writer,
        open_page(BLOG, user=ignacy) as other,
        open_page("/news") as reader,
    ):
        assert "No blog posts yet." in other.text
        answer = await command(writer, "post_create", **WRITTEN, is_published="on")
        assert (answer["text"], answer["go"]) == ("Post created successfully", BLOG)
        await reader.until("Four pianos")
        await other.until("They wait.")
        await other.until("Published")
        post = await in_thread(BlogPost.objects.get)
        assert (post.author_id, post.is_published) == (halina.pk, True)
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


@live
async def test_what_two_change_apart_is_both_stored_and_what_both_change_is_asked():
    halina, post = await in_thread(AdminFactory), await in_thread(lambda: BlogPostFactory(**WRITTEN))
    async with open_page(f"{BLOG}?mode=edit&id={post.pk}", user=halina) as screen:
        mine = {
            **WRITTEN,
            "is_published": "on",
            "version": attributes(one(screen.tree, "input", name="version"))["defaultValue"],
        }
        assert (await command(screen, "post_update", post.pk, **{**mine, "title": "Five pianos"}))["ok"]
        apart = await command(screen, "post_update", post.pk, **{**mine, "excerpt": "They still wait."})
        assert apart["text"] == f"Post updated successfully\n{KEPT} Title."
        refused = await command(screen, "post_update", post.pk, **{**mine, "title": "Six pianos"})
        assert (refused["ok"], refused["field"]) == (False, "title")
        assert refused["text"] == (
            "Title was changed meanwhile. It is now “Five pianos”.\nSave again to keep what you wrote."
        )
        again = {**mine, "title": "Six pianos", "version": refused["version"]}
        answer = await command(screen, "post_update", post.pk, **again)
        assert answer["text"] == f"Post updated successfully\n{KEPT} Excerpt."
    stored = await in_thread(BlogPost.objects.get)
    assert (stored.title, stored.excerpt) == ("Six pianos", "They still wait.")


@live
@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"title": " "}, "title", "Title is required."),
        ({"excerpt": ""}, "excerpt", "Excerpt is required."),
        ({"content": "\n"}, "content", "Content is required."),
        ({"image_url": "not an address"}, "image_url", "A picture needs an https:// address"),
    ],
)
async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_stored(wrong, field, sentence):
    halina = await in_thread(AdminFactory)
    async with open_page(f"{BLOG}?mode=create", user=halina) as screen:
        answer = await command(screen, "post_create", **{**WRITTEN, **wrong})
    assert (answer["ok"], answer["field"]) == (False, field)
    assert answer["text"].startswith(sentence)
    assert await in_thread(BlogPost.objects.count) == 0


@live
@pytest.mark.parametrize("act", ["post_create", "post_update", "post_delete"])
async def test_whoever_is_no_administrator_any_more_changes_nothing(act):
    halina, post = await in_thread(AdminFactory), await in_thread(BlogPostFactory)
    appearance = BLOG if act == "post_delete" else f"{BLOG}?mode=create"
    async with open_page(appearance, user=halina) as screen:
        # a direct update publishes no event, so the window stays open
        await in_thread(lambda: User.objects.filter(pk=halina.pk).update(is_admin=False))
        answer = await command(screen, act, post.pk, **WRITTEN)
    assert (answer["ok"], answer["text"]) == (False, "Only administrators write the news.")
    assert await in_thread(lambda: BlogPost.objects.get().title) == post.title


@live
@pytest.mark.parametrize("address", [BLOG, f"{BLOG}?mode=create", f"{BLOG}?mode=edit&id=1"])
async def test_others_are_led_away(address):
    fan = await in_thread(UserFactory)
    async with open_page(address, user=fan) as screen:
        assert screen.path == "/"
    async with open_page(address) as screen:
        assert screen.path.startswith("/login?next=%2Fadmin%2Fblog")


def test_the_list_says_what_each_post_is(boss):
    BlogPostFactory(title="Strings", author=boss)
    BlogPostFactory(title="Stalls", is_published=False, author=None)
    seen = opened(BLOG, viewer_of(boss))
    strings, stalls = every(seen.main, "li", "entries__row")
    assert "Draft by former member" in text(stalls)
    assert "Published by halina_k On the site: Strings" in text(strings)
    assert text(one(strings, "div", "entries__aside")) == "12 October 2027"
    asks = attributes(one(strings, "button"))
    assert asks["data-confirm"] == "Delete the post Strings?"
    assert "gone from the site" in asks["data-confirm-words"]


def test_the_list_is_narrowed_by_its_address(boss):
    BlogPostFactory(title="Strings")
    BlogPostFactory(title="Stalls", is_published=False)
    for address, titles in (
        ("?q=str", ["Strings"]),
        ("?show=drafts", ["Stalls"]),
        ("?show=published", ["Strings"]),
        ("?show=nonsense&page=x", ["Strings", "Stalls"]),
        ("?q=stalls&show=published", []),
    ):
        seen = opened(BLOG + address, viewer_of(boss))
        assert [text(heading) for heading in every(one(seen.main, look="listed"), "h2")] == titles, address
    assert "No posts found matching your criteria." in text(seen.main)


@pytest.mark.parametrize("rows", [1, 45])
def test_two_queries_however_many_posts_there_are(boss, django_assert_num_queries, rows):
    BlogPostFactory.create_batch(rows, author=boss)
    viewer = viewer_of(boss)
    with django_assert_num_queries(2):
        page, _ = loaded(f"{BLOG}?page=3", viewer)
    assert (len(page.data.page.rows), page.data.page.pages) == ((1, 1) if rows == 1 else (5, 3))


def test_the_form_shows_what_there_is(boss):
    post = BlogPostFactory(**{**WRITTEN, "image_url": "https://example.org/a.png"}, is_published=False)
    form = one(opened(f"{BLOG}?mode=edit&id={post.pk}", viewer_of(boss)).main, "form")
    fields = {attributes(node)["name"]: attributes(node) for tag in ("input", "textarea") for node in every(form, tag)}
    values = {name: each.get("defaultValue", each.get("defaultChecked")) for name, each in fields.items()}
    seen = values.pop("version")
    planned = {"publish_date": "", "publish_time": ""}
    assert values == {**WRITTEN, "image_url": "https://example.org/a.png", "is_published": False, **planned}
    assert seen.startswith("title:")
    assert attributes(form)["data-draft"] == f"post:{post.pk}"
    assert [text(button) for button in every(form, "button")] == ["Update Post"]
    assert attributes(one(form, "a"))["href"] == BLOG


def test_a_new_post_begins_empty_and_one_that_is_gone_says_so(boss):
    seen = opened(f"{BLOG}?mode=create", viewer_of(boss))
    assert [text(button) for button in every(one(seen.main, "form"), "button")] == ["Create Post"]
    gone = opened(f"{BLOG}?mode=edit&id=999", viewer_of(boss))
    assert (gone.page.status, text(one(gone.main, "h1"))) == (404, "Post not found.")


def preview(screen):
    return text(one(screen.tree, look="preview__text"))


@live
async def test_what_is_typed_is_shown_as_readers_will_see_it_in_this_window_alone():
    halina, post = (
        await in_thread(AdminFactory),
        await in_thread(lambda: BlogPostFactory(content="# Before\nIt *was*.")),
    )
    address = f"{BLOG}?mode=edit&id={post.pk}"
    async with open_page(address, user=halina) as writer, open_page(address, user=halina) as other:
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
