"""Test the database constraints of accounts with writes that bypass the services."""

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction

from apps.accounts.services.profile import profile_update
from tests.apps.accounts.test_usernames import ALIKE_NAMES, RESERVED_NAMES
from tests.factories import PASSWORD, UserFactory, viewer_of
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def check_refused(constraint: str, **columns) -> None:
    """Check that the database refuses an account with these columns, by a constraint of this pattern."""
    with pytest.raises(DatabaseError, match=constraint), transaction.atomic():
        UserFactory(**columns)


def test_database_refuses_malformed_usernames():
    names = ("", "ab", "a" * 20 + "b", "1abc", "_abc", "-abc", "a bc", "łucja", "abc\n", "a.b")
    check_each(names, lambda name: check_refused("username_well_formed|too long", username=name))
    for name in ("abc", "a" * 20, "halina_k", "pedal-point", "chopin4821", "A1_"):
        assert UserFactory(username=name).pk


def test_database_refuses_usernames_that_look_like_another():
    UserFactory(username="una_corda")
    rules = "username_once_(among_lookalikes|in_any_case)"
    check_each(ALIKE_NAMES, lambda name: check_refused(rules, username=name))
    check_refused("username_once_in_any_case", username="Una_Corda")


def test_database_refuses_reserved_usernames():
    check_each(RESERVED_NAMES, lambda name: check_refused("username_not_reserved", username=name))


def test_usernames_older_than_the_rule_are_kept():
    UserFactory(username="Ian")
    UserFactory(username="lan", username_grandfathered=True)
    user = UserFactory(username="adm1n", username_grandfathered=True)
    assert profile_update(actor=viewer_of(user), username="adm1n", avatar_url="https://example.org/me.png")
    with pytest.raises(ValidationError, match="reserved"):
        profile_update(actor=viewer_of(user), username="admin", avatar_url="")
    assert profile_update(actor=viewer_of(user), username="due_corde", avatar_url="")
    user.refresh_from_db()
    assert not user.username_grandfathered


def test_database_refuses_duplicate_and_malformed_addresses():
    UserFactory(email="halina@example.org")
    check_refused("email_once_in_any_case", email="Halina@Example.org")
    addresses = ("", "halina", "halina@", "@example.org", "a b@example.org", "a@b@c")
    check_each(addresses, lambda email: check_refused("email_well_formed", email=email))


def test_database_refuses_an_avatar_without_https():
    addresses = ("http://example.org/a.png", "javascript:alert(1)", "//example.org/a.png")
    check_each(addresses, lambda address: check_refused("user_avatar_is_picture", avatar_url=address))


def test_new_account_has_no_rights():
    user = UserFactory()
    assert (user.is_admin, user.is_active) == (False, True)


def test_authenticate_ignores_the_case_of_the_address():
    user = UserFactory(email="halina@example.org")
    assert authenticate(username="HALINA@example.org", password=PASSWORD) == user
