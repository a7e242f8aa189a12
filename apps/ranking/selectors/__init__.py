"""Reads of the ranking: computed tables, the marks that count, unusual marks and decisions."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q

from apps.accounts.selectors.own_account import accounts_made, accounts_younger
from apps.accounts.selectors.sessions import usernames_get
from apps.competition.selectors.public.programs import appearance_places, program_pieces
from apps.competition.selectors.public.stages import SessionTimes, stage_field, stage_sessions
from apps.core.database.fields import database_now
from apps.core.database.long_transactions import long_transaction
from apps.core.database.paging import NumberedPage, pages_of
from apps.core.rounding import rounded
from apps.core.text_rules import cell_unguard
from apps.ranking import method, method2
from apps.ranking.counting import (
    Account,
    Counting,
    Decision,
    Standing,
    account_standings,
    audience_counting,
    closed_standings,
    evening_of,
    given_by_account,
)
from apps.ranking.enums import REASONS, NotCounted
from apps.ranking.limits import (
    LATE_SHOWN,
    NAMES_MOST,
    NEW_FOR,
    UNUSUAL_SHOWN,
)
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow, RankingRun
from apps.ranking.publication import is_later_name, performer_labels
from apps.ranking.selectors.results import TO_COME, Place, RankedPerformance, Ranking, Run
from apps.ranking.suspicion import NEWCOMER
from apps.ratings.selectors.counts import (
    RecommendationCounts,
    account_stage_marks,
    pieces_marked,
    stage_blocks,
    stage_marks,
    stage_recommendations,
)

_ROW = ("rank", "lowest", "highest", "score", "score_from", "score_to", "raters", "mean", "late")


def ranking_get(*, stage_id: int) -> Ranking:
    """Return a stage's newest ranking. Four queries, and one for a closed ranking.

    Repeated performances are left out, unless the run has them: it is computed again soon, or closed before.
    """
    run = run_get(stage_id=stage_id)
    places = places_of_run(run.id) if run else {}
    known = [each for each in stage_field(stage_id=stage_id) if each.id in places or not each.is_repeated]
    field = [each for each in known if each.id in places or each.has_begun]
    counts = stage_recommendations(stage_id=stage_id)
    nothing = RecommendationCounts()
    names = _names_closed(run) if run and run.final_at else {}
    performances = tuple(
        RankedPerformance(
            *(each, places.get(each.id, Place()), counts.get(each.id, nothing)),
            closed_as=name if is_later_name(each.name, name := names.get(each.id, "")) else "",
        )
        for each in field
    )
    to_come = (each for each in known if each.id not in places and not each.has_begun)
    return Ranking(
        run,
        performances,
        any(place.rank for place in places.values()),
        tuple(RankedPerformance(each, TO_COME, nothing) for each in to_come),
    )


def _names_closed(run: Run) -> Mapping[int, str]:
    """Return the performers' names in the files of a run, by appearance. One query."""
    rows = RankingRow.objects.filter(run_id=run.id, appearance__isnull=False)
    return {pk or 0: cell_unguard(label) for pk, label in rows.values_list("appearance_id", "label")}


def places_of_participant(*, participant_id: int) -> Mapping[int, Place]:
    """Return the places of a participant's performances in the newest ranking of each stage, by appearance. One query.

    Performances without a rank are left out.
    """
    newest = RankingRun.objects.order_by("stage_id", "-id").distinct("stage_id").values("pk")
    found = RankingRow.objects.filter(appearance__participant=participant_id, run__in=newest, rank__isnull=False)
    equal = RankingRow.objects.filter(run=OuterRef("run"), rank=OuterRef("rank")).exclude(pk=OuterRef("pk"))
    rows = found.annotate(is_shared=Exists(equal)).values_list("appearance_id", *_ROW, "is_shared")
    return {pk: Place(*row) for pk, *row in rows}


