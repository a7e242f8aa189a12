"""The participants as a programme list: its length on a phone, its folded search, and long names."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.competition.models import Participant
from apps.competition.selectors.public.participants import participant_list
from tests.e2e.conftest import Site
from tests.e2e.layout import small_targets
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows, becomes, resize
from tests.factories import ParticipantFactory

PHONE = {"width": 360, "has_touch": True, "is_mobile": True, "timezone_id": "Europe/Warsaw"}  # of the hall: one clock
SCREENS, HEIGHT = 3.5, 800
# The length of the page without the menu, which is always open without scripts.
LENGTH = """() => document.documentElement.scrollHeight - document.getElementById("nav").offsetHeight"""
# Returns the heights in lines of each biography that is shown.
LINES = """() => [...document.querySelectorAll(".cards__bio")].filter((text) => text.checkVisibility())
    .map((text) => Math.round(text.getBoundingClientRect().height / parseFloat(getComputedStyle(text).lineHeight)))"""


async def is_short(page: Page, site: Site) -> None:
    """Check that the list has three and a half screens of this phone, with all participants by number."""
    await resize(page, 360, HEIGHT)
    count = site.desk.do(lambda: participant_list().total)
    assert count == 28
    await expect(page.locator(".cards > li")).to_have_count(count)
    assert await page.locator(".cards .nr").all_inner_texts() == [str(number) for number in range(1, count + 1)]
    assert await page.evaluate(LENGTH) <= SCREENS * HEIGHT
    assert set(await page.evaluate(LINES)) == {1}
    assert await small_targets(page) == []


async def test_list_of_participants_is_short_on_a_phone_and_its_search_unfolds_and_names_its_terms(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/participants", **PHONE)
    await is_short(page, site)
    name, fold = page.get_by_label("Name"), page.locator(".find summary")
    await expect(name).to_be_hidden()
    await expect(fold).to_have_text("Search, country")
    await fold.tap()
    await name.fill("lecka")
    await expect(page.locator(".cards > li")).to_have_count(1)
    await expect(fold).to_have_text("Search: lecka")
    await expect(name).to_be_focused()
    await page.get_by_label("Country").select_option("Poland")
    await becomes(page, "() => location.search", "?q=lecka&country=Poland")
    await expect(fold).to_have_text("Search: lecka · Poland")
    await expect(name).to_be_visible()


async def test_list_of_participants_is_short_and_searched_without_scripts(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants", **PHONE, **OFF)
    await is_short(page, site)
    await page.locator(".find summary").click()
    await page.get_by_label("Name").fill("lecka")
    await page.get_by_role("button", name="Search").click()
    await expect(page.locator(".cards > li")).to_have_count(1)
    await expect(page.locator(".find summary")).to_have_text("Search: lecka")
    await resize(page, 1280, 900)
    await expect(page.locator(".find summary")).to_be_hidden()
    await expect(page.get_by_label("Name")).to_be_visible()
    await expect(page.get_by_label("Name")).to_have_value("lecka")


@pytest.fixture
def unusual(site: Site) -> Iterator[None]:
    """Create a participant with a name of 80 characters and no birth year, and one with one word of 80 letters."""
    long = {
        "first_name": "Wolfgangina Maximiliane",
        "second_name": "von Hohenstaufen-Schwarzenbergerova Długołęcka z Brzegu",
    }
    word = {"first_name": "A", "second_name": "ó" * 78}
    # without a service, because the audit would keep the long word
    origin = {"country": "Saint Vincent and the Grenadines", "biography": "x" * 300}
    made = [site.desk.do(ParticipantFactory, **names, **origin) for names in (long, word)]
    yield
    site.desk.do(Participant.objects.filter(pk__in=[each.pk for each in made]).delete)


@pytest.mark.usefixtures("unusual")
async def test_long_names_stay_in_their_column(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants?country=Saint+Vincent+and+the+Grenadines", reduced_motion="reduce")
    await expect(page.locator(".cards > li")).to_have_count(2)
    for width in (360, 820, 1280):
        await resize(page, width, 900)
        boxes = [await each.bounding_box() for each in await page.locator(".cards__name").all()]
        ends = [await each.bounding_box() for each in await page.locator(".cards__from > :first-child").all()]
        for name, origin in zip(boxes, ends, strict=True):
            assert name
            assert origin
            assert name["x"] + name["width"] <= origin["x"] + 1 or name["y"] + name["height"] <= origin["y"] + 1
