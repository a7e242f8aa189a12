"""Hashing passwords quickly: that it takes its time by design is proved where it matters, not in a thousand tests."""

from typing import ClassVar

from apps.accounts.sign_in.passwords import Hasher

QUICK = ["tests.hashing.QuickHasher"]


class QuickHasher(Hasher):
    """The site's own, which a real process reads as well, without its million rounds."""

    iterations = 1


COUNTED = ["tests.hashing.CountingHasher"]


class CountingHasher(Hasher):
    """The site's own, which keeps how many rounds were asked of it, and does one of them."""

    rounds: ClassVar[list[int]] = []

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """The encoded password, which says that it has all its rounds."""
        wanted = iterations or self.iterations
        self.rounds.append(wanted)
        return super().encode(password, salt, 1).replace("$1$", f"${wanted}$", 1)
