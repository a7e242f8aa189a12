"""A session's form: title, date and time in the hall, description, video, and who plays in which order."""

from dataclasses import dataclass
from typing import Any

from apps.competition.limits import DESCRIPTION_LENGTH, TITLE_LENGTH, VIDEO_LENGTH
from apps.competition.selectors.admin import ParticipantOption, SessionEdit, StageRow
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, component, html, key
from components.page import Page
from components.pages.admin.choices import Choice
from components.pages.admin.sessions.order_fields import order_fields, order_search
from components.pages.admin.sessions.running_order import running_order
from components.ui.blocks import link
from components.ui.controls.commands import command_form
from components.ui.controls.forms import field, select
from components.ui.frames import admin_frame as blocks

PATH = "/admin/sessions"
STAGES = "/admin/stages"


@dataclass(frozen=True, slots=True)
class SessionFormData:
    """The session, None for a new one, and the stages and participants to choose from."""

    session: SessionEdit | None
    stages: tuple[StageRow, ...]
    participants: Choice[ParticipantOption]


@component
def session_form_page(page: Page) -> VdomDict:
    """The form on its own page."""
    t, editing = texts(page.language), page.data
    session: SessionEdit | None = editing.session
    name = f"session-{session.id}" if session else "session-new"
    form = html.div({"key": name}, _form(editing, name, page.language), order_search(session.id if session else 0))
    heading = t("Edit Session") if session else t("New Session")
    return blocks.backstage(heading, form, page=page, trail=[(PATH, t("Sessions"))])


def _form(editing: SessionFormData, draft: str, language: str) -> VdomDict:
    t, session = texts(language), editing.session
    doing = (
        command_form("session_update", session.id, draft=draft)
        if session
        else command_form("session_create", draft=draft)
    )
    asking = {"data-ask": t("Save, and take performers out?"), "data-ask-yes": t("Save and take out")}
    order = html.fieldset(
        {"class": "stack"}, html.legend({"class": "label"}, t("Participants in their order")), *_appearances(editing, t)
    )
    return blocks.form_page(
        {**doing, **asking},
        html.div({"class": "form-page__halves"}, html.div({"class": "stack"}, *_fields(editing, t)), order),
        save=t("Update Session") if session else t("Create Session"),
        cancel=PATH,
        version=session.version if session else "",
        look="form-page--wide",
        language=language,
    )


def _fields(editing: SessionFormData, t: Texts) -> list[Markup]:
    session = editing.session
    hint = t("The id or the address of a YouTube video. Empty while there is none.")
    video: dict[str, Any] = {"maxLength": VIDEO_LENGTH, "autoComplete": "off"}
    return [
        field(t("Title"), "title", value=session.title if session else "", required=True, maxLength=TITLE_LENGTH),
        _when(session, t),
        _stage(editing, t),
        _description(session.description if session else "", t),
        field(t("Video"), "youtube_id", value=session.youtube_id if session else "", hint=hint, **video),
    ]


def _when(session: SessionEdit | None, t: Texts) -> VdomDict:
    begins = session.starts_at.astimezone(venue_zone()) if session else None
    day = field(t("Date"), "date", value=f"{begins:%Y-%m-%d}" if begins else "", type="date", required=True)
    hint = t("As the clocks in the hall show it.")
    clock = field(t("Time"), "time", value=f"{begins:%H:%M}" if begins else "", type="time", required=True, hint=hint)
    return html.div({"class": "form-page__pair"}, day, clock)


def _stage(editing: SessionFormData, t: Texts) -> Markup:
    """Return the choice of a stage: of several, none is chosen for a new session. An archived one stays chosen."""
    if not editing.stages:
        return None  # the first session makes the first stage
    chosen = editing.session.stage_id if editing.session else None
    offered = [(str(stage.id), stage.name) for stage in editing.stages if stage.id == chosen or not stage.is_archived]
    none = [("", t("Choose a stage"))] if chosen is None and len(offered) != 1 else []
    value = "" if none else str(chosen or offered[0][0])
    return html.div(
        select(t("Stage"), "stage", [*none, *offered], value),
        html.p({"class": "small"}, link(STAGES, t("All stages, and whose field is drawn"))),
    )


def _description(text: str, t: Texts) -> VdomDict:
    area = {
        "id": "description",
        "name": "description",
        "rows": 4,
        "maxLength": DESCRIPTION_LENGTH,
        "defaultValue": text,
    }
    return html.div({"class": "field"}, html.label({"htmlFor": "description"}, t("Description")), html.textarea(area))


def _appearances(editing: SessionFormData, t: Texts) -> list[Markup]:
    """Return the list that its module draws, and the fields that stand in for it without scripts."""
    appearances = editing.session.appearances if editing.session else ()
    playing = {appearance.participant_id: appearance for appearance in appearances}
    return [
        key("order", running_order(playing, editing.participants.found, t.language)),
        order_fields(playing, editing.participants, t),
    ]
