"""Test roles: administrators and the terminal grant and revoke them, with audit entries and published events."""

import datetime as dt
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import product

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


def admin_command(*words: str) -> str:
    """Return the output of `manage.py admin`."""
    out = StringIO()
    call_command("admin", *words, stdout=out)
    return out.getvalue()


def is_admin(user: User) -> bool:
    user.refresh_from_db()
    return user.is_admin


SIGNED_IN = dt.datetime(2027, 10, 4, 18, 30, tzinfo=dt.UTC)
LAST = "At least one administrator who can sign in has to remain."
UNABLE = ("closed", "unconfirmed", "no first factor", "a closed passkey", "no account at Google", "no second factor")


def test_admin_command_grants_and_revokes_by_username_or_address():
    halina = AdminFactory(username="halina_k")
    user = MemberFactory(username="una_corda", email="una@example.org", last_login=SIGNED_IN)
    about = "una@example.org, confirmed; last signed in 2027-10-04 18:30 UTC"
    names = ("una_corda", "Una_Corda", "una@example.org", "UNA@example.org")
    for name in names:
        assert admin_command("grant", name) == f"{name} is now an administrator ({about}).\n"
        assert is_admin(user)
        assert admin_command("grant", name) == f"{name} is already an administrator ({about}).\n"
        assert f"una_corda             {about}\n" in admin_command("list")
        assert admin_command("revoke", name) == f"{name} is no longer an administrator.\n"
        assert not is_admin(user)
        assert admin_command("revoke", name) == f"{name} is not an administrator.\n"
    for action in ("grant", "revoke"):
        with pytest.raises(CommandError, match="There is no account 'unknown'"):
            admin_command(action, "unknown")
    with pytest.raises(CommandError, match=f"{LAST} `--last` does it nevertheless."):
        admin_command("revoke", "halina_k")
    assert admin_command("revoke", "halina_k", "--last") == "halina_k is no longer an administrator.\n"
    assert admin_command("list") == "There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.\n"
    entries = AuditEntry.objects.order_by("id").values_list("user_id", "action", "subject_id", "subject")
    changes = [(None, action, user.pk, "account") for action in ("admin.grant", "admin.revoke")]
    assert list(entries) == [*changes * len(names), (None, "admin.revoke", halina.pk, "account")]


def test_admin_grant_requires_a_confirmed_address_and_a_sign_in(admin):
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
        admin_command("grant", "boss@example.org")
    assert not AuditEntry.objects.exists()


def admin_unable(reason: str, settings) -> User:
    """Return an administrator who cannot sign in as one, for this reason."""
    if reason == "no second factor":
        settings.MFA_REQUIRED_FOR_ADMINISTRATORS = True
    without_password = reason in ("no first factor", "a closed passkey", "no account at Google")
    password = {"password": make_password(None)} if without_password else {}
    is_active, confirmed = reason not in ("closed", "a closed passkey"), reason != "unconfirmed"
    user = AdminFactory(is_active=is_active, confirmed=confirmed, **password)
    if reason == "a closed passkey":
        Authenticator.objects.create(user=user, type="webauthn", data={"name": "Key"})
    if reason == "no account at Google":  # the account is linked, but the site has no Google client
        SocialAccount.objects.create(user=user, provider="google", uid="1")
    return user


def remove_self(actor, service):
    """Call the service on the actor's own account."""
    if service is account_delete:
        return service(actor=actor, password=PASSWORD)
    return service(actor=actor, account_id=actor.id)


@pytest.mark.parametrize("service", [admin_revoke, account_deactivate, account_delete])
def test_last_administrator_who_can_sign_in_must_remain(service, settings):
    user = AdminFactory()
    viewer = Viewer(user.pk, user.username, is_admin=True, session=session_proved(user))
    for reason in UNABLE:
        admin_unable(reason, settings)
        with pytest.raises(ValidationError) as refused:
            remove_self(viewer, service)
        assert refused.value.messages == [LAST], reason
        assert is_admin(user)
        assert user.is_active
    session_proved(AdminFactory())
    remove_self(viewer, service)


def session_proved(user: User) -> str:
    """Return the handle of a session with a proven second factor of this account."""
    Authenticator.objects.create(user=user, type="totp", data={})
    store = begun(user)
    AuthSession.objects.filter(key=store.session_key).update(second_factor=True)
    return str(store.handle)


@pytest.mark.parametrize("kind", ["passkey", "google"])
def test_passkey_or_google_account_is_a_first_factor(admin, kind, settings):
    settings.GOOGLE = replace(settings.GOOGLE, client_id="id", client_secret="secret")
    other = AdminFactory(password=make_password(None))
    with pytest.raises(ValidationError, match=LAST):
        admin_revoke(actor=admin, account_id=admin.id)
    if kind == "passkey":
        Authenticator.objects.create(user=other, type="webauthn", data={"name": "Key"})
    else:
        SocialAccount.objects.create(user=other, provider="google", uid="1")
    assert admin_revoke(actor=admin, account_id=admin.id)


def test_last_first_factor_is_removed_only_by_the_operator():
    user = AdminFactory(password=make_password(None))
    Authenticator.objects.create(user=user, type="webauthn", data={"name": "Key"})
    with pytest.raises(ValidationError, match=LAST):
        factors_forget(actor=viewer_of(user), account_id=user.pk)
    assert factors_forget(actor=OPERATOR, account_id=user.pk) == 1


