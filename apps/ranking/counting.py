"""Which marks of a stage count, and why the others do not: rules alone, without a query."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.competition.selectors.public.stages import FieldAppearance, SessionTimes
from apps.ranking.enums import NotCounted
from apps.ranking.limits import (
    BURST_ABOVE,
    BURST_WITHIN,
    EVENING_LASTS,
    OUTER_FIFTHS,
    TRIED_FROM,
    UNIFORM_FROM,
)
from apps.ranking.method import LEAST_PERFORMANCES
from apps.ratings.selectors.counts import StageMark


@dataclass(frozen=True, slots=True)
class CountedMark:
    """A mark that counts, with its account and its appearance."""

    user_id: int
    appearance_id: int
    mark: float


@dataclass(frozen=True, slots=True)
class Counting:
    """A stage's marks: those that count, the number of others by reason, and the accounts in quarantine.

    `due_in` is the number of seconds until the next account among the raters is a day old, None without such an
    account.
    """

    field: tuple[FieldAppearance, ...]
    marks: tuple[CountedMark, ...]
    not_counted: Mapping[NotCounted, int]
    quarantined: Mapping[int, NotCounted]  # reason by account
    due_in: float | None
    kept_out: Mapping[int, int]  # number of performances with marks that would count, by account


@dataclass(frozen=True, slots=True)
class Given:
    """The marks of one account: those with enough approved pieces, and the number of others by reason."""

    marks: list[tuple[int, float, datetime]] = field(default_factory=list)  # appearance, mark, time
    others: Counter[NotCounted] = field(default_factory=Counter)


def given_by_account(marks: Iterable[StageMark]) -> dict[int, Given]:
    """Return the marks by account; a mark counts when at least half of the program has approved marks."""
    given: dict[int, Given] = defaultdict(Given)
    for each in marks:
        account = given[each.user_id]
        if 2 * each.approved >= each.pieces:
            account.marks.append((each.appearance_id, each.points / each.approved, each.given_at))
        elif 2 * (each.approved + each.waiting) >= each.pieces:
            account.others[NotCounted.WAITING] += 1
        else:
            account.others[NotCounted.PARTIAL] += 1
    return given


def uniform_accounts(given: Mapping[int, Given]) -> frozenset[int]:
    """Return the accounts that gave one and the same mark to UNIFORM_FROM performances or more."""
    return frozenset(
        user_id
        for user_id, account in given.items()
        if len(account.marks) >= UNIFORM_FROM and len({mark for _, mark, _ in account.marks}) == 1
    )


def burst_accounts(
    given: Mapping[int, Given],
    appearances: Iterable[FieldAppearance],
    sessions: Mapping[int, SessionTimes],
    now: datetime,
) -> frozenset[int]:
    """Return the accounts in a burst: more than BURST_ABOVE marks for one performance within BURST_WITHIN.

    These marks are all in the lowest or all in the highest fifth of the scale. Marks of the evening itself do not count
    for a burst. Accounts with marks for TRIED_FROM performances or more are never in one.
    """
    outer: dict[tuple[int, bool], list[tuple[datetime, int]]] = defaultdict(list)
    session_of = {each.id: each.session_id for each in appearances}
    lowest, highest = OUTER_FIFTHS
    for user_id, account in given.items():
        for appearance_id, mark, at in account.marks:
            if (mark <= lowest or mark >= highest) and not _of_the_evening(
                sessions[session_of[appearance_id]], at, now
            ):
                outer[appearance_id, mark >= highest].append((at, user_id))
    found = {user_id for moments in outer.values() for user_id in _crowded(sorted(moments))}
    return frozenset(user_id for user_id in found if len(given[user_id].marks) < TRIED_FROM)


def _of_the_evening(session: SessionTimes, at: datetime, now: datetime) -> bool:
    """Whether a mark was given during its session, or within EVENING_LASTS of the planned or actual start."""
    begins = [begin for begin in (session.starts_at, session.played_from) if begin is not None]
    until = now if session.is_live else session.played_until
    is_played = until is not None and min(begins) <= at <= until
    return is_played or any(begin <= at < begin + timedelta(seconds=EVENING_LASTS) for begin in begins)


def _crowded(moments: Sequence[tuple[datetime, int]]) -> Collection[int]:
    """Return the accounts in any BURST_WITHIN span with more than BURST_ABOVE moments; `moments` are sorted by time."""
    crowded: set[int] = set()
    first = added = 0
    for last, (at, _) in enumerate(moments):
        while moments[first][0] < at - timedelta(seconds=BURST_WITHIN):
            first += 1
        if last - first + 1 > BURST_ABOVE:
            crowded.update(user_id for _, user_id in moments[max(first, added) : last + 1])
            added = last + 1
    return crowded


def counted(
    given: Mapping[int, Given], quarantined: Mapping[int, NotCounted]
) -> tuple[tuple[CountedMark, ...], dict[NotCounted, int]]:
    """Return the marks that count, and the number of other marks by reason."""
    marks: list[CountedMark] = []
    others: Counter[NotCounted] = Counter(dict.fromkeys(NotCounted, 0))
    for user_id, account in given.items():
        others.update(account.others)
        if user_id in quarantined:
            others[quarantined[user_id]] += len(account.marks)
        elif len(account.marks) < LEAST_PERFORMANCES:
            others[NotCounted.FEW] += len(account.marks)
        else:
            marks += [CountedMark(user_id, appearance_id, mark) for appearance_id, mark, _ in account.marks]
    return tuple(marks), dict(others)
