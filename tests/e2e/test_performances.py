"""A participant's page in browser windows: theater mode, its length on a phone, and a visitor's draft."""

from playwright.async_api import expect

from apps.competition.selectors.public.sessions import participant_appearances
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.rating import form_of, item_opened
from tests.e2e.windows import Windows, becomes, live, resize

PHONE = 800  # height of a phone with a width of 360
LINES = 128  # pixels: two lines of a performer's standing, and what the form says about the closed ranking's file
WORDS_MOST = 2 * PHONE  # of five texts of 280 characters


async def test_theater_mode_is_remembered(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    page = await windows.open(address, reduced_motion="reduce")
    theater = page.get_by_role("button", name="Theater mode").first
    await expect(theater).to_have_attribute("aria-pressed", "false")
    await theater.click()
    wide = "() => document.querySelector('.video').getBoundingClientRect().width > innerWidth * 0.9"
    await becomes(page, wide, True)
    await page.reload()
    await live(page)
    await expect(theater).to_have_attribute("aria-pressed", "true")
    await becomes(page, wide, True)
    await becomes(page, f"() => ({SIDEWAYS})() <= 0", True)
    await theater.click()
    await expect(theater).to_have_attribute("aria-pressed", "false")
    await resize(page, 1280, 900)
    await becomes(page, wide, False)


async def test_two_performances_have_five_screens_of_a_phone_and_open_in_place(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    _newest, before = site.desk.do(participant_appearances, participant_id=site.appearances.participant)
    # what members wrote has a limit of its own, because other tests write here too: it is as long as what they wrote
    lengths = """() => {
      const words = document.querySelector("#words").offsetHeight;
      return [document.documentElement.scrollHeight - words, words];
    }"""
    member = await windows.open(address, width=360, session=site.sign_in(ADMINISTRATOR))
    stranger = await windows.open(address, width=360)
    for page in (member, stranger):
        assert await page.locator("section.performance").count() == 2
        rest, words = await page.evaluate(lengths)
        assert rest <= 5 * PHONE + LINES
        assert words <= WORDS_MOST
    await item_opened(form_of(member))
    title, board = member.locator(".items > li").first, member.locator(".items .score__board").first
    named, keys = await title.bounding_box(), await board.bounding_box()
    assert named
    assert keys
    assert round(named["x"] + named["width"]) == round(keys["x"] + keys["width"]), "a piece has the whole line"

    line = member.locator(f"#performance-{before.appearance.id} h2 a")
    await line.focus()
    stood = await line.bounding_box()
    await member.keyboard.press("Enter")
    await expect(member.locator(f"#rating-{before.appearance.id} form")).to_be_visible()
    await expect(line).to_have_attribute("aria-expanded", "true")
    await expect(line).to_be_focused()
    assert await line.bounding_box() == stood
    await member.keyboard.press("Enter")
    await expect(member.locator(f"#rating-{before.appearance.id}")).to_have_count(0)

    # the form that a visitor has opened is open after a reload, because it has a draft
    section = stranger.locator(f"#performance-{before.appearance.id}")
    await stranger.goto(f"{address}?open={before.appearance.id}#performance-{before.appearance.id}")
    await live(stranger)
    await expect(section.locator("h2")).to_be_in_viewport()
    await section.get_by_text("Rate this performance").click()
    await expect(section.locator(".performance__heard")).to_be_hidden()
    await section.get_by_label("Your comment").fill("Half a thought")
    await stranger.reload()
    await live(stranger)
    await expect(section.get_by_label("Your comment")).to_have_value("Half a thought")
    await expect(section.get_by_label("Your comment")).to_be_visible()
