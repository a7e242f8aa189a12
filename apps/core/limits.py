"""What a limit is, and the core's own numbers; every app has its numbers in its `limits.py`."""

from dataclasses import dataclass

ADDRESS_LENGTH = 2048  # characters of an address, as all that follow
SEARCH_LENGTH = 100  # of what is searched for in a list
VERSION_LENGTH = 400  # of the version that a form was read in
TEXT_REMAINING = 200  # left of a text, from which on they are counted below its field
USER_AGENT_LENGTH = 500
MOMENT_LENGTH = 20  # of a date, or of a time of day
ID_DIGITS = 18  # PostgreSQL's largest id has 19

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds


@dataclass(frozen=True, slots=True)
class RateLimit:
    """`amount` uses, each of which is free again after `seconds`, so never more than `amount` within `seconds`.

    With `one_by_one` only one becomes free every `seconds`: `amount` at once, then a steady rate. Limits of the same
    name share their uses. `refusal` is the sentence at the limit; it may contain `%(seconds)d`, `%(minutes)d` or
    `%(hours)d`, the time to wait.
    """

    name: str
    amount: int
    seconds: float
    one_by_one: bool = False
    refusal: str = ""
