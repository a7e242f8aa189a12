"""Order numbers in a session: those of withdrawn performers stay free, and intervals keep their place among the others.

The callers have locked the session.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import count

from apps.competition.models import Session, SessionInterval, SessionWithdrawal


def free_numbers(session: Session, playing: Collection[int]) -> Iterator[int]:
    """Return the order numbers that no withdrawn performer has, from 1 on. Those who play again lose theirs."""
    SessionWithdrawal.objects.filter(session=session, participant__in=playing).delete()
    taken = set(SessionWithdrawal.objects.filter(session=session).values_list("order_number", flat=True))
    return (number for number in count(1) if number not in taken)


def intervals_follow(session: Session, before: Sequence[int], staying: Sequence[int]) -> None:
    """Renumber the intervals after performers were added or removed, so that each follows as many of those who stay.

    `before` are the old numbers of those who stay, `staying` the numbers at these places now, both in ascending order.
    An interval before all of them goes, and of two at one place the second.
    """
    stored = SessionInterval.objects.filter(session=session).order_by("after_order_number")
    intervals = dict(stored.values_list("after_order_number", "minutes"))
    kept: dict[int, int] = {}
    for after, minutes in intervals.items():
        place = sum(number <= after for number in before)
        if place:
            first, following = staying[place - 1], [*staying, after + 1][place]
            kept.setdefault(after if first <= after < following else first, minutes)
    if kept != intervals:
        stored.delete()
        SessionInterval.objects.bulk_create(
            SessionInterval(session=session, after_order_number=number, minutes=minutes)
            for number, minutes in kept.items()
        )
