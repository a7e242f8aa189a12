"""Hashing of passwords, slow by design: a few at once, without holding a connection of the pool."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.exceptions import ValidationError
from django.db import connection

from apps.accounts.limits import HASHING_AT_ONCE, HASHING_WAIT
from apps.core.observability.security_log import security_count

slots = threading.BoundedSemaphore(HASHING_AT_ONCE)


class Busy(ValidationError):
    """Too many passwords are being hashed; this one was not checked."""

    def __init__(self) -> None:
        super().__init__("Many people are logging in right now. Please try again in a moment.", code="busy")


class Hasher(PBKDF2PasswordHasher):
    """Django's own hasher, HASHING_AT_ONCE at a time."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the password as it is stored; checking one does the same work. Raises Busy."""
        with _hashing_slot():
            return super().encode(password, salt, iterations)


@contextmanager
def _hashing_slot() -> Iterator[None]:
    """Wait for a slot, without a connection unless a transaction is open. Raises Busy."""
    if connection.connection is not None and not connection.in_atomic_block:
        connection.close()  # back to the pool
    if not slots.acquire(timeout=HASHING_WAIT):
        security_count("limit reached", reason="hashing")
        raise Busy
    try:
        yield
    finally:
        slots.release()
