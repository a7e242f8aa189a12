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


def numbers_drawn(monkeypatch, *numbers):
    left = list(numbers)
    monkeypatch.setattr(factors.secrets, "randbelow", lambda _: left.pop(0))
    return left


def test_generated_name_is_chopin_and_four_free_digits(monkeypatch):
    assert re.fullmatch(r"chopin\d{4}", username_generate())
    numbers_drawn(monkeypatch, 7)
    assert username_generate() == "chopin0007"
    UserFactory(username="Chop-inOOOl")
    numbers_drawn(monkeypatch, 1, 1, 2)
    assert username_generate() == "chopin0002"
    remaining = numbers_drawn(monkeypatch, *[1] * 10, 2)
    monkeypatch.setattr(factors.time, "time", lambda: 1_795_123_456.9)
    assert username_generate() == "chopin3456", "after ten attempts it is the time"
    assert remaining == [2]


def test_username_taken_by_a_concurrent_sign_up_is_replaced(monkeypatch):
    names = ["chopin0001", "chopin0002"]
    UserFactory(username="chopin0001")
    monkeypatch.setattr(factors, "username_generate", lambda: names.pop(0))  # as if the username were free
    assert account_create_linked(**EWA).username == "chopin0002"


def test_failed_sign_up_stores_no_rows(monkeypatch):
    UserFactory(username="chopin0001")
    monkeypatch.setattr(factors, "username_generate", lambda: "chopin0001")
    with pytest.raises(ValidationError):
        account_create_linked(**EWA)
    UserFactory(email="Ewa@example.org", username="ewa_n")
    monkeypatch.undo()
    with pytest.raises(ValidationError):
        account_create_linked(**EWA)
    assert User.objects.count() == 2
    assert not SocialAccount.objects.exists()


def test_linked_account_has_the_providers_id_and_no_password():
    user = account_create_linked(**EWA)
    assert SocialAccount.objects.values_list("user", "provider", "uid").get() == (user.pk, "google", "1001")
    assert not user.has_usable_password()


def test_only_https_pictures_are_kept():
    assert _picture("https://pictures.example/a.jpg?size=96") == "https://pictures.example/a.jpg?size=96"
    long = "https://pictures.example/" + "a" * 2048
    refused = ("http://pictures.example/a.jpg", "javascript:alert(1)", "/static/og.png", long, "")
    assert not [address for address in refused if _picture(address)]
