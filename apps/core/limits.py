"""What a limit is, and the core's own numbers; every app has its numbers in its `limits.py`."""

from dataclasses import dataclass

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How often somebody may: `amount` times, each of which is free again after `seconds`.

    So there are never more than `amount` within `seconds`. One by one, only one is free again every `seconds`: so many
    at once, then a pace. Limits of one name share what was used of them. `refusal` is said to whoever wants more.
    """

    name: str
    amount: int
    seconds: float
    one_by_one: bool = False
    refusal: str = ""