def run_get(*, stage_id: int) -> Run | None:
    """Return the newest run of a stage, or None before the first. One query."""
    columns = (
        *("id", "method", "number", "digest", "sheets", "made_at", "final_at", "failed_at", "raters", "marks"),
        *("counting_since", "missing", "blind", "changed_from"),
    )
    runs = RankingRun.objects.filter(stage_id=stage_id).annotate(
        missing=Count("missing_sheets", filter=Q(missing_sheets__is_left_out=False))
    )
    found = runs.order_by("-id").values(*columns, *NotCounted.values)
    if (row := found.first()) is None:
        return None
    not_counted = {reason: row[reason.value] for reason in REASONS[row["method"]]}
    return Run(**{name: row[name] for name in columns}, not_counted=not_counted)


@dataclass(frozen=True, slots=True)
class BlindComparison:
    """How many points blind marks of a stage are above the others, with the 90 % interval (`blindness.py`)."""

    stage: str
    difference: Decimal
    lowest: Decimal
    highest: Decimal


def blind_comparisons() -> tuple[BlindComparison, ...]:
    """Return the comparisons of the newest runs of all stages with enough marks of either kind. One query."""
    newest = RankingRun.objects.order_by("stage_id", "-id").distinct("stage_id").values("pk")
    found = RankingRun.objects.filter(pk__in=newest, blind_difference__isnull=False).order_by("stage__order_number")
    columns = ("stage__name", "blind_difference", "blind_from", "blind_to")
    return tuple(BlindComparison(*row) for row in found.values_list(*columns))


def places_of_run(run_id: int) -> dict[int, Place]:
    """Return the places of a run, by appearance. One query."""
    found = RankingRow.objects.filter(run_id=run_id, appearance__isnull=False).values_list("appearance_id", *_ROW)
    rows = list(found)
    ranks = Counter(rank for _, rank, *_ in rows)
    return {pk: Place(*(rank, *row, rank is not None and ranks[rank] > 1)) for pk, rank, *row in rows}


def stage_counting(*, stage_id: int) -> Counting:
    """Return which marks of a stage count now. Seven queries, one of them over all marks of the stage."""
    sessions, appearances = stage_sessions(stage_id=stage_id), stage_field(stage_id=stage_id)
    known = {each.id for each in appearances if each.session_id in sessions}  # guards against a race of the two queries
    with long_transaction():
        marks = [mark for mark in stage_marks(stage_id=stage_id) if mark.appearance_id in known]
    given = given_by_account(marks)
    blind = {(mark.user_id, mark.appearance_id) for mark in marks if mark.blind}
    now = database_now()
    made = accounts_made(since=_since(sessions.values(), now))
    old_enough = {user_id: at + timedelta(seconds=NEW_FOR) for user_id, at in made.items()}
    younger = {user_id: at for user_id, at in old_enough.items() if at > now}
    decided = RankingDecision.objects.filter(stage_id=stage_id).values_list("user_id", "is_left_out", "reason")
    decisions = {user_id: Decision(is_left_out, reason) for user_id, is_left_out, reason in decided}
    accounts = {
        user_id: Account(younger.get(user_id), decisions.get(user_id))
        for user_id in given.keys() & (younger.keys() | decisions.keys())
    }
    due = min((younger[user_id] for user_id in given if user_id in younger), default=None)
    due_in = None if due is None else (due - now).total_seconds()
    spans = {session_id: evening_of(session, now) for session_id, session in sessions.items()}
    evenings = {each.id: spans[each.session_id] for each in appearances if each.id in known}
    blocks = stage_blocks(stage_id=stage_id)
    return audience_counting(
        *(appearances, given, accounts),
        due_in=due_in,
        evenings=evenings,
        blind=blind,
        blocks=blocks,
        registered={user_id: at for user_id, at in made.items() if user_id in given},
    )


def _since(sessions: Iterable[SessionTimes], now: datetime) -> datetime:
    """Return the time from which the rules ask when an account was made: new accounts, and newcomers of a session."""
    begin = min((each.starts_at for each in sessions), default=now) - timedelta(days=NEWCOMER)
    return min(begin, now - timedelta(seconds=NEW_FOR))


