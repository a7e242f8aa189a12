"""The rules of a jury as data: scale, method, rounding and weights of each stage, three presets, and what is refused.

A change of a rule is a new version: sheets keep the version that they were computed with.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.core.exceptions import ValidationError

from apps.core.rounding import Rounding
from apps.jury.enums import MarkKind, ScoreMethod
from apps.jury.limits import DECIMALS, EDITION_LENGTH, LEFT_OUT, SCALE_HIGHEST, STAGES, WEIGHT_HIGHEST

_ZERO, _ONE = Decimal(0), Decimal(1)
_VOTES = {"yes": _ONE, "tak": _ONE, "ja": _ONE, "no": _ZERO, "nie": _ZERO, "nein": _ZERO}
_FRACTION = 2  # decimals of marks and distances, as the columns have them
_WEIGHT_FRACTION = 4


@dataclass(frozen=True, slots=True)
class StageRule:
    """How the result of one stage is made.

    `distance` is that of CORRECTED: a mark farther from the mean is set to mean ± distance. `left_out` is that of
    TRIMMED: so many highest and so many lowest marks. `weights` are those of the stages up to and including this one in
    its cumulated score; a stage of weight 0 does not count.
    """

    weights: tuple[Decimal, ...]
    method: ScoreMethod = ScoreMethod.MEAN
    marks: MarkKind = MarkKind.POINTS
    lowest: Decimal = _ONE
    highest: Decimal = Decimal(25)
    distance: Decimal = _ZERO
    left_out: int = 0

    def allows(self, mark: Decimal) -> bool:
        """Return whether a juror may give this mark: points have at most two decimals, other marks none."""
        most = _FRACTION if self.marks is MarkKind.POINTS else 0
        return mark.is_finite() and self.lowest <= mark <= self.highest and mark == round(mark, most)

    @property
    def lowest_wins(self) -> bool:
        """Whether the lowest score is the best."""
        return self.method is ScoreMethod.RANKS

    @property
    def carries_over(self) -> bool:
        """Whether an earlier stage counts in the cumulated score."""
        return any(self.weights[:-1])

    @property
    def total_weight(self) -> Decimal:
        """The sum of the weights, usually 1."""
        return sum(self.weights, _ZERO)

    @property
    def span(self) -> Decimal:
        """The largest difference of two marks."""
        return self.highest - self.lowest


@dataclass(frozen=True, slots=True)
class Rule:
    """How one edition makes its official result. `by_place` is indexed by the place of the stage, from 0.

    Every step is rounded to `decimals`: the mean, the mean after a correction, and the cumulated score.
    """

    edition: str
    version: int
    by_place: tuple[StageRule, ...]
    decimals: int = 2
    rounding: Rounding = Rounding.HALF_UP

    def stage(self, place: int) -> StageRule:
        """Return the rule of the stage with this place, from 1."""
        return self.by_place[place - 1]

    def allows(self, mark: Decimal, place: int | None = None) -> bool:
        """Return whether the scale of this stage contains the mark; without a place, that of any stage."""
        return any(stage.allows(mark) for stage in self._stages(place))

    def allows_score(self, score: Decimal, place: int | None = None) -> bool:
        """Return whether a score of this stage may be this one: a sum of ranks has no highest one."""
        stages = self._stages(place)
        return score.is_finite() and any(
            stage.lowest_wins or stage.lowest <= score <= stage.highest for stage in stages
        )

    def mark_read(self, text: str, place: int | None) -> Decimal | None:
        """Return the mark that a word means, "yes" or "no" where jurors vote so; None for any other text."""
        is_vote = any(stage.marks is MarkKind.YES_NO for stage in self._stages(place))
        return _VOTES.get(text.casefold()) if is_vote else None

    def scale(self, place: int | None = None) -> tuple[Decimal, Decimal]:
        """Return the lowest and the highest mark of this stage; without a place, those of all stages."""
        stages = self._stages(place)
        return min(stage.lowest for stage in stages), max(stage.highest for stage in stages)

    def _stages(self, place: int | None) -> Sequence[StageRule]:
        return self.by_place if place is None else self.by_place[place - 1 : place]

    @property
    def stages(self) -> int:
        """The number of stages."""
        return len(self.by_place)

    def is_same(self, other: "Rule") -> bool:
        """Return whether the two rules differ in nothing but their version."""
        return replace(self, version=other.version) == other


def rule_check(rule: Rule) -> None:
    """Raise ValidationError by field for a rule that no result follows from, or that the tables cannot store.

    The fields are those of the form (`rule_form.py`). Weights that do not add up to 1 are allowed.
    """
    errors: dict[str, ValidationError] = {}
    if not rule.edition.strip() or len(rule.edition) > EDITION_LENGTH:
        errors["edition"] = edition_error()
    if not 0 <= rule.decimals <= DECIMALS:
        errors["decimals"] = ValidationError("Scores have 0 to %(most)d decimals.", params={"most": DECIMALS})
    if not 1 <= rule.stages <= STAGES:
        errors["stages"] = stages_error()
    for place, stage in enumerate(rule.by_place, start=1):
        for field, sentence in _stage_errors(rule, place, stage):
            most = {"scale": SCALE_HIGHEST, "left_out": LEFT_OUT, "weight": WEIGHT_HIGHEST}
            errors.setdefault(f"{field}_{place}", ValidationError(sentence, params=most))
    if errors:
        raise ValidationError(errors)


def edition_error() -> ValidationError:
    """Return the error of a rule without a name, or with a long one."""
    return ValidationError("Please give a name of at most %(most)d characters.", params={"most": EDITION_LENGTH})


def stages_error() -> ValidationError:
    """Return the error of a rule with no stage, or with more than the limit."""
    return ValidationError("An edition has 1 to %(most)d stages.", params={"most": STAGES})


def _stage_errors(rule: Rule, place: int, stage: StageRule) -> Iterator[tuple[str, str]]:
    """Yield the field and the sentence of each fault of a stage."""
    if not _is_number(stage.lowest, SCALE_HIGHEST) or not _is_number(stage.highest, SCALE_HIGHEST):
        yield "highest", "The scale is from 0 to at most %(scale)d, with at most two decimals."
    elif stage.lowest >= stage.highest:
        yield "highest", "The highest mark is above the lowest one."
    if stage.marks is MarkKind.YES_NO and (stage.lowest, stage.highest) != (_ZERO, _ONE):
        yield "highest", "Yes is 1 and no is 0."
    if stage.marks is MarkKind.PLACES and stage.lowest != _ONE:
        yield "lowest", "The best place is 1."
    if stage.marks is MarkKind.PLACES and not stage.lowest_wins:
        yield "method", "From places follows a sum of ranks."
    if stage.method is ScoreMethod.CORRECTED and not _is_number(stage.distance, SCALE_HIGHEST):
        yield "distance", "The distance is from 0 to %(scale)d, with at most two decimals."
    if stage.method is ScoreMethod.TRIMMED and not 1 <= stage.left_out <= LEFT_OUT:
        yield "left_out", "From 1 to %(left_out)d marks are left out at each end."
    yield from (("weights", sentence) for sentence in _weight_errors(rule, place, stage))


def _weight_errors(rule: Rule, place: int, stage: StageRule) -> Iterator[str]:
    if len(stage.weights) != place:
        yield "Please give one weight for each stage up to this one."
    elif not all(_is_number(weight, WEIGHT_HIGHEST, _WEIGHT_FRACTION) for weight in stage.weights):
        yield "Weights are from 0 to %(weight)d, with at most four decimals."
    elif not any(stage.weights):
        yield "Without a weight above 0 every cumulated score is 0."
    elif stage.lowest_wins and (stage.carries_over or stage.weights[-1] != 1):
        yield "A sum of ranks is not added to scores: its own weight is 1, the others are 0."
    elif any(weight and rule.stage(n).lowest_wins for n, weight in enumerate(stage.weights[:-1], start=1)):
        yield "A sum of ranks is not added to scores: its weight in later stages is 0."


def _is_number(value: Decimal, most: int, fraction: int = _FRACTION) -> bool:
    return value.is_finite() and 0 <= value <= most and value == round(value, fraction)


def _decimals(*texts: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, texts))


def _corrected(distance: str, *weights: str) -> StageRule:
    return StageRule(_decimals(*weights), ScoreMethod.CORRECTED, distance=Decimal(distance))


def _alone(place: int) -> tuple[Decimal, ...]:
    """Return the weights of a stage for which the stages before do not count."""
    return (*[_ZERO] * (place - 1), _ONE)


# With these the published scores of the first stage come out (tests/apps/jury/test_golden.py).
NINETEENTH = Rule(
    edition="19th, 2025",
    version=1,
    by_place=(
        _corrected("3", "1"),
        _corrected("2", "0.3", "0.7"),
        _corrected("2", "0.1", "0.2", "0.7"),
        _corrected("2", "0.1", "0.2", "0.35", "0.35"),
    ),
)
OUTERMOST_LEFT_OUT = Rule(
    edition="Points to 100, outermost left out",
    version=1,
    by_place=tuple(
        StageRule(_alone(place), ScoreMethod.TRIMMED, lowest=_ZERO, highest=Decimal(100), left_out=1)
        for place in (1, 2, 3)
    ),
)
VOTES_POINTS_RANKS = Rule(
    edition="Votes, points, ranks",
    version=1,
    by_place=(
        StageRule(_alone(1), marks=MarkKind.YES_NO, lowest=_ZERO, highest=_ONE),
        StageRule(_alone(2), highest=Decimal(10)),
        StageRule(_alone(3), ScoreMethod.RANKS, MarkKind.PLACES, highest=Decimal(20)),
    ),
)
PRESETS = {"nineteenth": NINETEENTH, "outermost": OUTERMOST_LEFT_OUT, "votes": VOTES_POINTS_RANKS}
DEFAULT = NINETEENTH  # until an administrator chooses another one
