"""How shown figures are rounded; no other function rounds one (`tests/apps/core/test_rounding.py`)."""

from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction


class Rounding(StrEnum):
    """Where a figure between two shown ones goes; all figures are rounded half up, unless a jury's rule differs."""

    HALF_UP = "half_up"  # halves away from zero
    HALF_EVEN = "half_even"  # halves to the even one
    DOWN = "down"  # towards zero


def rounded(value: Decimal | Fraction | float, places: int = 1, rounding: Rounding = Rounding.HALF_UP) -> Decimal:
    """Return the value with this many decimals, halves away from zero.

    A float is taken with 12 significant digits, without the error of its arithmetic: 13.95 and 13.949999999999999
    become 14.0. A mean of means is exact as a Fraction only: a third is rounded in every Decimal, so only Fractions
    take another `rounding`.
    """
    if isinstance(value, Fraction):
        units = _units(abs(value) * 10**places, rounding)
        return Decimal(units if value >= 0 else -units).scaleb(-places)
    exact = Decimal(f"{value:.12g}") if isinstance(value, float) else Decimal(value)
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _units(value: Fraction, rounding: Rounding) -> int:
    match rounding:
        case Rounding.HALF_UP:
            return int(value + Fraction(1, 2))
        case Rounding.HALF_EVEN:
            return round(value)
        case Rounding.DOWN:
            return int(value)
