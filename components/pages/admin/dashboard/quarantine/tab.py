"""The tab "Quarantine" of one stage: accounts that a rule keeps out, and released accounts with the reason."""

from collections.abc import Sequence

from apps.competition.selectors.public.stages import StageName
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.selectors import KeptOut, LetOut, Quarantine, quarantine_get
from components.pages.admin.dashboard.quarantine.query import QuarantineStart
from components.pages.admin.dashboard.query import Tab
from components.runtime import Markup, VdomDict, command_button, command_form, component, html, use_live_query
from components.ui import forms
from components.ui.blocks import link, paging
from components.ui.empty_states import empty, skeleton
from components.ui.frames import DASHBOARD, answered_list, row, rows, search
from components.ui.venue_time import ago

SMALL = "button button--plain button--small"


@component
def quarantine_tab(start: QuarantineStart, language: str) -> VdomDict:
    """Render the select of a stage above its two lists, kept current."""
    t = texts(language)
    if start.quarantine is None:
        return html.section(
            {"aria-label": t("Quarantine")}, empty(t("No stages yet. The first session makes Stage I."))
        )
    now = use_live_query(
        quarantine_get,
        topics=(f"ranking.{start.stage_id}",),
        initial=start.quarantine,
        stage_id=start.stage_id,
        number=start.number,
    )
    rules = link("/stages/method", t("The rules"))
    about = t(
        "Rules alone keep marks out of the ranking. You may let single accounts out; nobody can be added by hand."
    )
    return html.section(
        {"aria-label": t("Quarantine"), "class": "quarantine"},
        html.div({"class": "tools"}, _narrowing(start.stages, start.stage_id, language)),
        html.p({"class": "listed__count"}, about, " ", rules),
        skeleton(),
        answered_list(*_lists(now, language)),
    )


def _narrowing(stages: Sequence[StageName], stage_id: int, language: str) -> VdomDict:
    choices = [(str(each.id), each.name) for each in stages]
    chosen = forms.select(texts(language)("Stage"), "stage", choices, str(stage_id))
    return search(DASHBOARD, chosen, language=language, hidden_fields={"tab": Tab.QUARANTINE.value})


def _lists(quarantine: Quarantine, language: str) -> list[Markup]:
    t, page = texts(language), quarantine.kept_out
    query = {"tab": Tab.QUARANTINE.value, "stage": str(quarantine.stage_id)}
    count = t.plural("A rule keeps %(n)d account out.", "A rule keeps %(n)d accounts out.", page.total)
    kept = rows(*(_kept_out(each, quarantine.stage_id, t) for each in page.rows))
    let = rows(*(_let_out(each, quarantine.stage_id, language) for each in quarantine.let_out))
    return [
        html.h2({"key": "kept-heading", "class": "quarantine__heading"}, t("Kept out")),
        html.p({"key": "kept-count", "class": "listed__count"}, count) if page.total else None,
        html.div({"key": "kept"}, kept if page.rows else empty(t("No rule keeps anybody out of this ranking."))),
        paging(page.number, page.pages, path=DASHBOARD, query=query, language=language),
        html.h2({"key": "let-heading", "class": "quarantine__heading"}, t("Let out")),
        html.div({"key": "let"}, let if quarantine.let_out else empty(t("Nobody was let out of this quarantine."))),
    ]


def _kept_out(each: KeptOut, stage_id: int, t: Texts) -> VdomDict:
    name = f"reason-{each.id}"
    count = t.plural("%(n)d performance", "%(n)d performances", each.performances)
    field = forms.field(t("Why"), "reason", id=name, maxLength=REASON_LENGTH, required=True, autoComplete="off")
    label = {"aria-label": t("Let out: {name}").format(name=each.username)}
    button = html.button({"class": SMALL, "type": "submit", "data-busy": t("Processing...")} | label, t("Let out"))
    argument = f"{stage_id}:{each.id}"
    form = command_form("ranking_release", argument, draft=f"ranking_release:{argument}") | {
        "class": "quarantine__form",
        "noValidate": True,  # the server reports missing values, in the site's texts
    }
    return row(
        f"account-{each.id}",
        html.h3(each.username),
        html.p({"class": "entries__about"}, html.span(t(str(each.reason.label))), html.span(count)),
        acts=[html.form(form, field, button)],
        look="quarantine__row",
    )


def _let_out(each: LetOut, stage_id: int, language: str) -> VdomDict:
    t = texts(language)
    by = t("by {name}").format(name=each.released_by or t("somebody who left"))
    when = ago(each.created_at, zone=venue_zone(), language=language)
    again = command_button("ranking_unrelease", f"{stage_id}:{each.id}", busy=t("Processing..."))
    label = {"aria-label": t("Let the rules decide: {name}").format(name=each.username)}
    return row(
        f"released-{each.id}",
        html.h3(each.username),
        html.p({"class": "quarantine__reason"}, each.reason),
        html.p({"class": "entries__about"}, html.span(by, ", ", when)),
        acts=[html.button({"class": SMALL} | again | label, t("Let the rules decide"))],
    )
