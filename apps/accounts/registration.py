"""Further fields of a registration, and the functions of other apps that store them.

stored_with("marks", signed_out_marks_store)  # in the app's `ready`
"""

import logging
from collections.abc import Callable, Mapping

from django.db import transaction

log = logging.getLogger(__name__)
REGISTERED = "Registration successful! Please check your email for verification and then log in."
Store = Callable[[int, str], object]
_stored: dict[str, Store] = {}


def stored_with(field: str, store: Store) -> None:
    """Register `store(account_id, text)`, which is called for each new account whose registration has this field."""
    _stored[field] = store


def registration_store(*, account_id: int, posted: Mapping[str, str]) -> None:
    """Store the further fields of a registration. A failure is logged and leaves the account without that field."""
    for field, store in _stored.items():
        text = posted.get(field, "")
        if not text:
            continue
        try:
            with transaction.atomic():
                store(account_id, text)
        except Exception:
            log.exception("a registration's %s were not stored", field)
