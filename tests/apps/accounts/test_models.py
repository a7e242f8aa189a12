"""Test the database constraints of accounts with writes that bypass the services."""

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from apps.accounts.models import User
from apps.accounts.services.profile import profile_update
from tests.apps.accounts.test_usernames import ALIKE_NAMES, RESERVED_NAMES
from tests.factories import PASSWORD, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "username", ["", "ab", "a" * 20 + "b", "1abc", "_abc", "-abc", "a bc", "łucja", "abc\n", "a.b"]
)
def test_the_database_refuses_a_malformed_username(username):
    with pytest.raises(Exception) as refused:  # noqa: PT011 - one is too long for the column, the others break the rule
        User.objects.create(email="a@example.org", username=username)
    assert "username_well_formed" in str(refused.value) or "too long" in str(refused.value)


@pytest.mark.parametrize("username", ["abc", "a" * 20, "halina_k", "pedal-point", "chopin4821", "A1_"])
def test_the_database_takes_a_well_formed_username(username):
    assert User.objects.create(email="a@example.org", username=username).pk


def test_the_database_refuses_a_second_username_in_another_case():
    UserFactory(username="halina_k")
    with pytest.raises(IntegrityError, match="username_once_in_any_case"):
        UserFactory(username="Halina_K")


@pytest.mark.parametrize("username", ALIKE_NAMES)
def test_the_database_refuses_a_username_that_looks_like_another(username):
    UserFactory(username="una_corda")
    with pytest.raises(IntegrityError, match=r"username_once_(among_lookalikes|in_any_case)"):
        UserFactory(username=username)


@pytest.mark.parametrize("username", RESERVED_NAMES)
def test_the_database_refuses_a_reserved_username(username):
    with pytest.raises(IntegrityError, match="username_not_reserved"):
        UserFactory(username=username)


def test_names_that_were_given_before_the_rule_stay():
    UserFactory(username="Ian")
    UserFactory(username="lan", username_grandfathered=True)
    user = UserFactory(username="adm1n", username_grandfathered=True)
    assert profile_update(actor=viewer_of(user), username="adm1n", avatar_url="https://example.org/me.png")
    with pytest.raises(ValidationError, match="reserved"):
        profile_update(actor=viewer_of(user), username="admin", avatar_url="")
    assert profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    user.refresh_from_db()
    assert not user.username_grandfathered


def test_the_database_refuses_a_second_address_in_another_case():
    UserFactory(email="halina@example.org")
    with pytest.raises(IntegrityError, match="email_once_in_any_case"):
        UserFactory(email="Halina@Example.org")


@pytest.mark.parametrize("email", ["", "halina", "halina@", "@example.org", "a b@example.org", "a@b@c"])
def test_the_database_refuses_what_is_no_address(email):
    with pytest.raises(IntegrityError, match="email_well_formed"):
        UserFactory(email=email)


@pytest.mark.parametrize("address", ["http://example.org/a.png", "javascript:alert(1)", "//example.org/a.png"])
def test_the_database_refuses_an_avatar_from_elsewhere(address):
    with pytest.raises(IntegrityError, match="user_avatar_is_picture"):
        UserFactory(avatar_url=address)


def test_a_new_account_has_no_rights():
    user = UserFactory()
    assert (user.is_admin, user.is_active) == (False, True)


def test_an_account_is_found_however_its_address_is_typed():
    user = UserFactory(email="halina@example.org")
    assert authenticate(username="HALINA@example.org", password=PASSWORD) == user
