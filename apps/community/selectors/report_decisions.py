"""An administrator's last decision about reports, as long as it can be undone."""

from dataclasses import dataclass

from apps.community.enums import ReportVerdict
from apps.community.models import ReportDecision
from apps.ratings.selectors.decisions import decided_since


@dataclass(frozen=True, slots=True)
class LastReportDecision:
    """A decision that can be undone, and how many texts it was about."""

    id: int
    verdict: ReportVerdict
    count: int


def report_decision_last(*, user_id: int) -> LastReportDecision | None:
    """Return this account's last decision that can be undone, None when there is none. One query."""
    found = ReportDecision.objects.filter(user_id=user_id, created_at__gt=decided_since())
    row = found.order_by("-pk").values_list("pk", "is_hidden", "count").first()
    return LastReportDecision(row[0], ReportVerdict.HIDE if row[1] else ReportVerdict.DISMISS, row[2]) if row else None
