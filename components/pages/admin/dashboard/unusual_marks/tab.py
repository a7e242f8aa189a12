"""The tab "Unusual marks" of one stage: accounts that weigh less or are too new, and decisions with their reasons."""

from collections.abc import Sequence
from typing import Any

from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.selectors import Crowd, Decided, Late, Unusual, UnusualMarks, unusual_get
from components.pages.admin.dashboard.query import Tab
from components.pages.admin.dashboard.unusual_marks.query import UnusualStart
from components.parts.stages.rank_words import LAST_HOUR, late_words
from components.runtime import Markup, VdomDict, command_button, command_form, component, html, use_live_query
from components.ui import forms
from components.ui.blocks import link, paging
from components.ui.empty_states import empty, skeleton
from components.ui.frames import answered_list, row, rows, search
from components.ui.venue_time import ago

SMALL = "button button--plain button--small"
WEIGHTS = {1: "weighs 1/4", 2: "weighs 1/2"}  # sources of gettext, by quarters
NEW = "From accounts younger than a day"


@component
def unusual_tab(start: UnusualStart, language: str) -> VdomDict:
    """Render the select of a stage above its two lists, kept current."""
    t = texts(language)
    if start.unusual is None:
        return html.section(
            {"aria-label": t("Unusual marks")}, empty(t("No stages yet. The first session makes Stage I."))
        )
    now = use_live_query(
        unusual_get,
        topics=(f"ranking.{start.stage_id}",),
        initial=start.unusual,
        stage_id=start.stage_id,
        number=start.number,
    )
    rules = link("/stages/method", t("The rules"))
    about = t(
        "Accounts weigh less by rules alone. You may let single accounts or a whole crowd weigh fully or leave them "
        "out, with a reason that they can read."
    )
    return html.section(
        {"aria-label": t("Unusual marks"), "class": "unusual"},
        html.div({"class": "tools"}, _narrowing(start, language)),
        html.p({"class": "listed__count"}, about, " ", rules),
        skeleton(),
        answered_list(*_lists(now, start.path, language)),
    )


def _narrowing(start: UnusualStart, language: str) -> VdomDict:
    choices = [(str(each.id), each.name) for each in start.stages]
    chosen = forms.select(texts(language)("Stage"), "stage", choices, str(start.stage_id))
    return search(start.path, chosen, language=language, hidden_fields={"tab": Tab.UNUSUAL.value})


def _lists(unusual: UnusualMarks, path: str, language: str) -> list[Markup]:
    t, page = texts(language), unusual.accounts
    query = {"tab": Tab.UNUSUAL.value, "stage": str(unusual.stage_id)}
    count = t.plural("%(n)d unusual account", "%(n)d unusual accounts", page.total)
    accounts = rows(*(_account(each, unusual.stage_id, t) for each in page.rows))
    decided = rows(*(_decided(each, unusual.stage_id, language) for each in unusual.decided))
    return [
        _crowds(unusual, t),
        html.h2({"key": "kept-heading", "class": "unusual__heading"}, t("Unusual")),
        html.p({"key": "kept-count", "class": "listed__count"}, count) if page.total else None,
        html.div({"key": "kept"}, accounts if page.rows else empty(t("No account is unusual in this ranking."))),
        paging(page.number, page.pages, path=path, query=query, language=language),
        html.h2({"key": "let-heading", "class": "unusual__heading"}, t("Decided")),
        html.div({"key": "let"}, decided if unusual.decided else empty(t("There is no decision about an account."))),
        _late(unusual.late, t),
    ]


def _late(performances: Sequence[Late], t: Texts) -> Markup:
    """Return the performances with the largest shares of marks in their last hour; None without any."""
    if not performances:
        return None
    lines = (
        html.li(
            {"key": f"late-{each.appearance_id}"},
            html.span(
                {"class": "work"},
                html.b({"translate": "no"}, each.performer),
                html.small(late_words(each.late, each.raters, t)),
            ),
        )
        for each in performances
    )
    return html.div(
        {"key": "late"},
        html.h2({"class": "unusual__heading"}, t("In the last hour")),
        html.p({"class": "listed__count"}, t(LAST_HOUR)),
        html.ul({"class": "lines"}, *lines),
    )


