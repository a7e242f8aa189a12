"""Test roles: administrators and the terminal grant and revoke them, with audit entries and published events."""

import datetime as dt
from dataclasses import replace
from functools import partial
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.models import AuthSession, User
from apps.accounts.services.accounts import account_delete
from apps.accounts.services.factors import factors_forget
from apps.accounts.services.roles import account_activate, account_deactivate, admin_grant, admin_revoke
from apps.core.models import AuditEntry
from tests.apps.accounts.test_sessions import begun
from tests.apps.conftest import run_together
from tests.apps.meanwhile import meanwhile
from tests.factories import PASSWORD, AdminFactory, MemberFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db
SERVICES = (admin_grant, admin_revoke, account_deactivate, account_activate)


def said(*words: str) -> str:
    """Return the output of `manage.py admin`."""
    out = StringIO()
    call_command("admin", *words, stdout=out)
    return out.getvalue()


def is_admin(user: User) -> bool:
    user.refresh_from_db()
    return user.is_admin


SIGNED_IN = dt.datetime(2027, 10, 4, 18, 30, tzinfo=dt.UTC)
LAST = "At least one administrator who can sign in has to remain."
ALONE = ("closed", "unconfirmed", "no first factor", "a closed passkey", "no account at Google", "no second factor")


@pytest.mark.parametrize("account", ["una_corda", "Una_Corda", "una@example.org", "UNA@example.org"])
def test_the_terminal_gives_and_takes(account):
    halina = AdminFactory(username="halina_k")
    user = MemberFactory(username="una_corda", email="una@example.org", last_login=SIGNED_IN)
    about = "una@example.org, confirmed; last signed in 2027-10-04 18:30 UTC"
    assert said("grant", account) == f"{account} is now an administrator ({about}).\n"
    assert is_admin(user)
    assert said("grant", account) == f"{account} is already an administrator ({about}).\n"
    assert f"una_corda             {about}\n" in said("list")
    assert said("revoke", account) == f"{account} is no longer an administrator.\n"
    assert not is_admin(user)
    assert said("revoke", account) == f"{account} is not an administrator.\n"
    with pytest.raises(CommandError, match=f"{LAST} `--last` does it nevertheless."):
        said("revoke", "halina_k")
    assert said("revoke", "halina_k", "--last") == "halina_k is no longer an administrator.\n"
    assert said("list") == "There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.\n"
    noted = AuditEntry.objects.order_by("id").values_list("user_id", "action", "subject", "subject_id")
    assert list(noted) == [
        (None, "admin.grant", "account", user.pk),
        (None, "admin.revoke", "account", user.pk),
        (None, "admin.revoke", "account", halina.pk),
    ]


def test_an_unconfirmed_address_or_an_account_without_a_sign_in_is_not_appointed(admin):
    unconfirmed = MemberFactory(email="boss@example.org", confirmed=False)
    without_row = UserFactory(email="chief@example.org", last_login=SIGNED_IN)
    unseen = MemberFactory(username="una_corda", last_login=None)
    for actor in (admin, OPERATOR):
        for user, sentence in (
            (unconfirmed, "The address boss@example.org is not confirmed yet."),
            (without_row, "The address chief@example.org is not confirmed yet."),
            (unseen, "The owner of una_corda has not signed in yet."),
        ):
            with pytest.raises(ValidationError) as refused:
                admin_grant(actor=actor, account_id=user.pk)
            assert refused.value.messages == [sentence]
            assert not is_admin(user)
    with pytest.raises(CommandError, match="is not confirmed yet"):
        said("grant", "boss@example.org")
    assert not AuditEntry.objects.exists()


