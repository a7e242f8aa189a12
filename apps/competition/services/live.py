"""Writes of live control: which session is live, and who is on stage.

Each locks session rows first, by ascending id, and only then reads what it changes, so two administrators follow one
another. A session that is not live has no performer: ending it, or setting another one live, clears its stage.
"""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.models import Session, SessionParticipant
from apps.competition.permissions import can_run_sessions
from apps.competition.selectors import following
from apps.competition.selectors.admin import LiveState, appearances_of, live_state
from apps.competition.services.live_steps import LiveStep, state_set
from apps.core.edits.confirmation import ConfirmationNeeded
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators run the live session."
_NOT_LIVE = "Set the session live first, then choose who performs."
LIVE, ENDED = "Session set as live", "Session no longer live"
UPDATED, CLEARED = "Current performer updated successfully", "Current performer cleared successfully"
RESTORED = "Everything is as it was before."


@transaction.atomic
def session_set_live(*, actor: Actor, session_id: int, confirmed: bool = True) -> LiveStep:
    """Make this the one live session; any other one ends, and its performer leaves the stage.

    A session that is live already stays as it is. Raises PermissionDenied, Session.DoesNotExist, and unless
    `confirmed` ConfirmationNeeded while a performer is on stage.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    if session_id not in _sessions_lock():
        raise Session.DoesNotExist(f"There is no session {session_id}.")
    before = live_state()
    after = before if before.session_id == session_id else LiveState(session_id)
    if not confirmed and before != after:
        _ask(_on_stage(before))
    return state_set(actor, "session.live", LIVE, before, after)


@transaction.atomic
def session_end(*, actor: Actor, session_id: int, confirmed: bool = True) -> LiveStep:
    """End the live session; its performer leaves the stage.

    A session that is not live stays as it is. Raises PermissionDenied, Session.DoesNotExist, and unless `confirmed`
    ConfirmationNeeded while a performer is on stage or some have not played.
    """
    before = _locked_state(actor, session_id)
    after = LiveState() if before.session_id == session_id else before
    if not confirmed and before != after:
        _ask(_on_stage(before), _not_played(session_id))
    return state_set(actor, "session.end", ENDED, before, after)


@transaction.atomic
def performer_set(*, actor: Actor, session_participant_id: int) -> LiveStep:
    """Put this appearance's participant on stage, in place of whoever was there.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError unless the session is live.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    appearance = SessionParticipant.objects.get(pk=session_participant_id)
    before = _locked_state(actor, appearance.session_id)
    if before.session_id != appearance.session_id:
        raise ValidationError(_NOT_LIVE)
    appearance.refresh_from_db(fields=["session"])  # raises DoesNotExist when it was removed while we waited
    return state_set(actor, "performer.set", UPDATED, before, LiveState(appearance.session_id, appearance.pk))


@transaction.atomic
def performer_next(*, actor: Actor, session_id: int, after: int | None) -> LiveStep:
    """Put on stage whoever comes after the appearance `after`, or after the last who played when that is None.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError unless the session is live, when somebody else is on
    stage than `after`, and after the last.
    """
    before = _locked_state(actor, session_id)
    if before.session_id != session_id:
        raise ValidationError(_NOT_LIVE)
    appearances = appearances_of([session_id]).get(session_id, ())
    performer = next((appearance.name for appearance in appearances if appearance.id == before.appearance_id), "")
    if before.appearance_id != after:
        _refuse_late(performer)
    chosen = following(appearances)
    if chosen is None:
        raise ValidationError("Nobody comes next in this session.")
    return state_set(actor, "performer.set", UPDATED, before, LiveState(session_id, chosen.id))


@transaction.atomic
def performer_clear(*, actor: Actor, session_id: int) -> LiveStep:
    """Leave the session's stage empty. Raises PermissionDenied, Session.DoesNotExist."""
    before = _locked_state(actor, session_id)
    after = LiveState(session_id) if before.session_id == session_id else before
    return state_set(actor, "performer.clear", CLEARED, before, after)


@transaction.atomic
def live_restore(*, actor: Actor, to: LiveState, since: LiveState) -> LiveStep:
    """Restore the state before a step (`to`), if the state after it (`since`) is still the present one.

    Raises PermissionDenied, ValidationError when somebody changed it since, or what it needs was deleted.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    sessions, before = _sessions_lock(), live_state()
    if before != since:
        raise ValidationError("Somebody has changed this since, so it stays as it is now.")
    appearances = SessionParticipant.objects.filter(session_id=to.session_id or 0, pk=to.appearance_id or 0)
    if to.session_id not in {*sessions, None} or (to.appearance_id is not None and not appearances.exists()):
        raise ValidationError("What was there before is gone.")
    return state_set(actor, "live.restore", RESTORED, before, to, is_undo=True)


def _sessions_lock() -> set[int]:
    """Lock all sessions and return their ids; if each locked only its own, two could go live."""
    return set(Session.objects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def _locked_state(actor: Actor, session_id: int) -> LiveState:
    """Lock this session and return the present state. Raises PermissionDenied, Session.DoesNotExist."""
    require(can_run_sessions(actor), _NOT_ALLOWED)
    Session.objects.select_for_update(no_key=True).get(pk=session_id)
    return live_state()


def _ask(*sentences: ValidationError | None) -> None:
    """Raise ConfirmationNeeded with the sentences that there are."""
    if found := [sentence for sentence in sentences if sentence]:
        raise ConfirmationNeeded(found)


def _on_stage(state: LiveState) -> ValidationError | None:
    """Return who is on stage, as a sentence."""
    found = SessionParticipant.objects.filter(pk=state.appearance_id or 0)
    name = found.values_list("participant__name", flat=True).first()
    return ValidationError("%(name)s is on stage.", params={"name": name}) if name else None


def _not_played(session_id: int) -> ValidationError | None:
    """Return how many of a session have not been on stage, as a sentence."""
    count = sum(each.came_at is None for each in appearances_of([session_id]).get(session_id, ()))
    sentence = "%(n)d has not played." if count == 1 else "%(n)d have not played."
    return ValidationError(sentence, params={"n": count}) if count else None


def _refuse_late(performer: str) -> None:
    """Raise ValidationError, because the performer is not the one on the administrator's screen."""
    if not performer:
        raise ValidationError("Somebody else has just cleared the stage.")
    raise ValidationError("Somebody else was faster: %(name)s is on stage now.", params={"name": performer})
