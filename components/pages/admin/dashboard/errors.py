"""The tab "Errors": the error log, filtered by text, time and severity in the address."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.people import errors_read
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.enums import Severity
from apps.core.limits import SEARCH_LENGTH
from apps.core.selectors import ERRORS_PAGE, ErrorFilter, LoggedError
from apps.core.texts import texts
from components.pages.admin.dashboard.query import Tab, dashboard_at
from components.pages.admin.records.days import day_of, day_until
from components.pages.admin.records.error_rows import error_row
from components.pages.admin.records.filters import day_fields, filter_values
from components.runtime import Query, VdomDict, component, html
from components.ui import forms
from components.ui.areas import DASHBOARD, RECORDS
from components.ui.blocks import link, list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import rows, search, tools

FIELDS = ("q", "severity", "since", "until")


@dataclass(frozen=True, slots=True)
class Errors:
    """One page of the error log and the filters in the address."""

    fields: dict[str, str]
    page: KeysetPage[LoggedError]


def errors_read_for(viewer: Viewer, query: Query) -> Errors:
    """Return the errors for the address; invalid filters are ignored. Two queries."""
    fields = filter_values(query, FIELDS)
    severity = fields.get("severity", "")
    filters = ErrorFilter(
        text=fields.get("q", "").strip(),
        severity=severity if severity in Severity.values else "",
        since=day_of(fields.get("since", "")),
        until=day_until(fields.get("until", "")),
    )
    read = partial(errors_read, actor=viewer, filters=filters)
    page = keyset_page(
        read, lambda each: Cursor(each.created_at, each.id), before=query.get("before", ""), size=ERRORS_PAGE
    )
    return Errors(fields, page)


@component
def errors_tab(errors: Errors, language: str) -> VdomDict:
    """Render the filters and the errors."""
    t = texts(language)
    empty_text = t("No errors found matching your criteria.") if errors.fields else t("Nothing is in the error log.")
    top = dashboard_at(tab=Tab.ERRORS.value, **errors.fields)
    logged = errors.page.rows
    lines = rows(*(error_row(each, language) for each in logged)) if logged else empty(empty_text)
    return html.section(
        {"aria-label": t("Errors"), "class": "audit"},
        tools(_narrowing(errors.fields, language), link(RECORDS, t("Search audit and errors together"))),
        skeleton(),
        html.div({"data-results": ""}, lines, list_ways(top, errors.page, t("Show older"), t, look="row queue__ways")),
    )


def _narrowing(fields: dict[str, str], language: str) -> VdomDict:
    t = texts(language)
    severities = [("", t("All")), *((each.value, t(str(each.label))) for each in Severity)]
    text: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    return search(
        DASHBOARD,
        forms.field(t("Text"), "q", value=fields.get("q", ""), **text),
        forms.select(t("Severity"), "severity", severities, fields.get("severity", "")),
        *day_fields(fields, t),
        language=language,
        hidden_fields={"tab": Tab.ERRORS.value},
    )