_OWN = """
SELECT stage.id, run.method, run.final_at, coalesce(run.has_accounts, false), coalesce(account.is_in_burst, false),
    account.marks, decision.is_left_out, decision.reason
FROM unnest(%(stages)s::bigint[]) AS stage (id)
LEFT JOIN LATERAL (
    SELECT method, final_at, has_accounts FROM ranking_runs WHERE stage_id = stage.id ORDER BY id DESC LIMIT 1
) AS run ON true
LEFT JOIN ranking_accounts AS account ON account.user_id = %(user)s AND account.stage_id = stage.id
LEFT JOIN ranking_decisions AS decision ON decision.user_id = %(user)s AND decision.stage_id = stage.id
"""


def own_standings(*, user_id: int, stage_ids: Collection[int] | None = None) -> Mapping[int, Standing]:
    """Return the standing of each performance that an account has marked in these stages, by appearance; None is all.

    Three queries, one without marks. A closed ranking counts what it counted then; all else follows from the account's
    own marks now. Rankings that version 1 closed have its rules, with the burst of the run.
    """
    marks = account_stage_marks(user_id=user_id, stage_ids=stage_ids)
    if not marks:
        return {}
    old_enough_at = accounts_younger(seconds=NEW_FOR, user_ids=(user_id,)).get(user_id)
    with connection.cursor() as cursor:
        cursor.execute(_OWN, {"user": user_id, "stages": list(marks)})
        rows = cursor.fetchall()
    found: dict[int, Standing] = {}
    for stage_id, version, closed_at, has_accounts, is_in_burst, counted, is_left_out, reason in rows:
        given = marks[stage_id]
        account = Account(
            old_enough_at,
            None if is_left_out is None else Decision(is_left_out, reason),
            has_old_rules=closed_at is not None and version == method.VERSION,
            is_in_burst=is_in_burst,
        )
        standings = account_standings(given_by_account(given)[user_id], account)
        if closed_at is not None:
            in_run = _in_closed_run(counted) if has_accounts else {pk: each.mark for pk, each in standings.items()}
            standings = closed_standings(standings, given, closed_at=closed_at, counted=in_run)
        found |= standings
    return found


def _in_closed_run(counted: str | None) -> dict[int, float | None]:
    """Return the counted marks of a row of `ranking_accounts`, by appearance."""
    return {int(pk): mark for pk, mark in json.loads(counted or "{}").items()}


STOP = "Marks of less than half of the program would stop counting in the ranking: %(names)s."
START = "Marks of half of the program and more would start counting in the ranking: %(names)s."


def program_effects(appearance_id: int, piece_ids: Collection[int]) -> Sequence[ValidationError]:
    """Return questions that name the raters affected if `piece_ids` became the program. Four queries.

    One question lists raters with a mark that would stop counting, the other those with one that would start.
    There is none for a repeated performance, and once the stage's ranking is final.
    """
    places = appearance_places(appearance_ids=(appearance_id,))
    if any(place.is_repeated or _is_final(place.stage_id) for place in places.values()):
        return ()
    program = frozenset(program_pieces(appearance_ids=(appearance_id,)).get(appearance_id, ()))
    after = frozenset(piece_ids)
    stop: list[str] = []
    start: list[str] = []
    for name, marked in pieces_marked(appearance_id=appearance_id).items():
        counts, will_count = _is_half(marked, program), _is_half(marked, after)
        if counts != will_count:
            (stop if counts else start).append(name)
    found = ((STOP, stop), (START, start))
    return tuple(ValidationError(sentence, params={"names": _joined(names)}) for sentence, names in found if names)


def _is_half(marked: AbstractSet[int], program: AbstractSet[int]) -> bool:
    """Whether the marked pieces in the program are at least half of it."""
    return bool(marked & program) and 2 * len(marked & program) >= len(program)


def _is_final(stage_id: int) -> bool:
    return RankingRun.objects.filter(stage_id=stage_id, is_final=True).exists()


def _joined(names: Sequence[str]) -> str:
    """Return the first NAMES_MOST names, and the number of further ones."""
    more = len(names) - NAMES_MOST
    return ", ".join([*names[:NAMES_MOST], *([f"+{more}"] if more > 0 else [])])


