"""Rate limits and the core's own limits; each app has its limits in its `limits.py`."""

from dataclasses import dataclass

ADDRESS_LENGTH = 2048  # characters, like all lengths below
SEARCH_LENGTH = 100  # of a search term
VERSION_LENGTH = 400  # of the version that a form carries
TEXT_REMAINING = 200  # remaining characters of a text below which the field shows their number
USER_AGENT_LENGTH = 500
MOMENT_LENGTH = 20  # of a date or a time of day
ID_DIGITS = 18  # PostgreSQL's largest id has 19

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A rate limit of `amount` uses. Each use is free again after `seconds`, so at most `amount` fall within `seconds`.

    With `one_by_one` only one use is freed every `seconds`: a burst of `amount`, then a steady rate. Limits of the same
    name share their uses. `refusal` is the sentence at the limit; it may contain `%(seconds)d`, `%(minutes)d` or
    `%(hours)d`, the time to wait.
    """

    name: str
    amount: int
    seconds: float
    one_by_one: bool = False
    refusal: str = ""

    @property
    def longest(self) -> float:
        """Seconds until the last of all uses is free again, at least an HOUR.

        A use that comes back later was stored by a clock that was ahead, and does not count.
        """
        return max(HOUR, self.seconds * (self.amount if self.one_by_one else 1))
