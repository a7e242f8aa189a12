"""What holds for all writes that appoint or remove administrators: their locks, and that one of them remains."""

from django.core.exceptions import ValidationError
from django.db.models import Q

from apps.accounts.actors import Actor, Operator
from apps.accounts.models import User
from apps.accounts.permissions import IS_CONFIRMED, administrators_able

LAST = "last_administrator"  # the code of the refusal


def administrators_lock(*, account_id: int) -> User:
    """Return the account, locked together with all administrators. Raises User.DoesNotExist."""
    concerned = User.objects.select_for_update(no_key=True).filter(Q(is_admin=True) | Q(pk=account_id)).order_by("pk")
    by_id = {user.pk: user for user in concerned}
    if account_id not in by_id:
        raise User.DoesNotExist
    return by_id[account_id]


def appointment_check(user: User) -> None:
    """Raise ValidationError unless the address is confirmed and the owner has signed in."""
    if not User.objects.filter(IS_CONFIRMED, pk=user.pk).exists():
        raise ValidationError("The address %(email)s is not confirmed yet.", params={"email": user.email})
    if user.last_login is None:
        raise ValidationError("The owner of %(name)s has not signed in yet.", params={"name": user.username})


def administrator_remains(actor: Actor, *, may_be_last: bool = False) -> None:
    """Raise ValidationError when no administrator can sign in after the change; the operator may insist.

    Call it after the write, below `administrators_lock`.
    """
    if not (may_be_last and isinstance(actor, Operator)) and not administrators_able().exists():
        raise ValidationError("At least one administrator who can sign in has to remain.", code=LAST)
