"""A walk over every page in each role, over HTTP and the socket: who may open it, what it shows and changes."""

import json
import re
from decimal import Decimal
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights import account_data
from apps.accounts.models import AuthSession
from apps.community.enums import ReportKind
from apps.community.services.report_moderation import reports_decide
from apps.community.services.reports import report_add
from apps.core.moderation import Seen
from apps.core.threads import in_thread
from apps.imports.models import JuryFile
from apps.jury.services import sheet_publish, sheet_save
from apps.notifications.models import Announcement
from apps.ratings.models import PerformanceRating
from components.routes import Access, Target, find
from tests.factories import PerformanceRatingFactory, PostFactory, viewer_of
from tests.project.security.addresses import ROLES, addresses, may
from tests.project.security.trying import changed, rows
from tests.screen import Screen, open_page
from tests.serving import page_response, serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
JUROR, MARK = "Quillfeather", "13.37"  # in no other data
FINDABLE = "/admin/people"  # administrators find accounts by address here, as the page Privacy states
FLAGS = re.compile(
    r"is_admin|is_active|is_staff|is_superuser|last_login|session_key|email_address|can_[a-z]+", re.IGNORECASE
)


@pytest.fixture
def walked(people: SimpleNamespace) -> SimpleNamespace:
    """Add what some must not see: sessions, ratings that wait, hidden posts, words of reports, a draft of the jury."""
    people.cookies = {name: session_cookie(getattr(people, name)) for name in ("fan", "other", "administrator")}
    first = people.appearances[0]
    PerformanceRatingFactory(appearance=first, user=people.fan, comment="unapproved-fan-5d1e")
    own = PerformanceRating.objects.filter(appearance=first, user=people.other)
    assert own.update(comment="unapproved-other-5d1e", approved=False)
    for name in ("fan", "other"):
        user = getattr(people, name)
        hidden = PostFactory(user=user, content=f"hidden-{name}-5d1e")  # its author reads it, not the report
        report = {"kind": "post", "subject_id": hidden.pk, "reason": "other", "words": f"against-{name}-5d1e"}
        report_add(actor=viewer_of(people.administrator), **report)
        reports_decide(actor=viewer_of(people.administrator), decision="hide", seen=[Seen(ReportKind.POST, hidden.pk)])
    stage, ids = people.session.stage_id, {appearance.participant_id for appearance in people.appearances}
    JuryFile.objects.create(user=people.administrator, stage_id=stage, text=f"{JUROR},{MARK}")
    marks = {(pk, f"Peregrine {JUROR}"): Decimal(MARK) for pk in ids}
    people.draft = sheet_save(actor=OPERATOR, stage_id=stage, place=1, marks=marks).sheet_id
    Announcement.objects.all().delete()  # the site's worker would announce them during the walk
    return people


def secrets_of_others(people: SimpleNamespace, role: str) -> list[str]:
    """Return the secrets that this role must not see."""
    others = [getattr(people, name) for name in people.cookies if name != role]
    sessions = AuthSession.objects.all()
    handles = [str(row.handle) for row in sessions if row.user_id != getattr(getattr(people, role), "pk", 0)]
    keys = [row.key for row in sessions]
    stored = [f"{what}-{name}-5d1e" for what in ("unapproved", "hidden") for name in ("fan", "other") if name != role]
    stored += [f"against-{name}-5d1e" for name in ("fan", "other")]  # only administrators may read reports
    known = [] if role == "administrator" else stored
    return [*(user.email for user in others), *(user.password for user in others), *keys, *handles, *known]


def jury_secrets(text: str) -> list[str]:
    """Return what a text shows of the jury's draft."""
    return [secret for secret in (JUROR, MARK) if re.search(rf"(?<![\d:]){re.escape(secret)}", text)]  # no time


def refused_to(role: str, address: str) -> str:
    """Return the address to which a refused visitor is redirected."""
    return "/" if role == "fan" else f"/login?next={quote(address, safe='')}"


