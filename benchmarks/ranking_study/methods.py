"""The compared methods as functions from an audience's marks to scores by performer."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from apps.ranking import limits, method, method2, suspicion, weighing
from benchmarks.ranking_study.audiences import EVENING, Audience, Mark, sheets_of
from benchmarks.ranking_study.variants import VARIANTS, Matrix, Variant, scores_of

Scores = dict[str, float]
Method = Callable[[Audience, Sequence[Mark]], Scores]
HOUR = 3600
BEFORE = 0.5  # hours before its first mark that an account of a brigade is made, unless it says otherwise


def given(marks: Iterable[Mark], quarters: Mapping[str, int] | None = None) -> list[method2.Given]:
    """Return marks as version 2 takes them, with the quarters of each rater."""
    weights = quarters or {}
    return [
        method2.Given(mark.rater, mark.performer, mark.points, mark.pieces, weights.get(mark.rater, 4))
        for mark in marks
    ]


def fitted(
    marks: Iterable[Mark], quarters: Mapping[str, int] | None = None
) -> tuple[method2.Stage, method2.Lists | method2.Arrays, method2.Fitted]:
    """Return version 2's input in numbers, and its fit."""
    stage = method2.numbered(method2.reduced(given(marks, quarters))[0])
    fitting = method2.fitting_of(stage, with_numpy=True)
    return stage, fitting, fitting.fit([1] * len(stage.quarters), method2.ROUNDS)


def version_2(_: Audience, marks: Sequence[Mark], quarters: Mapping[str, int] | None = None) -> Scores:
    """Return the published scores of version 2."""
    stage, _fitting, fit = fitted(marks, quarters)
    finals = method2.final_scores(fit, method2.HUNDREDTH)
    return {name: score / 100 for name, score in zip(stage.performers, finals, strict=True)}


def weighted_version_2(audience: Audience, marks: Sequence[Mark]) -> Scores:
    """Return the published scores of version 2 with the weights that follow from suspicious marks."""
    return version_2(audience, marks, weights(audience, marks))


def weights(audience: Audience, marks: Sequence[Mark]) -> dict[str, int]:
    """Return the quarters of each rater who weighs less than fully."""
    numbers = {performer: at for at, performer in enumerate(sorted(audience.truth))}
    raters = list(dict.fromkeys(mark.rater for mark in marks))
    accounts = {rater: at for at, rater in enumerate(raters)}
    first = {rater: min(mark.at for mark in sheet.values()) for rater, sheet in sheets_of(marks).items()}
    made_at = {mark.rater: mark.registered for mark in marks if mark.registered is not None}
    registered = {rater: at - BEFORE for rater, at in first.items()} | audience.registered | made_at
    judged = [
        suspicion.AccountMark(
            accounts[mark.rater],
            numbers[mark.performer],
            method2.ratio(method2.POINT * mark.points, mark.pieces),
            mark.at,
            0 <= mark.at - audience.starts[mark.performer] <= EVENING,
            mark.block,
            audience.sessions[mark.performer],
            registered[mark.rater],
        )
        for mark in marks
    ]
    found = suspicion.quarters_of(weighing.judged(judged))
    return {raters[account]: quarters for account, quarters in found.items()}


def version_1(audience: Audience, marks: Sequence[Mark]) -> Scores:
    """Return the scores of version 1 as the site has them: without the accounts in quarantine."""
    held = quarantined(audience, marks)
    sheets = method.sheets_of((mark.rater, mark.performer, mark.value) for mark in marks if mark.rater not in held)
    counts = Counter(performer for sheet in sheets for performer, _ in sheet)
    scores = method.scores_of(method.corrections(sheets))
    return {name: float(score) for name, score in scores.items() if counts[name] >= method.LEAST_RATERS}


def quarantined(audience: Audience, marks: Iterable[Mark]) -> set[str]:
    """Return the raters whom version 1's rules for uniform sheets and for bursts leave out."""
    held, late = set(), defaultdict(list)
    for rater, sheet in sheets_of(marks).items():
        values = {mark.value for mark in sheet.values()}
        if len(sheet) >= limits.UNIFORM_FROM and len(values) == 1:
            held.add(rater)
        for mark in sheet.values():
            is_outer = mark.value <= limits.OUTER_FIFTHS[0] or mark.value >= limits.OUTER_FIFTHS[1]
            is_late = mark.at - audience.starts[mark.performer] > EVENING
            if is_outer and is_late and len(sheet) < limits.TRIED_FROM:
                late[mark.performer, mark.value >= limits.OUTER_FIFTHS[1]].append((mark.at, rater))
    for moments in late.values():
        moments.sort()
        for begin, _ in moments:
            crowd = {rater for at, rater in moments if begin <= at <= begin + limits.BURST_WITHIN / HOUR}
            held |= crowd if len(crowd) > limits.BURST_ABOVE else set()
    return held


def matrix(marks: Iterable[Mark]) -> tuple[list[str], Matrix]:
    """Return the performers and the marks of version 2's input, NaN where a rater gave no mark."""
    sheets, _ = method2.reduced(given(marks))
    performers = sorted({each for sheet in sheets for each in sheet})
    column = {performer: at for at, performer in enumerate(performers)}
    table = np.full((len(sheets), len(performers)), np.nan)
    for line, sheet in zip(table, sheets, strict=True):
        for performer, mark in sheet.items():
            line[column[performer]] = mark.points / mark.pieces
    return performers, table


def of_variant(variant: Variant) -> Method:
    """Return the method of a variant."""

    def scores(_: Audience, marks: Sequence[Mark]) -> Scores:
        performers, table = matrix(marks)
        return dict(zip(performers, scores_of(table, variant).tolist(), strict=True))

    return scores


def plain_mean(_: Audience, marks: Sequence[Mark]) -> Scores:
    """Return the plain means of performances with ten raters, without any other rule."""
    values = defaultdict(list)
    for mark in marks:
        values[mark.performer].append(mark.value)
    return {name: sum(own) / len(own) for name, own in values.items() if len(own) >= method2.LEAST_RATERS}


COMPARED: dict[str, Method] = {
    "plain mean": plain_mean,
    "version 1": version_1,
    "version 2": version_2,
    "version 2 with weights": weighted_version_2,
}
ALL: dict[str, Method] = COMPARED | {
    name: of_variant(variant) for name, variant in VARIANTS.items() if name != "plain mean"
}
