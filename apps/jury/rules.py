"""The rules of an edition: scale, allowed distance from the mean, decimals, and the weights of the stages.

A change of a rule is a new version: sheets keep the version that they were computed with.
"""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Rule:
    """How one edition makes its official result. Both tuples are indexed by the place of the stage, from 0.

    A mark farther from the mean than the stage's distance is set to mean ± distance. `weights` are those of the stages
    up to and including this one in its cumulated score; they add up to 1.
    """

    edition: str
    version: int
    lowest: Decimal
    highest: Decimal
    decimals: int
    distances: tuple[Decimal, ...]
    weights: tuple[tuple[Decimal, ...], ...]

    def allows(self, mark: Decimal) -> bool:
        """Return whether the scale contains this mark; marks have at most two decimals."""
        return mark.is_finite() and self.lowest <= mark <= self.highest and mark == round(mark, 2)

    @property
    def stages(self) -> int:
        """The number of stages."""
        return len(self.weights)


def _decimals(*texts: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, texts))


# With these the published scores of the first stage come out (tests/apps/jury/test_golden.py).
NINETEENTH = Rule(
    edition="19th, 2025",
    version=1,
    lowest=Decimal(1),
    highest=Decimal(25),
    decimals=2,
    distances=_decimals("3", "2", "2", "2"),
    weights=(
        _decimals("1"),
        _decimals("0.3", "0.7"),
        _decimals("0.1", "0.2", "0.7"),
        _decimals("0.1", "0.2", "0.35", "0.35"),
    ),
)
RULES = (NINETEENTH,)  # the newest last
CURRENT = RULES[-1]
