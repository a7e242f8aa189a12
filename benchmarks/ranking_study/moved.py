"""The attack suite's table: how far each strategy moves its target under each method."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.ranking_study.attacks import STRATEGIES, Attack, Brigade, Strategy
from benchmarks.ranking_study.audiences import BY_NAME, audience
from benchmarks.ranking_study.methods import COMPARED, Method, Scores

FIRST_SEED = 30_000
KINDS = ("middle", "uneven", "close field")
ARE_MANY = 1_000_000  # separates the seeds of attackers from those of audiences


def table(audiences: int, methods: Mapping[str, Method] = COMPARED, suite: Mapping[str, Strategy] = STRATEGIES) -> str:
    """Return a table of places and of standard deviations moved, in the attackers' direction."""
    found: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for kind in KINDS:
        for seed in range(audiences):
            made = audience(BY_NAME[kind], FIRST_SEED + seed)
            before = {name: method(made, made.marks) for name, method in methods.items()}
            for number, (strategy, function) in enumerate(suite.items()):
                chance = np.random.default_rng([ARE_MANY + seed, number])
                attack = function(Brigade(made, chance))
                for name, method in methods.items():
                    after = method(made, [*made.marks, *attack.marks])
                    found[strategy][name].append(moved(attack, before[name], after))
    lines = [f"| strategy | {' | '.join(methods)} |", "|---" * (len(methods) + 1) + "|"]
    for strategy, by_method in found.items():
        cells = [_cell(by_method[name]) for name in methods]
        lines.append(f"| {strategy} | {' | '.join(cells)} |")
    everything = {name: [each for by_method in found.values() for each in by_method[name]] for name in methods}
    lines.append(f"| all | {' | '.join(_cell(everything[name]) for name in methods)} |")
    return "\n".join(lines)


def _cell(moves: Sequence[tuple[float, float]]) -> str:
    places, deviations = np.mean(moves, axis=0)
    return f"{places:.1f}, {deviations:.2f} sd"


def moved(attack: Attack, before: Scores, after: Scores) -> tuple[float, float]:
    """Return the places and the standard deviations of all scores by which the target moved as intended."""
    common = before.keys() & after.keys()
    places = [1 + sum(scores[each] > scores[attack.target] for each in common) for scores in (before, after)]
    spread = float(np.std([before[each] for each in common]))
    shift = (after[attack.target] - before[attack.target]) / spread
    return attack.direction * (places[0] - places[1]), attack.direction * shift
