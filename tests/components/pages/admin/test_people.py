"""The administrators' page of people: search, roles, deactivation, lockouts, and live updates."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from io import StringIO
from unittest.mock import patch

import pytest
from allauth.core.internal import ratelimit as allauths
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from apps.accounts.actors import Viewer
from apps.accounts.attempts import sign_in_attempt
from apps.accounts.models import AuthSession, User
from apps.accounts.selectors.people import people_list
from apps.accounts.services.accounts import account_create
from apps.accounts.services.registrations import registration_create
from apps.accounts.services.roles import account_unlock
from apps.core.models import AuditEntry
from apps.core.rate_limits import TooMany
from apps.core.threads import in_thread
from tests.apps.accounts.test_sessions import begun
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import opened, text
from tests.factories import PASSWORD, AdminFactory, MemberFactory, UserFactory, viewer_of
from tests.project.plain_browser import PlainBrowser
from tests.screen import open_page

PEOPLE = "/admin/people"


def read(query: str, viewer: Viewer) -> str:
    return text(opened(PEOPLE + query, viewer).main)


def too_many(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except TooMany:
        return True
    return False


def names(admin: User, **filters) -> list[str]:
    return [person.username for person in people_list(actor=viewer_of(admin), **filters)]


def locked_out(admin: User) -> set[str]:
    """Return the names of the people who are locked out."""
    return {person.username for person in people_list(actor=viewer_of(admin)) if person.is_locked_out}


async def test_roles_and_accounts_change_in_all_windows(admin, colleague):
    fan = await in_thread(lambda: MemberFactory(username="una_corda"))
    steps = (
        ("admin_grant", "Make administrator", "Make una_corda an administrator?", "Administrator appointed."),
        ("admin_revoke", "Dismiss", "Take the administration from una_corda?", "Administrator dismissed."),
        ("account_deactivate", "Close account", "Close the account of una_corda?", "Account closed."),
        ("account_activate", "Open account", "Open the account of una_corda again?", "Account opened again."),
    )
    async with open_page(PEOPLE, user=admin) as screen, open_page(PEOPLE, user=colleague) as other:
        for name, label, question, sentence in steps:
            button = other.button(f"{label}: una_corda")["attributes"]
            assert (button["data-command"], button["data-argument"]) == (name, str(fan.pk))
            assert (button["data-confirm"], bool(button["data-confirm-words"])) == (question, True)
            await succeed(screen, name, fan.pk, sentence)
            await other._until(lambda label=label: other.button(f"{label}: una_corda") is None, f"{label} stays")
            second = await command(other, name, fan.pk)
            assert second["ok"]
            assert second["text"] != sentence
    entries = await in_thread(lambda: list(AuditEntry.objects.order_by("id").values_list("user_id", "subject_id")))
    assert entries == [(admin.pk, fan.pk)] * 4


async def test_appointment_needs_a_confirmed_address_and_a_sign_in(admin):
    signed_in = dt.datetime(2027, 10, 4, 18, 30, tzinfo=dt.UTC)
    una = await in_thread(lambda: MemberFactory(username="una_corda", email="una@example.org", last_login=signed_in))
    unconfirmed = await in_thread(lambda: MemberFactory(username="waits", email="boss@example.org", confirmed=False))
    unseen = await in_thread(lambda: MemberFactory(username="unseen", last_login=None))
    async with open_page(PEOPLE, user=admin) as screen:
        words = screen.button("Make administrator: una_corda")["attributes"]["data-confirm-words"]
        assert words.replace("\xa0", " ").startswith(
            "una@example.org, address confirmed, last signed in on 4 October 2027. "
        )
        for person, sentence in (
            (unconfirmed, "The address boss@example.org is not confirmed yet."),
            (unseen, "The owner of unseen has not signed in yet."),
        ):
            assert screen.button(f"Make administrator: {person.username}") is None
            await be_refused(screen, "admin_grant", person.pk, sentence)
        assert (await command(screen, "admin_grant", una.pk))["ok"]
    shown = await in_thread(lambda: read("", viewer_of(admin)).replace("\xa0", " "))
    assert "una@example.org · address confirmed" in shown
    assert "last signed in 4 October 2027" in shown
    assert "boss@example.org · address not confirmed" in shown
    assert "never signed in" in shown


async def test_open_list_follows_the_first_sign_in_only(admin):
    register = partial(account_create, email="una@example.org", password=PASSWORD, username="una_corda")
    una = await in_thread(register)
    async with open_page(PEOPLE, user=admin) as screen:
        assert screen.button("Make administrator: una_corda") is None
        await in_thread(lambda: PlainBrowser().sign_in(una.email, PASSWORD))
        await screen._until(lambda: screen.button("Make administrator: una_corda"), "the list does not follow")
        with patch("apps.accounts.services.sessions.publish") as publish:
            assert (await in_thread(lambda: PlainBrowser().sign_in(una.email, PASSWORD))).status == 302
        publish.assert_not_called()


async def test_forgetting_second_factors_signs_the_owner_out(admin):
    fan = await in_thread(lambda: UserFactory(username="una_corda"))
    await in_thread(lambda: Authenticator.objects.create(user=fan, type="totp", data={}))
    await in_thread(lambda: begun(fan))
    async with open_page(PEOPLE, user=admin) as screen:
        button = screen.button("Forget second factor: una_corda")["attributes"]
        assert button["data-confirm"] == "Forget the second factors of una_corda?"
        await succeed(screen, button["data-command"], button["data-argument"], "Second factors forgotten.")
        await screen._until(lambda: not screen.button("Forget second factor: una_corda"), "the button stays")
    assert not await in_thread(AuthSession.objects.filter(user=fan).exists)
    assert await in_thread(lambda: AuditEntry.objects.get().action) == "factor.forget"


@pytest.mark.django_db
def test_people_are_found_by_prefix_number_and_filter():
    admin = AdminFactory(username="halina", email="h@example.org")
    una = UserFactory(username="una_corda", email="una@example.org")
    closed = UserFactory(username="tre_corde", email="unison@example.org", is_active=False)
    User.objects.filter(pk=una.pk).update(created_at="2020-01-01T00:00:00Z")
    assert names(admin) == ["tre_corde", "halina", "una_corda"]
    assert names(admin, query="UN") == ["tre_corde", "una_corda"]
    assert names(admin, query="una_") == ["una_corda"]
    assert names(admin, query="corda") == names(admin, query="%") == names(admin, query="#x") == []
    assert names(admin, query=f"#{closed.pk}") == ["tre_corde"]
    assert names(admin, which="new") == ["tre_corde", "halina"]
    assert names(admin, which="administrators") == ["halina"]
    assert names(admin, which="closed") == ["tre_corde"]
    begun(una)
    people = people_list(actor=viewer_of(admin))
    assert [(person.is_new, person.seen_at is None) for person in people] == [(True, True)] * 2 + [(False, False)]


@pytest.mark.django_db
def test_account_registered_with_a_taken_address_shows_no_address():
    admin = viewer_of(AdminFactory())
    owner = UserFactory(email="ewa@example.org")
    registration_create(email=owner.email, password=PASSWORD, username="ewa-again")
    seen = read("?q=ewa-again", admin)
    assert "registered with another account's address · address not confirmed" in seen
    assert "invalid" not in seen
    assert owner.email not in seen


@pytest.mark.django_db(transaction=True)
def test_locked_out_account_is_unlocked_for_all_clients():
    admin, fan = AdminFactory(), UserFactory(username="una_corda", email="una@example.org")
    other = UserFactory(username="tre_corde")
    sources = [{"client": f"192.0.2.{n}", "browser": ""} for n in range(2)] + [
        {"client": "192.0.2.9", "browser": "own"}
    ]

    def refused() -> list[bool]:
        return [
            too_many(lambda source=source: sign_in_attempt(email="Una@example.org", **source)) for source in sources
        ]

    for _ in range(5):
        assert not any(refused())
        sign_in_attempt(email=other.email, client="192.0.2.7", browser="")
    assert all(refused())
    assert too_many(lambda: sign_in_attempt(email=other.email, client="192.0.2.7", browser=""))
    assert locked_out(admin) == {"una_corda", "tre_corde"}
    assert account_unlock(actor=viewer_of(admin), account_id=fan.pk)
    assert not account_unlock(actor=viewer_of(admin), account_id=fan.pk)
    assert locked_out(admin) == {"tre_corde"}
    assert not any(refused())
    assert too_many(lambda: sign_in_attempt(email=other.email, client="192.0.2.7", browser=""))
    assert list(AuditEntry.objects.values_list("action", "subject_id")) == [("account.unlock", fan.pk)]


@pytest.mark.django_db(transaction=True)
def test_unlocking_clears_wrong_codes():
    admin, fan = AdminFactory(), UserFactory(username="una_corda")
    code = {"app": "allauth.account", "action": "login_failed", "key": f"mfa-auth-user-{fan.pk}"}
    request = RequestFactory().post("/two-factor")
    assert [bool(allauths.consume(request, **code)) for _ in range(6)] == [True] * 5 + [False]
    assert locked_out(admin) == {"una_corda"}
    assert account_unlock(actor=viewer_of(admin), account_id=fan.pk)
    assert allauths.consume(request, **code)


@pytest.mark.django_db
def test_command_closes_opens_and_unlocks():
    fan, out = UserFactory(username="una_corda"), StringIO()
    for words in ("close", "close", "open", "open", "unlock"):
        call_command("account", words, "una_corda", stdout=out)
    assert out.getvalue().splitlines() == [
        *("una_corda is closed now.", "una_corda is closed already."),
        *("una_corda is open now.", "una_corda is open already.", "una_corda is not locked."),
    ]
    assert list(AuditEntry.objects.order_by("id").values_list("user_id", "action", "subject_id")) == [
        (None, "account.deactivate", fan.pk),
        (None, "account.activate", fan.pk),
    ]
    with pytest.raises(CommandError, match="There is no account 'nobody'"):
        call_command("account", "close", "nobody")


@pytest.mark.django_db
def test_address_filters_the_list():
    admin, fan = viewer_of(AdminFactory(username="halina")), viewer_of(UserFactory(username="una_corda"))
    assert "una_corda" not in read("?show=administrators", admin)
    assert "una_corda" in read("?show=everything&before=yesterday", admin)
    assert "No people found matching your criteria." in read("?q=nobody", admin)
    for viewer in (fan, viewer_of(User(username="nobody"))):
        with pytest.raises(PermissionDenied):
            people_list(actor=viewer)
