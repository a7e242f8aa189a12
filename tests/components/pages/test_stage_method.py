"""The page of the ranking's method shows the docstring of `apps.ranking.method2` and the numbers of the rules."""

import re

import pytest

from apps.core.limits import HOUR
from apps.ranking import limits, method2, suspicion
from components.pages.public.ranking_method import blocks_of
from tests.components.seen import every, one, opened, text


@pytest.mark.django_db
def test_the_method_is_the_programs_own_text_with_the_numbers_of_the_rules():
    seen = opened("/stages/method")
    words = " ".join(text(seen.main).split())
    blocks = blocks_of(method2.__doc__)
    assert [len(each.words) for each in blocks if each.is_steps] == [10]
    told = " ".join(word for each in blocks for word in each.words).split()
    assert told == " ".join(re.sub(r"^\d+\. ", "", method2.__doc__, flags=re.MULTILINE).split()).split()
    for block in blocks:
        for each in block.words:
            assert each.replace("'", "’").replace("`", "") in words
    rules = " ".join(text(each) for each in every(one(seen.main, "ul", "method__rules"), "li"))
    assert [int(found) for found in re.findall(r"\d+", rules)] == [limits.NEW_FOR // HOUR, method2.LEAST_PERFORMANCES]
    parameters = (suspicion.HALF_FROM, suspicion.QUARTER_FROM, suspicion.NEAR, suspicion.FAR, suspicion.DAYS)
    for number in (*parameters, limits.EVENING_LASTS // HOUR, suspicion.ON_THE_EVENING, suspicion.CROWDED):
        assert f" {number:g} " in words[words.index("What weighs less") :]
    assert seen.page.title == "How the ranking is counted"
