"""Filters of the audit and of all records: their fields in the address, their form fields, and what they select."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from apps.accounts.selectors.people import NUMBER, Administrator
from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts
from components.pages.admin.records.audit_rows import ACTIONS, SUBJECTS
from components.pages.admin.records.days import day_of, day_until
from components.runtime import Query, VdomDict, number_of
from components.ui import forms
from components.ui.people import NAMED

AUDIT_FIELDS = ("who", "action", "subject", "since", "until")


class Selected(TypedDict):
    """What the fields of the address select, as the filters of the selectors name it."""

    user_id: int | None
    action: str
    subject: str
    since: datetime | None
    until: datetime | None


def filter_values(query: Query, names: Sequence[str]) -> dict[str, str]:
    """Return the non-empty fields of the address with these names, cut to the length of a search."""
    return {name: query[name][:SEARCH_LENGTH] for name in names if query.get(name)}


def selected(query: Query) -> Selected:
    """Return what the address selects; invalid values are ignored."""
    action, subject = query.get("action", ""), query.get("subject", "")
    return {
        "user_id": number_of(query, "who", 0) or None,
        "action": action if action in ACTIONS else "",
        "subject": subject if subject in SUBJECTS else "",
        "since": day_of(query.get("since", "")),
        "until": day_until(query.get("until", "")),
    }


def narrowing_fields(
    fields: Mapping[str, str],
    people: Sequence[Administrator],
    t: Texts,
    *,
    more_subjects: Sequence[tuple[str, str]] = (),
) -> tuple[VdomDict, ...]:
    """Return the form fields for person, kind of object, action and days; `people` are the persons to choose from.

    An account in the address that is none of them is an option too, by its number.
    """
    persons = [("", t("Everybody")), *((str(each.id), each.username) for each in people)]
    who = fields.get("who", "")
    if who not in dict(persons):
        persons.append((who, f"{NUMBER}{who}"))
    subjects = [("", t("Everything")), *more_subjects, *options(SUBJECTS, t)]
    return (
        forms.select(t("Who"), "who", persons, who, stored=lambda _name: NAMED),
        forms.select(t("About"), "subject", subjects, fields.get("subject", "")),
        forms.select(t("What"), "action", [("", t("All changes")), *options(ACTIONS, t)], fields.get("action", "")),
        *day_fields(fields, t),
    )


def day_fields(fields: Mapping[str, str], t: Texts) -> tuple[VdomDict, VdomDict]:
    """Return the form fields for the first and the last day."""
    dates: dict[str, Any] = {"type": "date"}
    return (
        forms.field(t("From"), "since", value=fields.get("since", ""), **dates),
        forms.field(t("Until"), "until", value=fields.get("until", ""), **dates),
    )


def options(names: Mapping[str, str], t: Texts) -> list[tuple[str, str]]:
    """Return the values with their words as options of a select."""
    return [(value, t(words)) for value, words in names.items()]
