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
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def do(name, actor, argument="", **fields):
    """Return the answer to a command, as the site sends it."""
    return REGISTERED[name].answer(actor, Arguments(argument, fields), texts("en"))


def rows():
    return report_queue(filters=ReportFilter(), limit=50)


@KINDS
def test_report_add_stores_the_report_and_empties_the_form(kind, fan):
    text = text_of(kind)
    answer = do("report_add", fan, f"{kind}:{text.pk}", reason="other", words="Not about the music")
    assert answer == {"ok": True, "text": "Thank you. An administrator will look at it.", "empty": True}
    assert Report.objects.get().words == "Not about the music"


MALFORMED = {
    "report_add": ("post", "post:", "post:0", "news:1", ":1", "post:x", "", "post:-1"),
    "report_decide": ("hide:post:1", "hide:news:1:1", "hide:post:1:999999999999999999"),
    "reports_decide_matching": ("keep:1:", "hide::", "hide:999999999999999999:"),
    "report_decision_undo": ("x",),
}


def test_malformed_arguments_are_refused(fan, admin):
    def check(command):
        name, argument = command
        actor, fields = (fan, {"reason": "spam"}) if name == "report_add" else (admin, {})
        with pytest.raises(ValidationError, match="reload the page"):
            do(name, actor, argument, **fields)

    check_each([(name, argument) for name, arguments in MALFORMED.items() for argument in arguments], check)
    with pytest.raises(ValidationError, match="reload the page"):
        do("report_add", fan, f"post:{text_of(POST).pk}", reason="rude")


@KINDS
def test_report_is_decided_and_the_decision_undone(kind, admin):
    text = text_of(kind)
    report(kind, text)
    [row] = rows()
    for verdict in ReportVerdict:
        answer = do("report_decide", admin, REPORT_MODERATION.one_argument(verdict, [row]))
        assert answer["ok"]
        assert is_hidden(text) is (verdict == ReportVerdict.HIDE)
        name, argument = answer["undo"]
        assert name == "report_decision_undo"
        assert do(name, admin, str(argument))["text"] == "1 reported text is as it was before."
        assert rows() == (row,)


def test_selected_reports_are_decided(admin):
    posts = [text_of(POST) for _ in range(3)]
    for post in posts:
        report(POST, post)
    ticks = [tick_of([row]) for row in rows()[:2]]
    answer = do("reports_decide", admin, decision="hide", report=ticks)
    assert (answer["text"], answer["empty"]) == ("2 reported texts hidden.", True)
    assert [is_hidden(post) for post in posts] == [False, True, True]


def test_matching_reports_are_decided_by_the_argument(admin):
    texts_by_kind = {kind: text_of(kind) for kind in ReportKind}
    for kind, text in texts_by_kind.items():
        report(kind, text)
    filters = ReportFilter(kind=POST, until=database_now())
    later = text_of(POST)
    report(POST, later)
    answer = do("reports_decide_matching", admin, REPORT_MODERATION.matching_argument(ReportVerdict.HIDE, filters))
    assert answer["text"] == "1 reported text hidden."
    assert [kind for kind, text in texts_by_kind.items() if is_hidden(text)] == [POST]
    assert not is_hidden(later)
    assert REGISTERED["reports_decide_matching"].confirm


def test_argument_of_a_filtered_list_contains_its_filter():
    filters = ReportFilter(state=ReportState.HIDDEN, until=database_now())
    argument = REPORT_MODERATION.matching_argument(ReportVerdict.DISMISS, filters)
    assert REPORT_MODERATION.matching_read(Arguments(argument, {})) == (
        ReportFilter(state=ReportState.HIDDEN),
        filters.until,
    )