@dataclass(frozen=True, slots=True)
class Unusual:
    """An account that weighs less, or that is too new, with the number of performances that it marked.

    `performer` is the performance from which the weight follows, with the parts of the suspicion in percent.
    """

    id: int
    username: str
    performances: int
    quarters: int | None = None  # None if it is too new
    performer: str = ""
    distance: int = 0
    thinness: int = 0
    excess: int = 0
    agreeing: int = 0  # other sheets that agree with this account's, and then the parts above may be 0


@dataclass(frozen=True, slots=True)
class Decided:
    """An account that weighs fully or is left out; `decided_by` is empty after the deletion of that account."""

    id: int
    username: str
    is_left_out: bool
    reason: str
    decided_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Late:
    """A performance with the number of its raters whose marks arrived in its last hour (`late.py`)."""

    appearance_id: int
    performer: str
    late: int
    raters: int


@dataclass(frozen=True, slots=True)
class Crowd:
    """Accounts without a decision that weigh less for the same reason: marks on one side of one performance.

    `appearance_id` is 0 and `performer` empty for accounts whose sheets agree with each other.
    """

    appearance_id: int
    performer: str
    is_above: bool
    accounts: int


@dataclass(frozen=True, slots=True)
class UnusualMarks:
    """A stage's unusual accounts: a page of them, the lightest first, and all decisions, newest first.

    `crowds` are those of two accounts and more, the largest first. `late` are the performances with the largest shares
    of late marks in the newest run, LATE_SHOWN at most.
    """

    stage_id: int
    accounts: NumberedPage[Unusual]
    decided: tuple[Decided, ...]
    late: tuple[Late, ...] = ()
    crowds: tuple[Crowd, ...] = ()


_Found = tuple[int, int, int | None, Mapping[str, Any]]  # account, performances, quarters, parts of the suspicion


def unusual_count(*, stage_id: int) -> int:
    """Return the number of a stage's unusual accounts without a decision. Five queries."""
    return len(_unusual_found(stage_id)[0])


def _unusual_found(stage_id: int) -> tuple[list[_Found], tuple[Any, ...]]:
    """Return the unusual accounts without a decision, the least weights first, and all decisions, newest first."""
    too_new = given_by_account(stage_marks(stage_id=stage_id, user_ids=accounts_younger(seconds=NEW_FOR)))
    less = RankingAccount.objects.filter(stage_id=stage_id, quarters__gt=0, quarters__lt=method2.QUARTERS)
    rows = less.values_list("user_id", "marks", "quarters", "why")
    found: list[_Found] = [(pk, len(marks), quarters, why or {}) for pk, marks, quarters, why in rows]
    found.sort(key=lambda each: (each[2] or 0, -each[3].get("score", 0.0), each[0]))
    found += [(pk, len(given.marks), None, {}) for pk, given in sorted(too_new.items()) if given.marks]
    decisions = tuple(
        RankingDecision.objects.filter(stage_id=stage_id)
        .order_by("-created_at", "-id")
        .values_list("user_id", "is_left_out", "reason", "decided_by_id", "created_at")
    )
    is_decided = {user_id for user_id, *_ in decisions}
    found = [each for each in found if each[0] not in is_decided]
    return found, decisions


def unusual_get(*, stage_id: int, number: int = 1) -> UnusualMarks:
    """Return a stage's unusual accounts: the weights of the newest run, and the rule about new accounts now.

    Ten queries.
    """
    found, decisions = _unusual_found(stage_id)
    shown = min(max(1, number), pages_of(len(found), UNUSUAL_SHOWN))
    of_page = found[(shown - 1) * UNUSUAL_SHOWN : shown * UNUSUAL_SHOWN]
    people = {each[0] for each in of_page} | {pk for user_id, _, _, by, _ in decisions for pk in (user_id, by) if pk}
    names, labels = usernames_get(user_ids=people), performer_labels(stage_field(stage_id=stage_id))
    accounts = tuple(_unusual(each, names[each[0]], labels) for each in of_page if each[0] in names)
    decided = tuple(
        Decided(pk, names[pk], is_left_out, reason, names.get(by or 0, ""), at)
        for pk, is_left_out, reason, by, at in decisions
        if pk in names
    )
    page = NumberedPage(accounts, shown, len(found), UNUSUAL_SHOWN)
    return UnusualMarks(stage_id, page, decided, _latest(stage_id, labels), _crowds(found, labels))


