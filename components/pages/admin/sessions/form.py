"""Form of a session: title, date and time at the venue, stage, description, video, and the running order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.competition.limits import SESSION_TEXTS
from apps.competition.order_drafts import OrderDraft, order_draft_of
from apps.competition.selectors.admin.participants import ParticipantOption, participant_options
from apps.competition.selectors.admin.pianos import PianoRow, pianos_admin
from apps.competition.selectors.admin.sessions import (
    SessionEdit,
    StageRow,
    session_options,
    stages_admin,
    with_order_read,
)
from apps.core.database.fields import venue_clock, venue_zone
from apps.core.texts import Texts
from components.pages.admin.choices import Choice, participant_choice, participant_search
from components.pages.admin.entity_screen import CREATE, EDIT, RowForm
from components.pages.admin.sessions.live import running_order
from components.pages.admin.sessions.order_panel import FillChoices, fill_choices, fill_form, order_panel, order_pianos
from components.pages.admin.sessions.pianos import piano_forms
from components.pages.admin.sessions.planned import planned_forms
from components.pages.admin.sessions.withdrawing import withdraw_form
from components.runtime import Markup, PageRequest, VdomDict, command_form, html, key
from components.ui.blocks import link
from components.ui.forms import check, field, select
from components.ui.people import person_name

PATH = "/admin/sessions"
SEARCH = "order-search"  # the id of the search form


def order_fields(playing: Mapping[int, Any], choice: Choice[ParticipantOption], t: Texts) -> VdomDict:
    """Return the fields of the running order for browsers without JavaScript, inside `noscript`.

    `playing` are the appearances by participant id. `session_update` reads these fields if the order's own field is
    missing. If the options are incomplete, a search is shown; its form is `order_search`.
    """
    ids = ",".join(map(str, playing))
    rows = [_numbered(number, pk, playing[pk]) for number, pk in enumerate(playing, start=1)]
    others = [_box(option) for option in choice.found if option.id not in playing]
    legend = html.legend({"class": "label"}, t("Add at the end"))
    return html.noscript(
        html.input({"type": "hidden", "name": "playing", "value": ids}),
        html.div(
            {"class": "running-order running-order--numbered stack"},
            *(_order(rows, t) if rows else [html.p({"class": "muted"}, t("Nobody is in the order of playing yet."))]),
            html.fieldset(legend, *_search(choice, t), html.ul(*others)) if others or choice.is_searched else None,
        ),
    )


def order_search(session_id: int) -> VdomDict:
    """Return the search form, which loads this session's form again; id 0 is a new session."""
    mode = {"mode": EDIT, "id": str(session_id)} if session_id else {"mode": CREATE}
    hidden = (html.input({"key": name, "type": "hidden", "name": name, "value": mode[name]}) for name in mode)
    return html.noscript(html.form({"id": SEARCH, "method": "get", "action": PATH, "role": "search"}, *hidden))


def _search(choice: Choice[ParticipantOption], t: Texts) -> list[Markup]:
    hint = t("Save first what you changed: a search begins this form again.")
    fields = participant_search(choice, t, form=SEARCH, hint=hint)
    if not fields:
        return []
    send = html.button({"class": "button button--plain button--small", "type": "submit", "form": SEARCH}, t("Search"))
    no_match = html.p({"class": "muted"}, t("No participants found.")) if not choice.found else None
    return [html.div({"class": "stack"}, *fields, send, no_match)]


def _order(rows: Sequence[VdomDict], t: Texts) -> list[Markup]:
    hint = t("Change the numbers to change the order. Whoever has none is removed.")
    return [html.p({"class": "field__hint", "id": "order-hint"}, hint), html.ol(*rows)]


def _numbered(number: int, participant_id: int, appearance: Any) -> VdomDict:
    name = f"number-{participant_id}"
    own = {"id": name, "name": name, "type": "number", "min": 1, "inputMode": "numeric", "defaultValue": str(number)}
    own["aria-describedby"] = "order-hint"
    return html.li(
        {"key": name, "class": "field"},
        html.input(own),
        html.label(
            {"class": "running-order__participant", "htmlFor": name},
            html.span({"class": "person__name", "translate": "no"}, appearance.name),
            " ",
            html.span({"class": "person__from"}, appearance.country),
        ),
    )


def _box(option: ParticipantOption) -> VdomDict:
    name = f"added-{option.id}"
    box = check(person_name(option.name), "added", id=name, value=str(option.id))
    return html.li({"key": name}, box)


STAGES = "/admin/stages"


