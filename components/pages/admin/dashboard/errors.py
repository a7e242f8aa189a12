"""The tab "Errors": the error log, filtered by text, time and severity in the address."""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.people import errors_read
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.enums import Severity
from apps.core.limits import SEARCH_LENGTH
from apps.core.selectors import ERRORS_PAGE, ErrorFilter, LoggedError
from apps.core.texts import Texts, texts
from components.pages.admin.dashboard.query import Tab, dashboard_at, day_of, day_until
from components.runtime import Markup, Query, VdomDict, component, html
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.blocks import badge, link, list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import rows, search
from components.ui.venue_time import ago

FIELDS = ("q", "severity", "since", "until")
_COMMAND = "manage.py error_logs list --details"


@dataclass(frozen=True, slots=True)
class Errors:
    """One page of the error log and the filters in the address."""

    fields: dict[str, str]
    page: KeysetPage[LoggedError]


def errors_read_for(viewer: Viewer, query: Query) -> Errors:
    """Return the errors for the address; invalid filters are ignored. Two queries."""
    fields = {name: query[name][:SEARCH_LENGTH] for name in FIELDS if query.get(name)}
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
    lines = rows(*(_row(each, language) for each in logged)) if logged else empty(empty_text)
    return html.section(
        {"aria-label": t("Errors"), "class": "audit"},
        html.div({"class": "tools"}, _narrowing(errors.fields, language)),
        skeleton(),
        html.div({"data-results": ""}, lines, list_ways(top, errors.page, t("Show older"), t, look="row queue__ways")),
    )


def _narrowing(fields: dict[str, str], language: str) -> VdomDict:
    t = texts(language)
    severities = [("", t("All")), *((each.value, t(str(each.label))) for each in Severity)]
    text: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    dates: dict[str, Any] = {"type": "date"}
    return search(
        DASHBOARD,
        forms.field(t("Text"), "q", value=fields.get("q", ""), **text),
        forms.select(t("Severity"), "severity", severities, fields.get("severity", "")),
        forms.field(t("From"), "since", value=fields.get("since", ""), **dates),
        forms.field(t("Until"), "until", value=fields.get("until", ""), **dates),
        language=language,
        hidden_fields={"tab": Tab.ERRORS.value},
    )


def _row(logged: LoggedError, language: str) -> VdomDict:
    t = texts(language)
    when = ago(logged.created_at, zone=venue_zone(), language=language)
    severity = badge(t(str(Severity(logged.severity).label)), "quiet")
    return html.li(
        {"key": f"error-{logged.id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, when, html.p({"class": "audit__who"}, severity)),
        html.div(
            {"class": "entries__what"},
            html.p({"class": "audit__what audit__text"}, logged.message),
            html.p({"class": "small muted audit__text"}, *_where(logged, t)),
            _details(logged, t),
        ),
    )


def _where(logged: LoggedError, t: Texts) -> list[Markup]:
    """Return the page's address, the account's id as a link, and the user agent, separated by dots."""
    account = f"#{logged.user_id}" if logged.user_id is not None else ""
    account_link = (
        link(f"/admin/people?q=%23{logged.user_id}", t("account {number}").format(number=account)) if account else ""
    )
    parts: list[Markup] = []
    for each in (logged.page_url, account_link, logged.user_agent):
        parts += [*([" · "] if parts else []), each] if each else []
    return parts


def _details(logged: LoggedError, t: Texts) -> Markup:
    if not logged.error_details:
        return None
    cut = html.p({"class": "small muted"}, t("The rest is on the terminal: {command}").format(command=_COMMAND))
    lines = html.pre({"class": "audit__text audit__trace", "tabIndex": 0}, _plain(logged.error_details))
    return html.details(html.summary({"class": "link"}, t("Details")), lines, cut if logged.is_cut else None)


def _plain(details: str) -> str:
    """Return the details with a line for each value; unchanged if they are no JSON object, such as when cut."""
    try:
        values = json.loads(details)
    except ValueError:
        return details
    if not isinstance(values, dict):
        return details
    return "\n".join(f"{name}: {value}" for name, value in values.items())
