"""Administrators without JavaScript: they write, moderate and run a session with plain form posts.

Forms are sent twice at once (`sent_twice`) or again by a reload, and still create one row. The address keeps tab,
search and open rows.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.async_api import expect

from apps.accounts.models import User
from apps.competition.models import PerformingTime, Session
from apps.competition.selectors.public.sessions import live_now
from apps.news.models import BlogPost
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PerformanceRating
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.doors import expect_stranger
from tests.e2e.scriptless import OFF, answered, button, query, says, sent_twice
from tests.e2e.scriptless_admin import TITLE, WORDS, unmade
from tests.e2e.windows import Windows

COUNT = QUEUE_ROWS + 5


@pytest.fixture
def query_database(site: Site) -> Iterator[Callable]:
    """Yield a function that reads the site's database; delete the test's rows afterwards."""
    yield from unmade(site)


async def test_post_is_created_edited_and_deleted(site: Site, windows: Windows, query_database: Callable) -> None:
    page = await windows.open("/admin/blog?mode=create", session=site.sign_in(ADMINISTRATOR), **OFF)
    await page.get_by_label("Excerpt").fill("Kept while the title is missing")
    await button(page, "Create Post").click()
    await expect(page.get_by_label("Title")).to_be_focused()
    await expect(page.get_by_label("Excerpt")).to_have_value("Kept while the title is missing")
    await page.get_by_label("Title").fill(TITLE)
    await page.get_by_label("Content").fill("One line.\nAnother one.")
    await sent_twice(page, button(page, "Create Post"))
    await answered(page, "Post created successfully")
    assert query_database(BlogPost.objects.filter(title=TITLE).count) == 1

    await page.goto("/admin/blog?show=drafts")
    await page.get_by_label("Title, excerpt or author").fill(TITLE)
    await button(page, "Search").click()
    await page.get_by_role("link", name=f"Edit: {TITLE}").click()
    await page.get_by_label("Publish immediately").check()
    await sent_twice(page, button(page, "Update Post"))
    await says(page, "Post updated successfully")

    await page.goto("/admin/blog?show=published&q=without+a+script")
    await button(page, f"Delete: {TITLE}").click()
    await says(page, f"Delete the post {TITLE}? It is gone from the site for everybody")
    await page.locator(".posted").get_by_role("link", name="Cancel").click()
    await expect(page).to_have_url(re.compile(r"/admin/blog\?show=published&q=without\+a\+script$"))
    await sent_twice(page, button(page, f"Delete: {TITLE}"))
    assert query_database(BlogPost.objects.filter(title=TITLE).count) == 1
    await sent_twice(page, button(page, "Yes"))
    await answered(page, "Post deleted successfully")
    assert query(page) == {"show": "published", "q": "without a script"}
    assert query_database(BlogPost.objects.filter(title=TITLE).count) == 0


async def test_session_is_run(site: Site, windows: Windows, query_database: Callable) -> None:
    names = site.appearances.names
    # The end of a session asks about performers who have not played; other journeys let all play.
    query_database(PerformingTime.objects.filter(appearance_id=site.appearances.performers[-1]).delete)
    page = await windows.open("/admin?tab=live", session=site.sign_in(ADMINISTRATOR), width=360, **OFF)

    async def performs(name: str) -> None:
        await expect(page.locator(".cue__now")).to_contain_text(name)
        assert query(page) == {"tab": "live"}
        now = query_database(live_now)
        assert (now.name if now else "Nobody") == name.removesuffix(" is on stage.")

    await performs(names[6])
    await sent_twice(page, button(page, "Next performer", exact=False))
    await says(page, "Current performer updated successfully")
    await performs(names[7])
    await sent_twice(page, button(page, "Undo"))
    await performs(names[6])
    await sent_twice(page, button(page, f"Perform: {names[2]}", exact=False))
    await says(page, "is on stage.")
    await sent_twice(page, button(page, "Yes"))
    await performs(names[2])
    await sent_twice(page, button(page, "Clear performer"))
    await performs("Nobody is on stage.")
    await sent_twice(page, button(page, "End Live Session"))
    await says(page, "not played.")
    await sent_twice(page, button(page, "Yes"))
    await expect(page.get_by_role("heading", name="No session is live")).to_be_visible()
    assert not query_database(Session.objects.filter(is_live=True).exists)
    await sent_twice(page, button(page, "Undo"))
    await expect(page.locator(".cue__nobody")).to_be_visible()
    assert query_database(Session.objects.get, is_live=True).pk == site.appearances.live
    await page.get_by_text("Other sessions").click()
    await sent_twice(page, button(page, "Set as Live: Stage I, closing session"))
    await says(page, "not played.")
    await sent_twice(page, button(page, "Yes"))
    await expect(page.get_by_role("button", name="First performer", exact=False)).to_be_visible()
    assert query_database(Session.objects.get, is_live=True).pk != site.appearances.live


async def test_ratings_are_moderated_and_the_administrator_signs_out(
    site: Site, windows: Windows, query_database: Callable
) -> None:
    def begin() -> None:
        people = User.objects.bulk_create(
            [User(username=f"uncounted_{n}", email=f"uncounted{n}@example.org", password="!") for n in range(COUNT)]
        )
        played = site.appearances.performers[0]
        PerformanceRating.objects.bulk_create(
            [
                PerformanceRating(user=each, appearance_id=played, score=4, comment=f"{WORDS} {n}.")
                for n, each in enumerate(people)
            ]
        )

    def approved() -> int:
        return PerformanceRating.objects.filter(comment__startswith=WORDS, approved=True).count()

    query_database(begin)
    page = await windows.open("/admin?tab=performances", session=site.sign_in(ADMINISTRATOR), **OFF)
    await page.get_by_label("Participant, listener or words").fill(WORDS)
    await button(page, "Search").click()
    kept = {"tab": "performances", "q": WORDS}

    async def counts(waiting: int) -> None:
        await expect(page.locator(".bar__count")).to_have_text(f"{waiting} ratings, {waiting} marks")
        assert query(page) == kept
        assert query_database(approved) == COUNT - waiting

    await counts(COUNT)
    await button(page, "Approve selected").click()
    await says(page, "Select ratings first")
    await sent_twice(page, button(page, "Approve the rating by", exact=False))
    await says(page, "approved")
    await counts(COUNT - 1)
    for row in range(3):
        await page.locator(".tick").nth(row).check()
    await sent_twice(page, button(page, "Approve selected"))
    await says(page, "3 ratings approved.")
    await counts(COUNT - 4)
    await sent_twice(page, page.locator(".posted").get_by_role("button", name="Undo"))
    await counts(COUNT - 1)
    await sent_twice(page, button(page, f"Approve all {COUNT - 1} that match"))
    await says(page, f"Approve all that match? Ratings: {COUNT - 1}, marks: {COUNT - 1}")
    await counts(COUNT - 1)
    await sent_twice(page, button(page, "Yes"))
    await expect(page.get_by_text("No ratings found matching your criteria.")).to_be_visible()
    assert query_database(approved) == COUNT
    await sent_twice(page, page.locator(".bar").get_by_role("button", name="Undo"))
    await counts(COUNT - 1)
    await button(page, "Sign out").click()
    await expect_stranger(page)