def unable(why: str, settings) -> User:
    """Return an administrator who cannot sign in as one today."""
    if why == "no second factor":
        settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True
    without_password = why in ("no first factor", "a closed passkey", "no account at Google")
    more = {"password": make_password(None)} if without_password else {}
    user = AdminFactory(is_active=why not in ("closed", "a closed passkey"), confirmed=why != "unconfirmed", **more)
    if why == "a closed passkey":
        Authenticator.objects.create(user=user, type="webauthn", data={"name": "Key"})
    if why == "no account at Google":  # there is one, but this site has none
        SocialAccount.objects.create(user=user, provider="google", uid="1")
    return user


def dismissed_by(actor, service):
    """Call the service on the actor's own account; deleting an account requires its password."""
    if service is account_delete:
        return service(actor=actor, password=PASSWORD)
    return service(actor=actor, account_id=actor.id)


@pytest.mark.parametrize("why", ALONE)
@pytest.mark.parametrize("service", [admin_revoke, account_deactivate, account_delete])
def test_only_administrators_who_can_sign_in_count_as_remaining(service, why, settings):
    user = AdminFactory()
    session = session_proved(user)
    viewer = Viewer(user.pk, user.username, is_admin=True, session=session)
    unable(why, settings)
    with pytest.raises(ValidationError) as refused:
        dismissed_by(viewer, service)
    assert refused.value.messages == [LAST]
    assert is_admin(user)
    assert user.is_active
    second = AdminFactory()
    session_proved(second)
    dismissed_by(viewer, service)


def session_proved(user: User) -> str:
    """Return the handle of a session with a proven second factor of this account."""
    Authenticator.objects.create(user=user, type="totp", data={})
    store = begun(user)
    AuthSession.objects.filter(key=store.session_key).update(second_factor=True)
    return str(store.handle)


@pytest.mark.parametrize("kind", ["passkey", "google"])
def test_a_passkey_or_an_account_at_google_is_a_first_factor(admin, kind, settings):
    settings.GOOGLE = replace(settings.GOOGLE, client_id="id", client_secret="secret")
    other = AdminFactory(password=make_password(None))
    with pytest.raises(ValidationError, match=LAST):
        admin_revoke(actor=admin, account_id=admin.id)
    if kind == "passkey":
        Authenticator.objects.create(user=other, type="webauthn", data={"name": "Key"})
    else:
        SocialAccount.objects.create(user=other, provider="google", uid="1")
    assert admin_revoke(actor=admin, account_id=admin.id)


def test_forgetting_the_last_administrators_only_factor_is_refused_but_at_the_terminal():
    user = AdminFactory(password=make_password(None))
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "Key"})
    with pytest.raises(ValidationError, match=LAST):
        factors_forget(actor=viewer_of(user), account_id=user.pk)
    assert factors_forget(actor=OPERATOR, account_id=user.pk) == 1


def test_the_terminal_says_that_nobody_has_that_name():
    for action in ("grant", "revoke"):
        with pytest.raises(CommandError, match="There is no account 'nobody'"):
            said(action, "nobody")


def test_the_terminal_shows_what_administrators_lack():
    AdminFactory(email="halina@example.org", is_active=False, last_login=SIGNED_IN)
    AdminFactory(email="ignacy@example.org", confirmed=False, last_login=None)
    listed = said("list")
    assert "halina@example.org, confirmed; last signed in 2027-10-04 18:30 UTC; account closed\n" in listed
    assert "ignacy@example.org, not confirmed; never signed in\n" in listed


def test_an_administrator_gives_and_takes_and_the_audit_knows_who(admin):
    user = MemberFactory()
    assert admin_grant(actor=admin, account_id=user.pk)
    assert is_admin(user)
    assert admin_revoke(actor=admin, account_id=user.pk)
    assert not is_admin(user)
    assert set(AuditEntry.objects.values_list("user_id", "subject_id")) == {(admin.id, user.pk)}
    account_deactivate(actor=admin, account_id=user.pk)
    account_activate(actor=admin, account_id=user.pk)
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "details")) == [
        ("admin.grant", {"before": {"administrator": False}, "after": {"administrator": True}}),
        ("admin.revoke", {"before": {"administrator": True}, "after": {"administrator": False}}),
        ("account.deactivate", {"before": {"open": True}, "after": {"open": False}}),
        ("account.activate", {"before": {"open": False}, "after": {"open": True}}),
    ]


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_else_decides(nobody, service):
    users = [UserFactory(), AdminFactory(), UserFactory(is_active=False)]
    for user in users:
        with pytest.raises(PermissionDenied):
            service(actor=nobody, account_id=user.pk)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("service", SERVICES)
