"""How much the accounts of a stage weigh, from its counted marks and administrators' decisions, without a query."""

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from typing import Any

from apps.core.limits import HOUR
from apps.ranking import method2, suspicion
from apps.ranking.counting import CountedMark, Counting, Span, is_of_evening
from apps.ranking.limits import NIGHT_ENDS
from apps.ranking.suspicion import AccountMark, Suspicion

VERSION = 3  # of the method: the computation of `method2` with the weights of this module


@dataclass(frozen=True, slots=True)
class Weight:
    """An account's weight in quarters, with the parts of its suspicion: None without any, or left out."""

    quarters: int = method2.QUARTERS
    why: Mapping[str, Any] | None = None


FULL, LEFT_OUT = Weight(), Weight(0)


def weights_of(counting: Counting, zone: tzinfo) -> dict[int, Weight]:
    """Return the weight of each account that does not weigh fully; `zone` is the venue's.

    An account that an administrator lets weigh fully is judged with the others, and weighs fully.
    """
    marks = [
        account_mark(
            each,
            counting.evenings[each.appearance_id],
            zone,
            block=counting.blocks.get((each.user_id, each.appearance_id), ""),
            registered=counting.registered.get(each.user_id),
        )
        for each in counting.marks
    ]
    weights = {
        user_id: Weight(found.quarters, parts_of(found))
        for user_id, found in judged(marks).items()
        if found.quarters < method2.QUARTERS and user_id not in counting.decisions
    }
    return weights | {each.user_id: LEFT_OUT for each in counting.left_out}


def account_mark(
    counted: CountedMark,
    evening: Collection[Span],
    zone: tzinfo,
    *,
    block: str = "",
    registered: datetime | None = None,
) -> AccountMark:
    """Return a counted mark as the suspicion takes it. A day ends at NIGHT_ENDS, at the venue.

    `block` is the digest of the rating's address block, empty if it is unknown or a venue's. `registered` is when the
    account was made; None if that was long before the stage.
    """
    given_at = counted.given.given_at
    begin = min((begin for begin, _ in evening), default=given_at)
    return AccountMark(
        counted.user_id,
        counted.appearance_id,
        method2.ratio(method2.POINT * counted.given.points, counted.given.pieces),
        _hours(given_at, zone),
        is_of_evening(given_at, evening),
        block,
        _hours(begin, zone),
        -math.inf if registered is None else _hours(registered, zone),
    )


def _hours(at: datetime, zone: tzinfo) -> float:
    """Return the hours from the end of a night in 1970 to this moment, by the clock of this zone."""
    offset = at.astimezone(zone).utcoffset()
    return (at.timestamp() + (offset.total_seconds() if offset else 0.0) - NIGHT_ENDS) / HOUR


def judged(marks: Collection[AccountMark]) -> dict[int, Suspicion]:
    """Return the suspicion of each account with a score above 0, as `suspicions`, from fits of the same marks.

    In these fits, accounts weigh as `reference_quarters` has it. A performance's score is that of the fit of the marks
    that accounts with two days or more made on the evening; where these are too few, of accounts with a day or more;
    else of all marks. So neither late accounts nor those of one evening can make themselves the audience.
    """
    quarters = suspicion.reference_quarters(marks)
    scores = _fitted(marks, quarters)
    for least in (2, 4):
        known = [each for each in marks if each.is_of_the_evening and quarters[each.account] >= least]
        scores |= _fitted(known, quarters)
    return suspicion.suspicions(marks, scores)


def _fitted(marks: Collection[AccountMark], quarters: Mapping[int, int]) -> dict[int, int]:
    """Return the scores c of the performances that step 1 of the method keeps, in ten-thousandths of a point."""
    given = [
        method2.Given(
            str(each.account), str(each.performance), each.mark, method2.POINT, quarters=quarters[each.account]
        )
        for each in marks
    ]
    stage = method2.numbered(method2.reduced(given)[0])
    if not stage.marks:
        return {}
    fitted = method2.fitting_of(stage, with_numpy=True).fit([1] * len(stage.quarters), method2.ROUNDS)
    return {int(name): score for name, score in zip(stage.performers, fitted.scores, strict=True)}


def parts_of(found: Suspicion) -> dict[str, Any]:
    """Return the parts of a suspicion, ready for JSON, rounded to three decimals."""
    parts = asdict(found) | {"links": [round(link, 3) for link in found.links]}
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in parts.items()}
