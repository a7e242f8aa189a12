"""Test accounts of users who sign in with Google."""

import re

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError

from apps.accounts.models import User
from apps.accounts.services import factors
from apps.accounts.services.factors import account_create_linked, username_generate
from apps.accounts.sign_in.social import _picture
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
EWA = {"provider": "google", "uid": "1001", "email": "ewa@example.org", "is_verified": True, "avatar_url": ""}


def drawing(monkeypatch, *numbers):
    left = list(numbers)
    monkeypatch.setattr(factors.secrets, "randbelow", lambda _: left.pop(0))
    return left


def test_generated_name_is_chopin_and_four_digits():
    assert re.fullmatch(r"chopin\d{4}", username_generate())


def test_generated_name_keeps_its_zeros(monkeypatch):
    drawing(monkeypatch, 7)
    assert username_generate() == "chopin0007"


def test_a_taken_name_is_tried_no_longer_in_any_case(monkeypatch):
    UserFactory(username="Chop-inOOOl")
    drawing(monkeypatch, 1, 1, 2)
    assert username_generate() == "chopin0002"


def test_after_ten_attempts_it_is_the_time(monkeypatch):
    UserFactory(username="chopin0001")
    left = drawing(monkeypatch, *[1] * 10, 2)
    monkeypatch.setattr(factors.time, "time", lambda: 1_795_123_456.9)
    assert username_generate() == "chopin3456"
    assert left == [2]


def test_whoever_is_slower_gets_another_name(monkeypatch):
    names = ["chopin0001", "chopin0002"]
    UserFactory(username="chopin0001")
    monkeypatch.setattr(factors, "username_generate", lambda: names.pop(0))  # as if the username were free
    assert account_create_linked(**EWA).username == "chopin0002"


def test_no_name_at_all_leaves_nothing_behind(monkeypatch):
    UserFactory(username="chopin0001")
    monkeypatch.setattr(factors, "username_generate", lambda: "chopin0001")
    with pytest.raises(ValidationError):
        account_create_linked(**EWA)
    assert User.objects.count() == 1
    assert not SocialAccount.objects.exists()


def test_taken_address_makes_no_account():
    UserFactory(email="Ewa@example.org")
    with pytest.raises(ValidationError):
        account_create_linked(**EWA)
    assert not SocialAccount.objects.exists()


def test_account_is_linked_by_the_providers_number_and_has_no_password():
    user = account_create_linked(**EWA)
    assert SocialAccount.objects.values_list("user", "provider", "uid").get() == (user.pk, "google", "1001")
    assert not user.has_usable_password()


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://pictures.example/a.jpg?size=96", True),
        ("http://pictures.example/a.jpg", False),
        ("javascript:alert(1)", False),
        ("/static/og.png", False),
        ("https://pictures.example/" + "a" * 2048, False),
        ("", False),
    ],
)
def test_only_what_may_be_a_picture_is_taken(address, kept):
    assert _picture(address) == (address if kept else "")
