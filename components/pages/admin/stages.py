"""The page "Stages": all stages in order, the forms of a stage, of who advances and of prizes."""

from apps.competition.enums import StageState
from apps.competition.limits import STAGE_LENGTH
from apps.competition.selectors.admin.sessions import StageEdit, StageRow, stage_edit, stages_admin
from apps.core.texts import Texts, texts
from components.pages.admin import advancing, prizes
from components.pages.admin.advancing import PATH, advancing_line
from components.pages.admin.entity_screen import RowForm, create_at, edit_at, entity_page
from components.pages.admin.prizes import prizes_line
from components.pages.admin.stage_program.address import stage_program_at
from components.pages.public.not_found import not_found_page
from components.runtime import Markup, Page, PageRequest, VdomDict, command_button, command_form, component, html
from components.ui import frames as blocks
from components.ui.blocks import badge, button_link
from components.ui.empty_states import empty
from components.ui.frames import delete_button, edit_link, row


def _form(stage: StageEdit | None, t: Texts) -> RowForm[StageEdit]:
    create = command_form("stage_create", draft="stage:new")
    return RowForm(
        stage,
        t,
        (PATH, t("Stages")),
        title=t("Edit: {name}").format(name=stage.name) if stage else t("New Stage"),
        description=t("The name of a part of the competition."),
        command=command_form("stage_update", stage.id, draft=f"stage:{stage.id}") if stage else create,
        save=t("Update Stage") if stage else t("Create Stage"),
        fields=_fields,
        lengths={"name": STAGE_LENGTH},
        around=html.div,
    )


def _fields(form: RowForm[StageEdit]) -> list[VdomDict]:
    t = form.t
    hint = t("As it is written in the program, such as Stage II.")
    return [form.field(t("Name"), "name", hint=hint, required=True, autoComplete="off")]


LOOK = "button button--plain button--small"


def stage_row(stage: StageRow, *, is_first: bool, is_last: bool, language: str) -> VdomDict:
    """Return the row of a stage; the first cannot move up, the last cannot move down."""
    t = texts(language)
    return row(
        f"stage-{stage.id}",
        html.h2(stage.name),
        _about(stage, t),
        advancing_line(stage.id, stage.name, (stage.advancing, stage.performers), stage.next_stage, t),
        prizes_line(stage.id, stage.name, (stage.prizes, stage.performers, stage.has_prize_draft), t),
        aside=html.div(
            {"class": "stages__moves"},
            _move(stage, "up", "↑", t("Move up: {name}"), is_idle=is_first),
            _move(stage, "down", "↓", t("Move down: {name}"), is_idle=is_last),
        ),
        acts=[
            _program_link(stage, t),
            edit_link(edit_at(PATH, stage.id), stage.name, language=language),
            *_acts(stage, language),
        ],
        look="stages__row",
    )


def _about(stage: StageRow, t: Texts) -> VdomDict:
    count = t.plural("%(n)d session", "%(n)d sessions", stage.session_count)
    state = badge(t("Archived"), "quiet") if stage.is_archived else None
    return html.p({"class": "row"}, html.span({"class": "muted"}, count), " ", state)


def _program_link(stage: StageRow, t: Texts) -> VdomDict:
    name = t("Program: {name}").format(name=stage.name)
    return html.a({"class": LOOK, "href": stage_program_at(stage.id), "aria-label": name}, t("Program"))


def _move(stage: StageRow, way: str, arrow: str, words: str, *, is_idle: bool) -> VdomDict:
    """Return a move button; at the end of the order it is disabled, not removed, so that focus is kept."""
    doing = (
        {"type": "button", "aria-disabled": "true"} if is_idle else command_button("stage_move", f"{stage.id}:{way}")
    )
    own = {"key": way, "class": "icon-button", "aria-label": words.format(name=stage.name)}
    return html.button(own | doing, arrow)


def _acts(stage: StageRow, language: str) -> list[Markup]:
    """Return the button that archives or restores the stage and, if it has no sessions, the one that deletes it."""
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


TOPICS = ("stages", "sessions", "featured_participants")  # each row counts its sessions and performers


def load(request: PageRequest) -> Page:
    """Return the list, an empty form (`mode=create`), a stage's form (`mode=edit&id=2`), or that of an outcome."""
    t = request.t
    about = t("The parts of the competition in their order, and who advances from them.")
    return (
        advancing.load(request)
        or prizes.load(request)
        or entity_page(
            request,
            listing=lambda: Page(about, stages_page, data=stages_admin(), topics=TOPICS),
            read=lambda pk: stage_edit(stage_id=pk),
            form=lambda stage: _form(stage, t),
            missing=lambda _: not_found_page(t("Stage not found."), (PATH, t("All stages")), "stages"),
        )
    )


@component
def stages_page(page: Page) -> VdomDict:
    """Render the stages in order."""
    t, stages = texts(page.language), page.data
    about = html.p(
        {"class": "muted"},
        t("Once it is published who advances from a stage, everybody sees it, and recommendations are closed."),
    )
    return blocks.backstage(
        t("Stages"),
        blocks.tools(about, button_link(create_at(PATH), t("New Stage"))),
        blocks.answered_list(_list(stages, page.language)),
        page=page,
    )


def _list(stages: tuple[StageRow, ...], language: str) -> VdomDict:
    t, last = texts(language), len(stages) - 1
    if not stages:
        return empty(t("No stages yet. The first session makes Stage I."))
    return blocks.rows(
        *(stage_row(stage, is_first=at == 0, is_last=at == last, language=language) for at, stage in enumerate(stages))
    )
