"""How shown figures are rounded; no other function rounds one (`tests/apps/core/test_rounding.py`)."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def rounded(value: Decimal | Fraction | float, places: int = 1) -> Decimal:
    """Return the value with this many decimals, halves away from zero.

    A float is taken with 12 significant digits, without the error of its arithmetic: 13.95 and 13.949999999999999
    become 14.0. A mean of means is exact as a Fraction only: a third is rounded in every Decimal.
    """
    if isinstance(value, Fraction):
        units = int(abs(value) * 10**places + Fraction(1, 2))
        return Decimal(units if value >= 0 else -units).scaleb(-places)
    exact = Decimal(f"{value:.12g}") if isinstance(value, float) else Decimal(value)
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
