"""What a limit is, and the core's own numbers; every app has its numbers in its `limits.py`."""

from dataclasses import dataclass

ADDRESS_LENGTH = 2048  # characters of an address, as all that follow
SEARCH_LENGTH = 100  # of what is searched for in a list
VERSION_LENGTH = 400  # of the version that a form was read in
USER_AGENT_LENGTH = 500
MOMENT_LENGTH = 20  # of a date, or of a time of day
ID_DIGITS = 18  # PostgreSQL's largest id has 19

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How often somebody may: `amount` times, each of which is free again after `seconds`.

    So there are never more than `amount` within `seconds`. One by one, only one is free again every `seconds`: so many
    at once, then a pace. Limits of one name share what was used of them. `refusal` is said to whoever wants more, and
    may name when: `%(seconds)d`, `%(minutes)d` or `%(hours)d`.
    """

    name: str
    amount: int
    seconds: float
    one_by_one: bool = False
    refusal: str = ""
