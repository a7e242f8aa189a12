"""The page "People and records": links to its screens, one search over audit and errors, and the export of ratings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from apps.accounts.selectors.people import Administrator, AuditLine, administrators
from apps.accounts.selectors.records import FoundRecords, records_search, search_text
from apps.accounts.selectors.sessions import signed_in_lately
from apps.competition.selectors.admin.sessions import SessionOption
from apps.competition.selectors.public.stages import StageName, stage_names
from apps.core.database.fields import venue_zone
from apps.core.database.paging import KeysetPage
from apps.core.limits import SEARCH_LENGTH
from apps.core.records import AUDIT, ERROR, RecordFilter
from apps.core.texts import Texts, texts
from components.pages.admin.choices import Choice, session_choice
from components.pages.admin.records.audit_rows import ACTIONS, SUBJECTS, audit_rows
from components.pages.admin.records.error_rows import error_row
from components.pages.admin.records.export import export_chosen, export_section
from components.pages.admin.records.filters import (
    AUDIT_FIELDS,
    filter_values,
    narrowing_fields,
    options,
    selected,
)
from components.pages.admin.records.objects import Objects, objects_of
from components.runtime import Markup, Page, PageRequest, Query, VdomDict, component, html, use_token
from components.ui import forms
from components.ui.areas import RECORDS
from components.ui.blocks import list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, backstage, rows, search, tools
from components.ui.venue_time import day

FIELDS = ("q", *AUDIT_FIELDS)
ERRORS = "error"  # errors as a kind of object in the filter `subject`


@dataclass(frozen=True, slots=True)
class Records:
    """The filters in the address, the found records with their objects, and the options of the forms."""

    fields: dict[str, str]
    found: FoundRecords
    objects: Objects
    people: tuple[Administrator, ...]
    stages: tuple[StageName, ...]
    sessions: Choice[SessionOption]
    chosen: tuple[str, int]  # the kind and id of what is to be exported, from the address
    is_fresh: bool  # whether the viewer has confirmed for an export that it is them


def load(request: PageRequest) -> Page:
    """Return the page; `q` and the filters in the address narrow the records, `export` chooses what is exported."""
    t, query = request.t, request.query
    fields = filter_values(query, FIELDS)
    found = records_search(actor=request.viewer, filters=_filters(fields, query, t), before=query.get("before", ""))
    kind, number = export_chosen(query)
    return Page(
        description=t("What was changed, what went wrong, and the ratings as files."),
        component=records_page,
        data=Records(
            fields,
            found,
            objects_of(each for each in found.rows if isinstance(each, AuditLine)),
            administrators(),
            stage_names(),
            session_choice(query, number if kind == "session" else 0),
            (kind, number),
            bool(kind) and signed_in_lately(viewer=request.viewer),
        ),
    )


def _filters(fields: Mapping[str, str], query: Query, t: Texts) -> RecordFilter:
    """Return the filter of the address; a text also means the actions and kinds of objects whose words contain it."""
    text = fields.get("q", "").strip()
    actions, subjects = (_named(text, names, t) for names in (ACTIONS, SUBJECTS))
    return RecordFilter(
        kinds=(ERROR,) if query.get("subject") == ERRORS else (AUDIT, ERROR),
        search=search_text(text, actions=actions, subjects=subjects),
        **selected(query),
    )


def _named(text: str, names: Mapping[str, str], t: Texts) -> tuple[str, ...]:
    folded = text.casefold()
    return tuple(value for value, words in options(names, t) if folded in words.casefold())


@component
def records_page(page: Page) -> VdomDict:
    """Render the links, the search with what it found, and the export."""
    t, token, language, data = texts(page.language), use_token(), page.language, page.data
    narrowed = bool(data.fields)
    nothing = t("No records found matching your criteria.") if narrowed else t("Nothing is recorded yet.")
    found = _rows(data, language)
    return backstage(
        page.title,
        tools(_search(data, language)),
        skeleton(),
        html.section(
            {"class": "audit records", "aria-label": t("Records")},
            answered_list(rows(*found) if found else empty(nothing), _looked(data.found, language), _ways(data, t)),
        ),
        page=page,
        below=[_export(data, token, language)],
    )


def _export(data: Records, token: str, language: str) -> VdomDict:
    return export_section(
        data.stages,
        data.sessions,
        data.chosen,
        is_fresh=data.is_fresh,
        listed=data.fields,
        token=token,
        language=language,
    )


def _search(data: Records, language: str) -> VdomDict:
    t, fields = texts(language), data.fields
    text: dict[str, Any] = {"type": "search", "maxLength": SEARCH_LENGTH, "autoComplete": "off"}
    narrowing = narrowing_fields(fields, data.people, t, more_subjects=[(ERRORS, t("Errors"))])
    is_open = any(name in fields for name in AUDIT_FIELDS)
    more = html.details(
        {"class": "records__more", "open": is_open},
        html.summary({"class": "link"}, t("Filters")),
        html.div({"class": "tools__search"}, *narrowing),
    )
    words = forms.field(t("Person, action, object or words"), "q", value=fields.get("q", ""), **text)
    return search(RECORDS, words, more, language=language)


def _rows(data: Records, language: str) -> list[VdomDict]:
    """Return the found records as rows: audit entries that follow each other as the tab folds them, and errors."""
    found: list[VdomDict] = []
    entries: list[AuditLine] = []
    for each in (*data.found.rows, None):
        if isinstance(each, AuditLine):
            entries.append(each)
            continue
        found += audit_rows(entries, data.objects, language)
        entries = []
        if each is not None:
            found.append(error_row(each, language))
    return found


def _looked(found: FoundRecords, language: str) -> Markup:
    """Return down to which day a search has looked, if it stopped before the end; None if the page is full."""
    if found.looked_until is None:
        return None
    t = texts(language)
    until = day(found.looked_until, zone=venue_zone(), language=language)
    return html.p({"key": "looked", "class": "muted"}, t("Searched everything since "), until, ".")


def _ways(data: Records, t: Texts) -> Markup:
    page: KeysetPage[Any] = KeysetPage(start=data.found.start, older=data.found.older)
    older = t("Search older records") if data.found.looked_until else t("Show older")
    return list_ways(_at(data.fields), page, older, t, look="row queue__ways")


def _at(fields: Mapping[str, str]) -> str:
    return RECORDS + (f"?{urlencode(fields)}" if fields else "")
