"""Writes of live control: which session is live, and who is on stage.

Each write locks session rows first, by ascending id, and reads the state afterwards, so that concurrent administrators
are serialized. A session that is not live has no performer: ending it, or setting another one live, clears its stage.
Either ends the session, and its `ended_at` is the moment at which the stage was cleared. Setting it live again, also by
an undo, clears that time; the undo of that restores it.

The clock may have been set back since a performer came: a time on stage that would end before it began is stored as
empty. So the ids of these times order them, not their begins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypedDict

from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.calls import TakenBack, call_questions, call_taken_back
from apps.competition.events import LiveChanged, PerformerChanged
from apps.competition.intervals import interval_begun, interval_undone
from apps.competition.models import Appearance, PerformingTime, Session
from apps.competition.permissions import can_run_sessions
from apps.competition.selectors.admin.live import LiveState, live_state
from apps.competition.selectors.admin.sessions import appearances_of
from apps.competition.selectors.public.programs import following
from apps.competition.selectors.public.sessions import session_appearances
from apps.core.audit import audit_is_newest
from apps.core.database.compiled import Parameter, compiled
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require

_PERFORMER = ("performer.set", "performer.clear", "performer.take_back", "performer.return")
LIVE_STEPS = ("session.live", "session.end", *_PERFORMER, "live.restore")  # actions of the audit
_DOT = "."
_EPOCH, _TICK = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class LiveStep:
    """A step of live control: the sentence to show, and the states before and after it.

    `ended_at` is when the session that it set live had ended; None if it had not. `id` is that of its audit entry, 0
    for a step without a change.
    """

    sentence: str
    before: LiveState
    after: LiveState
    ended_at: datetime | None = None
    id: int = 0

    @property
    def undo(self) -> str:
        """The step as the signed argument of the undo command; empty when the state did not change.

        It has the step's id, session and appearance before, session and appearance after (0 for none), and `ended_at`
        in microseconds since 1970 (0 for None).
        """
        if self.before == self.after:
            return ""
        ended = (self.ended_at - _EPOCH) // _TICK if self.ended_at else 0
        states = (self.before.session_id, self.before.appearance_id, self.after.session_id, self.after.appearance_id)
        return _signer().sign(_DOT.join(str(number or 0) for number in (self.id, *states, ended)))


def _signer() -> Signer:
    return Signer(sep=_DOT, salt="parterre.live_undo")


class LiveUndo(TypedDict):
    """The arguments of `live_restore` that a step's `undo` has."""

    to: LiveState
    since: LiveState
    ended_at: datetime | None
    step_id: int


def live_undo_read(text: str) -> LiveUndo:
    """Return the arguments of `live_restore`, parsed from a step's `undo`.

    Raises ValidationError for an argument that the site has not made.
    """
    try:
        numbers = [int(part) for part in _signer().unsign(text).split(_DOT)]
    except BadSignature as error:
        raise ValidationError(NO_UNDO) from error
    step_id, session, appearance, session_now, appearance_now, ended = numbers
    return {
        "to": LiveState(session or None, appearance or None),
        "since": LiveState(session_now or None, appearance_now or None),
        "ended_at": _EPOCH + ended * _TICK if ended else None,
        "step_id": step_id,
    }


