"""Search of participants and sessions: the list follows the input, and the address keeps it."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.async_api import Page, expect

from apps.competition.models import Participant, Session, Stage
from apps.competition.services.participants import name_columns
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows, becomes

# Types all letters without a pause.
TYPE = """(field, text) => {
  field.focus();
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
  }
}"""


def results(page: Page):
    """Return the listed participants."""
    return page.locator(".cards > li")


async def test_list_of_participants_follows_the_search(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants")
    name, country = page.get_by_label("Name"), page.get_by_label("Country")
    total = await results(page).count()
    assert total >= 24
    sent = len(windows.sent[page])
    await name.evaluate(TYPE, "lecka")
    await expect(results(page)).to_have_count(1)
    await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")
    events = [frame for frame in windows.sent[page][sent:] if "layout-event" in frame]
    assert len(events) == 1, "letters that are typed quickly are one event"
    await expect(page).to_have_url(f"{site.server.address}/participants?q=lecka")
    await expect(name).to_be_focused()
    await expect(page.get_by_role("status").filter(has_text="1 participant")).to_be_visible()
    for _ in range(5):
        await page.keyboard.press("Backspace")
    await expect(results(page)).to_have_count(total)
    await expect(page).to_have_url(f"{site.server.address}/participants")
    await expect(name).to_be_focused()

    for words in ("wroblewska zofia", "WRÓBLEWSKA-ŁĘCKA", "zofia lecka"):  # any order and spelling
        await name.fill(words)
        await becomes(page, "() => new URLSearchParams(location.search).get('q')", words)
        await expect(results(page)).to_have_count(1)
        await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")
    await name.fill("nobody of this name")
    await expect(page.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(results(page)).to_have_count(0)
    await name.fill("")
    await expect(results(page)).to_have_count(total)

    await country.select_option("Poland")
    await expect(page).to_have_url(re.compile(r"\?country=Poland$"))
    await expect(page.locator(".cards__from").filter(has_not_text="Poland")).to_have_count(0)
    assert 0 < await results(page).count() < total
    await country.select_option("All Countries")
    await expect(results(page)).to_have_count(total)


async def test_history_restores_search_fields_and_results(site: Site, windows: Windows) -> None:
    page = await windows.open("/")
    await page.locator("#nav").get_by_role("link", name="Participants").click()
    await page.get_by_label("Name").fill("lecka")
    await page.get_by_label("Country").select_option("Poland")
    await expect(results(page)).to_have_count(1)
    await results(page).get_by_role("heading").get_by_role("link").click()
    await expect(page.locator("h1")).to_have_text("Zofia Wróblewska-Łęcka")
    await page.go_back()
    await expect(page.get_by_label("Name")).to_have_value("lecka")
    await expect(page.get_by_label("Country")).to_have_value("Poland")
    await expect(results(page)).to_have_count(1)
    await page.go_back()
    await expect(page).to_have_url(f"{site.server.address}/")
    await expect(page.locator(".hero")).to_be_visible()


@pytest.fixture
def archive(site: Site) -> Iterator[int]:
    """Create 700 old sessions and 1,200 participants; yield the id of the oldest session."""

    def fill() -> int:
        stage = Stage.objects.earliest("order_number")
        days = (timezone.now() - timedelta(days=400 + number) for number in range(700))
        stored = Session.objects.bulk_create(
            Session(stage=stage, title=f"Archive {number}", starts_at=at) for number, at in enumerate(days)
        )
        names = (name_columns(first_name="Ewa", second_name=f"Zzadamek {number}") for number in range(1200))
        Participant.objects.bulk_create(
            Participant(**columns, country="Poland", biography="Words.") for columns in names
        )
        return int(stored[-1].pk)

    def empty() -> None:
        Session.objects.filter(title__startswith="Archive ").delete()
        Participant.objects.filter(second_name__startswith="Zzadamek ").delete()

    yield site.desk.do(fill)
    site.desk.do(empty)


async def test_oldest_of_700_sessions_is_found_and_chosen(site: Site, windows: Windows, archive: int) -> None:
    page = await windows.open("/admin/programs", width=360, session=site.sign_in(ADMINISTRATOR))
    choice, find = page.get_by_label("Session", exact=False).and_(page.locator("select")), page.locator("#session_find")
    await expect(choice.locator("option")).to_have_count(50)
    await find.evaluate(TYPE, "archive 699")
    await expect(page.locator("label[for=session]")).to_have_text("Session, 1 found")
    await expect(find).to_be_focused()
    await expect(choice.locator("option:checked")).to_contain_text("(live)")  # a search keeps the selection
    await choice.select_option(str(archive))
    await expect(page.get_by_role("link", name="Edit the session")).to_have_attribute(
        "href", f"/admin/sessions?mode=edit&id={archive}"
    )
    await find.fill("")
    await expect(choice.locator("option")).to_have_count(51)
    await expect(choice.locator("option:checked")).to_contain_text("Archive 699")


async def test_last_of_1200_participants_is_found_and_added_without_scripts(
    site: Site, windows: Windows, archive: int
) -> None:
    address = f"/admin/sessions?mode=edit&id={archive}"
    page = await windows.open(address, width=360, session=site.sign_in(ADMINISTRATOR), **OFF)
    await expect(page.get_by_role("checkbox")).to_have_count(50)
    await page.get_by_label("Search all participants").fill("zzadamek 1199")
    await page.get_by_role("button", name="Search").click()
    await expect(page.get_by_role("checkbox")).to_have_count(1)
    await page.get_by_label("Ewa Zzadamek 1199").check()
    await page.get_by_role("button", name="Update Session").click()
    await expect(page.get_by_text("Session updated successfully")).to_be_visible()
    added = site.desk.do(lambda: Session.objects.get(pk=archive).appearances.get().participant.name)
    assert added == "Ewa Zzadamek 1199"