def session_form(session: SessionEdit | None, request: PageRequest) -> RowForm[SessionEdit]:
    """Return the form of `session`, or of a new one."""
    t, create = request.t, command_form("session_create", draft="session-new")
    draft = order_draft_of(request.query)
    if session and draft and draft.read is not None:
        session = with_order_read(session, draft.read)
    pianos = pianos_admin() if session and session.appearances else ()
    command = command_form("session_update", session.id, draft=f"session-{session.id}") if session else create
    asking = {"data-ask": t("Save these changes?"), "data-ask-yes": t("Save")}
    return RowForm(
        session,
        t,
        (PATH, t("Sessions")),
        title=t("Edit: {name}").format(name=session.title) if session else t("New Session"),
        heading=t("Edit Session") if session else t("New Session"),
        description=t("When it is, and who plays in which order."),
        command=command | asking,
        save=t("Update Session") if session else t("Create Session"),
        fields=partial(_fields, filling=_filling(session, stages_admin(), draft, request)),
        lengths=SESSION_TEXTS,
        look="form-page--wide",
        around=lambda form: html.div(form, *_around(session, pianos, t)),
    )


def _around(session: SessionEdit | None, pianos: Sequence[PianoRow], t: Texts) -> tuple[Markup, ...]:
    session_id = session.id if session else 0
    planned = key("planned", planned_forms(session, session.id, t.language)) if session else None
    withdrawing = key("withdrawing", withdraw_form(session, session.id, t.language)) if session else None
    return planned, withdrawing, piano_forms(session, pianos, t), fill_form(session, t), order_search(session_id)


@dataclass(frozen=True, slots=True)
class _Filling:
    """What the order can be filled from, and the order in the address with its participants."""

    participants: Choice[ParticipantOption]
    choices: FillChoices
    draft: OrderDraft | None
    playing: Mapping[int, Any]  # by participant id: appearances, or participants of the order in the address


def _filling(
    session: SessionEdit | None, stages: tuple[StageRow, ...], draft: OrderDraft | None, request: PageRequest
) -> _Filling:
    playing: dict[int, Any] = {each.participant_id: each for each in (session.appearances if session else ())}
    if draft:
        found = {each.id: each for each in participant_options(limit=0, chosen=draft.participant_ids)}
        playing = {pk: found[pk] for pk in draft.participant_ids if pk in found}
    choices = fill_choices(draft, session_options(), stages)
    return _Filling(participant_choice(request.query), choices, draft, playing)


def _fields(form: RowForm[SessionEdit], filling: _Filling) -> list[VdomDict]:
    t = form.t
    hint = t("The id or the address of a YouTube video. Empty while there is none.")
    about = (
        form.field(t("Title"), "title", required=True),
        _when(form.row, t),
        _stage(form.row, filling.choices.stages, t),
        form.area(t("Description"), "description", rows=4),
        form.field(t("Video"), "youtube_id", hint=hint, autoComplete="off"),
        form.field(t("Orchestra"), "orchestra", hint=t("Empty for a recital."), autoComplete="off"),
        form.field(t("Conductor"), "conductor", autoComplete="off"),
    )
    order = html.fieldset(
        {"class": "stack"},
        html.legend({"class": "label"}, t("Participants in their order")),
        order_panel(form.row, filling.draft, filling.choices, t),
        order_pianos(filling.draft),
        *_appearances(form.row, filling, t),
    )
    return [html.div({"class": "form-page__halves"}, html.div({"class": "stack"}, *about), order)]


def _when(session: SessionEdit | None, t: Texts) -> VdomDict:
    begins = session.starts_at.astimezone(venue_zone()) if session else None
    day = field(t("Date"), "date", value=f"{begins:%Y-%m-%d}" if begins else "", type="date", required=True)
    hint = t("As the clocks in the hall show it.")
    if session and " " in (shown := venue_clock(session.starts_at)):
        hint += " " + t("They show this time twice; it is {time}.").format(time=shown)
    clock = field(t("Time"), "time", value=f"{begins:%H:%M}" if begins else "", type="time", required=True, hint=hint)
    return html.div({"class": "form-page__pair"}, day, clock)


def _stage(session: SessionEdit | None, stages: tuple[StageRow, ...], t: Texts) -> Markup:
    """Return the select of a stage; a new session has no default if there are several. An archived choice is kept."""
    if not stages:
        return None  # the first session makes the first stage
    chosen = session.stage_id if session else None
    offered = [(str(stage.id), stage.name) for stage in stages if stage.id == chosen or not stage.is_archived]
    none = [("", t("Choose a stage"))] if chosen is None and len(offered) != 1 else []
    value = "" if none else str(chosen or offered[0][0])
    return html.div(
        select(t("Stage"), "stage", [*none, *offered], value),
        html.p({"class": "small"}, link(STAGES, t("All stages, and who advances from them"))),
    )


def _appearances(session: SessionEdit | None, filling: _Filling, t: Texts) -> list[Markup]:
    """Return the list that its client module renders, and the fields that replace it without JavaScript."""
    order = running_order(session, filling.participants.found, filling.draft, filling.playing, t.language)
    return [
        key("order", order),
        order_fields(filling.playing, filling.participants, t),
    ]
