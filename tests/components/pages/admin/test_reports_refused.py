"""Refused decisions at the tab Reports: users without the role, malformed commands, and empty selections."""

import pytest

from apps.community.enums import ReportState
from apps.community.limits import REPORTS_SHOWN
from apps.community.models import Post, ReportCase
from apps.core.threads import in_thread
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.pages.admin.moderating import ticks
from tests.components.pages.admin.reports import TAB, decision, desk
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@live
async def test_whoever_is_no_administrator_decides_nothing():
    made = await in_thread(desk)
    fan = await in_thread(member)
    async with open_page(TAB, user=made.halina) as halina:
        one_act, tick = decision(halina.tree, "Hide", "Post 00"), ticks(halina.tree)[0]
    async with open_page("/community", user=fan) as screen:
        for act, argument, fields in (
            (*one_act, {}),
            ("reports_decide", "", {"decision": "hide", "report": tick}),
            ("reports_decide_matching", "hide:4000000000000000:tab=reports", {}),
            ("report_decision_undo", "1", {}),
        ):
            answer = await command(screen, act, argument, **fields)
            assert (answer["ok"], answer["text"]) == (False, "Only administrators decide about reports."), act
    assert not await in_thread(Post.objects.filter(is_hidden=True).exists)
    async with open_page(TAB, user=fan) as screen:
        assert screen.path == "/"
    async with open_page(TAB) as screen:
        assert screen.path.startswith("/login?next=%2Fadmin")


@live
@pytest.mark.parametrize(
    ("act", "argument", "fields"),
    [
        ("report_decide", "hide:post:1:x", {}),
        ("report_decide", "hide:news:1:1", {}),
        ("reports_decide", "", {"decision": "hide", "report": ["17"]}),
        ("reports_decide", "", {"decision": "hide", "report": {"a": "b"}}),
        ("reports_decide", "", {"decision": "burn", "report": "post:1:1"}),
        ("reports_decide", "", {"decision": "hide", "report": ["post:1:1"] * (REPORTS_SHOWN + 1)}),
        ("reports_decide_matching", "hide:0:tab=reports", {}),
        ("reports_decide_matching", "burn:1:tab=reports", {}),
        ("report_decision_undo", "x", {}),
    ],
)
async def test_what_no_client_of_ours_sends_decides_nothing(act, argument, fields):
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina:
        answer = await command(halina, act, argument, **fields)
        assert (answer["ok"], "no longer understand" in answer["text"]) == (False, True)
    assert await in_thread(ReportCase.objects.filter(state=ReportState.OPEN).count) == 3


@live
async def test_nothing_selected_is_said():
    made = await in_thread(desk)
    async with open_page(TAB, user=made.halina) as halina:
        answer = await command(halina, "reports_decide", decision="hide")
        assert (answer["ok"], answer["text"]) == (False, "Select reports first, at most 1,000 of them.")
