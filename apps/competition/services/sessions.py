"""Writes of sessions."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.dependents import session_dependents
from apps.competition.events import AppearancesChanged, SessionChanged
from apps.competition.models import Session, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin import session_fields, session_values
from apps.competition.services.running_order import (
    RunningOrder,
    appearance_dependents_delete_confirmed,
    names_of,
    running_order_set,
)
from apps.competition.services.stages import stage_for_session
from apps.competition.youtube import video_of
from apps.core.edits.edit_merge import Saved, edit_merge
from apps.core.edits.field_errors import FieldErrors
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require

NOT_ALLOWED = "Only administrators edit sessions."
_LABELS = {"starts_at": "Date"}
_ORDER = "participant_ids"
_EDITED = {"date": "Date and time", "youtube_id": "Video", _ORDER: "The order of playing"}
_AUDIT_NAMES = {"date": "starts_at", "stage": "stage", _ORDER: "participants"}  # where they differ from the form's


@transaction.atomic
def session_create(
    *,
    actor: Actor,
    title: str,
    starts_at: datetime,
    description: str = "",
    youtube_id: str = "",
    stage_id: int | None = None,
    participant_ids: Sequence[int | None] = (),
) -> Session:
    """Create a session that is not live, with appearances in this order, and return it.

    Without a stage it belongs to the only one, or to a first one. `youtube_id` may be a video's address. Raises
    PermissionDenied, ValidationError, at `stage` where there are several.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    errors = FieldErrors()
    session = Session(stage_id=errors.checked(partial(stage_for_session, actor=actor, chosen=stage_id), 0))
    _write(errors, session, title=title, starts_at=starts_at, description=description, youtube_id=youtube_id)
    session.save()
    order = running_order_set(actor, session, participant_ids) if participant_ids else RunningOrder()
    after = session_fields(session, list(order.names))
    change_note(actor=actor, action="session.create", subject_id=session.pk, after=after)
    _announce(session, order.participant_ids)
    return session


@transaction.atomic
def session_update(
    *,
    actor: Actor,
    session_id: int,
    title: str,
    starts_at: datetime,
    description: str,
    youtube_id: str,
    stage_id: int | None = None,
    participant_ids: Sequence[int | None] | None = None,
    version: str | None = None,
    confirmed: bool = False,
) -> Saved[Session]:
    """Save a session and return it; whether it is live stays.

    `participant_ids` is the complete order (None leaves it): appearances that stay keep their programs and ratings, and
    one that was rated is removed only when `confirmed`. Raises PermissionDenied, Session.DoesNotExist, EditConflict,
    HasDependents, ValidationError.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    current = names_of(list(session.appearances.order_by("order_number").values_list("participant_id", flat=True)))
    before = session_fields(session, list(current.values()))
    errors = FieldErrors()
    video = errors.checked(partial(video_of, youtube_id), session.youtube_id)
    given = {"title": title, "date": starts_at, "description": description, "youtube_id": video}
    given |= {name: value for name, value in (("stage", stage_id), (_ORDER, participant_ids)) if value is not None}
    stored = session_values(session, list(current))
    words = {name: before[audit_name] for name, audit_name in _AUDIT_NAMES.items()}
    fields, kept_fields = edit_merge(version=version, stored=stored, given=given, labels=_EDITED, words=words)
    order, stage = fields.pop(_ORDER), fields.pop("stage")
    if stage != session.stage_id:
        chosen = partial(stage_for_session, actor=actor, chosen=stage)
        session.stage_id = errors.checked(chosen, session.stage_id)
    _write(errors, session, starts_at=fields.pop("date"), **fields)
    session.save()
    is_reordered, set_order = list(order) != list(current), RunningOrder(tuple(current), tuple(current.values()))
    if is_reordered:
        set_order = running_order_set(actor, session, order, confirmed=confirmed)
    _update_note(actor, session, before, list(current.values()), set_order)
    _announce(session, set_order.participant_ids, is_reordered=is_reordered)
    return Saved(session, kept_fields, set_order.undo_id)


@transaction.atomic
def session_delete(*, actor: Actor, session_id: int, confirmed: bool = False) -> None:
    """Delete a session with its appearances, programs, comments and reactions.

    With ratings, comments or reactions only when `confirmed`. Raises PermissionDenied, Session.DoesNotExist,
    HasDependents, ValidationError while the session is live.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    session = Session.objects.select_for_update().get(pk=session_id)
    if session.is_live:
        raise ValidationError("This session is live. End it first.")
    appearances = list(SessionParticipant.objects.filter(session_id=session_id).order_by("order_number"))
    names = names_of([appearance.participant_id for appearance in appearances])
    appearance_dependents_delete_confirmed(
        actor, appearances, confirmed=confirmed, besides=session_dependents(session_id)
    )
    before = session_fields(session, list(names.values()))
    session.delete()
    change_note(actor=actor, action="session.delete", subject_id=session_id, before=before)
    publish(SessionChanged(session_id=session_id, participant_ids=tuple(names)))
    publish(AppearancesChanged(session_id=session_id, participant_ids=tuple(names)))


def _update_note(
    actor: Actor, session: Session, before: dict[str, Any], old: Sequence[str], order: RunningOrder
) -> None:
    """Note a saved session: who was removed and who came by name, both whole orders only when others moved too.

    `old` are the names in the order before.
    """
    after, new = session_fields(session, list(order.names)), order.names
    added = [name for name in new if name not in old]
    if [name for name in old if name in new] == [name for name in new if name in old] and (added or order.removed):
        orders = _AUDIT_NAMES[_ORDER]
        before, after = ({name: each for name, each in side.items() if name != orders} for side in (before, after))
    more = {name: names for name, names in (("removed", list(order.removed)), ("added", added)) if names}
    change_note(
        actor=actor,
        action="session.update",
        subject_id=session.pk,
        name=session.title,
        before=before,
        after=after,
        **more,
    )


def _write(
    errors: FieldErrors, session: Session, *, title: str, starts_at: datetime, description: str, youtube_id: str
) -> None:
    """Set the session's columns and validate it. Raises ValidationError, with the `errors` so far."""
    session.title = title.strip()
    session.starts_at = starts_at
    session.description = description.strip()
    session.youtube_id = errors.checked(partial(video_of, youtube_id), "")
    errors.checked(partial(row_validate, session, labels=_LABELS), None)
    errors.require_none()


def _announce(session: Session, participant_ids: tuple[int, ...], *, is_reordered: bool = True) -> None:
    """Announce a changed session, and its appearances when they changed."""
    publish(SessionChanged(session_id=session.pk, participant_ids=participant_ids))
    if is_reordered and participant_ids:
        publish(AppearancesChanged(session_id=session.pk, participant_ids=participant_ids))
