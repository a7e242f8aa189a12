"""Whether accounts exist and are active, for services that check their actors."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from django.db.models import DurationField, ExpressionWrapper, F, Value
from django.db.models.functions import Now

from apps.accounts.models import User
from apps.accounts.session_store import later


def member_for(*, user_id: int | None) -> timedelta | None:
    """Return the age of the account, or None when there is none or it is inactive. One query."""
    if user_id is None:
        return None
    age = ExpressionWrapper(Now() - F("created_at"), output_field=DurationField())
    return User.objects.filter(pk=user_id, is_active=True).values_list(age, flat=True).first()


def accounts_younger(*, seconds: float) -> Mapping[int, datetime]:
    """Return the accounts younger than that, by id, with the moment when each no longer is. One query."""
    age = timedelta(seconds=seconds)
    found = User.objects.filter(created_at__gt=later(Now(), Value(-age))).values_list("id", "created_at")
    return {pk: created_at + age for pk, created_at in found}


def administrator_is(*, user_id: int | None) -> bool:
    """Whether the account is an administrator's and open. One query, none for a former member."""
    return user_id is not None and User.objects.filter(pk=user_id, is_active=True, is_admin=True).exists()


def accounts_active(*, user_ids: Collection[int]) -> frozenset[int]:
    """Return those of these accounts that exist and are active. One query."""
    return frozenset(User.objects.filter(pk__in=user_ids, is_active=True).values_list("id", flat=True))
