"""Reported texts in addresses: the filters of the administrators' list, and the text that a form reports."""

import re
from collections.abc import Mapping
from datetime import datetime

from apps.community.enums import ReportKind, ReportState
from apps.community.selectors.reports import ReportFilter

REPORTS = "reports"  # value of the field `tab` for reports
SUBJECT = re.compile(rf"({'|'.join(ReportKind.values)}):([1-9]\d{{0,17}})", re.ASCII)


def filters_of(query: Mapping[str, str], *, until: datetime | None = None) -> ReportFilter:
    """Return the filters in an address, as of the time `until`. Fields that cannot be read are ignored."""
    show, kind = query.get("show", ""), query.get("kind", "")
    return ReportFilter(
        state=ReportState(show) if show in ReportState.values else ReportState.OPEN,
        kind=ReportKind(kind) if kind in ReportKind.values else None,
        until=until,
    )


def fields_of(filters: ReportFilter) -> dict[str, str]:
    """Return the address's fields for these filters, without the default values."""
    fields = {
        "tab": REPORTS,
        "show": "" if filters.state == ReportState.OPEN else filters.state.value,
        "kind": filters.kind.value if filters.kind else "",
    }
    return {name: value for name, value in fields.items() if value}


def subject_read(text: str) -> tuple[ReportKind, int] | None:
    """Return kind and id of a text from a name such as "post:17", None for any other form."""
    found = SUBJECT.fullmatch(text)
    return (ReportKind(found[1]), int(found[2])) if found else None
