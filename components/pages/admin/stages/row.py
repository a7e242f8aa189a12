"""One stage in the list: its name, its state, and the buttons that change both."""

from apps.competition.enums import FieldState, StageState
from apps.competition.selectors import StageRow
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, html
from components.pages.admin.modes import edit_at
from components.pages.admin.stages.form import PATH
from components.ui.blocks import badge
from components.ui.controls.commands import command_button
from components.ui.frames.admin_frame import delete_button, edit_link, row

LOOK = "button button--plain button--small"


def stage_row(stage: StageRow, *, is_first: bool, is_last: bool, language: str) -> VdomDict:
    """Return the row of a stage; the first does not move up, the last not down."""
    t = texts(language)
    return row(
        f"stage-{stage.id}",
        html.h2(stage.name),
        _about(stage, t),
        _field(stage, t),
        aside=html.div(
            {"class": "stages__moves"},
            _move(stage, "up", "↑", t("Move up: {name}"), is_idle=is_first),
            _move(stage, "down", "↓", t("Move down: {name}"), is_idle=is_last),
        ),
        acts=[edit_link(edit_at(PATH, stage.id), stage.name, language=language), *_acts(stage, language)],
        look="stages__row",
    )


def _about(stage: StageRow, t: Texts) -> VdomDict:
    count = t.plural("%(n)d session", "%(n)d sessions", stage.session_count)
    state = badge(t("Archived"), "quiet") if stage.is_archived else None
    return html.p({"class": "row"}, html.span({"class": "muted"}, count), " ", state)


def _field(stage: StageRow, t: Texts) -> VdomDict:
    """Return whether the field is drawn, and the button that changes it."""
    if stage.is_field_drawn:
        now, words, to = t("The field is drawn."), t("Open it again"), FieldState.OPEN
        then = t("Listeners can say again who should advance to it.")
    else:
        now, words, to = t("The field is not drawn yet."), t("It is drawn"), FieldState.DRAWN
        then = t("Listeners no longer say who should advance to it, and see who has.")
    asked = command_button("stage_field_set", f"{stage.id}:{to}", confirm=f"{stage.name}: {words}?", words=then)
    name = {"aria-label": f"{words}: {stage.name}"}
    return html.p({"class": "row small"}, html.span(now), html.button({"class": "link"} | asked | name, words))


def _move(stage: StageRow, way: str, arrow: str, words: str, *, is_idle: bool) -> VdomDict:
    """Return a button; at the end of the order it stays, disabled, so that the focus is not lost."""
    doing = (
        {"type": "button", "aria-disabled": "true"} if is_idle else command_button("stage_move", f"{stage.id}:{way}")
    )
    own = {"key": way, "class": "icon-button", "aria-label": words.format(name=stage.name)}
    return html.button(own | doing, arrow)


def _acts(stage: StageRow, language: str) -> list[Markup]:
    """Return the button that archives or brings back, and the one that deletes a stage without sessions."""
    t = texts(language)
    words, to = (t("Bring back"), StageState.OFFERED) if stage.is_archived else (t("Archive"), StageState.ARCHIVED)
    name = {"aria-label": f"{words}: {stage.name}"}
    archive = html.button(
        {"class": LOOK} | command_button("stage_archive", f"{stage.id}:{to}", busy=t("Processing...")) | name, words
    )
    if stage.session_count:
        return [archive]
    delete = delete_button(
        "stage_delete",
        stage.id,
        named=stage.name,
        ask=t("Delete the stage {name}?").format(name=stage.name),
        words=t("No session belongs to it."),
        language=language,
    )
    return [archive, delete]