def state_set(
    actor: Actor,
    action: str,
    sentence: str,
    before: LiveState,
    after: LiveState,
    *,
    is_undo: bool = False,
    ended_at: datetime | None = None,
) -> LiveStep:
    """Write the state `after`, with audit entry and event, and return the step; the caller has locked the sessions.

    The times on stage are stored, and apps are notified of an interval (`apps/competition/intervals.py`). `is_undo`
    reverses both, and a session that is no longer live gets its former `ended_at`. Raises
    Appearance.DoesNotExist for an appearance that was deleted before the lock.
    """
    step = LiveStep(sentence, before, after)
    if before == after:
        return step
    ids = list(dict.fromkeys(pk for pk in (after.session_id, before.session_id) if pk is not None))
    rows = _concerned(**_numbers("before", before), **_numbers("after", after))
    performers = {row[0]: _Performer(*row) for row in rows}
    if after.appearance_id is not None and after.appearance_id not in performers:
        raise Appearance.DoesNotExist(f"There is no appearance {after.appearance_id}.")
    if is_undo:
        Appearance.objects.filter(session__in=ids, is_performing=True).update(is_performing=False)
        ended_before = _sessions_swap(before, after, ended_at)
        Appearance.objects.filter(pk=after.appearance_id or 0).update(is_performing=True)
        _times_undo(before.appearance_id, after.appearance_id)
        if _is_interval(after, before):
            interval_undone(after.session_id or 0)
    else:
        moment = _leave(ids)
        ended_before = _sessions_swap(before, after, moment)
        _enter(after.appearance_id, moment)
        if _is_interval(before, after):
            interval_begun(after.session_id or 0)
    came = [each.participant_id for each in performers.values() if each.id == after.appearance_id]
    left = [each.participant_id for each in performers.values() if each.is_performing]
    _announce(before, after, (*came, *left))
    titles = _titles(ids) if before.session_id != after.session_id else {}  # an entry has only what differs
    was, now = (
        {"session": titles.get(state.session_id or 0), "performer": _name(performers, state)}
        for state in (before, after)
    )
    noted = change_note(actor=actor, action=action, subject_id=after.appearance_id or ids[0], before=was, after=now)
    return replace(step, ended_at=ended_before, id=noted)


def _is_interval(before: LiveState, after: LiveState) -> bool:
    """Whether the performer leaves and no other one follows, in a session that stays live."""
    is_empty = before.appearance_id is not None and after.appearance_id is None
    return is_empty and before.session_id == after.session_id


class _Performer(NamedTuple):
    """An appearance that a step concerns: on stage before it, or named by one of its states."""

    id: int
    participant_id: int
    name: str
    is_performing: bool


@compiled
def _concerned() -> QuerySet[Any, Any]:
    sessions = Q(session=Parameter("before_session")) | Q(session=Parameter("after_session"))
    named = Q(pk=Parameter("before_appearance")) | Q(pk=Parameter("after_appearance"))
    found = Appearance.objects.filter(sessions, Q(is_performing=True) | named).order_by("pk")
    return found.values_list("pk", "participant_id", "participant__name", "is_performing")


def _numbers(name: str, state: LiveState) -> dict[str, int]:
    """Return the ids of a state as arguments of `_concerned`, 0 for None."""
    return {f"{name}_session": state.session_id or 0, f"{name}_appearance": state.appearance_id or 0}


def _name(performers: Mapping[int, _Performer], state: LiveState) -> str | None:
    """Return the performer's name in this state."""
    appearance = performers.get(state.appearance_id or 0)
    return appearance.name if appearance is not None else None


def _titles(session_ids: list[int]) -> dict[int, str]:
    return dict(Session.objects.filter(pk__in=session_ids).values_list("pk", "title"))


def _sessions_swap(before: LiveState, after: LiveState, ended_at: datetime | None) -> datetime | None:
    """End the live session of `before` at this time and set the one of `after` live, if they differ.

    Return when the latter had ended, None if it had not.
    """
    if before.session_id == after.session_id:
        return None
    coming = Session.objects.filter(pk=after.session_id or 0)
    ended_before = coming.values_list("ended_at", flat=True).first() if after.session_id else None
    Session.objects.filter(pk=before.session_id or 0).update(is_live=False, ended_at=ended_at)
    coming.update(is_live=True, ended_at=None)
    return ended_before


LEAVE = """
WITH cleared AS (
    UPDATE session_participants SET is_performing = false WHERE session_id = ANY(%(sessions)s) AND is_performing
), ended AS (
    UPDATE performing_times SET ended_at = greatest(began_at, statement_timestamp())
    FROM session_participants AS appearance
    WHERE appearance.id = session_participant_id AND appearance.session_id = ANY(%(sessions)s) AND ended_at IS NULL
)
SELECT statement_timestamp()
"""
ENTER = """
WITH entered AS (UPDATE session_participants SET is_performing = true WHERE id = %(appearance)s RETURNING id)
INSERT INTO performing_times (session_participant_id, began_at) SELECT id, %(moment)s FROM entered
"""


def _leave(session_ids: list[int]) -> datetime:
    """Clear the stages of these sessions, and return the moment at which their performers left."""
    with connection.cursor() as cursor:
        cursor.execute(LEAVE, {"sessions": session_ids})
        (moment,) = cursor.fetchone()
    left_at: datetime = moment
    return left_at


