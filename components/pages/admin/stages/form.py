"""The form of a new or existing stage."""

from dataclasses import dataclass

from apps.competition.limits import STAGE_LENGTH
from apps.competition.selectors import StageEdit
from apps.core.texts import texts
from components.markup import VdomDict, component, html
from components.page import Page
from components.ui.controls.commands import command_form
from components.ui.controls.forms import field
from components.ui.frames.admin_frame import backstage, form_page

PATH = "/admin/stages"


@dataclass(frozen=True, slots=True)
class StageForm:
    """The stage that is edited, None for a new one."""

    stage: StageEdit | None = None


@component
def stage_form(page: Page) -> VdomDict:
    """The one field and the buttons."""
    t, stage = texts(page.language), page.data.stage
    own = (
        command_form("stage_update", stage.id, draft=f"stage:{stage.id}")
        if stage
        else command_form("stage_create", draft="stage:new")
    )
    form = form_page(
        own,
        field(
            t("Name"),
            "name",
            value=stage.name if stage else "",
            hint=t("As it is written in the programme, such as Stage II."),
            required=True,
            maxLength=STAGE_LENGTH,
            autoComplete="off",
        ),
        save=t("Update Stage") if stage else t("Create Stage"),
        cancel=PATH,
        version=stage.version if stage else "",
        language=page.language,
    )
    key = f"stage-{stage.id}" if stage else "stage-new"
    return backstage(page.title, html.div({"key": key}, form), page=page, trail=[(PATH, t("Stages"))])
