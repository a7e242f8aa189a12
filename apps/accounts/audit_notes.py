"""Audit entries of administrators' changes."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import Actor, account_of
from apps.core.audit import audit_record, audit_records, changed_details


def change_note(
    *,
    actor: Actor,
    action: str,
    subject_id: int | None,
    name: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    **details: Any,
) -> int:
    """Add an audit entry for a change by `actor`; `action` is a kind of object and a verb, such as "session.update".

    Return the entry's id. `name` is the object's name, for changes that do not contain it. Raises
    TransactionManagementError outside a transaction.
    """
    subject = action.partition(".")[0]
    noted = {**changed_details(before, after), **({"name": name} if name else {}), **details}
    acting = account_of(actor)
    return audit_record(user_id=acting, action=action, subject=subject, subject_id=subject_id, details=noted)


def change_notes(*, actor: Actor, action: str, changes: Mapping[int, tuple[str, Mapping[str, Any]]]) -> None:
    """Add an audit entry for each of these new rows of one change: the name and the values by subject id. One query.

    Raises TransactionManagementError outside a transaction.
    """
    details = {pk: {**changed_details(None, after), "name": name} for pk, (name, after) in changes.items()}
    audit_records(user_id=account_of(actor), action=action, subject=action.partition(".")[0], details=details)
