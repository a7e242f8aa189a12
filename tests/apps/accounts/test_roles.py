"""Who may do what: given and taken by administrators and at the terminal, noted and told."""

from functools import partial
from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command

from apps.accounts.actors import OPERATOR
from apps.accounts.models import AuthSession, User
from apps.accounts.services import account_activate, account_deactivate, admin_grant, admin_revoke
from apps.core.models import AuditEntry
from tests.apps.accounts.test_sessions import begun
from tests.apps.conftest import run_together
from tests.apps.meanwhile import meanwhile
from tests.factories import AdminFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db
SERVICES = (admin_grant, admin_revoke, account_deactivate, account_activate)


def said(*words: str) -> str:
    """What `manage.py admin` prints."""
    out = StringIO()
    call_command("admin", *words, stdout=out)
    return out.getvalue()


def is_admin(user: User) -> bool:
    user.refresh_from_db()
    return user.is_admin


@pytest.mark.parametrize("account", ["una_corda", "Una_Corda", "una@example.org", "UNA@example.org"])
def test_the_terminal_gives_and_takes(account):
    user = UserFactory(username="una_corda", email="una@example.org")
    assert said("list") == "There is no administrator yet. `manage.py admin grant ACCOUNT` makes one.\n"
    assert said("grant", account) == f"{account} is now an administrator.\n"
    assert is_admin(user)
    assert said("grant", account) == f"{account} is already an administrator.\n"
    assert said("list") == "una_corda             una@example.org\n"
    assert said("revoke", account) == f"{account} is no longer an administrator.\n"
    assert not is_admin(user)
    assert said("revoke", account) == f"{account} is not an administrator.\n"
    noted = AuditEntry.objects.order_by("id").values_list("user_id", "action", "subject", "subject_id")
    assert list(noted) == [
        (None, "admin.grant", "account", user.pk),
        (None, "admin.revoke", "account", user.pk),
    ]


def test_the_terminal_says_that_nobody_has_that_name():
    for action in ("grant", "revoke"):
        with pytest.raises(CommandError, match="There is no account 'nobody'"):
            said(action, "nobody")


def test_the_terminal_shows_closed_accounts_of_administrators():
    AdminFactory(username="halina_k", email="halina@example.org", is_active=False)
    assert "halina@example.org  (account closed)" in said("list")


def test_an_administrator_gives_and_takes_and_the_audit_knows_who(admin):
    user = UserFactory()
    assert admin_grant(actor=admin, account_id=user.pk)
    assert is_admin(user)
    assert admin_revoke(actor=admin, account_id=user.pk)
    assert not is_admin(user)
    assert set(AuditEntry.objects.values_list("user_id", "subject_id")) == {(admin.id, user.pk)}


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
def test_somebody_stays_administrator_unless_the_terminal_says_so(admin, service):
    AdminFactory(is_active=False)
    with pytest.raises(ValidationError, match="Somebody has to stay administrator"):
        service(actor=admin, account_id=admin.id)
    assert service(actor=OPERATOR, account_id=admin.id)


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
    user = UserFactory()
    for service in (admin_grant, account_deactivate, account_activate, admin_revoke):
        service(actor=OPERATOR, account_id=user.pk)
        assert listener.heard() == {f"account.{user.pk}"}