def _enter(appearance_id: int | None, moment: datetime) -> None:
    """Put this appearance, if any, on stage. Every second belongs to one performer, so `moment` is that of `_leave`."""
    if appearance_id is not None:
        with connection.cursor() as cursor:
            cursor.execute(ENTER, {"appearance": appearance_id, "moment": moment})


def _times_undo(came: int | None, left: int | None) -> None:
    """Delete the open time span of the appearance `came`, and reopen the last one of `left`."""
    PerformingTime.objects.filter(appearance=came, ended_at=None).delete()
    last = PerformingTime.objects.filter(appearance=left).order_by("-pk").values("pk")[:1]
    PerformingTime.objects.filter(pk__in=last).update(ended_at=None)


def _announce(before: LiveState, after: LiveState, participant_ids: tuple[int, ...]) -> None:
    """Publish the step; when a session goes live or ends, pages of all its participants change."""
    if before.session_id == after.session_id:
        publish(PerformerChanged(session_id=after.session_id or 0, participant_ids=participant_ids))
        return
    ids = tuple(pk for pk in (after.session_id, before.session_id) if pk is not None)
    appearances = Appearance.objects.filter(session__in=ids).order_by("participant_id")
    all_participant_ids = appearances.values_list("participant_id", flat=True).distinct()
    publish(LiveChanged(session_ids=ids, participant_ids=tuple(all_participant_ids)))


_NOT_ALLOWED = "Only administrators run the live session."
_NOT_LIVE = "Set the session live first, then choose who performs."
LIVE, ENDED = "Session set as live", "Session no longer live"
UPDATED, CLEARED = "Current performer updated successfully", "Current performer cleared successfully"
TAKEN_BACK = "The call was taken back. To undo this, call the performer again."
SINCE_CHANGED = "Somebody has changed this since, so it stays as it is now."
RESTORED = "Everything is as it was before."
NO_UNDO = "This cannot be taken back."


@transaction.atomic
def session_set_live(*, actor: Actor, session_id: int, confirmed: bool = True) -> LiveStep:
    """Set this session live; any other live session ends, and its performer leaves the stage.

    Idempotent. Raises PermissionDenied, Session.DoesNotExist, and unless `confirmed` ConfirmationNeeded whenever
    `session_end` would for the session that ends.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    if session_id not in _sessions_lock():
        raise Session.DoesNotExist(f"There is no session {session_id}.")
    before = live_state()
    after = before if before.session_id == session_id else LiveState(session_id)
    if not confirmed and before != after:
        _require_confirmation(*_end_questions(before))
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
        _require_confirmation(*_end_questions(before))
    return state_set(actor, "session.end", ENDED, before, after)


@transaction.atomic
def performer_set(*, actor: Actor, appearance_id: int, confirmed: bool = True) -> LiveStep:
    """Put this appearance's participant on stage, in place of the present performer.

    Raises PermissionDenied, Appearance.DoesNotExist, ValidationError unless the session is live, and unless
    `confirmed` ConfirmationNeeded while a performer is on stage whom this one does not follow.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    locked = _session_lock_of(appearance_id=appearance_id)
    if not locked:
        raise Appearance.DoesNotExist(f"There is no appearance {appearance_id}.")
    ((session_id,),), before = locked, live_state()
    if before.session_id != session_id:
        raise ValidationError(_NOT_LIVE)
    if not confirmed and before.appearance_id not in {None, appearance_id}:
        _require_confirmation(*_out_of_order(before, appearance_id))
    return state_set(actor, "performer.set", UPDATED, before, LiveState(session_id, appearance_id))


@transaction.atomic
def performer_next(*, actor: Actor, session_id: int, after: int | None) -> LiveStep:
    """Put the next appearance on stage; `after` is the performer on the administrator's screen, if any.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError unless the session is live, when the performer is not
    `after`, and after the last appearance.
    """
    before = _locked_state(actor, session_id)
    if before.session_id != session_id:
        raise ValidationError(_NOT_LIVE)
    appearances = session_appearances(session_id=session_id)
    performer = next((appearance.name for appearance in appearances if appearance.id == before.appearance_id), "")
    if before.appearance_id != after:
        _refuse_late(performer)
    chosen = following(appearances)
    if chosen is None:
        raise ValidationError("Nobody comes next in this session.")
    return state_set(actor, "performer.set", UPDATED, before, LiveState(session_id, chosen.id))


