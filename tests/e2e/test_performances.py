"""A participant's page in browser windows: theater mode, videos, all ratings, and no JavaScript."""

from playwright.async_api import expect

from apps.competition.selectors.public.sessions import participant_appearances
from tests.e2e.accounts import ADMINISTRATOR, LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.doors import OFF
from tests.e2e.windows import Windows, becomes, live, player, resize

PHONE = 800  # height of a phone with a width of 360
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
    assert await barriers(page) == ""
    await theater.click()
    await expect(theater).to_have_attribute("aria-pressed", "false")
    await resize(page, 1280, 900)
    await becomes(page, wide, False)


async def test_all_ratings_have_pages_with_addresses(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    page = await windows.open(f"{address}?tab=ratings", reduced_motion="reduce")
    await expect(page.locator(".letters .says")).to_have_count(20)
    assert await barriers(page) == ""
    first = await page.locator(".letters .says").first.inner_text()
    await page.get_by_role("link", name="Show more").click()
    await expect(page.get_by_role("link", name="The newest")).to_be_visible()
    assert await page.locator(".letters .says").first.inner_text() != first
    await expect(page.get_by_role("button", name="Delete")).to_have_count(0)


async def test_plain_sliders_are_shown_without_scripts(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    page = await windows.open(address, session=site.sign_in(LISTENER), wait_live=False, **OFF)
    mark = page.locator("form.rating").first.get_by_role("slider").first
    box = await mark.bounding_box()
    assert box
    assert box["width"] > 200
    await expect(page.locator(".score .keys").first).to_be_hidden()
    await expect(page.get_by_role("button", name="Theater mode")).to_have_count(0)


async def test_watch_plays_above_the_form_and_seeks_in_the_loaded_video(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    newest, before = site.desk.do(participant_appearances, participant_id=site.appearances.participant)
    lines = [line for line in newest.appearance.program if line.video_id == newest.session.youtube_id]
    page = await windows.open(address, reduced_motion="reduce")
    await page.wait_for_load_state("networkidle")  # a link without its handler loads a page

    async def watch(index: int) -> None:
        await page.locator(f'.audience .watch[data-argument="{newest.appearance.id}:{lines[index].id}"]').press("Enter")

    await watch(0)
    video = page.locator(f"#video-{newest.appearance.id}")
    await expect(video).to_be_in_viewport()
    source = await video.get_attribute("src")
    frame = await player(video)
    seeks = "() => window.heard.filter(({ func }) => func === 'seekTo').map(({ args }) => args[0])"
    await becomes(frame, seeks, [lines[0].second])
    await watch(1)
    await becomes(frame, seeks, [lines[0].second, lines[1].second])
    assert await video.get_attribute("src") == source
    line = page.locator(f"#performance-{before.appearance.id} h2 a")
    await line.press("Enter")
    await page.locator(f'.video__poster[data-argument="{before.appearance.id}:"]').press("Enter")
    await expect(page.locator(f"#video-{before.appearance.id}")).to_be_visible()
    await expect(video).to_have_count(0)
    assert page.url.endswith(address)


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
        assert rest <= 5 * PHONE
        assert words <= WORDS_MOST
    line = member.locator(f"#performance-{before.appearance.id} h2 a")
    await line.focus()
    stood = await line.bounding_box()
    await member.keyboard.press("Enter")
    await expect(member.locator(f"#rating-{before.appearance.id} form")).to_be_visible()
    await expect(line).to_have_attribute("aria-expanded", "true")
    await expect(line).to_be_focused()
    assert await line.bounding_box() == stood
    assert await barriers(member) == ""
    await member.keyboard.press("Enter")
    await expect(member.locator(f"#rating-{before.appearance.id}")).to_have_count(0)


async def test_draft_of_a_visitor_is_visible_after_a_reload(site: Site, windows: Windows) -> None:
    address = f"/participants/{site.appearances.participant}"
    _newest, before = site.desk.do(participant_appearances, participant_id=site.appearances.participant)
    page = await windows.open(f"{address}?open={before.appearance.id}#performance-{before.appearance.id}", width=360)
    section = page.locator(f"#performance-{before.appearance.id}")
    await expect(section.locator("h2")).to_be_in_viewport()
    await section.get_by_text("Rate this performance").click()
    await expect(section.locator(".performance__heard")).to_be_hidden()
    await section.get_by_label("Your comment").fill("Half a thought")
    await page.reload()
    await live(page)
    await expect(section.get_by_label("Your comment")).to_have_value("Half a thought")
    await expect(section.get_by_label("Your comment")).to_be_visible()
