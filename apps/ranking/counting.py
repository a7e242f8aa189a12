"""Which marks of a stage count, and why the others do not: rules alone, without a query.

`account_standings` decides about each performance that one account has marked. The computation of a ranking calls it
for every account, and a viewer's own lines for one, so the two cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from apps.competition.selectors.public.stages import FieldAppearance, SessionTimes
from apps.ranking.enums import QUARANTINE, AfterClosing, NotCounted
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
class Standing:
    """Whether an account's mark of a performance counts; otherwise why not, and what is missing.

    `mark` is the mean that counts. A closed ranking may still count an earlier mark when it does not count the present
    one; `mark` is that earlier one then. `missing` is a number of pieces with PARTIAL, and of performances with FEW and
    NEW, without those that wait for approval; with FEW it is 0 if the others that the account has marked are enough
    once they are approved.
    """

    reason: NotCounted | None = None
    after_closing: AfterClosing | None = None
    mark: float | None = None
    missing: int = 0
    due_at: datetime | None = None  # with NEW: when the account is old enough

    @property
    def counts(self) -> bool:
        """Whether the present mark counts."""
        return self.reason is None and self.after_closing is None


@dataclass(frozen=True, slots=True)
class Given:
    """The marks of one account in a stage: those with enough approved pieces, and the standing of each other."""

    marks: list[tuple[int, float, datetime]] = field(default_factory=list)  # appearance, mark, time
    others: dict[int, Standing] = field(default_factory=dict)  # by appearance


@dataclass(frozen=True, slots=True)
class Account:
    """What the rules ask about an account beside its marks of the stage."""

    old_enough_at: datetime | None = None  # None if it is old enough
    is_in_burst: bool = False  # one of `burst_accounts`
    is_released: bool = False


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
    bursts: frozenset[int]  # accounts in a burst, also those that another rule or no rule keeps out
    blind: frozenset[tuple[int, int]]  # accounts and appearances of the counted marks that were made blind


_REPEATED, _WAITING, _UNIFORM, _BURST = (
    Standing(each) for each in (NotCounted.REPEATED, NotCounted.WAITING, NotCounted.UNIFORM, NotCounted.BURST)
)


def given_by_account(marks: Iterable[StageMark]) -> dict[int, Given]:
    """Return the marks by account; a mark counts when at least half of the program has approved marks.

    Those of a repeated performance never count, also not among the performances that an account has marked.
    """
    given: dict[int, Given] = defaultdict(Given)
    for each in marks:
        account = given[each.user_id]
        if each.is_repeated:
            account.others[each.appearance_id] = _REPEATED
        elif 2 * each.approved >= each.pieces:
            account.marks.append((each.appearance_id, each.points / each.approved, each.given_at))
        elif 2 * (each.approved + each.waiting) >= each.pieces:
            account.others[each.appearance_id] = _WAITING
        else:
            missing = (each.pieces + 1) // 2 - each.approved - each.waiting
            account.others[each.appearance_id] = Standing(NotCounted.PARTIAL, missing=missing)
    return given


def account_standings(given: Given, account: Account) -> dict[int, Standing]:
    """Return the standing of each performance that an account has marked, by appearance."""
    held = _held(given, account)
    of_marks = {appearance_id: held or Standing(mark=mark) for appearance_id, mark, _ in given.marks}
    return {**given.others, **of_marks}


def _held(given: Given, account: Account) -> Standing | None:
    """Return the standing of all marks with enough approved pieces, by the first rule that holds; None without one."""
    count = len(given.marks)
    waiting = sum(each.reason == NotCounted.WAITING for each in given.others.values())
    missing = max(0, LEAST_PERFORMANCES - count - waiting)
    if not account.is_released:
        if account.old_enough_at is not None:
            return Standing(NotCounted.NEW, missing=missing, due_at=account.old_enough_at)
        if count >= UNIFORM_FROM and len({mark for _, mark, _ in given.marks}) == 1:
            return _UNIFORM
        if account.is_in_burst and count < TRIED_FROM:
            return _BURST
    return Standing(NotCounted.FEW, missing=missing) if count < LEAST_PERFORMANCES else None


def closed_standings(
    standings: Mapping[int, Standing],
    given: Iterable[StageMark],
    *,
    closed_at: datetime,
    counted: Mapping[int, float | None],
) -> dict[int, Standing]:
    """Return the standings of an account's marks in a closed ranking, by appearance.

    `standings` follow from the rules now, and `counted` are the marks of this account in the closed ranking.
    """
    return {
        each.appearance_id: _closed(
            standings[each.appearance_id], counted.get(each.appearance_id), is_late=each.given_at > closed_at
        )
        for each in given
    }


def _closed(standing: Standing, counted: float | None, *, is_late: bool) -> Standing:
    if standing.reason == NotCounted.REPEATED and counted is None:
        return standing
    if is_late:
        return Standing(after_closing=AfterClosing.GIVEN, mark=counted)
    if counted is not None:
        return Standing(mark=counted)
    is_held = standing.reason in {NotCounted.UNIFORM, NotCounted.BURST}
    return standing if is_held else Standing(after_closing=AfterClosing.DUE)


def audience_counting(
    appearances: tuple[FieldAppearance, ...],
    given: Mapping[int, Given],
    accounts: Mapping[int, Account],
    *,
    due_in: float | None,
    blind: Collection[tuple[int, int]] = (),
) -> Counting:
    """Return the counting of a whole stage; accounts that are not in `accounts` are old, in no burst, not released.

    `blind` are the accounts and appearances whose marks were made blind, counted or not.
    """
    usual = Account()
    marks: list[CountedMark] = []
    others: Counter[NotCounted] = Counter(dict.fromkeys(NotCounted, 0))
    quarantined: dict[int, NotCounted] = {}
    for user_id, of_account in given.items():
        for appearance_id, standing in account_standings(of_account, accounts.get(user_id, usual)).items():
            if standing.reason is not None:
                others[standing.reason] += 1
                if standing.reason in QUARANTINE:
                    quarantined[user_id] = standing.reason
            elif standing.mark is not None:
                marks.append(CountedMark(user_id, appearance_id, standing.mark))
    kept_out = {user_id: len(given[user_id].marks) for user_id in quarantined}
    bursts = frozenset(user_id for user_id, account in accounts.items() if account.is_in_burst)
    counted_blind = frozenset((each.user_id, each.appearance_id) for each in marks).intersection(blind)
    return Counting(appearances, tuple(marks), dict(others), quarantined, due_in, kept_out, bursts, counted_blind)


def burst_accounts(
    given: Mapping[int, Given],
    appearances: Iterable[FieldAppearance],
    sessions: Mapping[int, SessionTimes],
    now: datetime,
) -> frozenset[int]:
    """Return the accounts in a burst: more than BURST_ABOVE marks for one performance within BURST_WITHIN.

    These marks are all in the lowest or all in the highest fifth of the scale. Marks of the evening itself do not count
    for a burst.
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
    return frozenset(user_id for moments in outer.values() for user_id in _crowded(sorted(moments)))


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
