"""Entries of the audit as rows: who changed what and when, what it is about, and what it was before and after."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from apps.accounts.selectors.people import AuditLine
from apps.competition.enums import Category
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.admin.records.objects import Objects
from components.runtime import Markup, VdomDict, html
from components.ui.blocks import link
from components.ui.people import person_name
from components.ui.pieces import category_marks
from components.ui.venue_time import ago

# sources of gettext
ACTIONS = {
    "post.create": "Post created",
    "post.update": "Post updated",
    "post.publish": "Post published at its planned time",
    "post.delete": "Post deleted",
    "participant.create": "Participant created",
    "participant.update": "Participant updated",
    "participant.delete": "Participant deleted",
    "piece.add": "Piece added",
    "piece.update": "Piece updated",
    "piece.delete": "Piece deleted",
    "piano.add": "Piano added",
    "piano.update": "Piano renamed",
    "piano.delete": "Piano removed",
    "import.save": "Participants imported",
    "import.undo": "Import taken back",
    "stage.create": "Stage created",
    "stage.update": "Stage renamed",
    "stage.order": "Order of the stages changed",
    "stage.archive": "Stage archived or brought back",
    "stage.slots": "Slots of a stage changed",
    "stage.delete": "Stage deleted",
    "stage.advance": "Published who advances",
    "stage.withdraw": "Withdrawn who advances",
    "stage.prizes": "Draft of prizes saved",
    "stage.award": "Prizes published",
    "stage.unaward": "Prizes withdrawn",
    "stage.export": "Ratings of a stage exported",
    "session.create": "Session created",
    "session.update": "Session updated",
    "session.delete": "Session deleted",
    "session.export": "Ratings of a session exported",
    "session.plan": "Planned times changed",
    "session.pianos": "Pianos of performers changed",
    "session.withdraw": "Performer withdrawn from a session",
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
    "performer.take_back": "Call of a performer taken back",
    "performer.return": "Interval taken back",
    "live.restore": "Live step taken back",
    "ratings.approve": "Ratings approved",
    "ratings.at_once": "Piece ratings approved automatically",
    "ratings.setting": "Approval of ratings changed",
    "ratings.reject": "Ratings rejected",
    "ratings.undo": "Decision about ratings taken back",
    "ratings.delete": "Rating deleted",
    "jury.save": "Jury’s marks saved as a draft",
    "jury.publish": "Jury’s marks published",
    "jury.unpublish": "Jury’s marks taken back",
    "jury.delete": "Draft of the jury’s marks deleted",
    "jury_rule.choose": "Rule of the jury chosen",
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
    "contact.set": "Contact updated",
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
    "piano": "Pianos",
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
    "jury": "Jury",
    "jury_rule": "Rules of the jury",
    "reports": "Reports",
    "comment": "Comments",
    "community_post": "Community posts",
    "post_comment": "Comments on posts",
    "default_avatars": "Default Avatars",
    "contact": "Contact",
    "account": "Accounts",
}
VALUES = {"category": dict(Category.choices), "slot": dict(Category.choices)}  # labels of stored values
FIELD_NAMES = {"is_published": "published", "is_live": "live", "starts_at": "begins", "youtube_id": "video"}


BOTH = ("before", "after")
DELETED = ".delete"  # the end of such an action
RUN = 3  # consecutive entries from which on they are folded into one row
RUN_NAMES = 5  # names in the line of a folded row, at most
BY_AUDIENCE = "reports.hide_by_audience"
BY_TIME = "reports.show_again"
NAME, COUNT = "name", "count"  # keys of details that the entry's line shows
NAMELESS = ("default_avatars", "contact")  # subjects with a single row, shown without its id
NAMES = ("title", "name", "session", "performer", "participant")  # values that can serve as a name


def audit_rows(lines: Sequence[AuditLine], objects: Objects, language: str) -> list[VdomDict]:
    """Return entries as rows; RUN or more consecutive ones with the same action and account become one folded row."""
    found: list[VdomDict] = []
    for _, run in groupby(lines, key=lambda line: (line.action, line.user_id)):
        entries = tuple(run)
        found += [_run(entries, objects, language)] if len(entries) >= RUN else _each(entries, objects, language)
    return found


def _each(lines: Sequence[AuditLine], objects: Objects, language: str) -> list[VdomDict]:
    return [audit_row(line, objects, language) for line in lines]


def _run(lines: Sequence[AuditLine], objects: Objects, language: str) -> VdomDict:
    """Return the folded row: time and account of the newest entry, the action, its count, names, and all entries."""
    t, newest = texts(language), lines[0]
    names = list(dict.fromkeys(name for line in lines if (name := _name(line))))
    named = ": " + ", ".join([*names[:RUN_NAMES], *(["…"] if len(names) > RUN_NAMES else [])]) if names else ""
    what = html.p(
        {"class": "audit__what"}, t(ACTIONS.get(newest.action, newest.action)), f", {len(lines)} ×", person_name(named)
    )
    entries = html.ol({"class": "entries audit__run"}, *_each(lines, objects, language))
    folded = html.details(html.summary({"class": "link"}, t("Show each")), entries)
    return html.li(
        {"key": f"run-{lines[-1].id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, *_when_and_who(newest, language)),
        html.div({"class": "entries__what"}, what, folded),
    )


def audit_row(line: AuditLine, objects: Objects, language: str) -> VdomDict:
    """Return an entry as a row with folded details."""
    t = texts(language)
    is_gone = line.id in objects.gone and not line.action.endswith(DELETED)
    gone = html.p({"class": "small muted"}, t("It is deleted now.")) if is_gone else None
    return html.li(
        {"key": f"entry-{line.id}", "class": "entries__row audit__row"},
        html.div({"class": "entries__aside"}, *_when_and_who(line, language)),
        html.div({"class": "entries__what"}, _headline(line, objects, t), gone, _details(line.details, t)),
    )


def _when_and_who(line: AuditLine, language: str) -> tuple[VdomDict, VdomDict]:
    t = texts(language)
    fallback = {BY_AUDIENCE: t("Several who reported it"), BY_TIME: t("By the clock")}.get(
        line.action, t("Terminal, or somebody who left")
    )
    when = ago(line.created_at, zone=venue_zone(), language=language)
    return when, html.p({"class": "audit__who"}, person_name(line.who) if line.who else fallback)


def _headline(line: AuditLine, objects: Objects, t: Texts) -> VdomDict:
    """Return the action and what it changed, by name if there is one, with a link to it if it has a page."""
    action, words = t(ACTIONS.get(line.action, line.action)), _object_words(line)
    to = objects.addresses.get(line.id, "")
    if not words:
        return html.p({"class": "audit__what"}, link(to, action) if to else action)
    return html.p({"class": "audit__what"}, action, ": ", link(to, person_name(words)) if to else person_name(words))


def _object_words(line: AuditLine) -> str:
    named = _name(line)
    number = f"#{line.subject_id}" if line.subject_id and line.subject not in NAMELESS else ""
    count = str(line.details.get(COUNT, ""))
    return f"{named} ({count})" if named and count else named or count or number


def _name(line: AuditLine) -> str:
    sides = [side for side in (line.details.get("after"), line.details.get("before")) if isinstance(side, Mapping)]
    within = (str(side[name]) for side in sides for name in NAMES if side.get(name))
    return line.about or str(line.details.get(NAME) or "") or next(within, "")


def _details(details: Mapping[str, Any], t: Texts) -> Markup:
    before, after = (_filled(details.get(side) or {}) for side in BOTH)
    lines = [
        _line(name, _change(before, after, name, t), str(after.get(name) or before.get(name, "")))
        for name in dict.fromkeys([*before, *after])
    ]
    others = {name: value for name, value in details.items() if value and name not in (*BOTH, NAME, COUNT)}
    lines += [_line(name, _text(value, t)) for name, value in others.items()]
    if not lines:
        return None
    return html.details(html.summary({"class": "link"}, t("Details")), html.dl({"class": "audit__details"}, *lines))


def _filled(side: Mapping[str, Any]) -> dict[str, Any]:
    """Return the non-empty values, with labels in place of stored values."""
    filled = {name: value for name, value in side.items() if value not in (None, "", [])}
    return filled | {name: words[filled[name]] for name, words in VALUES.items() if filled.get(name) in words}


def _line(name: str, value: Markup, stored: str = "") -> VdomDict:
    """Return a line of the details; `stored` is the text of its value, which may be the label of a category."""
    words = FIELD_NAMES.get(name, name.removesuffix("_url").replace("_", " "))
    own = {} if name.isidentifier() else {"translate": "no"}  # of pianos the fields are performers
    return html.div(
        {"key": f"field-{name}"},
        html.dt(own, words),
        html.dd({"translate": "no"} | (category_marks(stored) if name in VALUES else {}), value),
    )


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
