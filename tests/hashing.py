"""Hashing passwords quickly: that it takes its time by design is proved where it matters, not in a thousand tests."""

from apps.accounts.hashing import Hasher

QUICK = ["tests.hashing.QuickHasher"]


class QuickHasher(Hasher):
    """The site's own, which a real process reads as well, without its million rounds."""

    iterations = 1
