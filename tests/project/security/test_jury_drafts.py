"""No page, socket, file or export shows an unpublished mark of the jury to members and visitors."""

import re
from decimal import Decimal

import pytest
from django.test import Client

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights import account_data
from apps.core.threads import in_thread
from apps.imports.models import JuryFile
from apps.jury.services import sheet_publish, sheet_save
from components.routes import Access
from project.http.page_view import page_response
from tests.project.security.addresses import addresses
from tests.screen import open_page
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
JUROR, MARK = "Quillfeather", "13.37"  # in no other data
ROLES = {"anonymous": (Access.PUBLIC,), "fan": (Access.PUBLIC, Access.SIGNED_IN)}


@pytest.fixture
def draft(people):
    """Save a draft of the session's stage, and an administrator's file of it; return the draft's id."""
    stage, ids = people.session.stage_id, {appearance.participant_id for appearance in people.appearances}
    marks = {(pk, f"Peregrine {JUROR}"): Decimal(MARK) for pk in ids}
    JuryFile.objects.create(user=people.administrator, stage_id=stage, text=f"{JUROR},{MARK}")
    return sheet_save(actor=OPERATOR, stage_id=stage, place=1, marks=marks).sheet_id


def shows(content):
    """Return which of the secrets a text shows."""
    return [secret for secret in (JUROR, MARK) if re.search(rf"(?<![\d:]){re.escape(secret)}", content)]  # no time


def pages(people, role):
    """Return the addresses of this role, with the tab and the search that would show a published sheet."""
    public = [address for address, access in addresses(people).items() if access in ROLES[role]]
    return [*public, f"/stages/{people.session.stage_id}?view=jury", "/participants?q=Peregrine"]


async def cookie_of(account):
    return [(b"cookie", (await in_thread(lambda: session_cookie(account))).encode())] if account else []


@pytest.mark.parametrize("role", ROLES)
async def test_no_page_view_and_no_frame_shows_a_draft(people, draft, role):
    user = getattr(people, role)
    headers = await cookie_of(user)
    async with open_page("/contact", user=user) as screen:
        for address in pages(people, role):
            response = await page_response(address, headers)
            assert shows(response.content.decode("utf-8", "replace")) == [], address
            await screen.go(address)
            assert shows(f"{screen.frames}{screen.text}") == [], address
            await screen.load("/contact")


def test_no_file_and_export_contains_a_draft(people, draft):
    client = Client()
    for name in ("jury.csv", "ranking.csv", "ranking.json", "marks.csv"):
        response = client.get(f"/stages/{people.session.stage_id}/{name}")
        assert shows(response.content.decode("utf-8", "replace")) == [], name
    assert client.get(f"/stages/{people.session.stage_id}/jury.csv").status_code == 404
    for data in account_data():
        assert shows(str(data.export(people.fan.pk))) == [], data.columns


async def test_draft_is_shown_to_administrators_and_after_publication_to_all(people, draft):
    stage = f"/stages/{people.session.stage_id}?view=jury"
    async with serving():
        boss = await cookie_of(people.administrator)
        response = await page_response(f"/admin/jury?sheet={draft}", boss)
        assert MARK in response.content.decode()
        await in_thread(lambda: sheet_publish(actor=OPERATOR, sheet_id=draft))
        shown = (await page_response(stage, [])).content.decode()
        assert shows(shown) == [JUROR, MARK]
