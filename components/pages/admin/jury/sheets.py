"""The stored sheets with the buttons that publish, take back and delete, and the rules of an edition."""

from collections.abc import Sequence

from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.jury.enums import SheetState
from apps.jury.rules import Rule
from apps.jury.selectors import JurySheetShown, SheetListed
from components.pages.admin.jury.figures import agreement, figures_table
from components.runtime import Markup, VdomDict, command_button, html
from components.ui import frames
from components.ui.blocks import badge, link
from components.ui.empty_states import empty
from components.ui.frames import delete_button
from components.ui.venue_time import day_time

PATH = "/admin/jury"
_LOOK = "button button--plain button--small"


def sheet_list(sheets: Sequence[SheetListed], language: str) -> VdomDict:
    """Return the sheets in the order of stages, each with its state and its buttons."""
    t = texts(language)
    if not sheets:
        return html.div(empty(t("No sheet is stored yet.")))
    return frames.rows(*(_sheet(each, language) for each in sheets))


def _sheet(sheet: SheetListed, language: str) -> VdomDict:
    t = texts(language)
    is_draft = sheet.state is SheetState.DRAFT
    state = badge(t("Draft"), "quiet") if is_draft else badge(t("Published"))
    words = t("Figures: {name}, {state}").format(name=sheet.stage, state=_state(sheet, t))
    return frames.row(
        f"sheet-{sheet.id}",
        html.h3(sheet.stage, " ", state),
        html.p({"class": "small muted"}, _counts(sheet, t)),
        html.p({"class": "small muted"}, *_when(sheet, language)),
        html.p({"class": "small"}, link(f"{PATH}?sheet={sheet.id}", words)),
        acts=[_publish(sheet, t), _delete(sheet, language)] if is_draft else [_take_back(sheet, t)],
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
    about = t("{edition}, version {version}: stage {n}, at most {distance} from the mean.").format(
        edition=sheet.rule.edition, version=sheet.rule.version, n=sheet.place, distance=_plain(sheet.distance)
    )
    return html.div(
        {"class": "body stack", "key": f"figures-{sheet.id}"},
        html.p({"class": "small muted"}, about),
        agreement(sheet, t),
        figures_table(sheet.rows, language, caption=t("Figures of {name}").format(name=sheet.stage)),
    )


def rule_words(rule: Rule, language: str) -> VdomDict:
    """Return the rules of an edition: scale and decimals, and of each stage the distance and the weights."""
    t = texts(language)
    scale = t(
        "{edition}, version {version}: marks from {lowest} to {highest}, rounded half up to {n} decimals."
    ).format(
        edition=rule.edition,
        version=rule.version,
        lowest=_plain(rule.lowest),
        highest=_plain(rule.highest),
        n=rule.decimals,
    )
    stages = (
        html.li({"key": f"stage-{number}"}, _stage_words(number, distance, weights, t))
        for number, (distance, weights) in enumerate(zip(rule.distances, rule.weights, strict=True), start=1)
    )
    return html.div(
        {"class": "body stack", "key": f"rule-{rule.edition}-{rule.version}"},
        html.p(scale),
        html.p(t("A mark farther from the mean than allowed is set to mean ± distance; then the mean is taken again.")),
        html.ul({"class": "small"}, *stages),
    )


def _stage_words(number: int, distance: object, weights: Sequence[object], t: Texts) -> str:
    words = t("Stage {n}: at most {distance} from the mean; weight of each stage so far: {weights}.")
    return words.format(n=number, distance=_plain(distance), weights=", ".join(map(_plain, weights)))


def _plain(value: object) -> str:
    """Return a decimal without needless zeros: 3.00 is "3", 0.70 is "0.7"."""
    text = str(value)
    return text.rstrip("0").rstrip(".") if "." in text else text
