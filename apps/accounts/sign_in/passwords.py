"""Password hashing, which is slow by design: limited concurrency, and no pooled connection while it runs."""

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils.crypto import constant_time_compare

from apps.accounts.limits import HASHING_AT_ONCE, HASHING_WAIT, PASSWORD_SHORTEST
from apps.core.observability import security_count

slots = threading.BoundedSemaphore(HASHING_AT_ONCE)


class Busy(ValidationError):
    """Too many passwords are being hashed, so this one was not checked."""

    def __init__(self) -> None:
        super().__init__("Many people are logging in right now. Please try again in a moment.", code="busy")


def password_normal(password: str) -> str:
    """Return a password in the Unicode form in which it is hashed: composed, as most keyboards type it."""
    return unicodedata.normalize("NFC", password)


def _forms(password: str) -> list[str]:
    """Return the forms in which a password may have been hashed, the present one first; one for most passwords.

    Before passwords were normalised they were hashed as they were typed: composed, or decomposed as on some Macs.
    """
    return list(dict.fromkeys((password_normal(password), unicodedata.normalize("NFD", password), password)))


class Hasher(PBKDF2PasswordHasher):
    """Django's default hasher, with at most HASHING_AT_ONCE concurrent calls, of the normalised password.

    A call hashes all forms of the password, whether they are needed or not: the time depends only on what was typed,
    and does not reveal whether an account exists.
    """

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the password's hash for storage. Raises Busy."""
        return self._encodings(password, salt, iterations)[0]

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether this is the hash of any form of the password. Raises Busy."""
        encodings = self._encodings(password, *self._salt_and_rounds(encoded))
        return any(constant_time_compare(encoded, each) for each in encodings)

    def is_of_normal(self, password: str, encoded: str) -> bool:
        """Return whether this hash of a right password is that of its normal form. Raises Busy."""
        if len(_forms(password)) == 1:
            return True
        return self.encode_form(password_normal(password), *self._salt_and_rounds(encoded)) == encoded

    def encode_form(self, form: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of one form of a password. Raises Busy."""
        with _hashing_slot():
            return super().encode(form, salt, iterations)

    def _salt_and_rounds(self, encoded: str) -> tuple[str, int]:
        decoded = self.decode(encoded)
        return str(decoded["salt"]), int(decoded["iterations"])

    def _encodings(self, password: str, salt: str, iterations: int | None) -> list[str]:
        return [self.encode_form(form, salt, iterations) for form in _forms(password)]


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
    password, again = password_normal(password), password_normal(again)
    differ = {"password2": ["Passwords do not match"]} if password != again else {}
    if len(password) < PASSWORD_SHORTEST:
        return {"password1": ["Password must be at least 6 characters long"], **differ}
    try:
        validate_password(password, user)
    except ValidationError as error:
        return {"password1": error.messages, **differ}
    return differ