def test_an_account_that_is_none_is_refused(admin, service):
    with pytest.raises(User.DoesNotExist):
        service(actor=admin, account_id=987_654)


@pytest.mark.parametrize("service", [admin_revoke, account_deactivate])
def test_an_administrator_remains_unless_the_operator_says_otherwise(admin, service):
    for actor in (admin, OPERATOR):
        with pytest.raises(ValidationError, match=LAST):
            service(actor=actor, account_id=admin.id)
    with pytest.raises(ValidationError, match=LAST):
        service(actor=admin, account_id=admin.id, may_be_last=True)
    assert service(actor=OPERATOR, account_id=admin.id, may_be_last=True)


def test_a_closed_account_has_no_session_until_it_is_opened(admin):
    user = UserFactory()
    begun(user)
    assert account_deactivate(actor=admin, account_id=user.pk)
    assert not account_deactivate(actor=admin, account_id=user.pk)
    assert not AuthSession.objects.exists()
    assert account_activate(actor=admin, account_id=user.pk)
    assert not account_activate(actor=admin, account_id=user.pk)
    user.refresh_from_db()
    assert user.is_active


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_dismiss_each_other():
    one, two = viewer_of(AdminFactory()), viewer_of(AdminFactory())
    results = run_together(
        lambda: admin_revoke(actor=one, account_id=two.id), lambda: admin_revoke(actor=two, account_id=one.id)
    )
    assert results.count(True) == 1, results
    assert [type(result) for result in results if result is not True] == [PermissionDenied]
    assert User.objects.filter(is_admin=True).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("closed_first", [False, True])
def test_closing_an_account_and_dismissing_it_at_once_do_both(closed_first):
    one, two = viewer_of(AdminFactory()), viewer_of(AdminFactory())
    people, orders = [], 0

    def made():
        people.append(AdminFactory())
        asked = {"account_id": people[-1].pk}
        pair = partial(account_deactivate, actor=one, **asked), partial(admin_revoke, actor=two, **asked)
        return pair if closed_first else pair[::-1]

    for results in meanwhile(made):
        orders += 1
        user = User.objects.get(pk=people[-1].pk)
        assert (results, user.is_active, user.is_admin) == ((True, True), False, False)
        noted = AuditEntry.objects.filter(subject_id=user.pk).values_list("user_id", "action")
        assert set(noted) == {(one.id, "account.deactivate"), (two.id, "admin.revoke")}
    assert orders > 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("closed_first", [False, True])
def test_of_two_who_close_and_dismiss_each_other_at_once_one_stays(closed_first):
    people, orders = [], 0

    def made():
        User.objects.update(is_admin=False)
        people[:] = [viewer_of(AdminFactory()), viewer_of(AdminFactory())]
        one, two = people
        pair = (
            partial(account_deactivate, actor=one, account_id=two.id),
            partial(admin_revoke, actor=two, account_id=one.id),
        )
        return pair if closed_first else pair[::-1]

    for results in meanwhile(made):
        orders += 1
        assert [type(result) for result in results] in ([bool, PermissionDenied], [PermissionDenied, bool])
        assert User.objects.filter(is_admin=True, is_active=True).count() == 1
    assert orders > 4


@pytest.mark.django_db(transaction=True)
def test_every_change_is_told(listener):
    AdminFactory()
    user = MemberFactory()
    for service in (admin_grant, account_deactivate, account_activate, admin_revoke):
        service(actor=OPERATOR, account_id=user.pk)
        assert listener.heard() == {f"account.{user.pk}"}
