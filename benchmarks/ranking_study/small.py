"""Small audiences: what it would bring if performances below ten raters helped to estimate the raters' offsets.

Marks are missing not at random: a listener marks those performances more often that the listener likes.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from apps.ranking import method2
from benchmarks.ranking_study.audiences import CENTRE, Audience, Kind, Mark, deviation, qualities, sheets_of, struck
from benchmarks.ranking_study.methods import Method, Scores, given, version_1, version_2
from benchmarks.ranking_study.variants import tau

FIRST_SEED = 95_000
KINDS = (
    Kind("20 raters of 12 performances", 12, 20, (4, 6, 8, 12), popularity=0.5),
    Kind("20 raters of 20 performances", 20, 20, (5, 8, 12, 20), popularity=0.5),
    Kind("40 raters of 40 performances", 40, 40, (5, 8, 12, 20), popularity=0.5),
)
LIKED = 0.5  # by how much a point of liking raises the logarithm of the chance of a mark


def audience(kind: Kind, seed: int) -> Audience:
    """Return an audience whose listeners mark what they like more often."""
    truth, chance = qualities(kind, seed), np.random.default_rng([seed, 7])
    performers = sorted(truth)
    popular = kind.popularity * chance.standard_normal(len(performers))
    marks: list[Mark] = []
    for number in range(kind.raters):
        severity = kind.severity * chance.standard_normal()
        opinions = [truth[each] + kind.taste * deviation(chance, kind.tails) for each in performers]
        shares = np.exp(popular + LIKED * (np.array(opinions) - CENTRE))
        chosen = chance.choice(len(performers), int(chance.choice(kind.sheet)), replace=False, p=shares / shares.sum())
        for at in chosen:
            points, pieces = struck(chance, opinions[at] + severity, kind.noise)
            marks.append(Mark(f"r{number}", performers[at], points, pieces, 0.0, ""))
    starts = dict.fromkeys(performers, 0.0)
    return Audience(kind, truth, starts, tuple(marks), sheets_of(marks), {}, starts)


def with_unranked(_: Audience, marks: Sequence[Mark]) -> Scores:
    """Return the scores of version 2, with offsets and scores fitted to all performances, published or not."""
    sheets = [sheet for sheet in _sheets(marks) if len(sheet) >= method2.LEAST_PERFORMANCES]
    stage = method2.numbered(sheets)
    fit = method2.fitting_of(stage, with_numpy=True).fit([1] * len(stage.quarters), method2.ROUNDS)
    scores = zip(stage.performers, method2.final_scores(fit, method2.HUNDREDTH), stage.counts, strict=True)
    return {name: score / 100 for name, score, count in scores if count >= method2.LEAST_RATERS}


def _sheets(marks: Sequence[Mark]) -> list[dict[str, method2.Given]]:
    sheets: dict[str, dict[str, method2.Given]] = defaultdict(dict)
    for mark in given(marks):
        sheets[mark.rater][mark.performer] = mark
    return list(sheets.values())


METHODS: dict[str, Method] = {
    "version 1": version_1,
    "as published": version_2,
    "with unranked performances": with_unranked,
}


def table(audiences: int) -> str:
    """Return Kendall's tau of version 1 with the truth, and the differences of the other methods with their errors."""
    lines = [f"| kind of audience | {' | '.join(METHODS)} |", "|---" * (len(METHODS) + 1) + "|"]
    for kind in KINDS:
        taus = np.array([_taus(audience(kind, FIRST_SEED + seed)) for seed in range(audiences)])
        taus = taus[~np.isnan(taus).any(axis=1)]
        differences = (taus[:, 1:] - taus[:, :1]).T
        cells = [f"{own.mean():+.4f} ± {own.std(ddof=1) / len(own) ** 0.5:.4f}" for own in differences]
        cells.insert(0, f"{taus[:, 0].mean():.3f}")
        lines.append(f"| {kind.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _taus(made: Audience) -> list[float]:
    """Return tau of each method over the performances that all of them rank, NaN for fewer than three."""
    scores = [method(made, made.marks) for method in METHODS.values()]
    ranked = sorted(set.intersection(*(set(each) for each in scores)))
    if len(ranked) < 3:
        return [float("nan")] * len(scores)
    truth = np.array([made.truth[each] for each in ranked])
    return [tau(np.array([own[each] for each in ranked]), truth) for own in scores]
