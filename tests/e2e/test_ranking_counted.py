"""The page of a stage while its ranking is being counted: the sentence comes and goes, and nothing moves."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.async_api import expect

from apps.competition.models import Stage
from apps.core.events import publish
from apps.ranking.events import RankingChanged
from apps.ranking.models import RankingRun
from tests.e2e.conftest import Site
from tests.e2e.layout import SHIFTS, shifted
from tests.e2e.windows import Windows, live

TOPS = """() => [...document.querySelectorAll("main > *, main h1, main h2, footer")]
  .map((one) => one.getBoundingClientRect().top)"""
LINE = ".standing__made"
MADE, COUNTED = "counted again while ratings come in", "Being counted. This is the ranking of"
CHANGE = 0.05  # the requirement; the time moves within its line, by 0.01 on a phone


@transaction.atomic
def counting(since: datetime | None) -> None:
    """Set since when rankings are being counted, and publish it."""
    RankingRun.objects.update(counting_since=since)
    for stage_id in RankingRun.objects.values_list("stage_id", flat=True):
        publish(RankingChanged(stage_id))


@pytest.fixture
def stage(site: Site) -> Iterator[str]:
    """Yield the address of a stage whose ranking is not being counted, as it is again afterwards."""
    yield f"/stages/{site.desk.do(lambda: Stage.objects.get(name='Stage I').pk)}"
    site.desk.do(counting, None)


async def test_counting_of_a_ranking_is_announced_without_a_layout_shift(
    site: Site, windows: Windows, stage: str
) -> None:
    pages = {}
    for options in ({}, {"width": 800}, {"width": 375, "has_touch": True, "is_mobile": True}):
        page = await windows.open(**options)
        await page.add_init_script(SHIFTS)
        await page.goto(stage)
        await live(page)
        await expect(page.locator(LINE)).to_contain_text(MADE)
        pages[page] = await shifted(page), await page.evaluate(TOPS)
    for since, sentence in ((timezone.now(), COUNTED), (None, MADE)):
        site.desk.do(counting, since)
        for page, (before, tops) in pages.items():
            await expect(page.locator(LINE)).to_contain_text(sentence)
            assert await page.evaluate(TOPS) == tops, page.viewport_size
            assert await shifted(page) - before < CHANGE, page.viewport_size
    for page, (_, tops) in pages.items():
        await page.locator(LINE).evaluate("(line) => { line.style.blockSize = '20rem'; }")
        assert await page.evaluate(TOPS) != tops  # control: a line that grew is noticed