@transaction.atomic
def performer_clear(*, actor: Actor, session_id: int) -> LiveStep:
    """Clear the session's stage. Raises PermissionDenied, Session.DoesNotExist."""
    before = _locked_state(actor, session_id)
    after = LiveState(session_id) if before.session_id == session_id else before
    return state_set(actor, "performer.clear", CLEARED, before, after)


@transaction.atomic
def call_take_back(*, actor: Actor, appearance_id: int, stay_id: int, confirmed: bool = True) -> LiveStep:
    """Take back the newest call of this appearance, which has not played; `stay_id` is that time on stage.

    The time is deleted. If it lasts, the performer who left for it is on stage again as if without a break; after an
    interval the stage is empty again. Without another time the appearance has not begun: what was rated is closed, and
    followers are corrected (`apps/competition/calls.py`). The undo of the step is another call: the answer says so.

    Raises PermissionDenied, Appearance.DoesNotExist, ValidationError unless the session is live and this is
    still the newest call, and unless `confirmed` ConfirmationNeeded with the number of submitted ratings.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    locked = _session_lock_of(appearance_id=appearance_id)
    if not locked:
        raise Appearance.DoesNotExist(f"There is no appearance {appearance_id}.")
    ((session_id,),), before = locked, live_state()
    own = Appearance.objects.select_related("participant").get(pk=appearance_id)
    stays = list(PerformingTime.objects.filter(appearance=own).order_by("-pk"))
    if before.session_id != session_id or not stays or stays[0].pk != stay_id:
        raise ValidationError(SINCE_CHANGED)
    is_only = len(stays) == 1
    questions = call_questions(own.pk, own.participant.name) if is_only else ()
    if not confirmed:
        _require_confirmation(*questions)
    replaced = _replaced_by(stays[0], session_id) if own.is_performing else None
    began_at, _ = stays[0].began_at, stays[0].delete()
    if own.is_performing:
        Appearance.objects.filter(pk=own.pk).update(is_performing=False)
        Appearance.objects.filter(pk=replaced or 0).update(is_performing=True)
        _times_undo(None, replaced)
    after = LiveState(session_id, replaced) if own.is_performing else before
    if is_only:
        call_taken_back(TakenBack(actor, session_id, own.pk, own.participant_id, began_at))
    return _taken_back(actor, own, before, after)


def _replaced_by(stay: PerformingTime, session_id: int) -> int | None:
    """Return the appearance that left the stage for this time on stage; None if the stage was empty."""
    of_session = PerformingTime.objects.filter(appearance__session_id=session_id, pk__lt=stay.pk)
    last = of_session.order_by("-pk").first()
    # it ended at this moment; if the clock had been set back, at its own begin
    is_replaced = last is not None and last.ended_at == max(last.began_at, stay.began_at)
    return last.appearance_id if last is not None and is_replaced else None


def _taken_back(actor: Actor, own: Appearance, before: LiveState, after: LiveState) -> LiveStep:
    """Note and publish a call that was taken back, and return the step."""
    rows = _concerned(**_numbers("before", before), **_numbers("after", after))
    performers = {row[0]: _Performer(*row) for row in rows}
    ids = dict.fromkeys([own.participant_id, *(each.participant_id for each in performers.values())])
    publish(PerformerChanged(session_id=before.session_id or 0, participant_ids=tuple(ids)))
    on_stage: dict[str, Any] = {"on_stage": _name(performers, after)} if before != after else {}
    name, action = own.participant.name, "performer.take_back"
    noted = change_note(actor=actor, action=action, subject_id=own.pk, name=name, **on_stage)
    return LiveStep(TAKEN_BACK, after, after, id=noted)


@transaction.atomic
def interval_take_back(*, actor: Actor, session_id: int, stay_id: int) -> LiveStep:
    """Take an interval back: the performer of the session's last time on stage, `stay_id`, never left it.

    The step has no undo. Raises PermissionDenied, Session.DoesNotExist, ValidationError unless the session is live, its
    stage is empty and this is still its last time on stage.
    """
    before = _locked_state(actor, session_id)
    stays = PerformingTime.objects.filter(appearance__session_id=session_id).order_by("-pk")
    pk, appearance_id = stays.values_list("pk", "appearance_id").first() or (None, None)
    if before != LiveState(session_id) or pk != stay_id:
        raise ValidationError(SINCE_CHANGED)
    after = LiveState(session_id, appearance_id)
    step = state_set(actor, "performer.return", RESTORED, before, after, is_undo=True)
    return replace(step, before=after)


@transaction.atomic
def live_restore(
    *, actor: Actor, to: LiveState, since: LiveState, step_id: int, ended_at: datetime | None = None
) -> LiveStep:
    """Restore the state before the last step (`to`), if the state after it (`since`) is still the present one.

    `ended_at` is when the session that is live now, and not in `to`, had ended before the step; None if it had not.
    Raises PermissionDenied, ValidationError after a later change, and when required rows were deleted.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    sessions, before = _sessions_lock(), live_state()
    if before != since or not audit_is_newest(entry_id=step_id, actions=LIVE_STEPS):
        raise ValidationError(SINCE_CHANGED)
    appearances = Appearance.objects.filter(session_id=to.session_id or 0, pk=to.appearance_id or 0)
    if to.session_id not in {*sessions, None} or (to.appearance_id is not None and not appearances.exists()):
        raise ValidationError("What was there before is gone.")
    return state_set(actor, "live.restore", RESTORED, before, to, is_undo=True, ended_at=ended_at)


