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
LETTERS = "Username can only contain letters, numbers, underscores, and hyphens"


def test_account_create_stores_a_hashed_password():
    user = account_create(email=" Ewa@Example.org", password="s3cret-enough", username="ewa_n")
    assert user.check_password("s3cret-enough")
    assert "s3cret" not in user.password
    assert user.email == "ewa@example.org"


def test_account_create_without_a_password_leaves_none_that_works():
    assert not account_create(email="ewa@example.org", password=None, username="ewa_n").has_usable_password()


@pytest.mark.parametrize(
    ("username", "message"),
    [
        ("ab", "Username must be at least 3 characters long"),
        ("a" * 21, "Username must be no more than 20 characters long"),
        ("ewa nowak", LETTERS),
        ("łucja", LETTERS),
        ("4ewa", "Username must start with a letter"),
        ("_ewa", "Username must start with a letter"),
    ],
)
def test_account_create_refuses_with_the_words_of_the_specification(username, message):
    with pytest.raises(ValidationError) as refused:
        account_create(email="ewa@example.org", password="s3cret-enough", username=username)
    assert message in refused.value.messages


def test_account_create_refuses_a_taken_address_and_username():
    UserFactory(email="ewa@example.org", username="ewa_n")
    with pytest.raises(ValidationError) as refused:
        account_create(email="EWA@example.org", password="s3cret-enough", username="EWA_N")
    assert "This username is already taken." in refused.value.messages
    assert "email" in refused.value.message_dict


def test_viewer_get_returns_what_pages_may_know():
    user = AdminFactory(username="halina_k", avatar_url="/static/a.svg")
    assert viewer_get(user_id=user.pk) == Viewer(user.pk, "halina_k", is_admin=True, avatar_url="/static/a.svg")


def test_viewer_get_returns_a_stranger_for_missing_and_inactive_accounts():
    assert viewer_get(user_id=None) == ANONYMOUS
    assert viewer_get(user_id=987654) == ANONYMOUS
    assert viewer_get(user_id=UserFactory(is_active=False).pk) == ANONYMOUS
    assert not ANONYMOUS.is_signed_in


def test_viewer_get_asks_once(django_assert_num_queries):
    user = UserFactory()
    with django_assert_num_queries(1):
        assert viewer_get(user_id=user.pk).is_signed_in


def test_account_id_get_finds_in_any_case():
    user = UserFactory(username="halina_k")
    assert account_id_get(username="Halina_K") == user.pk
    assert account_id_get(username="nobody") is None


def test_is_administrator_asks_the_database_and_not_the_viewer():
    user = AdminFactory()
    viewer = viewer_of(user)
    assert is_administrator(viewer)
    user.is_admin = False
    user.save()
    assert not is_administrator(viewer)
    assert not is_administrator(Viewer(user.pk, is_admin=True))
    assert not is_administrator(ANONYMOUS)
    assert is_administrator(OPERATOR)


def test_account_create_keeps_addresses_in_small_letters_and_vouches_for_them_unless_told_otherwise():
    known = account_create(email="A@Example.org", password=None, username="known")
    asked = account_create(email="b@example.org", password=None, username="asked", is_verified=False)
    assert [each.email for each in (known, asked)] == ["a@example.org", "b@example.org"]
    assert list(EmailAddress.objects.order_by("email").values_list("email", "verified", "primary")) == [
        ("a@example.org", True, True),
        ("b@example.org", False, True),
    ]
    for _ in range(2):
        address_vouch(account_id=asked.pk)
    assert EmailAddress.objects.get(user=asked).verified


def test_address_vouch_makes_up_for_a_missing_row():
    user = UserFactory(email="ewa@example.org")
    address_vouch(account_id=user.pk)
    assert EmailAddress.objects.get().verified


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wanted", [{"email": "ewa@example.org"}, {"username": "ewa_n"}])
def test_account_create_tells_the_slower_of_two_what_is_taken(wanted):
    def create(number):
        typed = {"email": f"fan{number}@example.org", "username": f"fan{number}", **wanted}
        return lambda: account_create(password=None, **typed)

    results = run_together(*map(create, range(6)))
    assert sum(isinstance(each, User) for each in results) == 1
    assert {type(each) for each in results} == {User, ValidationError}
    assert User.objects.count() == EmailAddress.objects.count() == 1
