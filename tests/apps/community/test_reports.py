"""Reports: what is taken, what is refused at its field, and when enough of them hide a text."""

import pytest

from apps.community.enums import ReportKind
from apps.community.selectors import ReportFilter, report_queue
from apps.community.services import report_decision_undo, reports_decide
from apps.community.services.report_decisions import ReportSeen
from tests.apps.community.reporting import MAKE, hidden, report

pytestmark = pytest.mark.django_db
KINDS = pytest.mark.parametrize("kind", list(ReportKind))


@KINDS
def test_smoke(kind, admin):
    text = MAKE[kind]()
    for n in range(3):
        report(kind, text, words=f"w{n}")
    assert hidden(kind, text)
    [row] = report_queue(filters=ReportFilter(), limit=50)
    assert row.count == 3
    assert row.is_hidden_by_audience
    done = reports_decide(actor=admin, decision="dismiss", reports=[ReportSeen(row.kind, row.id, row.updated_at)])
    assert not hidden(kind, text)
    report(kind, text)
    report(kind, text)
    assert not hidden(kind, text)
    assert report_decision_undo(actor=admin, decision_id=done.id).left == 1
