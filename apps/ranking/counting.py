"""Which marks of a stage count, and why the others do not: rules alone, without a query.

`account_standings` decides about each performance that one account has marked. The computation of a ranking calls it
for every account, and a viewer's own lines for one, so the two cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from apps.competition.selectors.public.stages import FieldAppearance, SessionTimes
from apps.ranking.enums import AfterClosing, NotCounted
from apps.ranking.limits import EVENING_LASTS, TRIED_FROM, UNIFORM_FROM
from apps.ranking.method2 import LEAST_PERFORMANCES
from apps.ratings.selectors.counts import StageMark

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether an account's mark of a performance counts; otherwise why not, and what is missing.

    `mark` is the mean that counts. A closed ranking may still count an earlier mark when it does not count the present
    one; `mark` is that earlier one then. `missing` is a number of pieces with PARTIAL, and of performances with FEW and
    NEW, without those that wait for approval; with FEW it is 0 if the others that the account has marked are enough
    once they are approved. `words` are the administrator's with LEFT_OUT. `once_approved` is the standing that a mark
    with WAITING has when it and the account's others are approved; it is not compared.
    """

    reason: NotCounted | None = None
    after_closing: AfterClosing | None = None
    mark: float | None = None
    missing: int = 0
    due_at: datetime | None = None  # with NEW: when the account is old enough
    words: str = ""
    once_approved: "Standing | None" = field(default=None, compare=False)

    @property
    def counts(self) -> bool:
        """Whether the present mark counts."""
        return self.reason is None and self.after_closing is None


class ApprovedMark(NamedTuple):
    """A mark with enough approved pieces; `given_at` is the time of the newest one of them."""

    appearance_id: int
    points: int
    pieces: int
    given_at: datetime

    @property
    def mark(self) -> float:
        """Return the mean of the pieces."""
        return self.points / self.pieces


@dataclass(frozen=True, slots=True)
class Given:
    """The marks of one account in a stage: those with enough approved pieces, and the standing of each other."""

    marks: list[ApprovedMark] = field(default_factory=list)
    others: dict[int, Standing] = field(default_factory=dict)  # by appearance


@dataclass(frozen=True, slots=True)
class Decision:
    """An administrator's decision about an account in a stage: left out for the reason in `words`, or weighs fully."""

    is_left_out: bool
    words: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """What the rules ask about an account beside its marks of the stage."""

    old_enough_at: datetime | None = None  # None if it is old enough
    decision: Decision | None = None
    has_old_rules: bool = False  # whether the ranking was closed with version 1, which has two more rules
    is_in_burst: bool = False  # with version 1: its mark was one of many at once


class CountedMark(NamedTuple):
    """A mark that counts, with its account."""

    user_id: int
    given: ApprovedMark

    @property
    def appearance_id(self) -> int:
        """Return the id of the marked appearance."""
        return self.given.appearance_id

    @property
    def mark(self) -> float:
        """Return the mean of the pieces."""
        return self.given.mark


@dataclass(frozen=True, slots=True)
class Counting:
    """A stage's marks: those that count, those of weight 0, and the number of others by reason.

    `due_in` is the number of seconds until the next account among the raters is a day old, None without such an
    account.
    """

    field: tuple[FieldAppearance, ...]
    marks: tuple[CountedMark, ...]
    left_out: tuple[CountedMark, ...]  # by an administrator, of weight 0
    not_counted: Mapping[NotCounted, int]
    due_in: float | None
    decisions: Mapping[int, Decision]  # by account, also of accounts without marks
    evenings: Mapping[int, tuple[Span, ...]]  # times of the evening itself, by appearance
    blind: frozenset[tuple[int, int]]  # accounts and appearances of the counted marks that were made blind
    blocks: Mapping[tuple[int, int], str]  # digest of the address block of a rating, by account and appearance
    registered: Mapping[int, datetime]  # when accounts were made; older ones than the stage may be left out


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
            account.marks.append(ApprovedMark(each.appearance_id, each.points, each.approved, each.given_at))
        elif 2 * (each.approved + each.waiting) >= each.pieces:
            account.others[each.appearance_id] = _WAITING
        else:
            missing = (each.pieces + 1) // 2 - each.approved - each.waiting
            account.others[each.appearance_id] = Standing(NotCounted.PARTIAL, missing=missing)
    return given


