"""Public pages without JavaScript: read, search and watch; a fan comments, rates and reacts.

Forms are sent twice at once (`sent_twice`) and still create one row.
"""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import expect

from apps.accounts.models import User
from apps.competition.selectors.public.sessions import session_appearances_with_programs
from apps.core.models import RateLimitUse
from apps.live.models import SessionComment, SessionReaction
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF, sent_twice
from tests.e2e.windows import Windows


async def test_menu_tabs_and_watch_are_links(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360, **OFF)
    await expect(page.locator(".menu")).to_be_hidden()
    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await page.get_by_role("link", name="Past", exact=True).click()
    await expect(page).to_have_url(re.compile(r"/sessions\?show=past$"))
    await expect(page.get_by_role("link", name="Past", exact=True)).to_have_attribute("aria-current", "page")
    await expect(page.get_by_role("link", name="Preliminary Round, first day")).to_be_visible()

    appearances = site.desk.do(session_appearances_with_programs, session_id=site.appearances.past)
    line = next(line for line in appearances[1].program if line.second and line.second > 0)
    await page.goto(f"/sessions/{site.appearances.past}")
    await page.locator(".order > li").nth(1).locator(".order__row").click()
    await page.locator(f'a.watch[href*="watch={line.id}#"]').click()
    source = await page.locator("#stage-video").get_attribute("src")
    assert f"/embed/{line.video_id}?" in source
    assert re.search(rf"[?&]start={line.second}(&|$)", source)


WRITTEN = (AdvanceRecommendation, PerformanceRating, PieceRating, SessionComment, SessionReaction)


@pytest.fixture
def rows(site: Site):
    """Yield a function that counts the fan's rows of a model; delete them before and after."""

    def clear() -> None:
        fan = User.objects.get(username=LISTENER)
        for model in WRITTEN:
            model.objects.filter(user=fan).delete()
        RateLimitUse.objects.all().delete()

    site.desk.do(clear)
    yield lambda model: site.desk.do(lambda: model.objects.filter(user__username=LISTENER).count())
    site.desk.do(clear)


async def test_comment_is_written_and_deleted_and_a_reaction_counted(site: Site, windows: Windows, rows) -> None:
    page = await windows.open(f"/sessions/{site.appearances.live}?watch=session", session=site.sign_in(LISTENER), **OFF)
    await page.get_by_label("Your comment", exact=True).fill("Bravo, without a script")
    await sent_twice(page, page.get_by_role("button", name="Comment", exact=True))
    await expect(page.get_by_role("status").filter(has_text="Comment added successfully")).to_be_visible()
    assert rows(SessionComment) == 1
    assert parse_qs(urlsplit(page.url).query)["watch"] == ["session"]
    await sent_twice(page, page.get_by_role("button", name="Delete “Bravo"))
    await expect(page.get_by_text("Delete the comment “Bravo, without a script”?")).to_be_visible()
    assert rows(SessionComment) == 1
    await sent_twice(page, page.get_by_role("button", name="Yes", exact=True).first)
    await expect(page.get_by_text("Comment deleted successfully")).to_be_visible()
    assert rows(SessionComment) == 0
    await sent_twice(page, page.get_by_role("button", name="Heart"))
    assert rows(SessionReaction) == 1


async def test_performance_is_rated_recommended_and_ratings_are_deleted(site: Site, windows: Windows, rows) -> None:
    address = f"/participants/{site.appearances.participant}"
    page = await windows.open(address, session=site.sign_in(LISTENER), **OFF)
    form = page.locator("form.rating").first
    mark = form.get_by_role("slider").first
    box = await mark.bounding_box()
    assert box
    assert box["width"] > 200  # a plain slider in place of the keys
    await expect(page.locator(".score .keys").first).to_be_hidden()
    await expect(page.get_by_role("button", name="Theater mode")).to_have_count(0)
    await mark.focus()
    for _ in range(3):
        await mark.press("ArrowRight")
    await form.get_by_label("4 of 5").check()
    await form.get_by_role("button", name="Submit ratings").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    form = page.locator("form.rating").first
    await expect(form.get_by_role("slider").first).to_have_value("3")
    await expect(form.get_by_label("4 of 5")).to_be_checked()
    assert rows(PerformanceRating) == 0
    await form.get_by_label("Your comment").fill("Alive")
    await sent_twice(page, form.get_by_role("button", name="Submit ratings"))
    assert (rows(PerformanceRating), rows(PieceRating)) == (1, 1)
    await expect(page.locator("form.rating").first.get_by_label("Your comment")).to_have_value("Alive")
    await sent_twice(page, page.get_by_role("button", name=re.compile("^Yes")).first)
    assert rows(AdvanceRecommendation) == 1
    await expect(page.locator(".vote[aria-pressed=true]")).to_have_count(1)
    await page.goto("/profile?tab=ratings")
    await page.locator(".mine summary").click()
    await sent_twice(page, page.get_by_role("button", name="Delete").last)
    await sent_twice(page, page.get_by_role("button", name="Yes", exact=True).first)
    assert rows(PerformanceRating) + rows(PieceRating) == 0


async def test_visitor_is_sent_to_the_sign_in_and_back(site: Site, windows: Windows) -> None:
    address = f"/sessions/{site.appearances.live}"
    page = await windows.open(address, **OFF)
    await expect(page.locator("#say")).to_have_count(0)
    for control in (".rating input", ".rating textarea", ".rating button"):
        await expect(page.locator(control).first).to_be_hidden()  # input would be lost
    await expect(page.locator(".rating .keys").first).to_be_visible()
    await page.get_by_role("link", name="Sign in to comment").click()
    await expect(page).to_have_url(re.compile(rf"/login\?next=%2Fsessions%2F{site.appearances.live}%23comments$"))
    await expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
    await page.goto(address)
    await page.get_by_role("link", name="Sign in to rate").first.click()
    await expect(page).to_have_url(re.compile(r"/login\?next=%2Fparticipants%2F\d+%3Fopen%3D\d+%23rating-\d+$"))
    await expect(page.get_by_text("Sign in to rate.")).to_be_visible()
    await expect(page.get_by_text("Your marks are kept.")).to_be_hidden()
