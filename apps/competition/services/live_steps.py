"""One step of live control: the states before and after it, and its undo."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import LiveChanged, PerformerChanged
from apps.competition.models import PerformingTime, Session, SessionParticipant
from apps.competition.selectors.admin import LiveState
from apps.core.database.clock import database_now
from apps.core.events import publish

_PARTS = 4  # of an undo: session and appearance before, session and appearance after; 0 stands for none
_DIGITS = 18


@dataclass(frozen=True, slots=True)
class LiveStep:
    """A step of live control: the sentence for the administrator, the states before and after it."""

    sentence: str
    before: LiveState
    after: LiveState

    @property
    def undo(self) -> str:
        """The step as the argument of the command that undoes it; empty when nothing changed."""
        if self.before == self.after:
            return ""
        numbers = (self.before.session_id, self.before.appearance_id, self.after.session_id, self.after.appearance_id)
        return ".".join(str(number or 0) for number in numbers)


def live_undo_read(text: str) -> dict[str, LiveState]:
    """Return what `live_restore` takes, `to` and `since`, out of a step's `undo`. Raises ValidationError."""
    parts = text.split(".")
    if len(parts) != _PARTS or not all(part.isascii() and part.isdigit() and len(part) <= _DIGITS for part in parts):
        raise ValidationError("This cannot be taken back.")
    session, appearance, session_now, appearance_now = (int(part) or None for part in parts)
    return {"to": LiveState(session, appearance), "since": LiveState(session_now, appearance_now)}


def state_set(
    actor: Actor, action: str, sentence: str, before: LiveState, after: LiveState, *, is_undo: bool = False
) -> LiveStep:
    """Write the state `after`, note and announce it, and return the step; the caller has locked the sessions.

    The times of coming and leaving are stored; with `is_undo` it is as if the step had not been.
    """
    step = LiveStep(sentence, before, after)
    if before == after:
        return step
    ids = tuple(dict.fromkeys(pk for pk in (after.session_id, before.session_id) if pk is not None))
    # a session has no performer before it goes live nor after it
    stages = SessionParticipant.objects.filter(session__in=ids)
    concerned = stages.filter(Q(is_performing=True) | Q(pk__in=(before.appearance_id or 0, after.appearance_id or 0)))
    performers = {each.pk: each for each in concerned.select_related("participant").order_by("pk")}
    stages.filter(is_performing=True).update(is_performing=False)
    if before.session_id != after.session_id:
        Session.objects.filter(pk=before.session_id or 0).update(is_live=False)
        Session.objects.filter(pk=after.session_id or 0).update(is_live=True)
    stages.filter(pk=after.appearance_id or 0).update(is_performing=True)
    if before.appearance_id != after.appearance_id:
        if is_undo:
            _times_undo(before.appearance_id, after.appearance_id)
        else:
            _times_write(ids, after.appearance_id)
    come = [each.participant_id for each in performers.values() if each.pk == after.appearance_id]
    left = [each.participant_id for each in performers.values() if each.is_performing]
    _announce(before, after, (*come, *left))
    titles = dict(Session.objects.filter(pk__in=ids).values_list("pk", "title"))
    was, now = (
        {"session": titles.get(state.session_id or 0), "performer": _name(performers, state)}
        for state in (before, after)
    )
    change_note(actor=actor, action=action, subject_id=after.appearance_id or ids[0], before=was, after=now)
    return step


def _name(performers: Mapping[int, SessionParticipant], state: LiveState) -> str | None:
    """Return the name of whoever is on stage in this state."""
    appearance = performers.get(state.appearance_id or 0)
    return appearance.participant.name if appearance is not None else None


def _times_write(session_ids: tuple[int, ...], came: int | None) -> None:
    """Store that whoever was on stage in these sessions left it, and that an appearance came."""
    now = database_now()
    PerformingTime.objects.filter(session_participant__session__in=session_ids, ended_at=None).update(ended_at=now)
    if came is not None:
        PerformingTime.objects.create(session_participant_id=came, began_at=now)


def _times_undo(came: int | None, left: int | None) -> None:
    """Forget that one appearance came to the stage, and that another left it."""
    PerformingTime.objects.filter(session_participant=came, ended_at=None).delete()
    last = PerformingTime.objects.filter(session_participant=left).order_by("-began_at", "-pk").values("pk")[:1]
    PerformingTime.objects.filter(pk__in=last).update(ended_at=None)


def _announce(before: LiveState, after: LiveState, participant_ids: tuple[int, ...]) -> None:
    """Announce the step; pages of all participants show when one of their sessions goes live or ends."""
    if before.session_id == after.session_id:
        publish(PerformerChanged(session_id=after.session_id or 0, participant_ids=participant_ids))
        return
    ids = tuple(pk for pk in (after.session_id, before.session_id) if pk is not None)
    appearances = SessionParticipant.objects.filter(session__in=ids).order_by("participant_id")
    everybody = appearances.values_list("participant_id", flat=True).distinct()
    publish(LiveChanged(session_ids=ids, participant_ids=tuple(everybody)))