def _crowd_of(why: Mapping[str, Any]) -> tuple[int, bool]:
    """Return the appearance and the side that an account's weight follows from, (0, True) for sheets that agree."""
    return (0, True) if why.get("agreeing") else (int(why.get("performance", 0)), bool(why.get("is_above", True)))


def crowd_accounts(*, stage_id: int, appearance_id: int, is_above: bool) -> tuple[int, ...]:
    """Return the accounts of a crowd in the newest run, without those that have a decision. Two queries."""
    less = RankingAccount.objects.filter(stage_id=stage_id, quarters__gt=0, quarters__lt=method2.QUARTERS)
    decided = set(RankingDecision.objects.filter(stage_id=stage_id).values_list("user_id", flat=True))
    rows = less.order_by("user_id").values_list("user_id", "why")
    crowd = (appearance_id, is_above)
    return tuple(user_id for user_id, why in rows if user_id not in decided and _crowd_of(why or {}) == crowd)


def _crowds(found: Sequence[_Found], labels: Mapping[int, str]) -> tuple[Crowd, ...]:
    """Return the crowds of two unusual accounts and more."""
    sizes = Counter(_crowd_of(why) for _, _, quarters, why in found if quarters is not None)
    crowds = (
        Crowd(pk, labels.get(pk, ""), is_above, count)
        for (pk, is_above), count in sizes.items()
        if count > 1 and (pk in labels or not pk)
    )
    return tuple(sorted(crowds, key=lambda each: (-each.accounts, each.performer, each.is_above)))


def _latest(stage_id: int, labels: Mapping[int, str]) -> tuple[Late, ...]:
    """Return the performances of the newest run with late marks, those with the largest shares first. One query."""
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-id").values("pk")[:1]
    rows = RankingRow.objects.filter(run__in=newest, late__gt=0).values_list("appearance_id", "late", "raters")
    found = [Late(pk, labels[pk], late or 0, raters) for pk, late, raters in rows if pk and pk in labels]
    return tuple(sorted(found, key=lambda each: (-each.late / each.raters, each.performer))[:LATE_SHOWN])


def _unusual(found: _Found, username: str, labels: Mapping[int, str]) -> Unusual:
    user_id, performances, quarters, why = found
    parts = {name: int(rounded(100.0 * why.get(name, 0), 0)) for name in ("distance", "thinness", "excess")}
    performer = labels.get(why.get("performance", 0), "")
    return Unusual(user_id, username, performances, quarters, performer, **parts, agreeing=why.get("agreeing", 0))


def is_weighed_less(*, stage_id: int, user_id: int) -> bool:
    """Whether an account weighs less than fully in the newest run without being left out. One query."""
    found = RankingAccount.objects.filter(stage_id=stage_id, user_id=user_id)
    return found.filter(quarters__gt=0, quarters__lt=method2.QUARTERS).exists()


def accounts_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return what the newest run of each stage has of a user, ready for JSON. One query, and one for each stage."""
    rows = RankingAccount.objects.filter(user_id=user_id).order_by("stage__order_number")
    columns = ("stage_id", "stage__name", "marks", "is_in_burst", "quarters", "why", "rater")
    found = []
    for stage_id, stage, marks, is_in_burst, quarters, why, rater in rows.values_list(*columns):
        labels = performer_labels(stage_field(stage_id=stage_id))
        counted = {labels[pk]: mark for each, mark in marks.items() if (pk := int(each)) in labels}
        found.append(
            {
                "stage": stage,
                "marks": counted,
                "in_burst": is_in_burst,
                "weight": quarters / method2.QUARTERS,
                "why": why,
                "rater": rater,
            }
        )
    return {"ranking_accounts": found}


def decisions_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the decisions about a user's weight, by stage, with the reasons, ready for JSON. One query."""
    rows = RankingDecision.objects.filter(user_id=user_id).order_by("pk")
    found = rows.values_list("stage__name", "is_left_out", "reason", "created_at")
    return {
        "ranking_decisions": [
            {"stage": stage, "left_out": is_left_out, "reason": reason, "created_at": at.isoformat()}
            for stage, is_left_out, reason, at in found
        ]
    }
