"""How honest the intervals are: their width beside the true spread, and how often they contain the truth.

The number in brackets is how often the bar of one audience holds the score that another audience has.

Many audiences of one kind hear the same performances. The audience's score of a performance is the mean of its scores
over them, and its true spread their standard deviation. The true rank is that of the true qualities.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from apps.ranking import method, method2
from benchmarks.ranking_study.audiences import KINDS, Kind, Mark, audience
from benchmarks.ranking_study.methods import fitted

FIRST_SEED = 40_000
HALF_WIDTH = 1.645  # standard deviations of a normal distribution that hold nine tenths on both sides
MORE_DRAWS = 400
MOST_RATERS = 500  # a larger kind takes as long as all others together
BINS = ((10, 14), (15, 29), (30, 59), (60, 10_000))


class Place(NamedTuple):
    """A ranked performance: score, interval of scores in points, interval of ranks, and number of raters."""

    score: float
    score_from: float
    score_to: float
    lowest: int
    highest: int
    raters: int


Places = dict[str, Place]


def version_1(marks: Sequence[Mark]) -> Places:
    """Return the intervals of version 1."""
    found = {}
    for row in method.ranking((mark.rater, mark.performer, mark.value) for mark in marks).rows:
        if row.score and row.score_from and row.score_to and row.lowest and row.highest:
            score, begin, end = map(float, (row.score, row.score_from, row.score_to))
            found[row.performer] = Place(score, begin, end, row.lowest, row.highest, row.raters)
    return found


def version_2(marks: Sequence[Mark]) -> dict[str, Places]:
    """Return the intervals of version 2 and of its variants, by name."""
    stage, fitting, fit = fitted(marks)
    if not stage.marks:
        return {}
    finals = method2.final_scores(fit)
    seed = method2.seed_of(len(marks), 1)
    drawn = []
    for draw in range(MORE_DRAWS):
        times = method2.times_drawn(seed, draw, len(stage.quarters))
        drawn.append(method2.final_scores(fitting.fit(times, method2.DRAWN_ROUNDS)))
    plain = [list(map(method2.within, scores)) for scores in drawn]
    multiplied = [list(map(method2.widened, finals, scores, stage.counts)) for scores in drawn]
    return {
        "version 2": _places(stage, finals, multiplied[: method2.DRAWS]),
        "without the factor": _places(stage, finals, plain[: method2.DRAWS]),
        f"{MORE_DRAWS} draws": _places(stage, finals, multiplied),
    }


def _places(stage: method2.Stage, finals: list[int], results: list[list[int]]) -> Places:
    found = {}
    ends = method2.intervals_of(results, len(results) // 20)
    for name, final, count, interval in zip(stage.performers, finals, stage.counts, ends, strict=True):
        rank = 1 + sum(each > final for each in finals)
        lowest, highest, score_from, score_to = interval or (rank, rank, final // 100, final // 100)
        scores = (final / 10_000, score_from / 100, score_to / 100)
        found[name] = Place(*scores, min(lowest, rank), max(highest, rank), count)
    return found


def all_places(marks: Sequence[Mark]) -> dict[str, Places]:
    """Return the intervals by method."""
    return {"version 1": version_1(marks)} | version_2(marks)


class Tally(NamedTuple):
    """A performance in one audience: half width, true deviation, and whether the intervals contain the truth.

    `agreeing` is the share of the other audiences of the same kind whose score is inside the bar.
    """

    bar: float
    spread: float
    is_score_inside: bool
    is_rank_inside: bool
    raters: float
    agreeing: float


def tallies(fields: int, audiences: int) -> dict[str, dict[str, list[Tally]]]:
    """Return the tallies by method and by kind of audience."""
    found: dict[str, dict[str, list[Tally]]] = defaultdict(lambda: defaultdict(list))
    for kind in (each for each in KINDS if each.raters <= MOST_RATERS):
        for field in range(fields):
            for name, by_performer in _of_field(kind, FIRST_SEED + field, audiences).items():
                for own in by_performer.values():
                    found[name][kind.name] += _of_performance(own) if len(own) >= audiences // 2 else []
    return found


def _of_field(kind: Kind, truth_seed: int, audiences: int) -> dict[str, dict[str, list[tuple[Place, int]]]]:
    """Return the places and true ranks of each performance in each audience, by method."""
    found: dict[str, dict[str, list[tuple[Place, int]]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(audiences):
        made = audience(kind, 1_000 * truth_seed + seed, truth_seed=truth_seed)
        for name, ranked in all_places(made.marks).items():
            for performer, place in ranked.items():
                rank = 1 + sum(made.truth[each] > made.truth[performer] for each in ranked)
                found[name][performer].append((place, rank))
    return found


def _of_performance(places: Sequence[tuple[Place, int]]) -> list[Tally]:
    scores = np.array([place.score for place, _ in places])
    mean, spread = float(scores.mean()), float(scores.std(ddof=1))
    return [
        Tally(
            (place.score_to - place.score_from) / 2,
            spread,
            place.score_from <= mean <= place.score_to,
            place.lowest <= rank <= place.highest,
            place.raters,
            float(np.mean(np.delete((place.score_from <= scores) & (scores <= place.score_to), at))),
        )
        for at, (place, rank) in enumerate(places)
    ]


def table(fields: int, audiences: int) -> str:
    """Return tables by kind of audience and by number of raters."""
    everything = tallies(fields, audiences)
    kinds = list(next(iter(everything.values())))
    head = [" | ".join(everything), "---|" * (len(everything) + 1)]
    lines = [f"| kind of audience | {head[0]} |", f"|{head[1]}"]
    lines += [f"| {kind} | {' | '.join(_cell(by_kind[kind]) for by_kind in everything.values())} |" for kind in kinds]
    lines += ["", f"| raters of the performance | {head[0]} |", f"|{head[1]}"]
    for least, most in BINS:
        of_bin = (
            _cell([each for own in by_kind.values() for each in own if least <= each.raters <= most])
            for by_kind in everything.values()
        )
        lines.append(f"| {least} to {most} | {' | '.join(of_bin)} |")
    return "\n".join(lines)


def _cell(found: Sequence[Tally]) -> str:
    """Return bar / true sd, how often the bar holds the score (and another audience's), and the interval the rank."""
    if not found:
        return ""
    ratio = np.mean([each.bar for each in found]) / HALF_WIDTH / np.sqrt(np.mean([each.spread**2 for each in found]))
    score, agreeing = (np.mean([getattr(each, name) for each in found]) for name in ("is_score_inside", "agreeing"))
    rank = np.mean([each.is_rank_inside for each in found])
    return f"{ratio:.2f}, {score:.2f} ({agreeing:.2f}), {rank:.2f}"
