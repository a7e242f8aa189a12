"""Test the address of the private calendar: creation, renewal, end, export and deletion."""

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


def make(actor):
    """Create the actor's calendar and return its secret."""
    assert calendar_key_make(actor=actor) == CALENDAR_MADE
    return calendar_secret(user_id=actor.id)


def test_address_is_made_once_and_replaced_by_a_renewal(fan):
    assert calendar_secret(user_id=fan.id) == ""
    first = make(fan)
    assert len(first) == SECRET_LENGTH
    assert make(fan) == first
    assert "new address" in calendar_key_renew(actor=fan)
    second = calendar_secret(user_id=fan.id)
    assert second != first
    assert (calendar_owner(secret=first), calendar_owner(secret=second)) == (None, fan.id)


def test_ended_calendar_has_no_address_and_a_new_one_has_another(fan):
    first = make(fan)
    for _ in range(2):
        assert calendar_key_end(actor=fan) == CALENDAR_ENDED
    assert (calendar_secret(user_id=fan.id), calendar_owner(secret=first)) == ("", None)
    calendar_key_renew(actor=fan)
    second = calendar_secret(user_id=fan.id)
    assert calendar_owner(secret=second) == fan.id, "a renewal without an address makes one"
    assert second != first


def test_each_member_has_a_different_address(fan):
    other = viewer_of(UserFactory())
    first, second = make(fan), make(other)
    calendar_key_renew(actor=fan)
    calendar_key_end(actor=fan)
    assert first != second
    assert calendar_owner(secret=second) == other.id


def test_private_calendar_needs_a_member(db):
    for actor in (ANONYMOUS, OPERATOR):
        for service in (calendar_key_make, calendar_key_renew, calendar_key_end):
            with pytest.raises(PermissionDenied, match="Please sign in"):
                service(actor=actor)


def test_other_secrets_have_no_owner(fan):
    own = make(fan)
    forged = ["", *(sign * SECRET_LENGTH for sign in "A%é"), "A" * 42, "A" * 5000]
    similar = [own[:-1], own.swapcase(), f"{own} ", f"{own}\n"]
    assert [secret for secret in (*forged, *similar) if calendar_owner(secret=secret) is not None] == []


def test_calendar_of_a_closed_account_has_no_owner_until_it_is_reopened(fan):
    secret = make(fan)
    account_deactivate(actor=OPERATOR, account_id=fan.id)
    assert calendar_owner(secret=secret) is None
    account_activate(actor=OPERATOR, account_id=fan.id)
    assert calendar_owner(secret=secret) == fan.id


def test_database_refuses_malformed_secrets(fan):
    for secret in ("", "A" * 42, "/" * SECRET_LENGTH):
        with pytest.raises(IntegrityError, match="calendar_secret_well_formed"), transaction.atomic():
            CalendarKey.objects.create(user_id=fan.id, secret=secret)


def test_secret_is_exported_and_deleted_with_its_account(listener):
    fan, other = viewer_of(UserFactory()), viewer_of(UserFactory())
    secret, others = make(fan), make(other)
    assert listener.heard() >= {f"account.{fan.id}.calendar_key", f"account.{other.id}.calendar_key"}
    assert [row["secret"] for row in account_export(actor=fan)["calendar_keys"]] == [secret]
    account_delete(actor=fan, password=PASSWORD)
    assert list(CalendarKey.objects.values_list("secret", flat=True)) == [others]