def test_admin_list_shows_closed_and_unconfirmed_accounts():
    AdminFactory(email="halina@example.org", is_active=False, last_login=SIGNED_IN)
    AdminFactory(email="ignacy@example.org", confirmed=False, last_login=None)
    listed = admin_command("list")
    assert "halina@example.org, confirmed; last signed in 2027-10-04 18:30 UTC; account closed\n" in listed
    assert "ignacy@example.org, not confirmed; never signed in\n" in listed


def test_role_changes_apply_once_and_are_audited(admin):
    user = MemberFactory()
    assert admin_grant(actor=admin, account_id=user.pk)
    assert is_admin(user)
    assert admin_revoke(actor=admin, account_id=user.pk)
    assert not is_admin(user)
    assert set(AuditEntry.objects.values_list("user_id", "subject_id")) == {(admin.id, user.pk)}
    begun(user)
    assert account_deactivate(actor=admin, account_id=user.pk)
    assert not account_deactivate(actor=admin, account_id=user.pk)
    assert not AuthSession.objects.exists()
    assert account_activate(actor=admin, account_id=user.pk)
    assert not account_activate(actor=admin, account_id=user.pk)
    user.refresh_from_db()
    assert user.is_active
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "details")) == [
        ("admin.grant", {"before": {"administrator": False}, "after": {"administrator": True}}),
        ("admin.revoke", {"before": {"administrator": True}, "after": {"administrator": False}}),
        ("account.deactivate", {"before": {"open": True}, "after": {"open": False}}),
        ("account.activate", {"before": {"open": False}, "after": {"open": True}}),
    ]


def test_roles_are_changed_only_by_administrators(unprivileged):
    users = [UserFactory(), AdminFactory(), UserFactory(is_active=False)]
    for service, user in product(SERVICES, users):
        with pytest.raises(PermissionDenied):
            service(actor=unprivileged, account_id=user.pk)
    assert not AuditEntry.objects.exists()


def test_role_services_refuse_an_unknown_account(admin):
    for service in SERVICES:
        with pytest.raises(User.DoesNotExist):
            service(actor=admin, account_id=987_654)


@pytest.mark.parametrize("service", [admin_revoke, account_deactivate])
def test_only_the_operator_may_remove_the_last_administrator(admin, service):
    for actor in (admin, OPERATOR):
        with pytest.raises(ValidationError, match=LAST):
            service(actor=actor, account_id=admin.id)
    with pytest.raises(ValidationError, match=LAST):
        service(actor=admin, account_id=admin.id, may_be_last=True)
    assert service(actor=OPERATOR, account_id=admin.id, may_be_last=True)


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_revoke_each_other():
    one, two = viewer_of(AdminFactory()), viewer_of(AdminFactory())
    results = run_together(
        lambda: admin_revoke(actor=one, account_id=two.id), lambda: admin_revoke(actor=two, account_id=one.id)
    )
    assert results.count(True) == 1, results
    assert [type(result) for result in results if result is not True] == [PermissionDenied]
    assert User.objects.filter(is_admin=True).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("deactivate_first", [False, True])
def test_concurrent_deactivate_and_revoke_both_apply(deactivate_first):
    one, two = viewer_of(AdminFactory()), viewer_of(AdminFactory())
    users, rounds = [], 0

    def writers():
        users.append(AdminFactory())
        account = {"account_id": users[-1].pk}
        pair = partial(account_deactivate, actor=one, **account), partial(admin_revoke, actor=two, **account)
        return pair if deactivate_first else pair[::-1]

    for results in meanwhile(writers):
        rounds += 1
        user = User.objects.get(pk=users[-1].pk)
        assert (results, user.is_active, user.is_admin) == ((True, True), False, False)
        entries = AuditEntry.objects.filter(subject_id=user.pk).values_list("user_id", "action")
        assert set(entries) == {(one.id, "account.deactivate"), (two.id, "admin.revoke")}
    assert rounds > 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("deactivate_first", [False, True])
def test_concurrent_deactivate_and_revoke_leave_one_administrator(deactivate_first):
    users, rounds = [], 0

    def writers():
        User.objects.update(is_admin=False)
        users[:] = [viewer_of(AdminFactory()), viewer_of(AdminFactory())]
        one, two = users
        pair = (
            partial(account_deactivate, actor=one, account_id=two.id),
            partial(admin_revoke, actor=two, account_id=one.id),
        )
        return pair if deactivate_first else pair[::-1]

    for results in meanwhile(writers):
        rounds += 1
        assert [type(result) for result in results] in ([bool, PermissionDenied], [PermissionDenied, bool])
        assert User.objects.filter(is_admin=True, is_active=True).count() == 1
    assert rounds > 4


@pytest.mark.django_db(transaction=True)
def test_role_changes_publish_the_account_topic(listener):
    AdminFactory()
    user = MemberFactory()
    for service in (admin_grant, account_deactivate, account_activate, admin_revoke):
        service(actor=OPERATOR, account_id=user.pk)
        assert listener.heard() == {f"account.{user.pk}"}
