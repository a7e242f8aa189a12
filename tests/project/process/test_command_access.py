"""Commands that require a fresh sign-in: the registry states it, and the server applies it."""

from uuid import uuid4

import pytest
from django.test import Client

from apps.accounts.models import AuthSession, User
from apps.core.commands import REGISTERED, Access
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from project.process.commands import CommandRequest, command_run
from project.visit import Visit
from tests.commanding import command
from tests.factories import AdminFactory, MemberFactory, viewer_of
from tests.screen import open_page
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = "/admin/people?show=new"
LEAVE = "/reauthenticate?next=%2Fadmin%2Fpeople%3Fshow%3Dnew"
TEN_MINUTES = 600.0
ACCESS = {name: each.access for name, each in REGISTERED.items() if each.work.__module__.startswith("apps.")}
FRESH = sorted(name for name, access in ACCESS.items() if access is Access.FRESH_ADMINISTRATOR)


def test_commands_about_rights_require_a_fresh_sign_in() -> None:
    assert FRESH == ["account_activate", "account_deactivate", "admin_grant", "admin_revoke", "factors_forget"]


async def test_stale_sign_in_redirects_and_changes_no_right() -> None:
    halina, person = await in_thread(AdminFactory), await in_thread(MemberFactory)
    async with open_page(PEOPLE, user=halina, signed_in=TEN_MINUTES + 1) as screen:
        for name in FRESH:
            answer = await command(screen, name, person.pk)
            assert (answer["ok"], answer.get("leave")) == (False, LEAVE), name
    assert not await in_thread(AuditEntry.objects.exists)
    async with open_page(PEOPLE, user=halina, signed_in=TEN_MINUTES - 120) as screen:
        for name in FRESH:
            answer = await command(screen, name, person.pk)
            assert (answer["ok"], "leave" in answer) == (True, False), name


async def test_other_commands_accept_a_stale_sign_in() -> None:
    halina = await in_thread(AdminFactory)
    async with open_page("/contact", user=halina, signed_in=TEN_MINUTES + 1) as screen:
        for name in sorted(ACCESS.keys() - set(FRESH)):
            assert "leave" not in await command(screen, name), name


async def test_ordinary_account_is_refused_without_a_sign_in() -> None:
    fan, person = await in_thread(MemberFactory), await in_thread(MemberFactory)
    async with open_page("/contact", user=fan, signed_in=TEN_MINUTES + 1) as screen:
        for name in FRESH:
            answer = await command(screen, name, person.pk)
            assert (answer["ok"], "leave" in answer) == (False, False)


def test_stale_sign_in_redirects_without_scripts() -> None:
    halina, person = AdminFactory(), MemberFactory()
    browser = Client()
    name, _, value = session_cookie(halina, signed_in=TEN_MINUTES + 1).partition("=")
    browser.cookies[name] = value
    sent = {"key": uuid4().hex, "from": PEOPLE, "sure": "1"}
    assert browser.post(f"/do/account_deactivate?argument={person.pk}", sent)["Location"] == LEAVE
    assert not AuditEntry.objects.exists()
    assert AuthSession.objects.count() == 1


def test_account_is_read_again_for_each_command() -> None:
    """A page may have been opened before the account was closed or lost its rights."""
    halina, person = AdminFactory(), MemberFactory()
    viewer = viewer_of(halina)
    request = CommandRequest("account_deactivate", uuid4().hex, str(person.pk), {})
    User.objects.filter(pk=halina.pk).update(is_active=False)
    assert command_run(request, Visit("/news", "en", viewer))["leave"] == "/login?next=%2Fnews"
    assert not AuditEntry.objects.exists()
