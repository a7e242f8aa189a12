"""How shown figures are rounded."""

from decimal import Decimal

from apps.core.rounding import rounded
from components.ui.numbers import number_text


def test_halves_are_rounded_away_from_zero_and_floats_as_they_are_written():
    assert [str(rounded(value)) for value in (13.95, 0.25, Decimal("14.25"), -0.05, 7)] == [
        "14.0", "0.3", "14.3", "-0.1", "7.0",
    ]  # fmt: skip
    assert str(rounded(Decimal("2.5"), 0)) == "3"
    assert [number_text(value, 2) for value in (0.005, -0.125, -0.001)] == ["0.01", "−0.13", "0.00"]
