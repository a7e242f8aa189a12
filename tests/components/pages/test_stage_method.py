"""The page of the ranking's method shows the docstring of `apps.ranking.method2` and the numbers of the rules."""

import re

import pytest

from apps.core.limits import HOUR
from apps.ranking import limits, method2, suspicion
from components.pages.public.ranking_method import blocks_of
from tests.components.seen import one, opened, text


@pytest.mark.django_db
def test_method_page_shows_the_docstring_and_the_numbers_of_the_rules():
    seen = opened("/stages/method")
    shown = " ".join(text(seen.main).split())
    blocks = blocks_of(method2.__doc__)
    assert [len(block.words) for block in blocks if block.is_steps] == [10]
    content = " ".join(paragraph for block in blocks for paragraph in block.words).split()
    assert content == re.sub(r"^\d+\. ", "", method2.__doc__, flags=re.MULTILINE).split()
    paragraphs = [paragraph.replace("'", "’").replace("`", "") for block in blocks for paragraph in block.words]
    assert [paragraph for paragraph in paragraphs if paragraph not in shown] == []
    rules = text(one(seen.main, "ul", "method__rules"))
    assert [int(number) for number in re.findall(r"\d+", rules)] == [limits.NEW_FOR // HOUR, method2.LEAST_PERFORMANCES]
    parameters = (suspicion.HALF_FROM, suspicion.QUARTER_FROM, suspicion.NEAR, suspicion.FAR, suspicion.DAYS)
    parameters += (limits.EVENING_LASTS // HOUR, suspicion.ON_THE_EVENING, suspicion.CROWDED)
    weights = shown[shown.index("What weighs less") :]
    assert [number for number in parameters if f" {number:g} " not in weights] == []
    assert seen.page.title == "How the ranking is counted"
