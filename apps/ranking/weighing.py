"""How much the accounts of a stage weigh, from its counted marks and administrators' decisions, without a query."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from typing import Any

from apps.core.limits import HOUR
from apps.ranking import method2, suspicion
from apps.ranking.counting import CountedMark, Counting, Span, is_of_evening
from apps.ranking.limits import NIGHT_ENDS
from apps.ranking.suspicion import AccountMark, Suspicion


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
        )
        for each in counting.marks
    ]
    weights = {
        user_id: Weight(found.quarters, parts_of(found))
        for user_id, found in judged(marks).items()
        if found.quarters < method2.QUARTERS and user_id not in counting.decisions
    }
    return weights | {each.user_id: LEFT_OUT for each in counting.left_out}


def account_mark(counted: CountedMark, evening: Collection[Span], zone: tzinfo, *, block: str = "") -> AccountMark:
    """Return a counted mark as the suspicion takes it. A day ends at NIGHT_ENDS, at the venue.

    `block` is the digest of the rating's address block, empty if it is unknown or a venue's.
    """
    given_at = counted.given.given_at
    return AccountMark(
        counted.user_id,
        counted.appearance_id,
        method2.ratio(method2.POINT * counted.given.points, counted.given.pieces),
        (_local_seconds(given_at, zone) - NIGHT_ENDS) / HOUR,
        is_of_evening(given_at, evening),
        block,
    )


def _local_seconds(at: datetime, zone: tzinfo) -> float:
    """Return the seconds from 1970 to this moment by the clock of this zone."""
    offset = at.astimezone(zone).utcoffset()
    return at.timestamp() + (offset.total_seconds() if offset else 0.0)


def judged(marks: Collection[AccountMark]) -> dict[int, Suspicion]:
    """Return the suspicion of each account with a score above 0, as `suspicions`, from a fit of the same marks.

    In this fit, accounts weigh as `reference_quarters` has it.
    """
    quarters = suspicion.reference_quarters(marks)
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
    scores = {int(name): score for name, score in zip(stage.performers, fitted.scores, strict=True)}
    return suspicion.suspicions(marks, scores)


def parts_of(found: Suspicion) -> dict[str, Any]:
    """Return the parts of a suspicion, ready for JSON, rounded to three decimals."""
    parts = asdict(found) | {"links": [round(link, 3) for link in found.links]}
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in parts.items()}
