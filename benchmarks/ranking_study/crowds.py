"""Places that crowds reach, and what the rule for weights does to listeners with registration times."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.ranking_study.attacks import Attack, Brigade, Strategy
from benchmarks.ranking_study.audiences import ARRIVING, FOLLOWED, Audience, Mark, audience
from benchmarks.ranking_study.methods import Scores, version_2, weights

FIRST_SEED = 90_000
KINDS = tuple(kind for kind in ARRIVING if kind.name in {"middle", "uneven", "close field"})
MOST_RATERS = 500


def table(audiences: int, suite: Mapping[str, Strategy], first_seed: int = FIRST_SEED) -> str:
    """Return the favourite's place before and after each strategy, without and with weights, and the weights."""
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for kind in KINDS:
        for seed in range(first_seed, first_seed + audiences):
            made = audience(kind, seed)
            before = version_2(made, made.marks, weights(made, made.marks))
            for number, (name, function) in enumerate(suite.items()):
                attack = function(Brigade(made, np.random.default_rng([seed, number, 6])))
                found[name].append(_outcome(made, attack, before))
    lines = ["| strategy | place before | without weights | with weights | first | weight | listeners who weigh less |"]
    lines.append("|---" * 7 + "|")
    for name, rows in found.items():
        before_, plain, weighed, weight, lowered = np.mean(rows, axis=0)
        first = sum(row[2] == 1 for row in rows)
        lines.append(
            f"| {name} | {before_:.1f} | {plain:.1f} | {weighed:.1f} | {first} of {len(rows)} | {weight:.2f}"
            f" | {lowered:.1%} |"
        )
    return "\n".join(lines)


def _outcome(made: Audience, attack: Attack, before: Scores) -> tuple[float, ...]:
    """Return the places before, without and with weights, the crowd's mean weight, and the share of listeners."""
    marks = [*made.marks, *attack.marks]
    found = weights(made, marks)
    crowd = {mark.rater for mark in attack.marks} - made.sheets.keys()
    weight = float(np.mean([found.get(rater, 4) for rater in crowd])) / 4
    lowered = len(found.keys() & made.sheets.keys()) / len(made.sheets)
    places = (
        place(scores, attack.target) for scores in (before, version_2(made, marks), version_2(made, marks, found))
    )
    return (*places, weight, lowered)


def place(scores: Scores, performer: str) -> int:
    """Return a performer's rank."""
    return 1 + sum(score > scores[performer] for score in scores.values())


def honest(audiences: int, first_seed: int = FIRST_SEED) -> str:
    """Return how many listeners with registration times weigh less, by kind; a following apart."""
    lines = ["| kind of audience | listeners | weigh less | of the following |", "|---|---|---|---|"]
    everyone = less = 0
    for kind in (*ARRIVING, FOLLOWED):
        if kind.raters > MOST_RATERS:
            continue
        made = [audience(kind, seed) for seed in range(first_seed, first_seed + audiences)]
        rows = [_lowered(each, each.marks) for each in made]
        listeners, lowered, following, of_following = (sum(column) for column in zip(*rows, strict=True))
        everyone, less = everyone + listeners, less + lowered
        apart = f"{of_following} of {following}" if following else ""
        lines.append(f"| {kind.name} | {listeners:,} | {lowered} | {apart} |")
    return "\n".join([*lines, f"| all | {everyone:,} | {less} | |"])


def _lowered(made: Audience, marks: Sequence[Mark]) -> tuple[int, int, int, int]:
    """Return the numbers of listeners and of those who weigh less, and the same of the following."""
    found = weights(made, marks).keys()
    usual = made.sheets.keys() - made.following
    return len(usual), len(found & usual), len(made.following), len(found & made.following)
