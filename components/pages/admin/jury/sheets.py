"""The stored sheets with the buttons that publish, take back, compute and delete, and the figures of one."""

from collections.abc import Sequence

from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.jury.enums import SheetState
from apps.jury.rules import Rule
from apps.jury.selectors import JurySheetShown, SheetListed
from components.pages.admin.jury.figures import agreement, figures_table
from components.parts.jury.rules import stage_rule_words
from components.runtime import Markup, VdomDict, command_button, html
from components.ui import frames
from components.ui.blocks import badge, link
from components.ui.empty_states import empty
from components.ui.frames import delete_button
from components.ui.venue_time import day_time

PATH = "/admin/jury"
_LOOK = "button button--plain button--small"


def sheet_list(sheets: Sequence[SheetListed], in_force: Rule, language: str) -> VdomDict:
    """Return the sheets in the order of stages, each with its state, its rule if another is in force, and buttons."""
    t = texts(language)
    if not sheets:
        return html.div(empty(t("No sheet is stored yet.")))
    return frames.rows(*(_sheet(each, in_force, language) for each in sheets))


def _sheet(sheet: SheetListed, in_force: Rule, language: str) -> VdomDict:
    t = texts(language)
    is_draft = sheet.state is SheetState.DRAFT
    is_outdated = (sheet.rule_edition, sheet.rule_version) != (in_force.edition, in_force.version)
    rule = t("Rule: {edition}, version {version}").format(edition=sheet.rule_edition, version=sheet.rule_version)
    renew = [_renew(sheet, t)] if is_outdated else []
    acts = [_publish(sheet, t), _delete(sheet, language)] if is_draft else [_take_back(sheet, t)]
    state = badge(t("Draft"), "quiet") if is_draft else badge(t("Published"))
    words = t("Figures: {name}, {state}").format(name=sheet.stage, state=_state(sheet, t))
    return frames.row(
        f"sheet-{sheet.id}",
        html.h3(sheet.stage, " ", state),
        html.p({"class": "small muted"}, _counts(sheet, t)),
        html.p({"class": "small muted"}, *_when(sheet, language)),
        html.p({"class": "small muted"}, rule) if is_outdated else None,
        html.p({"class": "small"}, link(f"{PATH}?sheet={sheet.id}", words)),
        acts=[*renew, *acts],
    )


def _state(sheet: SheetListed, t: Texts) -> str:
    return t("draft") if sheet.state is SheetState.DRAFT else t("published")


def _counts(sheet: SheetListed, t: Texts) -> str:
    counts = (
        t.plural("%(n)d performer", "%(n)d performers", sheet.performers),
        t.plural("%(n)d juror", "%(n)d jurors", sheet.jurors),
        t.plural("%(n)d cell", "%(n)d cells", sheet.marks),
    )
    return ", ".join((*counts, *filter(None, [sheet.file_name])))


def _when(sheet: SheetListed, language: str) -> list[Markup]:
    t, zone = texts(language), venue_zone()
    saved: list[Markup] = [t("Saved:"), " ", day_time(sheet.saved_at, zone=zone, language=language)]
    if sheet.published_at is None:
        return saved
    by = t("by {name}").format(name=sheet.publisher or t("the terminal"))
    at = day_time(sheet.published_at, zone=zone, language=language)
    return [*saved, ". ", t("Published:"), " ", at, " ", by]


def _renew(sheet: SheetListed, t: Texts) -> VdomDict:
    does = command_button("jury_renew", sheet.id, busy=t("Processing..."))
    name = {"aria-label": t("Compute with the rule in force: {name}").format(name=sheet.stage)}
    return html.button({"class": _LOOK} | does | name, t("Compute with the rule in force"))


def _publish(sheet: SheetListed, t: Texts) -> VdomDict:
    does = command_button(
        "jury_publish",
        sheet.id,
        busy=t("Processing..."),
        confirm=t("Publish the jury’s marks of {name}?").format(name=sheet.stage),
        words=t("Everybody sees them, and a published sheet of this stage is replaced."),
        yes=t("Publish"),
    )
    name = {"aria-label": t("Publish: {name}").format(name=sheet.stage)}
    return html.button({"class": _LOOK} | does | name, t("Publish"))


def _take_back(sheet: SheetListed, t: Texts) -> VdomDict:
    does = command_button("jury_unpublish", sheet.id, busy=t("Processing..."))
    ask = t("Take back the jury’s marks of {name}?").format(name=sheet.stage)
    does |= {"data-ask": ask, "data-ask-yes": t("Take back")}
    name = {"aria-label": t("Take back: {file}").format(file=sheet.stage)}
    return html.button({"class": _LOOK} | does | name, t("Take back"))


def _delete(sheet: SheetListed, language: str) -> VdomDict:
    t = texts(language)
    ask = t("Delete the draft of {name}?").format(name=sheet.stage)
    words = t("Its marks and figures are gone then.")
    return delete_button("jury_delete", sheet.id, named=sheet.stage, ask=ask, words=words, language=language)


def sheet_figures(sheet: JurySheetShown, language: str) -> VdomDict:
    """Return the figures of a sheet, with the agreement of its official scores first."""
    t = texts(language)
    about = t("{edition}, version {version}: stage {n}.").format(
        edition=sheet.rule.edition, version=sheet.rule.version, n=sheet.place
    )
    return html.div(
        {"class": "body stack", "key": f"figures-{sheet.id}"},
        html.p({"class": "small muted"}, f"{about} {stage_rule_words(sheet.stage_rule, t)}"),
        agreement(sheet, t),
        figures_table(sheet.rows, language, caption=t("Figures of {name}").format(name=sheet.stage)),
    )