def account_standings(given: Given, account: Account) -> dict[int, Standing]:
    """Return the standing of each performance that an account has marked, by appearance."""
    waiting = [pk for pk, each in given.others.items() if each.reason == NotCounted.WAITING]
    held = _held(given, account, len(given.marks), len(waiting))
    standings = {each.appearance_id: held or Standing(mark=each.mark) for each in given.marks}
    if waiting:
        then = _held(given, account, len(given.marks) + len(waiting), 0) or Standing()
        standings |= dict.fromkeys(waiting, replace(_WAITING, once_approved=then))
    return {**given.others, **standings}


def _held(given: Given, account: Account, count: int, waiting: int) -> Standing | None:
    """Return the standing of all marks with enough approved pieces, by the first rule that holds; None without one.

    `count` is the number of such marks, `waiting` that of those that wait for approval.
    """
    missing = max(0, LEAST_PERFORMANCES - count - waiting)
    if account.decision is None:
        if account.old_enough_at is not None:
            return Standing(NotCounted.NEW, missing=missing, due_at=account.old_enough_at)
        if account.has_old_rules and count >= UNIFORM_FROM and len({each.mark for each in given.marks}) == 1:
            return _UNIFORM
        if account.has_old_rules and account.is_in_burst and count < TRIED_FROM:
            return _BURST
    elif account.decision.is_left_out:
        return Standing(NotCounted.LEFT_OUT, words=account.decision.words)
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
    is_held = standing.reason in {NotCounted.LEFT_OUT, NotCounted.UNIFORM, NotCounted.BURST}
    return standing if is_held else Standing(after_closing=AfterClosing.DUE)


def audience_counting(
    appearances: tuple[FieldAppearance, ...],
    given: Mapping[int, Given],
    accounts: Mapping[int, Account],
    *,
    due_in: float | None,
    evenings: Mapping[int, tuple[Span, ...]],
    blind: Collection[tuple[int, int]] = (),
    blocks: Mapping[tuple[int, int], str] | None = None,
    registered: Mapping[int, datetime] | None = None,
) -> Counting:
    """Return the counting of a whole stage; accounts that are not in `accounts` are old and without a decision.

    `blind` are the accounts and appearances whose marks were made blind, counted or not; `blocks` are the digests of
    known address blocks, which several accounts have in common. `registered` are the times at which accounts were made.
    """
    usual = Account()
    marks: list[CountedMark] = []
    left_out: list[CountedMark] = []
    others: Counter[NotCounted] = Counter(dict.fromkeys(NotCounted, 0))
    for user_id, of_account in given.items():
        standings = account_standings(of_account, accounts.get(user_id, usual))
        others.update(each.reason for each in standings.values() if each.reason is not None)
        for each in of_account.marks:
            reason = standings[each.appearance_id].reason
            if reason is None:
                marks.append(CountedMark(user_id, each))
            elif reason == NotCounted.LEFT_OUT:
                left_out.append(CountedMark(user_id, each))
    decisions = {user_id: account.decision for user_id, account in accounts.items() if account.decision is not None}
    counted_blind = frozenset((each.user_id, each.appearance_id) for each in marks).intersection(blind)
    return Counting(
        *(appearances, tuple(marks), tuple(left_out), dict(others), due_in),
        *(decisions, evenings, counted_blind, blocks or {}, registered or {}),
    )


def is_of_evening(at: datetime, evening: Collection[Span]) -> bool:
    """Whether a mark of this time is one of the evening itself (`evening_of`)."""
    return any(begin <= at <= end for begin, end in evening)


def evening_of(session: SessionTimes, now: datetime) -> tuple[Span, ...]:
    """Return the times of the evening itself: while it is played, and EVENING_LASTS from planned and actual start."""
    begins = [begin for begin in (session.starts_at, session.played_from) if begin is not None]
    spans = [(begin, begin + timedelta(seconds=EVENING_LASTS)) for begin in begins]
    until = now if session.is_live else session.played_until
    return (*spans, (min(begins), until)) if until is not None else tuple(spans)
