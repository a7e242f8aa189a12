"""Which reported texts an administrator looks at, as the fields of an address say it."""

from collections.abc import Mapping
from datetime import datetime

from apps.community.enums import ReportKind, ReportState
from apps.community.selectors.reports import ReportFilter

REPORTS = "reports"  # the field `tab` that asks for them


def filters_of(query: Mapping[str, str], *, until: datetime | None = None) -> ReportFilter:
    """Return what the address asks for, as it stood at `until`; what cannot be read does not narrow."""
    show, kind = query.get("show", ""), query.get("kind", "")
    return ReportFilter(
        state=ReportState(show) if show in ReportState.values else ReportState.OPEN,
        kind=ReportKind(kind) if kind in ReportKind.values else None,
        until=until,
    )


def fields_of(filters: ReportFilter) -> dict[str, str]:
    """Return the address's fields that ask for this, only those that narrow."""
    fields = {
        "tab": REPORTS,
        "show": "" if filters.state == ReportState.OPEN else filters.state.value,
        "kind": filters.kind.value if filters.kind else "",
    }
    return {name: value for name, value in fields.items() if value}
