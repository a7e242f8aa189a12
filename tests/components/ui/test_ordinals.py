"""Ordinal numbers in digits."""

from apps.core.texts import texts
from components.ui.blocks import nth


def test_ordinals_have_their_english_endings() -> None:
    ordinals = "1st 2nd 3rd 4th 10th 11th 12th 13th 20th 21st 22nd 23rd 84th 101st 111th".split()
    numbers = [int(ordinal[:-2]) for ordinal in ordinals]
    assert [nth(number, texts("en")) for number in numbers] == ordinals
