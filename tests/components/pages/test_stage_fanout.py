"""What a new ranking costs the windows of a stage's page: one frame with what differs, made once for all of them."""

from contextlib import AsyncExitStack

import pytest
from django.db.models import F

from apps.core.threads import in_thread
from apps.ranking.models import RankingRow
from apps.ranking.services import ranking_compute
from components.parts.stages.ranking_table import ranking_table
from components.runtime.rendering.live_part import LivePart
from project.process.web_process import process
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.components.seen import attributes, every
from tests.screen import open_page

pytestmark = pytest.mark.django_db
PERFORMANCES, WINDOWS = 84, 5
A_ROW = 40  # bytes on the wire for each row of the table, at most; a whole row has 2,000


def ranked(performances):
    """Create a past stage and compute its ranking. Return the stage's id and its performances."""
    appearances = stage_of(performances)
    audience(appearances, 12)
    stage_id = appearances[0].session.stage_id
    ranking_compute(stage_id=stage_id)
    return stage_id, appearances


async def test_new_ranking_is_one_short_frame_for_each_window():
    stage_id, appearances = await in_thread(lambda: ranked(PERFORMANCES))

    def rate_and_rank():
        give(listeners(1)[0], appearances[:3], [25, 2, 1])
        ranking_compute(stage_id=stage_id)

    async with AsyncExitStack() as stack:
        windows = [await stack.enter_async_context(open_page(f"/stages/{stage_id}")) for _ in range(WINDOWS)]
        parts = process.parts
        before, sent = parts.deliveries, parts.bytes_out
        await in_thread(rate_and_rank)
        for window in windows:
            await window.until("13 listeners")
        assert parts.deliveries - before == WINDOWS
        assert parts.bytes_out - sent < WINDOWS * PERFORMANCES * A_ROW


def test_only_changed_rows_are_rendered_again():
    stage_id, appearances = ranked(5)
    live = LivePart(ranking_table(stage_id, 1, "ranking", language="en"))

    def rows():
        live.renew()
        elements = [row for row in every(live.model, "tr", "") if attributes(row).get("id")]
        return {attributes(row)["id"]: row for row in elements}

    before = rows()
    RankingRow.objects.update(score_from=F("score_from") - 1, mean=F("mean") + 1, late=F("late") - 1)
    hidden = rows()
    assert len(hidden) == 5
    assert all(row is before[name] for name, row in hidden.items())
    RankingRow.objects.filter(appearance=appearances[0]).update(raters=1_300)
    changed = [name for name, row in rows().items() if row is not before[name]]
    assert changed == [f"appearance-{appearances[0].pk}"]
