"""The tab "Audit", with filters in the address."""

from dataclasses import dataclass
from functools import partial

from apps.accounts.actors import Viewer
from apps.accounts.selectors.people import Administrator, AuditLine, administrators, audit_read
from apps.core.audit import AUDIT_PAGE, AuditFilter
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.texts import texts
from components.pages.admin.dashboard.query import Tab, dashboard_at
from components.pages.admin.records.audit_rows import audit_rows
from components.pages.admin.records.filters import AUDIT_FIELDS, filter_values, narrowing_fields, selected
from components.pages.admin.records.objects import Objects, objects_of
from components.runtime import Query, VdomDict, component, html
from components.ui.areas import DASHBOARD, RECORDS
from components.ui.blocks import link, list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import rows, search, tools


@dataclass(frozen=True, slots=True)
class Audit:
    """One page of the audit, the filters in the address, and the administrators as options."""

    fields: dict[str, str]
    page: KeysetPage[AuditLine]
    people: tuple[Administrator, ...]
    objects: Objects


def audit_read_for(viewer: Viewer, query: Query) -> Audit:
    """Return the audit for the address; invalid filters are ignored. Twelve queries at most."""
    fields = filter_values(query, AUDIT_FIELDS)
    read = partial(audit_read, actor=viewer, filters=AuditFilter(**selected(query)))
    page = keyset_page(
        read, lambda line: Cursor(line.created_at, line.id), before=query.get("before", ""), size=AUDIT_PAGE
    )
    return Audit(fields, page, administrators(), objects_of(page.rows))


@component
def audit_tab(audit: Audit, language: str) -> VdomDict:
    """Render the filters and the entries."""
    t = texts(language)
    empty_text = t("No entries found matching your criteria.") if audit.fields else t("Nothing was changed yet.")
    top = dashboard_at(tab=Tab.AUDIT.value, **audit.fields)
    lines = rows(*audit_rows(audit.page.rows, audit.objects, language)) if audit.page.rows else empty(empty_text)
    of_tab = {"tab": Tab.AUDIT.value}
    narrowing = search(
        DASHBOARD, *narrowing_fields(audit.fields, audit.people, t), language=language, hidden_fields=of_tab
    )
    return html.section(
        {"aria-label": t("Audit"), "class": "audit"},
        tools(narrowing, link(RECORDS, t("Search audit and errors together"))),
        skeleton(),
        html.div({"data-results": ""}, lines, list_ways(top, audit.page, t("Show older"), t, look="row queue__ways")),
    )
