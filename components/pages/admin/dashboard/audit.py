"""The tab Audit, with filters in the address."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors import AuditLine, administrators, audit_read
from apps.core.audit import PAGE, AuditFilter
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.texts import Texts, texts
from components.markup import VdomDict, component, html
from components.page import Query, number_of
from components.pages.admin.dashboard.audit_rows import audit_rows
from components.pages.admin.dashboard.audit_words import ACTIONS, SUBJECTS
from components.pages.admin.dashboard.query import Tab, dashboard_at, day_of, day_until
from components.ui.blocks import list_ways
from components.ui.controls import forms
from components.ui.empty_states import empty, skeleton
from components.ui.frames.admin_frame import DASHBOARD, rows, search

FIELDS = ("who", "action", "subject", "since", "until")


@dataclass(frozen=True, slots=True)
class Audit:
    """One page of the audit, the filters in the address, and the administrators to choose from."""

    fields: dict[str, str]
    page: KeysetPage[AuditLine]
    people: tuple[tuple[str, str], ...]


def audit_read_for(viewer: Viewer, query: Query) -> Audit:
    """Return the audit for the address; unreadable filters are ignored. Five queries."""
    fields = {name: query[name] for name in FIELDS if query.get(name)}
    read = partial(audit_read, actor=viewer, filters=_filters(query))
    page = keyset_page(read, lambda line: Cursor(line.created_at, line.id), before=query.get("before", ""), size=PAGE)
    people = tuple((str(each.id), each.username) for each in administrators())
    return Audit(fields, page, people)


def _filters(query: Query) -> AuditFilter:
    action, subject = query.get("action", ""), query.get("subject", "")
    return AuditFilter(
        user_id=number_of(query, "who", 0) or None,
        action=action if action in ACTIONS else "",
        subject=subject if subject in SUBJECTS else "",
        since=day_of(query.get("since", "")),
        until=day_until(query.get("until", "")),
    )


@component
def audit_tab(audit: Audit, language: str) -> VdomDict:
    """The filters and the entries."""
    t = texts(language)
    nothing = t("No entries found matching your criteria.") if audit.fields else t("Nothing was changed yet.")
    top = dashboard_at(tab=Tab.AUDIT.value, **audit.fields)
    lines = rows(*audit_rows(audit.page.rows, language)) if audit.page.rows else empty(nothing)
    return html.section(
        {"aria-label": t("Audit"), "class": "audit"},
        html.div({"class": "tools"}, _narrowing(audit, language)),
        skeleton(),
        html.div({"data-results": ""}, lines, list_ways(top, audit.page, t("Show older"), t, look="row queue__ways")),
    )


def _narrowing(audit: Audit, language: str) -> VdomDict:
    t, fields = texts(language), audit.fields
    dates: dict[str, Any] = {"type": "date"}
    return search(
        DASHBOARD,
        forms.select(t("Who"), "who", [("", t("Everybody")), *audit.people], fields.get("who", "")),
        forms.select(t("About"), "subject", _options(t("Everything"), SUBJECTS, t), fields.get("subject", "")),
        forms.select(t("What"), "action", _options(t("All changes"), ACTIONS, t), fields.get("action", "")),
        forms.field(t("From"), "since", value=fields.get("since", ""), **dates),
        forms.field(t("Until"), "until", value=fields.get("until", ""), **dates),
        language=language,
        hidden_fields={"tab": Tab.AUDIT.value},
    )


def _options(everything: str, names: dict[str, str], t: Texts) -> list[tuple[str, str]]:
    return [("", everything), *((value, t(words)) for value, words in names.items())]
