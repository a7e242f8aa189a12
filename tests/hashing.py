"""Hashing passwords quickly: that it takes its time by design is proved where it matters, not in a thousand tests."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher

QUICK = ["tests.hashing.QuickHasher"]


class QuickHasher(PBKDF2PasswordHasher):
    """Django's own, which a real process reads as well, without its million rounds."""

    iterations = 1
