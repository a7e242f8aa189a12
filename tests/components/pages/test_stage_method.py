"""The page of the ranking's method shows the docstring of `apps.ranking.method` and the limits of the rules."""

import re

import pytest

from apps.core.limits import HOUR, MINUTE
from apps.ranking import limits, method
from components.pages.public.ranking_method import blocks_of
from tests.components.seen import every, one, opened, text


@pytest.mark.django_db
def test_the_method_is_the_programs_own_text_with_the_numbers_of_the_rules():
    seen = opened("/stages/method")
    words = " ".join(text(seen.main).split())
    blocks = blocks_of(method.__doc__)
    assert [len(each.words) for each in blocks if each.is_steps] == [6]
    told = " ".join(word for each in blocks for word in each.words).split()
    assert told == " ".join(re.sub(r"^\d\. ", "", method.__doc__, flags=re.MULTILINE).split()).split()
    for block in blocks:
        for each in block.words:
            assert each.replace("'", "’").replace("`", "") in words
    numbers = (limits.NEW_FOR // HOUR, limits.UNIFORM_FROM, limits.BURST_ABOVE, limits.BURST_WITHIN // MINUTE)
    numbers += (*limits.OUTER_FIFTHS, limits.EVENING_LASTS // HOUR, limits.TRIED_FROM)
    rules = " ".join(text(each) for each in every(one(seen.main, "ul", "method__rules"), "li"))
    assert [int(found) for found in re.findall(r"\d+", rules)] == [*numbers, method.LEAST_PERFORMANCES]
    assert seen.page.title == "How the ranking is counted"
