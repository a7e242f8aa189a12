"""Numbers as pages show them."""

from decimal import Decimal

from apps.core.rounding import rounded

MINUS = "−"


def number_text(value: Decimal | float, places: int) -> str:
    """Return a number with this many decimals and the typographic minus sign; never a negative zero."""
    shown = rounded(value, places)
    return str(shown or abs(shown)).replace("-", MINUS)