def _sessions_lock() -> set[int]:
    """Lock all sessions and return their ids; with a lock on single rows, two sessions could go live."""
    return set(Session.objects.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def _locked_state(actor: Actor, session_id: int) -> LiveState:
    """Lock this session and return the present state. Raises PermissionDenied, Session.DoesNotExist."""
    require(can_run_sessions(actor), _NOT_ALLOWED)
    if not _session_lock(session_id=session_id):
        raise Session.DoesNotExist(f"There is no session {session_id}.")
    return live_state()


@compiled
def _session_lock() -> QuerySet[Any, Any]:
    return Session.objects.select_for_update(no_key=True).filter(pk=Parameter("session_id")).values_list("pk")


@compiled
def _session_lock_of() -> QuerySet[Any, Any]:
    appearance = Appearance.objects.filter(pk=Parameter("appearance_id"))
    locking = Session.objects.select_for_update(no_key=True)
    return locking.filter(pk__in=appearance.values("session_id")).values_list("pk")


def _require_confirmation(*sentences: ValidationError | None) -> None:
    """Raise ConfirmationNeeded if any sentence is not None."""
    if found := [sentence for sentence in sentences if sentence]:
        raise ConfirmationNeeded(found)


def _end_questions(state: LiveState) -> tuple[ValidationError | None, ...]:
    """Return the questions before the live session of this state ends: its performer, and who has not played."""
    return _on_stage(state), _not_played(state.session_id or 0)


def _on_stage(state: LiveState) -> ValidationError | None:
    """Return the question about the performer on stage, None for an empty stage."""
    found = Appearance.objects.filter(pk=state.appearance_id or 0)
    name = found.values_list("participant__name", flat=True).first()
    return ValidationError("%(name)s is on stage.", params={"name": name}) if name else None


def _out_of_order(state: LiveState, appearance_id: int) -> tuple[ValidationError | None, ...]:
    """Return the questions before this appearance replaces the performer of `state`, none if it follows."""
    coming = following(session_appearances(session_id=state.session_id or 0))
    if coming is None:
        return (_on_stage(state),)
    next_one = ValidationError("Next comes %(n)d %(name)s.", params={"n": coming.order_number, "name": coming.name})
    return (_on_stage(state), next_one) if coming.id != appearance_id else ()


def _not_played(session_id: int) -> ValidationError | None:
    """Return the question about appearances that were never on stage, None without any."""
    count = sum(each.came_at is None for each in appearances_of([session_id]).get(session_id, ()))
    sentence = "%(n)d has not played." if count == 1 else "%(n)d have not played."
    return ValidationError(sentence, params={"n": count}) if count else None


def _refuse_late(performer: str) -> None:
    """Raise ValidationError, because the performer is not the one on the administrator's screen."""
    if not performer:
        raise ValidationError("Somebody else has just cleared the stage.")
    raise ValidationError("Somebody else was faster: %(name)s is on stage now.", params={"name": performer})
