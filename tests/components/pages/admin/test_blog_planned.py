"""A draft with a time of publication: the form, the list, and the preview of drafts."""

from datetime import timedelta

import pytest

from apps.core.database.fields import database_now, venue_zone
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from apps.news.services import posts_publish_due
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, one, opened, text
from tests.factories import AdminFactory, BlogPostFactory, UserFactory, viewer_of
from tests.screen import open_page

pytestmark = pytest.mark.django_db
BLOG = "/admin/blog"
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the *stage*.", "image_url": ""}
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
        answer = await command(writer, "post_create", **WRITTEN, **await in_thread(lambda: at_venue(3)))
        assert answer["text"] == "Post created successfully"
        await editor.until("publishes")
        post = await in_thread(BlogPost.objects.get)
        assert timedelta(hours=2) < post.publish_at - post.created_at <= timedelta(hours=3)
        await in_thread(lambda: BlogPost.objects.update(publish_at=post.created_at))
        await in_thread(posts_publish_due)
        await reader.until("Four pianos")
        await editor.until_gone("publishes")


async def test_impossible_publication_times_are_refused_at_their_fields():
    cases = (
        ({"publish_date": "2020-01-01", "publish_time": "10:00"}, "publish_date", "This time is over.…"),
        ({"publish_date": "", "publish_time": "10:00"}, "publish_date", "Date is required.…"),
        ({"publish_date": "2099-01-01", "publish_time": ""}, "publish_time", "Time is required.…"),
        ({"publish_date": "2099-01-01", "publish_time": "25:61"}, "publish_time", "Time is required.…"),
        ({"publish_date": "2099-03-29", "publish_time": "02:30"}, "publish_time", "There is no such time that day…"),
    )
    async with open_page(f"{BLOG}?mode=create", user=await in_thread(AdminFactory)) as writer:
        await check_refusals(writer, "post_create", "", cases, WRITTEN)
    assert not await in_thread(BlogPost.objects.exists)


async def test_publishing_at_once_ignores_the_planned_time(admin):
    async with open_page(f"{BLOG}?mode=create", user=admin) as writer:
        answer = await command(writer, "post_create", **WRITTEN, is_published="on", publish_date="x", publish_time="")
        assert answer["text"] == "Post created successfully"
    post = await in_thread(BlogPost.objects.get)
    assert (post.is_published, post.publish_at) == (True, None)


def test_preview_is_for_administrators_only():
    draft, admin, fan = BlogPostFactory(**WRITTEN, is_published=False), AdminFactory(), UserFactory()
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
    admin, draft = await in_thread(lambda: (AdminFactory(), BlogPostFactory(**WRITTEN, is_published=False)))
    async with (
        open_page(f"/news/{draft.pk}?preview=1", user=admin) as preview,
        open_page(f"{BLOG}?mode=edit&id={draft.pk}", user=admin) as editor,
    ):
        seen = attributes(one(editor.tree, "input", name="version"))["defaultValue"]
        fields = {**WRITTEN, "version": seen}
        answer = await command(editor, "post_update", draft.pk, **{**fields, "content": "Beside the stage."})
        assert answer["text"] == "Post updated successfully"
        await preview.until("Beside the stage.")
        await command(editor, "post_update", draft.pk, **fields, is_published="on")
        await preview.until("This post is published.")
