"""How shown figures are rounded."""

from decimal import ROUND_HALF_UP, Decimal


def rounded(value: Decimal | float, places: int = 1) -> Decimal:
    """Return the value with this many decimals, halves away from zero.

    A float is taken as it is written: 13.95 becomes 14.0, although the float is a little less.
    """
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
