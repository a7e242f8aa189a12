"""Ordinal numbers in digits."""

import pytest

from apps.core.texts import texts
from components.ui.blocks import nth


@pytest.mark.parametrize(
    ("number", "words"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th")),
        *((20, "20th"), (21, "21st"), (22, "22nd"), (23, "23rd"), (84, "84th"), (101, "101st"), (111, "111th")),
    ],
)
def test_places_are_said_as_one_says_them(number: int, words: str) -> None:
    assert nth(number, texts("en")) == words
