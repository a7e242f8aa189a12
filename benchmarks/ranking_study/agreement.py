"""Agreement of each method with the true qualities: Kendall's tau on fresh audiences of each kind."""

from collections import defaultdict

import numpy as np

from benchmarks.ranking_study.audiences import KINDS, audience
from benchmarks.ranking_study.methods import ALL
from benchmarks.ranking_study.variants import tau

FIRST_SEED = 20_000
BASE = "version 1"


def table(audiences: int) -> str:
    """Return a table: tau of version 1 with its standard error, and the difference of each other method."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for kind in KINDS:
        for seed in range(audiences if kind.raters < 500 else max(5, audiences // 4)):
            made = audience(kind, FIRST_SEED + seed)
            scores = {name: method(made, made.marks) for name, method in ALL.items()}
            ranked = sorted(set.intersection(*(set(each) for each in scores.values())))
            truth = np.array([made.truth[each] for each in ranked])
            for name, own in scores.items():
                found[kind.name][name].append(tau(np.array([own[each] for each in ranked]), truth))
    lines = [f"| method | {' | '.join(found)} | all |", "|---" * (len(found) + 2) + "|"]
    base = {kind: np.array(taus[BASE]) for kind, taus in found.items()}
    cells = [f"{taus.mean():.3f} ± {_error(taus):.3f}" for taus in base.values()]
    lines.append(f"| {BASE} | {' | '.join(cells)} | {np.mean([taus.mean() for taus in base.values()]):.3f} |")
    for name in ALL:
        if name != BASE:
            differences = [np.array(taus[name]) - base[kind] for kind, taus in found.items()]
            cells = [f"{each.mean():+.4f} ± {_error(each):.4f}" for each in differences]
            mean = np.mean([each.mean() for each in differences])
            error = np.sqrt(sum(_error(each) ** 2 for each in differences)) / len(differences)
            lines.append(f"| {name} | {' | '.join(cells)} | {mean:+.4f} ± {error:.4f} |")
    return "\n".join(lines)


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)
