"""One entry of the audit: when, who, what, and the values before and after."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from apps.accounts.selectors import AuditLine
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html
from components.pages.admin.dashboard.audit_words import ACTIONS, ADDRESSES, FIELDS, VALUES
from components.ui.blocks import link
from components.ui.venue_time import ago

BOTH = ("before", "after")
RUN = 3  # entries that are folded into one
RUN_NAMES = 5  # of them, at most, in its line
BY_AUDIENCE = "reports.hide_by_audience"
BY_TIME = "reports.show_again"
NAME, COUNT = "name", "count"  # the thing's name, in details, and how many: the entry's line says both
NAMELESS = ("default_avatars",)  # what there is one of
NAMES = ("title", "name", "session", "performer", "participant")  # values before or after that can serve as a name


def audit_rows(lines: Sequence[AuditLine], language: str) -> list[VdomDict]:
    """Return entries as rows; at least RUN of one person's that follow each other and say the same are folded."""
    runs = [tuple(run) for _, run in groupby(lines, key=lambda line: (line.action, line.user_id))]
    return [row for run in runs for row in ([_run(run, language)] if len(run) >= RUN else _each(run, language))]


def _each(lines: Sequence[AuditLine], language: str) -> list[VdomDict]:
    return [audit_row(line, language) for line in lines]


def _run(lines: Sequence[AuditLine], language: str) -> VdomDict:
    """Return the newest entry's time and person, what was done how often and to whom, and the entries folded below."""
    t, newest = texts(language), lines[0]
    names = list(dict.fromkeys(name for line in lines if (name := _name(line))))
    named = ": " + ", ".join([*names[:RUN_NAMES], *(["…"] if len(names) > RUN_NAMES else [])]) if names else ""
    what = html.p({"class": "audit__what"}, t(ACTIONS.get(newest.action, newest.action)), f", {len(lines)} ×{named}")
    entries = html.ol({"class": "entries audit__run"}, *_each(lines, language))
    folded = html.details(html.summary({"class": "link"}, t("Show each")), entries)
    return html.li(
        {"key": f"run-{lines[-1].id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, *_when_and_who(newest, language)),
        html.div({"class": "entries__what"}, what, folded),
    )


def audit_row(line: AuditLine, language: str) -> VdomDict:
    """Return an entry as a row, with its details folded."""
    t = texts(language)
    what = html.p({"class": "audit__what"}, t(ACTIONS.get(line.action, line.action)), *_subject(line))
    return html.li(
        {"key": f"entry-{line.id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, *_when_and_who(line, language)),
        html.div({"class": "entries__what"}, what, _details(line.details, t)),
    )


def _when_and_who(line: AuditLine, language: str) -> tuple[VdomDict, VdomDict]:
    t = texts(language)
    nobody = {BY_AUDIENCE: t("Several who reported it"), BY_TIME: t("By the clock")}.get(
        line.action, t("Terminal, or somebody who left")
    )
    when = ago(line.created_at, zone=venue_zone(), language=language)
    return when, html.p({"class": "audit__who"}, line.who or nobody)


def _subject(line: AuditLine) -> list[Markup]:
    """Return what the entry is about, by name where there is one, as a link where there is a page."""
    named = _name(line)
    number = f"{line.subject_id}" if line.subject_id and line.subject not in NAMELESS else ""
    count = str(line.details.get(COUNT, ""))
    words = f"{named} ({count})" if named and count else named or count or (f"#{number}" if number else "")
    if not words:
        return []
    address = None if line.is_gone or not number else ADDRESSES.get(line.subject)
    return [": ", link(address.format(id=number), words) if address else words]


def _name(line: AuditLine) -> str:
    sides = [side for side in (line.details.get("after"), line.details.get("before")) if isinstance(side, Mapping)]
    within = (str(side[name]) for side in sides for name in NAMES if side.get(name))
    return line.about or str(line.details.get(NAME) or "") or next(within, "")


def _details(details: Mapping[str, Any], t: Texts) -> Markup:
    before, after = (_filled(details.get(side) or {}) for side in BOTH)
    lines = [_line(name, _change(before, after, name, t)) for name in dict.fromkeys([*before, *after])]
    others = {name: value for name, value in details.items() if value and name not in (*BOTH, NAME, COUNT)}
    lines += [_line(name, _text(value, t)) for name, value in others.items()]
    if not lines:
        return None
    return html.details(html.summary({"class": "link"}, t("Details")), html.dl({"class": "audit__details"}, *lines))


def _filled(side: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that say something, in words."""
    filled = {name: value for name, value in side.items() if value not in (None, "", [])}
    return filled | {name: words[filled[name]] for name, words in VALUES.items() if filled.get(name) in words}


def _line(name: str, value: Markup) -> VdomDict:
    words = FIELDS.get(name, name.removesuffix("_url").replace("_", " "))
    return html.div({"key": f"field-{name}"}, html.dt(words), html.dd(value))


def _change(before: Mapping[str, Any], after: Mapping[str, Any], name: str, t: Texts) -> Markup:
    old, new = (_text(side[name], t) if name in side else "" for side in (before, after))
    if not (old and new):
        return html.span(html.del_(old) if old else html.ins(new))
    return html.span(html.del_(old), html.span({"aria-hidden": "true"}, " → "), html.ins(new))


def _text(value: Any, t: Texts) -> str:
    match value:
        case True:
            return t("yes")
        case False:
            return t("no")
        case list():
            return ", ".join(_text(each, t) for each in value)
        case dict():
            return ", ".join(f"{name} {_text(each, t)}" for name, each in value.items())
    return str(value)
