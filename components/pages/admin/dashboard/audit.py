"""Who changed what, and when: a list that is narrowed by its address, read when it is opened."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.selectors import AuditLine, administrators, audit_read
from apps.competition.services import venue_moment
from apps.core.audit import PAGE, AuditFilter
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, component, html
from components.page import Query
from components.pages.admin.dashboard.audit_rows import audit_row
from components.pages.admin.dashboard.audit_words import ACTIONS, SUBJECTS
from components.pages.admin.dashboard.query import Tab, desk_at
from components.pages.admin.modes import number_of
from components.ui import forms
from components.ui.admin_frame import DESK, rows, search
from components.ui.blocks import link
from components.ui.empty_states import empty, skeleton

FIELDS = ("who", "action", "subject", "since", "until")
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Audit:
    """One page of the audit, what the address asks for, and who may be asked for."""

    fields: dict[str, str]
    before: int  # where this page begins; 0 at the top
    lines: tuple[AuditLine, ...]
    older: int  # where the list goes on; 0 at its end
    people: tuple[tuple[str, str], ...]


def audit_read_for(viewer: Viewer, query: Query) -> Audit:
    """Return what the address asks for; what cannot be read does not narrow. Five queries."""
    fields = {name: query[name] for name in FIELDS if query.get(name)}
    before = number_of(query, "before", 0)
    found = audit_read(actor=viewer, filters=_filters(query), before_id=before or None, limit=PAGE + 1)
    people = tuple((str(each.id), each.username) for each in administrators())
    return Audit(fields, before, found[:PAGE], found[PAGE - 1].id if len(found) > PAGE else 0, people)


def _filters(query: Query) -> AuditFilter:
    action, subject, until = query.get("action", ""), query.get("subject", ""), _day(query.get("until", ""))
    return AuditFilter(
        user_id=number_of(query, "who", 0) or None,
        action=action if action in ACTIONS else "",
        subject=subject if subject in SUBJECTS else "",
        since=_day(query.get("since", "")),
        until=until + DAY if until else None,
    )


def _day(text: str) -> datetime | None:
    """Return when that day begins in the hall."""
    try:
        return venue_moment(date=text, time="00:00") if text else None
    except ValidationError:
        return None


@component
def audit_tab(audit: Audit, language: str) -> VdomDict:
    """The fields that narrow it, and the entries."""
    t = texts(language)
    nothing = t("No entries found matching your criteria.") if audit.fields else t("Nothing was changed yet.")
    lines = rows(*(audit_row(line, language) for line in audit.lines)) if audit.lines else empty(nothing)
    return html.section(
        {"aria-label": t("Audit"), "class": "audit"},
        html.div({"class": "tools"}, _narrowing(audit, language)),
        skeleton(),
        html.div({"data-results": ""}, lines, _ways(audit, t)),
    )


def _narrowing(audit: Audit, language: str) -> VdomDict:
    t, fields = texts(language), audit.fields
    dates: dict[str, Any] = {"type": "date"}
    return search(
        DESK,
        forms.select(t("Who"), "who", [("", t("Everybody")), *audit.people], fields.get("who", "")),
        forms.select(t("About"), "subject", _named(t("Everything"), SUBJECTS, t), fields.get("subject", "")),
        forms.select(t("What"), "action", _named(t("All changes"), ACTIONS, t), fields.get("action", "")),
        forms.field(t("From"), "since", value=fields.get("since", ""), **dates),
        forms.field(t("Until"), "until", value=fields.get("until", ""), **dates),
        language=language,
        kept={"tab": Tab.AUDIT.value},
    )


def _named(everything: str, names: dict[str, str], t: Texts) -> list[tuple[str, str]]:
    return [("", everything), *((value, t(words)) for value, words in names.items())]


def _ways(audit: Audit, t: Texts) -> Markup:
    asked = {"tab": Tab.AUDIT.value, **audit.fields}
    newest = link(desk_at(**asked), t("The newest")) if audit.before else None
    older = link(desk_at(**asked, before=str(audit.older)), t("Show older")) if audit.older else None
    return html.p({"class": "row queue__ways"}, newest, older) if newest or older else None
