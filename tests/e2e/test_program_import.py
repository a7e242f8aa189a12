"""Program import: paste, decide and assign, by keyboard through a reload, and without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, ProgramEntry, Session
from apps.competition.services.sessions import session_create, session_delete, venue_moment
from apps.imports.models import ProgramText
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live

TITLE = "Recital of pasted programs"
TEXT = """Stage I
• Etiuda cis-moll op. 10 nr 4
Nocturnes Op. 27
Nocturne in C minor
Scherzo in B-flat minor, Op. 20
Barcarolle in F-sharp major, Op. 160
20:40"""


@pytest.fixture
def recital(site: Site) -> Iterator[tuple[int, str]]:
    """Create a session of two participants without programs; yield its id and the first name."""

    def begun() -> tuple[int, str]:
        playing = list(Participant.objects.filter(name__in=site.appearances.names[:2]).order_by("name"))
        session = session_create(
            actor=OPERATOR,
            stage_id=site.appearances.stage,
            title=TITLE,
            starts_at=venue_moment(date="2027-10-25", time="11:00"),
            participant_ids=[each.pk for each in playing],
            confirmed=True,
        )
        return session.pk, playing[0].name

    def ended() -> None:
        ProgramText.objects.all().delete()
        for session in Session.objects.filter(title=TITLE):
            session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)

    yield site.desk.do(begun)
    site.desk.do(ended)


def program(site: Site, session: int) -> list[str]:
    """Return opus and number of all pieces of the session, in order."""

    def read() -> list[str]:
        found = ProgramEntry.objects.filter(appearance__session=session).order_by("order_number")
        return [f"{opus}/{number or ''}" for opus, number in found.values_list("piece__opus", "piece__number")]

    return site.desk.do(read)


async def line(page: Page, words: str) -> str:
    """Wait until a line of the preview has this text, and return it."""
    await expect(page.locator(".read__kind", has_text=words).first).to_be_visible()
    return words


async def test_program_is_pasted_by_keyboard_and_survives_a_reload(
    site: Site, windows: Windows, recital: tuple[int, str]
) -> None:
    session, name = recital
    page = await windows.open(f"/admin/program-import?session={session}", session=site.sign_in(ADMINISTRATOR))
    await page.get_by_role("link", name=name).focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".who[aria-current]")).to_contain_text(name)
    await expect(page.get_by_role("button", name="Assign Program")).to_have_count(0)
    text = page.get_by_label("Program text")
    await text.fill(TEXT)
    await page.get_by_role("button", name="Read the text").focus()
    await page.keyboard.press("Enter")
    for words in ("Matched", "2 pieces", "2 fit. Which one?", "Contradictory: op. 20 is in B minor", "Left out"):
        await line(page, words)
    await page.reload()
    await live(page)
    await expect(text).to_have_value(TEXT)
    assert await barriers(page) == ""
    await page.locator(".read__pick", has_text="48").click()
    await page.locator(".read__two .check", has_text="no. 1").click()
    await page.locator("details.read__other", has_text="line 6").locator("summary").click()
    await page.get_by_label("Piece of line 6").fill("Scherzo in E major, Op. 54")
    await page.get_by_role("button", name="Assign Program").click()
    said = "Program partially assigned. 4 pieces matched, 1 pieces not found."
    await expect(page.get_by_text(said).first).to_be_visible()
    assert program(site, session) == ["10/4", "27/2", "48/1", "54/"]
    await expect(page.locator(".who[aria-current]")).to_contain_text("Has Program")
    await text.fill("Scherzo No. 1\nScherzo No. 2")
    await page.get_by_role("button", name="Read the text").click()
    await expect(page.locator(".read__line")).to_have_count(2)
    await page.get_by_role("button", name="Assign Program").click()
    await expect(page.get_by_text("Program assigned successfully!").first).to_be_visible()
    await expect(text).to_have_value("")
    await expect(page.locator(".who[aria-current]")).to_have_count(0)
    assert program(site, session) == ["20/", "31/"]


async def test_program_is_assigned_without_scripts_on_a_phone(
    site: Site, windows: Windows, recital: tuple[int, str]
) -> None:
    session, name = recital
    page = await windows.open(
        f"/admin/program-import?session={session}",
        session=site.sign_in(ADMINISTRATOR),
        java_script_enabled=False,
        wait_live=False,
        width=360,
    )
    await page.get_by_role("link", name=name).click()
    await page.get_by_label("Program text").fill(TEXT)
    await page.get_by_role("button", name="Read the text").click()
    await line(page, "2 fit. Which one?")
    await page.get_by_role("radio", name="48").check()
    await page.get_by_role("button", name="Assign Program").dblclick()
    await expect(page.get_by_text("Program partially assigned. 4 pieces matched, 2 pieces not found.")).to_be_visible()
    await expect(page.get_by_label("Program text")).to_have_value(TEXT)
    assert program(site, session) == ["10/4", "27/1", "27/2", "48/1"]
