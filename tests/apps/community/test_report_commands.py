"""Test the commands of reports: the format of their arguments and their answers."""

import pytest
from django.core.exceptions import ValidationError

from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.models import Report
from apps.community.selectors.reports import ReportFilter, report_queue
from apps.community.services.report_moderation import REPORT_MODERATION
from apps.core.commands import REGISTERED, Arguments
from apps.core.database.fields import database_now
from apps.core.moderation import tick_of
from apps.core.texts import texts
from tests.apps.community.reporting import KINDS, POST, is_hidden, report, text_of
from tests.apps.live.conftest import member

pytestmark = pytest.mark.django_db


def do(name, actor, argument="", **fields):
    """Return the answer to a command, as the site sends it."""
    return REGISTERED[name].answer(actor, Arguments(argument, fields), texts("en"))


def rows():
    return report_queue(filters=ReportFilter(), limit=50)


@KINDS
def test_a_report_is_made_and_the_form_emptied(kind, fan):
    text = text_of(kind)
    answer = do("report_add", fan, f"{kind}:{text.pk}", reason="other", words="Not about the music")
    assert answer == {"ok": True, "text": "Thank you. An administrator will look at it.", "empty": True}
    assert Report.objects.get().words == "Not about the music"


@pytest.mark.parametrize("argument", ["post", "post:", "post:0", "news:1", ":1", "post:x", "", "post:-1"])
def test_an_argument_that_no_page_writes_is_refused(fan, argument):
    with pytest.raises(ValidationError, match="reload the page"):
        do("report_add", fan, argument, reason="spam")


def test_a_reason_that_no_form_offers_is_refused(fan):
    with pytest.raises(ValidationError, match="reload the page"):
        do("report_add", fan, f"post:{text_of(POST).pk}", reason="rude")


@KINDS
@pytest.mark.parametrize("verdict", list(ReportVerdict))
def test_one_is_decided_as_it_was_read_and_taken_back(kind, verdict, admin):
    text = text_of(kind)
    report(kind, text)
    [row] = rows()
    answer = do("report_decide", admin, REPORT_MODERATION.one_argument(verdict, [row]))
    assert answer["ok"]
    assert is_hidden(text) is (verdict == ReportVerdict.HIDE)
    name, argument = answer["undo"]
    assert name == "report_decision_undo"
    assert do(name, admin, str(argument))["text"] == "1 reported text is as it was before."
    assert rows() == (row,)


def test_those_that_are_ticked_are_decided(admin):
    posts = [text_of(POST) for _ in range(3)]
    for post in posts:
        report(POST, post)
    ticks = [tick_of([row]) for row in rows()[:2]]
    answer = do("reports_decide", admin, decision="hide", report=ticks)
    assert (answer["text"], answer["empty"]) == ("2 reported texts hidden.", True)
    assert [is_hidden(post) for post in posts] == [False, True, True]


def test_all_that_match_are_decided_by_what_the_argument_says(admin):
    texts_of_kinds = {kind: text_of(kind) for kind in ReportKind}
    for kind, text in texts_of_kinds.items():
        report(kind, text)
    filters = ReportFilter(kind=POST, until=database_now())
    later = text_of(POST)
    report(POST, later)
    answer = do("reports_decide_matching", admin, REPORT_MODERATION.matching_argument(ReportVerdict.HIDE, filters))
    assert answer["text"] == "1 reported text hidden."
    assert [kind for kind, text in texts_of_kinds.items() if is_hidden(text)] == [POST]
    assert not is_hidden(later)
    assert REGISTERED["reports_decide_matching"].confirm


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("report_decide", "hide:post:1"),
        ("report_decide", "hide:news:1:1"),
        ("report_decide", "hide:post:1:999999999999999999"),
        ("reports_decide_matching", "keep:1:"),
        ("reports_decide_matching", "hide::"),
        ("reports_decide_matching", "hide:999999999999999999:"),
        ("report_decision_undo", "x"),
    ],
)
def test_nonsense_is_unreadable(admin, name, argument):
    with pytest.raises(ValidationError, match="reload the page"):
        do(name, admin, argument)


def test_a_list_of_hidden_ones_is_named_in_the_argument():
    filters = ReportFilter(state=ReportState.HIDDEN, until=database_now())
    argument = REPORT_MODERATION.matching_argument(ReportVerdict.DISMISS, filters)
    assert REPORT_MODERATION.matching_read(Arguments(argument, {})) == (
        ReportFilter(state=ReportState.HIDDEN),
        filters.until,
    )


def test_a_fan_decides_nothing(fan):
    post = text_of(POST)
    report(POST, post, by=member())
    [row] = rows()
    with pytest.raises(Exception, match="Only administrators decide about reports"):
        do("report_decide", fan, REPORT_MODERATION.one_argument(ReportVerdict.HIDE, [row]))
    assert not is_hidden(post)