def _crowds(unusual: UnusualMarks, t: Texts) -> Markup:
    """Return the accounts that act alike, each crowd with one decision about all of them; None without any."""
    if not unusual.crowds:
        return None
    crowds = rows(*(_crowd(each, unusual.stage_id, t) for each in unusual.crowds))
    return html.div({"key": "crowds"}, html.h2({"class": "unusual__heading"}, t("Crowds")), crowds)


def _crowd(each: Crowd, stage_id: int, t: Texts) -> VdomDict:
    """Return a crowd with the forms that decide about all of its accounts."""
    side = "above" if each.is_above else "below"
    heading = each.performer or t("Sheets that agree")
    about = t("marks far above the others") if each.is_above else t("marks far below the others")
    ending = f":{each.appearance_id}" if each.appearance_id else ""
    acts = [
        _reasoned(
            command_form("ranking_crowd", argument, draft=f"ranking_crowd:{argument}"),
            *(act, f"crowd-{decision}-{side}-{each.appearance_id}", heading, t),
        )
        for decision, act in (("fully", t("Let all weigh fully")), ("out", t("Leave all out")))
        for argument in (f"{stage_id}:{decision}:{side}{ending}",)
    ]
    return row(
        f"crowd-{each.appearance_id}-{side}",
        html.h3(heading),
        html.p(
            {"class": "entries__about"},
            html.span(t.plural("%(n)d account", "%(n)d accounts", each.accounts)),
            html.span(about if each.appearance_id else t("given within an hour, nearly equal")),
        ),
        acts=acts,
        look="unusual__row",
    )


def _account(each: Unusual, stage_id: int, t: Texts) -> VdomDict:
    count = t.plural("%(n)d performance", "%(n)d performances", each.performances)
    argument = f"{stage_id}:{each.id}"
    fully = _reasoned(
        command_form("ranking_release", argument, draft=f"ranking_release:{argument}"),
        *(t("Weigh fully"), f"fully-{each.id}", each.username, t),
    )
    out = _reasoned(
        command_form("ranking_leave_out", argument, draft=f"ranking_leave_out:{argument}"),
        *(t("Leave out"), f"out-{each.id}", each.username, t),
    )
    return row(
        f"account-{each.id}",
        html.h3({"translate": "no"}, each.username),
        html.p(
            {"class": "entries__about"},
            html.span(t(NEW) if each.quarters is None else t(WEIGHTS[each.quarters])),
            html.span(count),
        ),
        None if each.quarters is None else html.p({"class": "unusual__reason"}, _why(each, t)),
        acts=[fully, out],
        look="unusual__row",
    )


def _why(each: Unusual, t: Texts) -> str:
    if each.agreeing:
        one, more = "Nearly the same marks as %(n)d other account.", "Nearly the same marks as %(n)d other accounts."
        return t.plural(one, more, each.agreeing)
    words = t(
        "{name}: far from the others ({distance} %), like more accounts than chance explains ({excess} %), and with "
        "little else in common with the audience ({thinness} %)."
    )
    parts = {"distance": each.distance, "excess": each.excess, "thinness": each.thinness}
    return words.format(name=each.performer, **parts)


def _reasoned(form: dict[str, Any], act: str, field_id: str, username: str, t: Texts) -> VdomDict:
    """Return the form of an act with its reason."""
    field = forms.field(t("Why"), "reason", id=field_id, maxLength=REASON_LENGTH, required=True, autoComplete="off")
    label = {"aria-label": t("{act}: {name}").format(act=act, name=username)}
    button = html.button({"class": SMALL, "type": "submit", "data-busy": t("Processing...")} | label, act)
    about = {
        "class": "unusual__form",
        "noValidate": True,  # the server reports missing values, in the site's texts
    }
    return html.form(form | about, field, button)


def _decided(each: Decided, stage_id: int, language: str) -> VdomDict:
    t = texts(language)
    by = t("by {name}").format(name=each.decided_by or t("somebody who left"))
    when = ago(each.created_at, zone=venue_zone(), language=language)
    again = command_button("ranking_unrelease", f"{stage_id}:{each.id}", busy=t("Processing..."))
    label = {"aria-label": t("Let the rules decide: {name}").format(name=each.username)}
    return row(
        f"decided-{each.id}",
        html.h3({"translate": "no"}, each.username),
        html.p({"class": "unusual__reason"}, each.reason),
        html.p(
            {"class": "entries__about"},
            html.span(t("left out") if each.is_left_out else t("weighs fully")),
            html.span(by, ", ", when),
        ),
        acts=[html.button({"class": SMALL} | again | label, t("Let the rules decide"))],
    )
