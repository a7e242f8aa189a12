"""Test the creation of accounts and the viewers that the services return."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError

from apps.accounts.actors import ANONYMOUS, OPERATOR, Viewer
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.sessions import account_id_get, viewer_get
from apps.accounts.services.accounts import account_create, address_vouch
from tests.apps.conftest import run_together
from tests.factories import AdminFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def test_account_create_validates_username_and_address():
    UserFactory(email="ewa@example.org", username="ewa_n")
    with pytest.raises(ValidationError) as refused:
        account_create(email="EWA@example.org", password="s3cret-enough", username="EWA_N")
    assert "This username is already taken." in refused.value.messages
    assert "email" in refused.value.message_dict
    with pytest.raises(ValidationError, match="Username must be at least 3 characters long"):
        account_create(email="new@example.org", password="s3cret-enough", username="ab")


def test_viewer_get_returns_active_accounts_with_one_query(django_assert_num_queries):
    user = AdminFactory(username="halina_k", avatar_url="/static/a.svg")
    with django_assert_num_queries(1):
        viewer = viewer_get(user_id=user.pk)
    assert viewer == Viewer(user.pk, "halina_k", is_admin=True, avatar_url="/static/a.svg")
    assert viewer.is_signed_in
    assert viewer_get(user_id=None) == ANONYMOUS
    assert viewer_get(user_id=987654) == ANONYMOUS
    assert viewer_get(user_id=UserFactory(is_active=False).pk) == ANONYMOUS
    assert not ANONYMOUS.is_signed_in


def test_account_id_get_ignores_case():
    user = UserFactory(username="halina_k")
    assert account_id_get(username="Halina_K") == user.pk
    assert account_id_get(username="unknown") is None


def test_is_administrator_reads_the_database():
    user = AdminFactory()
    viewer = viewer_of(user)
    assert is_administrator(viewer)
    user.is_admin = False
    user.save()
    assert not is_administrator(viewer)
    assert not is_administrator(Viewer(user.pk, is_admin=True))
    assert not is_administrator(ANONYMOUS)
    assert is_administrator(OPERATOR)


def test_account_create_stores_password_hash_address_and_confirmation():
    confirmed = account_create(email=" Ewa@Example.org", password="s3cret-enough", username="ewa_n")
    assert confirmed.check_password("s3cret-enough")
    assert "s3cret" not in confirmed.password
    unconfirmed = account_create(email="fan@example.org", password=None, username="fan", is_verified=False)
    assert not unconfirmed.has_usable_password()
    assert [user.email for user in (confirmed, unconfirmed)] == ["ewa@example.org", "fan@example.org"]
    assert list(EmailAddress.objects.order_by("email").values_list("email", "verified", "primary")) == [
        ("ewa@example.org", True, True),
        ("fan@example.org", False, True),
    ]


def test_address_vouch_confirms_and_creates_a_missing_row():
    unconfirmed = account_create(email="fan@example.org", password=None, username="fan", is_verified=False)
    without_row = UserFactory(email="ewa@example.org")
    for user in (unconfirmed, unconfirmed, without_row):
        address_vouch(account_id=user.pk)
        assert EmailAddress.objects.get(user=user).verified


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("shared", [{"email": "ewa@example.org"}, {"username": "ewa_n"}])
def test_concurrent_account_create_makes_one_account(shared):
    def create(number):
        values = {"email": f"fan{number}@example.org", "username": f"fan{number}", **shared}
        return lambda: account_create(password=None, **values)

    results = run_together(*map(create, range(6)))
    assert sum(isinstance(result, User) for result in results) == 1
    assert {type(result) for result in results} == {User, ValidationError}
    assert User.objects.count() == EmailAddress.objects.count() == 1
