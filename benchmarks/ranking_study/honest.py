"""What the rule for suspicious marks does to audiences without a brigade, and to honest listeners beside one."""

from collections.abc import Sequence

import numpy as np

from benchmarks.ranking_study.attacks import STRATEGIES, Brigade
from benchmarks.ranking_study.audiences import KINDS, Audience, Mark, audience
from benchmarks.ranking_study.methods import weights

FIRST_SEED = 60_000
BESIDE = "25, four honest others"
MOST_RATERS = 500


def table(audiences: int) -> str:
    """Return the share of honest raters who weigh less, by kind: without a brigade, and beside one."""
    lines = ["| kind of audience | without a brigade | beside a brigade |", "|---|---|---|"]
    for kind in KINDS:
        if kind.raters <= MOST_RATERS:
            alone, beside = [], []
            for seed in range(audiences):
                made = audience(kind, FIRST_SEED + seed)
                attack = STRATEGIES[BESIDE](Brigade(made, np.random.default_rng([seed, 5])))
                alone.append(_lowered(made, made.marks))
                beside.append(_lowered(made, [*made.marks, *attack.marks]))
            lines.append(f"| {kind.name} | {np.mean(alone):.2%} | {np.mean(beside):.2%} |")
    return "\n".join(lines)


def _lowered(made: Audience, marks: Sequence[Mark]) -> float:
    """Return the share of the audience's raters who weigh less than fully."""
    return len(weights(made, marks).keys() & made.sheets.keys()) / len(made.sheets)
