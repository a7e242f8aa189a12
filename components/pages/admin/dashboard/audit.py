"""The tab "Audit", with filters in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.people import AuditLine, administrators, audit_read
from apps.competition.enums import Category
from apps.core.audit import AUDIT_PAGE, AuditFilter
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor, KeysetPage, keyset_page
from apps.core.texts import Texts, texts
from components.pages.admin.dashboard.query import Tab, dashboard_at, day_of, day_until
from components.runtime import Markup, Query, VdomDict, component, html, number_of
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.blocks import link, list_ways
from components.ui.empty_states import empty, skeleton
from components.ui.frames import rows, search
from components.ui.venue_time import ago

# sources of gettext
ACTIONS = {
    "post.create": "Post created",
    "post.update": "Post updated",
    "post.delete": "Post deleted",
    "participant.create": "Participant created",
    "participant.update": "Participant updated",
    "participant.delete": "Participant deleted",
    "piece.add": "Piece added",
    "piece.update": "Piece updated",
    "piece.delete": "Piece deleted",
    "import.save": "Participants imported",
    "import.undo": "Import taken back",
    "stage.create": "Stage created",
    "stage.update": "Stage renamed",
    "stage.order": "Order of the stages changed",
    "stage.archive": "Stage archived or brought back",
    "stage.delete": "Stage deleted",
    "stage.advance": "Published who advances",
    "stage.withdraw": "Withdrawn who advances",
    "session.create": "Session created",
    "session.update": "Session updated",
    "session.delete": "Session deleted",
    "session.plan": "Planned times changed",
    "session.restore": "Performers brought back into a session",
    "place.add": "Participant added to a session",
    "place.count": "Performance chosen that counts in the ranking",
    "program.add": "Program added",
    "program.replace": "Program imported",
    "program.select": "Piece chosen for a program",
    "program.link": "Link of a program changed",
    "program.remove": "Piece taken out of a program",
    "program.order": "Order of a program changed",
    "session.live": "Session set as live",
    "session.end": "Live session ended",
    "performer.set": "Current performer chosen",
    "performer.clear": "Current performer cleared",
    "live.restore": "Live step taken back",
    "ratings.approve": "Ratings approved",
    "ratings.reject": "Ratings rejected",
    "ratings.undo": "Decision about ratings taken back",
    "ratings.delete": "Rating deleted",
    "ranking.close": "Ranking closed",
    "ranking.reopen": "Ranking opened again",
    "ranking.release": "Weighs fully in a ranking",
    "ranking.leave_out": "Left out of a ranking",
    "ranking.unrelease": "Back to the rules of the ranking",
    "reports.hide": "Reported texts hidden",
    "reports.dismiss": "Reports dismissed",
    "reports.hide_by_audience": "Hidden by the audience's reports",
    "reports.show_again": "Shown again after a day without a decision",
    "reports.undo": "Decision about reports taken back",
    "comment.delete": "Comment deleted",
    "community_post.delete": "Community post deleted",
    "post_comment.delete": "Comment on a post deleted",
    "default_avatars.set": "Default avatars updated",
    "demo.stop": "Demo stopped",
    "demo.start": "Demo started",
    "admin.grant": "Administrator appointed",
    "admin.revoke": "Administrator dismissed",
    "account.activate": "Account opened again",
    "account.deactivate": "Account closed",
    "account.unlock": "Failed sign-ins forgotten",
    "account.export": "Own data taken along",
    "account.delete": "Own account deleted",
    "factor.app.add": "Codes from an app added",
    "factor.app.remove": "Codes from an app removed",
    "factor.codes.renew": "Recovery codes renewed",
    "factor.passkey.add": "Passkey added",
    "factor.passkey.rename": "Passkey renamed",
    "factor.passkey.remove": "Passkey removed",
    "factor.forget": "Second factors forgotten",
    "factor.link": "Link for a first second factor made",
}
SUBJECTS = {
    "post": "Blog",
    "participant": "Participants",
    "piece": "Pieces",
    "import": "Imports",
    "stage": "Stages",
    "session": "Sessions",
    "place": "Places in sessions",
    "program": "Programs",
    "performer": "Current performer",
    "live": "Live",
    "demo": "Demo",
    "ratings": "Ratings",
    "ranking": "Rankings",
    "reports": "Reports",
    "comment": "Comments",
    "community_post": "Community posts",
    "post_comment": "Comments on posts",
    "default_avatars": "Default Avatars",
    "account": "Accounts",
}
ADDRESSES = {
    "post": "/admin/blog?mode=edit&id={id}",
    "participant": "/participants/{id}",
    "session": "/sessions/{id}",
    "ranking": "/stages/{id}",
    "account": "/admin/people?q=%23{id}",
}
VALUES = {"category": dict(Category.choices), "slot": dict(Category.choices)}  # labels of stored values
FIELD_NAMES = {"is_published": "published", "is_live": "live", "starts_at": "begins", "youtube_id": "video"}


BOTH = ("before", "after")
RUN = 3  # consecutive entries from which on they are folded into one row
RUN_NAMES = 5  # names in the line of a folded row, at most
BY_AUDIENCE = "reports.hide_by_audience"
BY_TIME = "reports.show_again"
NAME, COUNT = "name", "count"  # keys of details that the entry's line shows
NAMELESS = ("default_avatars",)  # subjects with a single row, shown without its id
NAMES = ("title", "name", "session", "performer", "participant")  # values that can serve as a name


def audit_rows(lines: Sequence[AuditLine], language: str) -> list[VdomDict]:
    """Return entries as rows; RUN or more consecutive ones with the same action and account become one folded row."""
    runs = [tuple(run) for _, run in groupby(lines, key=lambda line: (line.action, line.user_id))]
    return [row for run in runs for row in ([_run(run, language)] if len(run) >= RUN else _each(run, language))]


def _each(lines: Sequence[AuditLine], language: str) -> list[VdomDict]:
    return [audit_row(line, language) for line in lines]


def _run(lines: Sequence[AuditLine], language: str) -> VdomDict:
    """Return the folded row: time and account of the newest entry, the action, its count, names, and all entries."""
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
    """Return an entry as a row with folded details."""
    t = texts(language)
    what = html.p({"class": "audit__what"}, t(ACTIONS.get(line.action, line.action)), *_subject(line))
    return html.li(
        {"key": f"entry-{line.id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, *_when_and_who(line, language)),
        html.div({"class": "entries__what"}, what, _details(line.details, t)),
    )


def _when_and_who(line: AuditLine, language: str) -> tuple[VdomDict, VdomDict]:
    t = texts(language)
    fallback = {BY_AUDIENCE: t("Several who reported it"), BY_TIME: t("By the clock")}.get(
        line.action, t("Terminal, or somebody who left")
    )
    when = ago(line.created_at, zone=venue_zone(), language=language)
    return when, html.p({"class": "audit__who"}, line.who or fallback)


def _subject(line: AuditLine) -> list[Markup]:
    """Return the entry's subject, by name if there is one, as a link if it has a page."""
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
    """Return the non-empty values, with labels in place of stored values."""
    filled = {name: value for name, value in side.items() if value not in (None, "", [])}
    return filled | {name: words[filled[name]] for name, words in VALUES.items() if filled.get(name) in words}


def _line(name: str, value: Markup) -> VdomDict:
    words = FIELD_NAMES.get(name, name.removesuffix("_url").replace("_", " "))
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


FILTER_FIELDS = ("who", "action", "subject", "since", "until")


@dataclass(frozen=True, slots=True)
class Audit:
    """One page of the audit, the filters in the address, and the administrators as options."""

    fields: dict[str, str]
    page: KeysetPage[AuditLine]
    people: tuple[tuple[str, str], ...]


def audit_read_for(viewer: Viewer, query: Query) -> Audit:
    """Return the audit for the address; invalid filters are ignored. Five queries."""
    fields = {name: query[name] for name in FILTER_FIELDS if query.get(name)}
    read = partial(audit_read, actor=viewer, filters=_filters(query))
    page = keyset_page(
        read, lambda line: Cursor(line.created_at, line.id), before=query.get("before", ""), size=AUDIT_PAGE
    )
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
    """Render the filters and the entries."""
    t = texts(language)
    empty_text = t("No entries found matching your criteria.") if audit.fields else t("Nothing was changed yet.")
    top = dashboard_at(tab=Tab.AUDIT.value, **audit.fields)
    lines = rows(*audit_rows(audit.page.rows, language)) if audit.page.rows else empty(empty_text)
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