async def secret_of(address: str, administrator) -> str:
    """Return a text of a page that only an administrator may open."""
    target = find(address, administrator)
    assert isinstance(target, Target)
    return (await in_thread(lambda: target.load(administrator, "en"))).description


async def go(screen: Screen, address: str) -> str:
    """Go to an address, and return all that the browser has received for it."""
    wire, known = screen.wire, len(screen.frames)
    await screen.go(address)
    return json.dumps(screen.frames[known:]) if screen.wire is wire else screen.html + json.dumps(screen.frames)


def check_content(people: SimpleNamespace, role: str, address: str, shown: str, secrets: list[str]) -> None:
    """Assert that what a viewer has received of a page has no secret of others."""
    leaked = [secret for secret in secrets if secret in shown]
    assert not [secret for secret in leaked if address != FINDABLE or "@" not in secret], address
    assert not FLAGS.findall(shown), address
    path = address.partition("?")[0]
    assert role == "administrator" or jury_secrets(shown) == [], address
    if path not in ("/profile", FINDABLE):
        assert "secret-mail" not in shown, address
    elif role == "fan":
        assert people.fan.password not in shown
        assert not [cookie for cookie in people.cookies.values() if cookie.partition("=")[2] in shown]
        own = {people.fan.email, "hidden-fan-5d1e"}
        assert address != "/profile" or own == {text for text in own if text in shown}, "own texts are found"


@pytest.mark.parametrize("role", ROLES)
async def test_pages_require_their_role_show_no_secret_and_change_no_row(walked: SimpleNamespace, role: str) -> None:
    user = getattr(walked, role)
    secrets, admin = await in_thread(lambda: (secrets_of_others(walked, role), viewer_of(walked.administrator)))
    pages = addresses(walked) | {
        f"/stages/{walked.session.stage_id}?view=jury": Access.PUBLIC,  # would show a published sheet
        "/participants?q=Peregrine": Access.PUBLIC,
    }
    headers = [(b"cookie", walked.cookies[role].encode())] if user else []
    received = {}
    async with serving():
        before = await in_thread(rows)
        for address, access in pages.items():
            response = await page_response(address, headers)
            assert settings.SESSION_COOKIE_NAME not in response.cookies
            received[address] = response.content.decode("utf-8", "replace")
            if may(role, access):
                assert response.status_code == 200, address
            else:
                expected = (302, refused_to(role, address), b"")
                assert (response.status_code, response["Location"], response.content) == expected, address
        assert changed(before, await in_thread(rows)) == []
        async with open_page("/contact", user=user) as screen:
            for address, access in pages.items():
                frames = await go(screen, address)
                if may(role, access):
                    assert screen.path == address
                    check_content(walked, role, address, received[address] + frames, secrets)
                    continue
                assert screen.path == refused_to(role, address)
                assert await secret_of(address, admin) not in frames, address
                await screen.load("/contact")


def test_no_file_and_export_contains_a_draft_of_the_jury(walked: SimpleNamespace) -> None:
    client = Client()
    for name in ("jury.csv", "ranking.csv", "ranking.json", "marks.csv"):
        response = client.get(f"/stages/{walked.session.stage_id}/{name}")
        assert jury_secrets(response.content.decode("utf-8", "replace")) == [], name
        assert (response.status_code == 404) is (name in ("jury.csv", "marks.csv")), name
    for data in account_data():
        assert jury_secrets(str(data.export(walked.fan.pk))) == [], data.columns


async def test_draft_is_shown_to_administrators_and_after_publication_to_all(walked: SimpleNamespace) -> None:
    """Shows that the tests above would find it."""
    stage = f"/stages/{walked.session.stage_id}?view=jury"
    async with serving():
        boss = [(b"cookie", walked.cookies["administrator"].encode())]
        assert MARK in (await page_response(f"/admin/jury?sheet={walked.draft}", boss)).content.decode()
        await in_thread(lambda: sheet_publish(actor=OPERATOR, sheet_id=walked.draft))
        assert jury_secrets((await page_response(stage, [])).content.decode()) == [JUROR, MARK]
