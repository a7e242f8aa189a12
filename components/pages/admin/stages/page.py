"""The page Stages: all of them in their order, and the form of one, each at its own address."""

from apps.accounts.actors import Viewer
from apps.competition.selectors import StageRow, stage_edit, stages_admin
from apps.core.texts import texts
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.admin.modes import Kind, create_at, mode_of
from components.pages.admin.stages.form import PATH, StageForm, stage_form
from components.pages.admin.stages.row import stage_row
from components.pages.public.not_found import not_found_page
from components.ui.blocks import button_link
from components.ui.empty_states import empty
from components.ui.frames import admin_frame as blocks

TOPICS = ("stages", "sessions")  # each row counts its sessions


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the list, an empty form (`mode=create`), or the form of one (`mode=edit&id=2`)."""
    t, mode = texts(language), mode_of(query)
    if mode.kind is Kind.LIST:
        about = t("The parts of the competition in their order, and of which the field is drawn.")
        return Page(about, stages_page, data=stages_admin(), topics=TOPICS)
    about = t("The name of a part of the competition.")
    if mode.kind is Kind.CREATE:
        return Page(about, stage_form, title=t("New Stage"), data=StageForm())
    stage = stage_edit(stage_id=mode.id)
    if stage is None:
        return not_found_page(t("Stage not found."), (PATH, t("All stages")), "stages")
    return Page(about, stage_form, title=t("Edit: {name}").format(name=stage.name), data=StageForm(stage))


@component
def stages_page(page: Page) -> VdomDict:
    """The stages in their order."""
    t, stages = texts(page.language), page.data
    about = html.p({"class": "muted"}, t("Whoever plays in a stage whose field is drawn has advanced to it."))
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
