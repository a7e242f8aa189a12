"""Administrators undo a removal with one press; axe finds no barriers."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Participant
from apps.competition.services.sessions import session_create, session_delete, session_update, venue_moment
from apps.imports.services.programs import programs_assign
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows


def played() -> tuple[int, str]:
    """Create a session with one imported program, remove its performer, and return session id and name."""
    stage_id = Appearance.objects.values_list("session__stage", flat=True)[0]
    person = Participant.objects.order_by("pk")[0]
    begins = {"title": "Matinée", "starts_at": venue_moment(date="2031-10-12", time="11:00"), "stage_id": stage_id}
    session = session_create(actor=OPERATOR, **begins, participant_ids=[person.pk], confirmed=True)
    place = session.appearances.get()
    programs_assign(actor=OPERATOR, appearance_id=place.pk, text="Scherzo No. 1\nScherzo No. 2")
    empty = {"description": "", "youtube_id": "", "participant_ids": [], "confirmed": True}
    session_update(actor=OPERATOR, session_id=session.pk, **begins, **empty)
    return session.pk, person.name


@pytest.fixture
def matinee(site: Site) -> Iterator[tuple[int, str]]:
    made = site.desk.do(played)
    yield made
    site.desk.do(session_delete, actor=OPERATOR, session_id=made[0], confirmed=True)


def programs(session_id: int) -> list[int]:
    return [place.program.count() for place in Appearance.objects.filter(session=session_id)]


async def test_removed_performer_is_restored_with_the_program(
    site: Site, windows: Windows, matinee: tuple[int, str]
) -> None:
    session_id, name = matinee
    page = await windows.open("/admin/sessions", session=site.sign_in(ADMINISTRATOR))
    line = page.get_by_text(f"Taken out of Matinée: {name}.")
    await expect(line).to_be_visible()
    assert await barriers(page) == ""
    await page.get_by_role("button", name=f"Take back: {name}").click()
    await expect(line).to_have_count(0)
    assert site.desk.do(programs, session_id) == [2]
    await page.goto(f"/admin/program-import?session={session_id}&programs=with")
    await expect(page.get_by_text(f"Assigned in Matinée: the program of {name}.")).to_be_visible()
