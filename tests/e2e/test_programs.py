"""Two administrators edit a program by mouse, keyboard and phone; the audience sees it at once."""

import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, Page, expect

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Participant, Session
from apps.competition.services.sessions import session_create, session_delete, venue_moment
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, live, opened

PROGRAMS = "/admin/programs"
TITLE = "Recital of the youngest"
SCHERZO, SPOKEN = "Scherzo in B♭ minor op. 31", "Scherzo in B♭ minor, op. 31"
ETUDE = "Étude in C♯ minor op. 10 no. 4"
SECOND = "pedal-point"
VIDEO = "https://youtu.be/aqz-KE-bpKQ"
CHANGED = re.compile(r"slot=etiuda_a$")


@pytest.fixture
def recital(site: Site) -> Iterator[int]:
    """Create a session of two participants without programs and a second administrator, for one test."""

    def begun() -> int:
        User.objects.filter(username=SECOND).update(is_admin=True)
        playing = Participant.objects.filter(name__in=site.appearances.names[:2]).order_by("name")
        session = session_create(
            actor=OPERATOR,
            stage_id=site.appearances.stage,
            title=TITLE,
            starts_at=venue_moment(date="2025-10-25", time="11:00"),
            participant_ids=[each.pk for each in playing],
            confirmed=True,
        )
        return session.pk

    def ended() -> None:
        User.objects.filter(username=SECOND).update(is_admin=False)
        for session in Session.objects.filter(title=TITLE):
            session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)

    yield site.desk.do(begun)
    site.desk.do(ended)


def first(page: Page) -> Locator:
    """Return the first participant's program."""
    return page.locator(".program").first


async def says(page: Page, words: str) -> None:
    """Wait until the answer line has this text."""
    await expect(page.locator(".listed > .answer-line")).to_have_text(words)


async def link_edited(halina: Page, fan: Page) -> None:
    """Edit the YouTube link of the étude in its dialog, which has an address."""
    await first(halina).get_by_role("link", name="Change: Etiuda Op. 10").click()
    await expect(halina).to_have_url(CHANGED)  # the link to edit is on the page before, too, and leads back to it
    edit = first(halina).get_by_role("link", name="Edit link")
    await edit.click()
    dialog = halina.get_by_role("dialog", name="Edit YouTube Link")
    url = dialog.get_by_label("YouTube URL with timestamp")
    await expect(url).to_be_focused()
    await halina.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)

    await edit.click()
    await url.fill("https://vimeo.com/76979871")
    await dialog.get_by_role("button", name="Save").click()
    await expect(dialog.locator("[data-error]")).to_have_text("This is not the address of a YouTube video.")
    await expect(url).to_have_value("https://vimeo.com/76979871")
    await halina.keyboard.press("Escape")
    question = halina.get_by_role("dialog", name="Leave without saving?")
    await question.get_by_role("button", name="Stay here").click()
    await url.fill(f"{VIDEO}?t=1h2m3s")
    await dialog.get_by_role("button", name="Save").click()
    await says(halina, "YouTube URL updated successfully")
    await expect(dialog).to_have_count(0)
    await expect(halina).to_have_url(CHANGED)
    await expect(first(halina).get_by_role("link", name="Video, 1:02:03")).to_be_visible()
    await expect(fan.get_by_role("link", name="Watch 1:02:03:")).to_be_visible()

    await edit.click()
    await expect(url).to_have_value(f"{VIDEO}?t=3723")
    await halina.reload()
    await live(halina)
    await expect(url).to_be_visible()
    await dialog.get_by_role("link", name="Cancel").click()
    await expect(dialog).to_have_count(0)


async def test_program_is_edited_by_two_and_shown_to_the_audience(site: Site, windows: Windows, recital: int) -> None:
    of = f"{PROGRAMS}?session={recital}"
    halina = await windows.open(PROGRAMS, session=site.sign_in(ADMINISTRATOR))
    ignacy = await windows.open(of, session=site.sign_in(SECOND), width=360, has_touch=True, is_mobile=True)
    fan = await windows.open(f"/sessions/{recital}")
    await opened(fan.locator(".order > li").first)

    await halina.get_by_label("Session").select_option(str(recital))
    await expect(halina).to_have_url(of)
    await expect(first(halina)).to_contain_text("0 of 5 chosen")
    await first(halina).get_by_role("link", name="Choose: Scherzo").click()
    await expect(halina.get_by_role("button", name="Scherzo in E major op. 54")).to_be_visible()
    await halina.get_by_label("Search", exact=True).fill("b-flat 31")
    await expect(halina.get_by_role("button", name="Scherzo in E major op. 54")).to_have_count(0)
    await halina.get_by_role("button", name=SCHERZO).click()
    await says(halina, "Program updated successfully")
    await expect(halina.get_by_role("button", name=SCHERZO, pressed=True)).to_be_visible()
    await expect(first(ignacy)).to_contain_text(SCHERZO)
    await expect(fan.get_by_text("Scherzo").first).to_be_visible()
    await halina.go_back()
    await expect(halina.locator(".slot__panel")).to_have_count(0)

    await first(ignacy).get_by_role("link", name="Choose: Etiuda Op. 10").tap()
    await ignacy.get_by_role("button", name=ETUDE, exact=True).tap()
    await says(ignacy, "Program updated successfully")
    await expect(first(halina)).to_contain_text("2 of 5 chosen")

    await first(halina).get_by_role("link", name="Order of playing").focus()
    await halina.keyboard.press("Enter")
    down = halina.get_by_role("button", name=f"Move down: {SPOKEN}")
    await down.focus()
    await halina.keyboard.press("Enter")
    await says(halina, "Program updated successfully")
    await expect(halina.locator(".moves li").last).to_contain_text(SCHERZO)
    await expect(down).to_be_focused()
    await expect(first(ignacy)).to_contain_text(f"1 {ETUDE}")

    button = halina.get_by_role("button", name=f"Remove: {SPOKEN}")
    await button.click()
    asked = halina.get_by_role("dialog")
    await expect(asked).to_contain_text(f"Remove {SPOKEN} from the program of")
    await asked.get_by_role("button", name="Remove").click()
    await says(halina, "Piece removed successfully")
    await expect(ignacy.locator(".slot__piece").get_by_text(SCHERZO)).to_have_count(0)
    await expect(fan.get_by_text("Scherzo")).to_have_count(0)
    await link_edited(halina, fan)
