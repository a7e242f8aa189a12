"""The address of the private calendar: made once, renewed, ended, exported and deleted."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.services.accounts import account_delete, account_export
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.following.limits import SECRET_LENGTH
from apps.following.models import CalendarKey
from apps.following.selectors import calendar_owner, calendar_secret
from apps.following.services import (
    CALENDAR_ENDED,
    CALENDAR_MADE,
    calendar_key_end,
    calendar_key_make,
    calendar_key_renew,
)
from tests.factories import PASSWORD, UserFactory, viewer_of


@pytest.fixture
def fan(db):
    return viewer_of(UserFactory())


def made(actor):
    """Make the actor's calendar and return its secret."""
    assert calendar_key_make(actor=actor) == CALENDAR_MADE
    return calendar_secret(user_id=actor.id)


def test_a_second_press_keeps_the_address_and_a_renewal_replaces_it(fan):
    assert calendar_secret(user_id=fan.id) == ""
    first = made(fan)
    assert len(first) == SECRET_LENGTH
    assert made(fan) == first
    assert "new address" in calendar_key_renew(actor=fan)
    second = calendar_secret(user_id=fan.id)
    assert second != first
    assert (calendar_owner(secret=first), calendar_owner(secret=second)) == (None, fan.id)


def test_an_ended_calendar_has_no_address_and_a_new_one_has_another(fan):
    first = made(fan)
    for _ in range(2):
        assert calendar_key_end(actor=fan) == CALENDAR_ENDED
    assert (calendar_secret(user_id=fan.id), calendar_owner(secret=first)) == ("", None)
    assert made(fan) != first


def test_a_renewal_without_an_address_makes_one(fan):
    calendar_key_renew(actor=fan)
    assert calendar_owner(secret=calendar_secret(user_id=fan.id)) == fan.id


def test_each_member_has_an_address_of_their_own(fan):
    other = viewer_of(UserFactory())
    first, second = made(fan), made(other)
    calendar_key_renew(actor=fan)
    calendar_key_end(actor=fan)
    assert first != second
    assert calendar_owner(secret=second) == other.id


@pytest.mark.parametrize("actor", [ANONYMOUS, OPERATOR])
@pytest.mark.parametrize("service", [calendar_key_make, calendar_key_renew, calendar_key_end])
def test_only_members_have_a_private_calendar(db, actor, service):
    with pytest.raises(PermissionDenied, match="Please sign in"):
        service(actor=actor)


@pytest.mark.parametrize(
    "forged", ["", "A" * SECRET_LENGTH, "A" * 42, "%" * SECRET_LENGTH, "é" * SECRET_LENGTH, "A" * 5000]
)
def test_a_forged_secret_has_no_owner(fan, forged):
    own = made(fan)
    for secret in (forged, own[:-1], own.swapcase(), f"{own} ", f"{own}\n"):
        assert calendar_owner(secret=secret) is None


def test_a_closed_account_has_no_calendar_until_it_is_opened(fan):
    secret = made(fan)
    account_deactivate(actor=OPERATOR, account_id=fan.id)
    assert calendar_owner(secret=secret) is None
    account_activate(actor=OPERATOR, account_id=fan.id)
    assert calendar_owner(secret=secret) == fan.id


@pytest.mark.parametrize("secret", ["", "A" * 42, "/" * SECRET_LENGTH])
def test_the_database_refuses_another_form_of_secret(fan, secret):
    with pytest.raises(IntegrityError, match="calendar_secret_well_formed"), transaction.atomic():
        CalendarKey.objects.create(user_id=fan.id, secret=secret)


@pytest.mark.django_db(transaction=True)
def test_the_secret_is_exported_and_deleted_with_its_account(listener):
    fan, other = viewer_of(UserFactory()), viewer_of(UserFactory())
    secret, others = made(fan), made(other)
    assert listener.heard() >= {f"account.{fan.id}.calendar_key", f"account.{other.id}.calendar_key"}
    assert [row["secret"] for row in account_export(actor=fan)["calendar_keys"]] == [secret]
    account_delete(actor=fan, password=PASSWORD)
    assert list(CalendarKey.objects.values_list("secret", flat=True)) == [others]
