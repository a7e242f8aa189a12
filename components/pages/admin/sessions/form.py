"""A session's form: title, date and time in the hall, description, video, and who plays in which order."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError

from apps.competition.selectors.admin import ParticipantOption, SessionEdit, StageOption
from apps.competition.services import session_create, session_update, venue_moment
from apps.core.clock import venue_zone
from apps.core.names import fold
from apps.core.texts import Texts, texts
from components.hooks.command import Asked, use_action
from components.markup import Markup, VdomDict, component, html, web_module
from components.page import Page
from components.rendering.parts import act_form, acts
from components.ui import admin_frame as blocks
from components.ui.forms import field, select

PATH = "/admin/sessions"
TITLE_LENGTH, DESCRIPTION_LENGTH, ADDRESS_LENGTH = 200, 5000, 300  # characters
LIST_LENGTH = 10_000  # characters of all ids
VERSION_LENGTH = 300
ID_DIGITS = 18
APPEARANCES = web_module("modules/backstage/places.js", "Places")


@dataclass(frozen=True, slots=True)
class SessionFormData:
    """What the form begins with: a session, or None for a new one, and what there is to choose from."""

    session: SessionEdit | None
    stages: tuple[StageOption, ...]
    participants: tuple[ParticipantOption, ...]


@component
def session_form_page(page: Page) -> VdomDict:
    """The form on its own page."""
    t, editing = texts(page.language), page.data
    registered = {
        "session_create": use_action(session_create, read=_created, said=t("Session created successfully"), go=PATH),
        "session_update": use_action(session_update, read=_updated, said=t("Session updated successfully"), go=PATH),
    }
    session: SessionEdit | None = editing.session
    name = f"session-{session.id}" if session else "session-new"
    form = html.div({"key": name}, acts(registered), _form(editing, name, page.language))
    heading = t("Edit Session") if session else t("New Session")
    return blocks.backstage(heading, form, page=page, trail=[(PATH, t("Sessions"))])


def _form(editing: SessionFormData, draft: str, language: str) -> VdomDict:
    t, session = texts(language), editing.session
    doing = act_form("session_update", session.id, draft=draft) if session else act_form("session_create", draft=draft)
    asking = {"data-ask": t("Save, and delete what listeners gave?"), "data-ask-yes": t("Save and delete")}
    order = html.fieldset(
        {"class": "stack"}, html.legend({"class": "label"}, t("Participants in their order")), _appearances(editing, t)
    )
    return blocks.form_page(
        {**doing, **asking},
        html.div({"class": "form-page__halves"}, html.div({"class": "stack"}, *_fields(editing, t)), order),
        save=t("Update Session") if session else t("Create Session"),
        cancel=PATH,
        seen=session.seen if session else "",
        look="form-page--wide",
        language=language,
    )


def _fields(editing: SessionFormData, t: Texts) -> list[Markup]:
    session = editing.session
    hint = t("The id or the address of a YouTube video. Empty while there is none.")
    video: dict[str, Any] = {"maxLength": ADDRESS_LENGTH, "autoComplete": "off"}
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
    if not editing.stages:
        return None  # the first session makes the first stage
    chosen = editing.session.stage_id if editing.session else editing.stages[-1].id
    return select(t("Stage"), "stage", [(str(stage.id), stage.name) for stage in editing.stages], str(chosen))


def _description(text: str, t: Texts) -> VdomDict:
    area = {
        "id": "description",
        "name": "description",
        "rows": 4,
        "maxLength": DESCRIPTION_LENGTH,
        "defaultValue": text,
    }
    return html.div({"class": "field"}, html.label({"htmlFor": "description"}, t("Description")), html.textarea(area))


def _appearances(editing: SessionFormData, t: Texts) -> VdomDict:
    appearances = editing.session.appearances if editing.session else ()
    by_participant = {appearance.participant_id: appearance for appearance in appearances}
    known = {option.id: option for option in editing.participants}
    rows = [*editing.participants, *(appearance for pk, appearance in by_participant.items() if pk not in known)]
    return APPEARANCES(
        {
            "name": "participant_ids",
            "value": ",".join(str(pk) for pk in by_participant),
            "options": [_option(row) for row in rows],
            "words": _words(t),
        }
    )


def _option(row: Any) -> list[Any]:
    participant_id = getattr(row, "participant_id", None) or row.id
    return [participant_id, row.name, row.country, fold(row.name)]


def _words(t: Texts) -> dict[str, str]:
    return {
        "add": t("Add a participant"),
        "search": t("Search by name"),
        "empty": t("Nobody is in the order of playing yet."),
        "none": t("No participants found matching your criteria."),
        "gone": t("No longer there"),
        "take": t("Remove"),
        "remove": t("Remove: {name}"),
        "up": t("Move up: {name}"),
        "down": t("Move down: {name}"),
        "moved": t("{name}: now {number} of {count}."),
        "removed": t("{name} removed."),
        "added": t("{name} added as number {number}."),
    }


def _created(asked: Asked) -> dict[str, Any]:
    """What `session_create` takes."""
    return {
        "title": asked.text("title", TITLE_LENGTH),
        "starts_at": venue_moment(date=asked.text("date", 20), time=asked.text("time", 20)),
        "description": asked.text("description", DESCRIPTION_LENGTH),
        "youtube_id": asked.text("youtube_id", ADDRESS_LENGTH),
        "stage_id": asked.number("stage", 1, 2**31 - 1),
        "participant_ids": _participants(asked),
    }


def _updated(asked: Asked) -> dict[str, Any]:
    """What `session_update` takes; without the order's field, whose module has not come, the order stays."""
    order = {} if "participant_ids" in asked.fields else {"participant_ids": None}
    more = {"seen": asked.text("seen", VERSION_LENGTH) or None, "confirmed": asked.flag("confirmed")}
    return {"session_id": asked.id(), **_created(asked), **order, **more}


def _participants(asked: Asked) -> list[int]:
    """The chosen ids in their order; what was typed into the search and not chosen is a row without a participant."""
    words = [word for word in asked.text("participant_ids", LIST_LENGTH).split(",") if word]
    if asked.text("adding", TITLE_LENGTH):
        raise ValidationError({"adding": "Each participant row needs a selected participant."})
    if not all(word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS for word in words):
        raise ValidationError({"adding": "Selected participant not found"})
    return [int(word) for word in words]
