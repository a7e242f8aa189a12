"""Articles and lists in a browser: stable preview, broken pictures, print, and times in the margin."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.news.services import post_create, post_delete
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live, resize

PICTURE = "https://pictures.example/hall.jpg"
UNREACHABLE = ("pictures.example", "Failed to load resource")
TEXT = f"One.\n## Two\n![The hall]({PICTURE})\n" + "A line of an article.\n" * 9
TOP = "(element) => element.getBoundingClientRect().top + scrollY"
# Returns the dates, and times with their weekday, that break across lines.
BROKEN = """() => [...document.querySelectorAll("time")].flatMap((time) => {
  const texts = document.createTreeWalker(time, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const found of text.data.matchAll(/([A-Z][a-z]{2}\\s)?\\d\\d:\\d\\d|\\d+\\s\\S+\\s\\d{4}/g)) {
      const range = document.createRange();
      range.setStart(text, found.index);
      range.setEnd(text, found.index + found[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(found[0]);
    }
  return broken;
})"""
BEYOND = """() => [...document.querySelectorAll(".calendar__when time")].filter((time) =>
  time.scrollWidth > time.clientWidth + 1).map((time) => time.textContent)"""


@pytest.fixture
def article(site: Site) -> Iterator[int]:
    """Publish an article with unreachable pictures and yield its id."""
    written = {"title": "Of the hall", "excerpt": "Short.", "content": TEXT, "image_url": PICTURE}
    post = site.desk.do(lambda: post_create(actor=OPERATOR, is_published=True, **written))
    yield post.pk
    site.desk.do(lambda: post_delete(actor=OPERATOR, post_id=post.pk))


async def without_pictures(windows: Windows, path: str, **options: object) -> Page:
    """Open a window that blocks the article's pictures."""
    page = await windows.open("", tolerated=UNREACHABLE, **options)
    await page.route(f"{PICTURE}*", lambda route: route.abort())
    await page.goto(path)
    return page


async def test_preview_follows_the_content_without_a_layout_shift(site: Site, windows: Windows, article: int) -> None:
    page = await without_pictures(windows, f"/admin/blog?mode=edit&id={article}", session=site.sign_in(ADMINISTRATOR))
    await live(page)
    preview, below = page.locator(".preview__text"), page.get_by_label("Image URL")
    for width, height in ((360, 740), (1280, 900)):
        await resize(page, width, height)
        await page.get_by_label("Content").fill(TEXT)
        await expect(preview.locator("h2")).to_have_text("Two")
        before = await below.evaluate(TOP)
        sent = len(windows.sent[page])
        await page.get_by_label("Content").fill("")
        await expect(preview).to_contain_text("## A heading")
        await page.get_by_label("Content").press_sequentially("# Typed *now*\n- one\n- two\n", delay=5)
        await expect(preview.locator("h2")).to_have_text("Typed now")
        await expect(preview.locator("li")).to_have_count(2)
        assert await below.evaluate(TOP) == before
        edits = [frame for frame in windows.sent[page][sent:] if '"seq"' in frame]
        assert len(edits) <= 3, "letters that are typed quickly are few edits"


async def test_broken_picture_is_replaced_by_a_link(site: Site, windows: Windows, article: int) -> None:
    page = await without_pictures(windows, f"/news/{article}")
    for place in (page.locator(".article__picture"), page.locator(".figure .framed")):
        await place.scroll_into_view_if_needed()
        await expect(place.locator("img")).to_have_attribute("data-missing", "")
        await expect(place.locator("img")).to_be_hidden()
        await expect(place.get_by_role("link")).to_be_visible()
    await page.goto("/news")
    picture = page.locator(".calendar__picture").first
    await expect(picture.locator("img")).to_have_attribute("data-missing", "")
    await expect(picture.locator("img")).to_be_hidden()


async def test_printed_participant_has_results_and_no_controls(site: Site, windows: Windows) -> None:
    path = f"/participants/{site.appearances.participant}"
    member = await windows.open(path, session=site.sign_in(LISTENER))
    visitor = await windows.open(path)
    for page, results in ((member, "form.rating .keys"), (visitor, ".audience .keys--strings")):
        await page.emulate_media(media="print", color_scheme="dark")
        await expect(page.locator(f"main {results}").first).to_be_visible()
        for control in (
            "button:not(.items__name)",
            "input",
            "textarea",
            "form:not(.rating)",
            "summary:not(.heard summary)",  # the lines of pieces
            ".tabs",
            "iframe",
            ".watch",
        ):
            assert await page.locator(control).filter(visible=True).count() == 0, control
        assert await page.locator("body").evaluate("(body) => getComputedStyle(body).colorScheme") == "light"


async def test_times_in_the_margin_do_not_break(site: Site, windows: Windows) -> None:
    for zone in ("Asia/Tokyo", "America/Los_Angeles"):  # evening there is another day than in the hall, or morning
        page = await windows.open("/sessions?show=all", timezone_id=zone)
        for width in (1280, 1024, 800, 360):
            await resize(page, width, 900)
            assert await page.evaluate(BROKEN) == [], (zone, width)
            assert await page.evaluate(BEYOND) == [], (zone, width)
