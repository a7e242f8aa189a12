"""The official result from the jurors' marks, in decimals: each step is rounded as the rule says, the first mean too.

With the first mean left unrounded, or with binary fractions, published results do not come out to the hundredth.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from apps.core.rounding import Rounding, rounded
from apps.jury.enums import MarkKind, ScoreMethod
from apps.jury.rules import Rule, StageRule

Scores = Mapping[int, Decimal | None]  # by participant's id
Marks = Mapping[int, Mapping[int, Decimal]]  # by participant's id and juror, without those of recused jurors


@dataclass(frozen=True, slots=True)
class StageScore:
    """The result of one performer in one stage: the first mean, the score, and how many marks were changed or left out.

    Of a sum of ranks `mean` is the mean of the ranks.
    """

    mean: Decimal
    score: Decimal
    corrected: int


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one performer in a sheet; all None without any mark. `plain_rank` is that by the first mean."""

    score: StageScore | None
    cumulated: Decimal | None
    rank: int | None
    plain_rank: int | None

    @property
    def figures(self) -> tuple[Decimal | None, Decimal | None, int | None]:
        """The score, the cumulated score and the rank."""
        return self.score.score if self.score else None, self.cumulated, self.rank


def mean(marks: Sequence[Decimal], decimals: int, rounding: Rounding = Rounding.HALF_UP) -> Decimal:
    """Return the mean of at least one mark, rounded from the exact quotient."""
    return rounded(sum(map(Fraction, marks), Fraction()) / len(marks), decimals, rounding)


def corrected(mark: Decimal, centre: Decimal, distance: Decimal) -> Decimal:
    """Return the mark, set to `centre` ± `distance` if it is farther away."""
    return min(max(mark, centre - distance), centre + distance)


def counted(marks: Sequence[Decimal], stage: StageRule, centre: Decimal) -> list[Decimal | None]:
    """Return what counts of each mark, None for one that is left out. `centre` is the first mean."""
    match stage.method:
        case ScoreMethod.CORRECTED:
            return [corrected(mark, centre, stage.distance) for mark in marks]
        case ScoreMethod.TRIMMED:
            order = sorted(range(len(marks)), key=marks.__getitem__)
            kept = frozenset(order[stage.left_out : len(order) - stage.left_out])
            return [mark if at in kept else None for at, mark in enumerate(marks)]
        case _:
            return list(marks)


def stage_score(marks: Sequence[Decimal], stage: StageRule, rule: Rule) -> StageScore | None:
    """Return the result of one performer from the jurors' marks; None if no mark is there or all are left out."""
    if not marks:
        return None
    first = mean(marks, rule.decimals, rule.rounding)
    after = counted(marks, stage, first)
    kept = [mark for mark in after if mark is not None]
    if not kept:
        return None
    changed = sum(old != new for old, new in zip(marks, after, strict=True))
    return StageScore(first, mean(kept, rule.decimals, rule.rounding), changed)


def stage_scores(marks: Marks, stage: StageRule, rule: Rule) -> dict[int, StageScore | None]:
    """Return the result of each performer of a stage."""
    if stage.method is ScoreMethod.RANKS:
        return _rank_sums(marks, stage, rule)
    return {pk: stage_score(list(own.values()), stage, rule) for pk, own in marks.items()}


def _rank_sums(marks: Marks, stage: StageRule, rule: Rule) -> dict[int, StageScore | None]:
    """Return the sums of ranks. In place of a recused juror's rank stands the mean of the other jurors' ranks."""
    jurors = sorted({juror for own in marks.values() for juror in own})
    given: dict[int, list[Fraction]] = {pk: [] for pk in marks}
    for juror in jurors:
        for pk, rank in shared_ranks({pk: own[juror] for pk, own in marks.items() if juror in own}, stage).items():
            given[pk].append(rank)
    found: dict[int, StageScore | None] = {}
    for pk, own in given.items():
        middle = sum(own, Fraction()) / len(own) if own else None
        found[pk] = None if middle is None else _rank_score(middle, len(jurors), rule)
    return found


def _rank_score(middle: Fraction, jurors: int, rule: Rule) -> StageScore:
    middle_rank, total = (rounded(figure, rule.decimals, rule.rounding) for figure in (middle, middle * jurors))
    return StageScore(middle_rank, total, 0)


def shared_ranks(marks: Mapping[int, Decimal], stage: StageRule) -> dict[int, Fraction]:
    """Return the rank of each performer by one juror, 1 for the best; equal ones share the mean of their ranks."""
    ordered = sorted(marks.values(), reverse=stage.marks is not MarkKind.PLACES)
    often = Counter(ordered)
    first: dict[Decimal, int] = {}
    for at, mark in enumerate(ordered):
        first.setdefault(mark, at)
    # equal marks have the ranks first + 1 to first + often
    return {pk: Fraction(2 * first[mark] + often[mark] + 1, 2) for pk, mark in marks.items()}


def cumulated(
    scores: Sequence[Decimal | None],
    weights: Sequence[Decimal],
    decimals: int,
    rounding: Rounding = Rounding.HALF_UP,
) -> Decimal | None:
    """Return the weighted sum of the scores of all stages so far; None if one that counts is missing."""
    counting = [(score, weight) for score, weight in zip(scores, weights, strict=True) if weight]
    products = [Fraction(score) * Fraction(weight) for score, weight in counting if score is not None]
    if len(products) != len(counting):
        return None
    return rounded(sum(products, Fraction()), decimals, rounding)


def ranks(scores: Scores, *, lowest_first: bool = False) -> dict[int, int]:
    """Return the rank of each scored id, the highest score first. Equal scores share a rank; the next ones skip."""
    ordered = sorted((score for score in scores.values() if score is not None), reverse=not lowest_first)
    places: dict[Decimal, int] = {}
    for place, score in enumerate(ordered, start=1):
        places.setdefault(score, place)
    return {pk: places[score] for pk, score in scores.items() if score is not None}


def results(rule: Rule, place: int, marks: Marks, earlier: Sequence[Scores]) -> dict[int, Result]:
    """Return the results of a stage by participant's id; `earlier` are the scores of the stages before, by place.

    The ranks are by the cumulated scores, or by the stage's own scores if a cumulated one is missing.
    """
    stage = rule.stage(place)
    scores = stage_scores(marks, stage, rule)
    own: Scores = {pk: each.score if each else None for pk, each in scores.items()}
    has_plain = stage.method in (ScoreMethod.CORRECTED, ScoreMethod.TRIMMED)
    plain: Scores = {pk: each.mean if each else None for pk, each in scores.items()} if has_plain else own
    sums = {pk: _sum(pk, score, rule, stage, earlier) for pk, score in own.items()}
    plain_sums = {pk: _sum(pk, score, rule, stage, earlier) for pk, score in plain.items()}
    is_whole = all(sums[pk] is not None for pk, score in own.items() if score is not None)
    places = ranks(sums if is_whole else own, lowest_first=stage.lowest_wins)
    plain_places = ranks(plain_sums if is_whole else plain, lowest_first=stage.lowest_wins)
    return {pk: Result(each, sums[pk], places.get(pk), plain_places.get(pk)) for pk, each in scores.items()}


def _sum(
    participant_id: int, score: Decimal | None, rule: Rule, stage: StageRule, earlier: Sequence[Scores]
) -> Decimal | None:
    if score is None:
        return None
    before = [scores.get(participant_id) for scores in earlier]
    return cumulated([*before, score], stage.weights, rule.decimals, rule.rounding)
