"""Administrators without JavaScript plan sessions, running orders and programs."""

from collections.abc import Callable, Iterator

import pytest
from playwright.async_api import Locator, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, ProgramEntry, Session
from apps.competition.services.sessions import session_create, venue_moment
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF, answered, button, query, says, sent_twice
from tests.e2e.scriptless_admin import TITLE, unmade
from tests.e2e.windows import Windows


@pytest.fixture
def query_database(site: Site) -> Iterator[Callable]:
    """Yield a function that reads the site's database; delete the test's rows afterwards."""
    yield from unmade(site)


@pytest.fixture
def recital(site: Site, query_database: Callable) -> int:
    """Create a session of three participants without programs and return its id."""

    def begun() -> int:
        playing = [Appearance.objects.get(pk=pk).participant_id for pk in site.appearances.performers[:3]]
        begins = venue_moment(date="2027-10-25", time="11:00")
        return session_create(
            actor=OPERATOR,
            title=TITLE,
            starts_at=begins,
            stage_id=site.appearances.stage,
            participant_ids=playing,
            confirmed=True,
        ).pk

    return query_database(begun)


async def test_session_is_created_reordered_and_deleted(site: Site, windows: Windows, query_database: Callable) -> None:
    first, second, third, fourth, *_ = site.appearances.names

    def order() -> list[str]:
        appearances = Appearance.objects.filter(session__title=TITLE).order_by("order_number")
        return list(appearances.values_list("participant__name", flat=True))

    def place(name: str) -> Locator:
        """Return the field of this performer's place in the order; another one chooses the piano."""
        return page.get_by_role("spinbutton", name=name)

    page = await windows.open("/admin/sessions?mode=create", session=site.sign_in(ADMINISTRATOR), width=360, **OFF)
    await page.get_by_label("Title").fill(TITLE)
    await page.get_by_label("Date").fill("2027-10-25")
    await page.get_by_label("Time").fill("11:00")
    await page.get_by_label("Stage", exact=True).select_option("Stage II")
    await page.get_by_label("Video").fill("https://vimeo.com/1")
    for name in (first, second, third):
        await page.get_by_label(name).check()
    await button(page, "Create Session").click()
    await expect(page.get_by_label("Video")).to_be_focused()
    await expect(page.get_by_label(second)).to_be_checked()
    await page.get_by_label("Video").fill("")
    await sent_twice(page, button(page, "Create Session"))
    await answered(page, "Session created successfully")
    assert query_database(Session.objects.filter(title=TITLE).count) == 1
    begun = query_database(order)
    assert sorted(begun) == sorted([first, second, third])

    edit = f"/admin/sessions?mode=edit&id={query_database(Session.objects.get, title=TITLE).pk}"
    await page.goto(edit)
    await place(begun[2]).fill("1")
    await page.get_by_label(fourth).check()
    await sent_twice(page, button(page, "Update Session"))
    await answered(page, "Session updated successfully")
    assert query_database(order) == [begun[2], begun[0], begun[1], fourth]
    await page.goto(edit)
    await place(begun[2]).fill("3")
    await place(begun[1]).fill("")
    await button(page, "Update Session").click()
    await says(page, "Session updated successfully")
    assert query_database(order) == [begun[0], begun[2], fourth]
    await page.goto(edit)
    await expect(place(begun[2])).to_have_value("2")

    await page.goto("/admin/sessions?q=without+a+script")
    await button(page, f"Delete: {TITLE}").click()
    await says(page, f"Delete the session {TITLE}?")
    await sent_twice(page, button(page, "Yes"))
    await says(page, "Session deleted successfully")
    assert (query(page), query_database(order)) == ({"q": "without a script"}, [])


async def test_program_is_chosen_reordered_and_removed(
    site: Site, windows: Windows, query_database: Callable, recital: int
) -> None:
    def pieces() -> list[str]:
        entries = ProgramEntry.objects.filter(appearance__session_id=recital).order_by("order_number")
        return list(entries.values_list("piece__name", flat=True))

    page = await windows.open(
        f"/admin/programs?session={recital}", session=site.sign_in(ADMINISTRATOR), width=360, **OFF
    )
    whose = site.appearances.names[2]
    taken: list[str] = []
    for group in ("Scherzo", "Mazurek"):
        await page.get_by_role("link", name=f"Choose: {group}, {whose}").click()
        await expect(page.get_by_role("heading", name=f"Choose for {whose}: {group}")).to_be_in_viewport()
        pick = page.locator(".pick").nth(1)
        taken.append(await pick.inner_text())
        await sent_twice(page, pick)
        await answered(page, "Program updated successfully")
        await expect(page.get_by_role("button", name=taken[-1], pressed=True)).to_be_in_viewport()
        assert len(query_database(pieces)) == len(taken)
    before, spoken = query_database(pieces), [words.replace("\xa0", " ").replace(" op.", ", op.") for words in taken]
    await page.get_by_role("link", name=f"Order of playing: {whose}").click()
    await sent_twice(page, button(page, f"Move up: {spoken[1]}"))
    await says(page, "Program updated successfully")
    await expect(page.locator(".moves li").first).to_contain_text(taken[1])
    assert query_database(pieces) == before[::-1]

    await page.get_by_role("link", name=f"Edit link: {spoken[0]}").click()
    dialog = page.get_by_role("dialog", name="Edit YouTube Link")
    await dialog.get_by_label("YouTube URL").fill("https://vimeo.com/1")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.get_by_text("This is not the address of a YouTube video.")).to_be_in_viewport()
    await dialog.get_by_label("YouTube URL").fill("https://youtu.be/aqz-KE-bpKQ?t=95")
    await sent_twice(page, dialog.get_by_role("button", name="Save"))
    await says(page, "YouTube URL updated successfully")
    await expect(dialog).to_have_count(0)
    assert query(page)["slot"] == "order"
    await expect(page.get_by_role("link", name="Video, 1:35")).to_be_visible()

    await button(page, f"Remove: {spoken[0]}", exact=False).click()
    await says(page, f"Remove {spoken[0]} from the program of {whose}? Its YouTube link goes with it.")
    await sent_twice(page, button(page, "Yes"))
    await says(page, "Piece removed successfully")
    assert (query(page)["session"], query_database(pieces)) == (str(recital), before[1:])
