"""Fast password hashers for tests; other tests measure the real cost."""

from typing import ClassVar

from apps.accounts.sign_in.passwords import Hasher

QUICK = ["tests.hashing.QuickHasher"]


class QuickHasher(Hasher):
    """The site's hasher with one round. Real processes can verify its hashes."""

    iterations = 1


COUNTED = ["tests.hashing.CountingHasher"]


class CountingHasher(Hasher):
    """The site's hasher, which records the requested number of rounds and does one."""

    rounds: ClassVar[list[int]] = []

    def encode_form(self, form: str, salt: str, iterations: int | None = None) -> str:
        """Return the encoded password, labelled with the requested number of rounds."""
        wanted = iterations or self.iterations
        self.rounds.append(wanted)
        return super().encode_form(form, salt, 1).replace("$1$", f"${wanted}$", 1)
