"""Refused decisions about ratings and reports: malformed commands and empty selections."""

from apps.community.enums import ReportState
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import ReportCase
from apps.core.threads import in_thread
from apps.ratings.models import PieceRating
from tests.components.pages.admin import moderating, reports
from tests.components.pages.checked_commands import UNREADABLE, check_refusals
from tests.screen import open_page


async def test_malformed_decisions_about_ratings_are_refused() -> None:
    setup = await in_thread(moderating.pending_ratings)
    async with open_page(moderating.DASHBOARD, user=setup.admin) as screen:
        for mark in ("1:x", "1.:1", "1:1+", "1:999999999999999999"):
            await check_refusals(screen, "rating_decide", f"approve:piece:{mark}", [({}, None, UNREADABLE)])
        cases = (
            ({"decision": "approve", "rating": ["17"]}, None, UNREADABLE),
            ({"decision": "approve", "rating": {"a": "b"}}, None, UNREADABLE),
            ({"decision": "burn", "rating": "piece:1:1"}, None, UNREADABLE),
            ({"decision": "approve"}, None, "Select ratings first, at most 1,000 of them."),
        )
        await check_refusals(screen, "ratings_decide", "", cases)
        for argument in ("approve:0:tab=pieces", "burn:1:tab=pieces"):
            await check_refusals(screen, "ratings_decide_matching", argument, [({}, None, UNREADABLE)])
        await check_refusals(screen, "decision_undo", "x", [({}, None, UNREADABLE)])
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


async def test_malformed_decisions_about_reports_are_refused() -> None:
    setup = await in_thread(reports.reported_posts)
    async with open_page(reports.TAB, user=setup.admin) as screen:
        for argument in ("hide:post:1:x", "hide:news:1:1"):
            await check_refusals(screen, "report_decide", argument, [({}, None, UNREADABLE)])
        cases = (
            ({"decision": "hide", "report": ["17"]}, None, UNREADABLE),
            ({"decision": "hide", "report": {"a": "b"}}, None, UNREADABLE),
            ({"decision": "burn", "report": "post:1:1"}, None, UNREADABLE),
            ({"decision": "hide", "report": ["post:1:1"] * (REPORTS_SHOWN + 1)}, None, UNREADABLE),
            ({"decision": "hide"}, None, "Select reports first, at most 1,000 of them."),
        )
        await check_refusals(screen, "reports_decide", "", cases)
        for argument in ("hide:0:tab=reports", "burn:1:tab=reports"):
            await check_refusals(screen, "reports_decide_matching", argument, [({}, None, UNREADABLE)])
        await check_refusals(screen, "report_decision_undo", "x", [({}, None, UNREADABLE)])
    assert await in_thread(ReportCase.objects.filter(state=ReportState.OPEN).count) == 3
