"""`python -m benchmarks.ranking_study`: all tables of the study of ranking methods, as Markdown.

`--only agreement,coverage` selects tables, `--audiences 10` makes a shorter study.
"""

import argparse
from collections.abc import Callable

from benchmarks.ranking_study import agreement, cost, coverage, crowds, honest, moved, small
from benchmarks.ranking_study.attacks_crowds import REMAINING, REPORTED
from benchmarks.ranking_study.attacks_kept import KEPT
from benchmarks.ranking_study.attacks_outside import OUTSIDE

AUDIENCES = 60  # fresh audiences of each kind
TABLES = "agreement,coverage,attacks,kept,outside,honest,crowds,remaining,registered,small,cost"
FIELDS = 3  # sets of performances whose audiences are compared with each other


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="benchmarks.ranking_study", description=__doc__)
    parser.add_argument("--audiences", type=int, default=AUDIENCES)
    parser.add_argument("--only", default=TABLES)
    options = parser.parse_args()
    count: int = options.audiences
    tables: dict[str, tuple[str, Callable[[], str]]] = {
        "agreement": (
            "Kendall's tau with the true qualities, and differences to version 1",
            lambda: agreement.table(count),
        ),
        "coverage": (
            "Bar / true sd, how often the bar holds the audience's score, and the interval the true rank",
            lambda: coverage.table(FIELDS, max(10, count // 2)),
        ),
        "attacks": ("Places and sd moved by each strategy", lambda: moved.table(max(3, count // 6))),
        "kept": ("The same for strategies kept aside", lambda: moved.table(max(3, count // 6), suite=KEPT)),
        "outside": (
            "The same for strategies of the literature, written without the rule",
            lambda: moved.table(max(3, count // 6), suite=OUTSIDE),
        ),
        "honest": ("Weights of audiences without a brigade", lambda: honest.table(count)),
        "crowds": ("Places that reported crowds reach", lambda: crowds.table(max(3, count // 5), REPORTED)),
        "remaining": ("The same for crowds that remain possible", lambda: crowds.table(max(3, count // 5), REMAINING)),
        "registered": (
            "Listeners with registration times who weigh less, a following apart",
            lambda: crowds.honest(max(3, count // 5)),
        ),
        "small": ("Kendall's tau of small audiences", lambda: small.table(3 * count)),
        "cost": (f"CPU and memory, {cost.PERFORMANCES} performances", cost.table),
    }
    for name in options.only.split(","):
        title, table = tables[name]
        print(f"## {title}\n\n{table()}\n", flush=True)


if __name__ == "__main__":
    main()
