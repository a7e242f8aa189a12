"""Which marks of a stage count, and why the others do not yet: by rules alone, the same that the page publishes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.accounts.selectors import accounts_younger
from apps.competition.selectors import FieldAppearance, SessionTimes, stage_field, stage_sessions
from apps.core.database.clock import database_now
from apps.ranking.enums import NotCounted
from apps.ranking.limits import (
    BURST_ABOVE,
    BURST_WITHIN,
    EVENING_LASTS,
    NEW_FOR,
    OUTER_FIFTHS,
    TRIED_FROM,
    UNIFORM_FROM,
)
from apps.ranking.method import LEAST_PERFORMANCES
from apps.ranking.models import RankingRelease
from apps.ratings.selectors import StageMark, stage_marks


@dataclass(frozen=True, slots=True)
class CountedMark:
    """A mark that counts: whose, of which appearance."""

    user_id: int
    appearance_id: int
    mark: float


@dataclass(frozen=True, slots=True)
class Counting:
    """A stage's marks: those that count, how many others for each reason, and whom a rule keeps out.

    `due_in` is in how many seconds the next account among the raters is a day old, None without such an account.
    """

    field: tuple[FieldAppearance, ...]
    marks: tuple[CountedMark, ...]
    not_counted: Mapping[NotCounted, int]
    quarantined: Mapping[int, NotCounted]  # by account
    due_in: float | None
    kept_out: Mapping[int, int]  # of how many performances each of them gave marks that would count, by account


@dataclass(frozen=True, slots=True)
class Given:
    """What one account gave: marks of performances with enough approved pieces, and how many have not, by reason."""

    marks: list[tuple[int, float, datetime]] = field(default_factory=list)  # appearance, mark, when
    others: Counter[NotCounted] = field(default_factory=Counter)


def stage_counting(*, stage_id: int) -> Counting:
    """Return which marks of a stage count now. Six queries, one of them over all its marks."""
    sessions, appearances = stage_sessions(stage_id=stage_id), stage_field(stage_id=stage_id)
    known = {each.id for each in appearances if each.session_id in sessions}  # one may come or go between two queries
    given = given_by_account(mark for mark in stage_marks(stage_id=stage_id) if mark.appearance_id in known)
    younger = accounts_younger(seconds=NEW_FOR)
    now = database_now()
    rules = {
        NotCounted.NEW: younger.keys(),
        NotCounted.UNIFORM: uniform_accounts(given),
        NotCounted.BURST: burst_accounts(given, appearances, sessions, now),
    }
    released = frozenset(RankingRelease.objects.filter(stage_id=stage_id).values_list("user_id", flat=True))
    quarantined = {
        user_id: reason
        for reason, accounts in reversed(rules.items())
        for user_id in accounts
        if user_id in given and given[user_id].marks and user_id not in released
    }
    marks, not_counted = _counted(given, quarantined)
    due = min((younger[user_id] for user_id in given if user_id in younger), default=None)
    due_in = None if due is None else (due - now).total_seconds()
    kept_out = {user_id: len(given[user_id].marks) for user_id in quarantined}
    return Counting(appearances, marks, not_counted, quarantined, due_in, kept_out)


def given_by_account(marks: Iterable[StageMark]) -> dict[int, Given]:
    """Return what each account gave: a mark counts with approved ones for at least half of the program."""
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
    """Return who gave the same mark to UNIFORM_FROM performances or more, and no other."""
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
    """Return who is in a burst: more than BURST_ABOVE that within BURST_WITHIN gave one performance outer marks.

    Marks of the evening itself are none, nor is whoever marked TRIED_FROM performances.
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
    """Whether a mark was given while its session was live, or within EVENING_LASTS of its begin, planned or played."""
    begins = [begin for begin in (session.starts_at, session.played_from) if begin is not None]
    until = now if session.is_live else session.played_until
    is_played = until is not None and min(begins) <= at <= until
    return is_played or any(begin <= at < begin + timedelta(seconds=EVENING_LASTS) for begin in begins)


def _crowded(moments: Sequence[tuple[datetime, int]]) -> Collection[int]:
    """Return the accounts of all spans of BURST_WITHIN with more than BURST_ABOVE of these moments, sorted by time."""
    crowded: set[int] = set()
    first = added = 0
    for last, (at, _) in enumerate(moments):
        while moments[first][0] < at - timedelta(seconds=BURST_WITHIN):
            first += 1
        if last - first + 1 > BURST_ABOVE:
            crowded.update(user_id for _, user_id in moments[max(first, added) : last + 1])
            added = last + 1
    return crowded


def _counted(
    given: Mapping[int, Given], quarantined: Mapping[int, NotCounted]
) -> tuple[tuple[CountedMark, ...], dict[NotCounted, int]]:
    """Return the marks that count, and how many others there are for each reason."""
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
