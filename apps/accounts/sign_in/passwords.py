"""Password hashing, which is slow by design: limited concurrency, and no pooled connection while it runs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection

from apps.accounts.limits import HASHING_AT_ONCE, HASHING_WAIT, PASSWORD_SHORTEST
from apps.core.observability import security_count

slots = threading.BoundedSemaphore(HASHING_AT_ONCE)


class Busy(ValidationError):
    """Too many passwords are being hashed, so this one was not checked."""

    def __init__(self) -> None:
        super().__init__("Many people are logging in right now. Please try again in a moment.", code="busy")


class Hasher(PBKDF2PasswordHasher):
    """Django's default hasher, with at most HASHING_AT_ONCE concurrent calls."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the password's hash for storage; a check calls this too. Raises Busy."""
        with _hashing_slot():
            return super().encode(password, salt, iterations)


@contextmanager
def _hashing_slot() -> Iterator[None]:
    """Wait for a slot, without holding a connection unless a transaction is open. Raises Busy."""
    if connection.connection is not None and not connection.in_atomic_block:
        connection.close()  # back to the pool
    if not slots.acquire(timeout=HASHING_WAIT):
        security_count("limit reached", reason="hashing")
        raise Busy
    try:
        yield
    finally:
        slots.release()


def password_errors(password: str, again: str, *, user: Any) -> dict[str, list[str]]:
    """Return the errors of a new password for `user` by field; empty for a valid one."""
    differ = {"password2": ["Passwords do not match"]} if password != again else {}
    if len(password) < PASSWORD_SHORTEST:
        return {"password1": ["Password must be at least 6 characters long"], **differ}
    try:
        validate_password(password, user)
    except ValidationError as error:
        return {"password1": error.messages, **differ}
    return differ
