"""Writes of the list of pianos, and of the pianos of performances."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import PianosChanged
from apps.competition.limits import PIANOS_MOST
from apps.competition.models import Appearance, Piano, Session
from apps.competition.permissions import can_edit_competition
from apps.competition.piano_columns import piano_header
from apps.competition.piano_names import PianoName, by_key
from apps.competition.selectors.admin.piano_lines import PianoLine, piano_lines_read
from apps.competition.selectors.admin.pianos import piano_fields
from apps.core.edits import ConfirmationNeeded, Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import name_clean

NOT_ALLOWED = "Only administrators edit pianos."
_TAKEN = "This piano is in the list already."
_FULL = "The list has at most %(most)d pianos."
_USED = "%(n)d performances are on this piano, the newest is %(name)s’s (%(session)s). Choose another one there first."
_USED_ONCE = "%(name)s plays this piano (%(session)s). Choose another one there first."
UNKNOWN = "This piano is no longer in the list."
_CHANGED = "The piano of %(name)s was changed meanwhile. It is now “%(theirs)s”."
_EMPTIED = "The piano of %(name)s was changed meanwhile. It is empty now."
LINES = "piano_lines"
_NO_LINES = "Paste a list first, one performer in each line."
_OPEN = "Lines that name no participant or several ones: %(lines)s. Please write the start number or the full name."
_OUTSIDE = "These participants are not in this session: %(names)s. Put them into the order of playing first."
_TWICE = "Two lines give %(name)s different pianos."
_NEW = "%(piano)s is not in the list of pianos: maker “%(maker)s”, model “%(model)s”."
_NEW_MAKER = "%(piano)s is not in the list of pianos: maker “%(maker)s”, without a model."
_SHOWN = 12  # lines or names in a sentence


@transaction.atomic
def piano_add(*, actor: Actor, maker: str, model: str) -> Piano:
    """Add a piano to the list and return it. Raises PermissionDenied, ValidationError by field."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    piano = Piano(maker=name_clean(maker), model=name_clean(model))
    if Piano.objects.count() >= PIANOS_MOST:
        raise ValidationError({"maker": ValidationError(_FULL, params={"most": PIANOS_MOST})})
    _store(piano)
    change_note(actor=actor, action="piano.add", subject_id=piano.pk, name=str(piano), after=piano_fields(piano))
    publish(PianosChanged())
    return piano


@transaction.atomic
def piano_update(*, actor: Actor, piano_id: int, maker: str, model: str, version: str | None = None) -> Saved[Piano]:
    """Rename a piano of the list, for all performances on it, and return it.

    `version` is the one that the editor read. Raises PermissionDenied, Piano.DoesNotExist, EditConflict,
    ValidationError by field.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    piano = Piano.objects.select_for_update(no_key=True).get(pk=piano_id)
    before, given = piano_fields(piano), {"maker": name_clean(maker), "model": name_clean(model)}
    fields, kept_fields = edit_merge(version=version, stored=before, given=given)
    piano.maker, piano.model = fields["maker"], fields["model"]
    _store(piano)
    change_note(
        actor=actor,
        action="piano.update",
        subject_id=piano.pk,
        name=str(piano),
        before=before,
        after=piano_fields(piano),
    )
    played = set(Appearance.objects.filter(piano=piano).values_list("session_id", "participant_id"))
    _announce({session_id for session_id, _ in played}, {participant_id for _, participant_id in played})
    return Saved(piano, kept_fields)


@transaction.atomic
def piano_delete(*, actor: Actor, piano_id: int) -> None:
    """Remove a piano from the list. Raises PermissionDenied, Piano.DoesNotExist, ValidationError for one in use."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    piano = Piano.objects.select_for_update().get(pk=piano_id)
    played = Appearance.objects.filter(piano=piano).order_by("-session__starts_at", "-pk")
    if count := played.count():
        name, session = played.values_list("participant__name", "session__title")[0]
        about = {"n": count, "name": name, "session": session}
        raise ValidationError(_USED if count > 1 else _USED_ONCE, params=about)
    name, before = str(piano), piano_fields(piano)
    piano.delete()
    change_note(actor=actor, action="piano.delete", subject_id=piano_id, name=name, before=before)
    publish(PianosChanged())


def _store(piano: Piano) -> None:
    """Store a piano. Raises ValidationError at `maker` or `model`."""
    if not piano.maker:
        raise ValidationError({"maker": "Please enter the maker of the piano."})
    _unique_require(piano)
    row_validate(piano)
    try:
        with transaction.atomic():
            piano.save()
    except IntegrityError:  # race condition: another transaction stored it first
        raise ValidationError({"model": _TAKEN}) from None


def _unique_require(piano: Piano) -> None:
    """Raise ValidationError at `model` when the list has the piano in another spelling."""
    others = by_key(Piano.objects.exclude(pk=piano.pk))
    if PianoName(piano.maker, piano.model).key in others:
        raise ValidationError({"model": _TAKEN})


@transaction.atomic
def session_pianos_set(
    *,
    actor: Actor,
    session_id: int,
    pianos: Mapping[int, int | None],
    read: Mapping[int, int | None] | None = None,
) -> None:
    """Set the pianos of a session's performances, ids by appearance; those of others stay.

    `read` are those that the editor has read: one that the editor did not change stays as it is now. Raises
    PermissionDenied, Session.DoesNotExist, ValidationError for one that both changed, and for a removed piano.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    found = Appearance.objects.filter(session=session).select_related("participant", "piano")
    appearances = list(found.order_by("order_number"))
    mine = {pk: piano for pk, piano in pianos.items() if read is None or read.get(pk) != piano}
    changed = [each for each in appearances if each.pk in mine and mine[each.pk] != each.piano_id]
    if read is not None:
        _unchanged_require(changed, read)
    named = pianos_hold({piano for each in changed if (piano := mine[each.pk])})
    before = _named(changed)
    for each in changed:
        piano_id = mine[each.pk]
        each.piano = named[piano_id] if piano_id else None
    _pianos_store(actor, session, changed, before)


def _unchanged_require(changed: Sequence[Appearance], read: Mapping[int, int | None]) -> None:
    """Raise ValidationError at each select whose piano another user has changed since it was read."""
    theirs = [each for each in changed if each.pk in read and read[each.pk] != each.piano_id]
    if theirs:
        raise ValidationError({f"piano-{each.pk}": _conflict(each) for each in theirs})


def _conflict(appearance: Appearance) -> ValidationError:
    theirs = str(appearance.piano or "")
    params = {"name": appearance.participant.name, "theirs": theirs}
    return ValidationError(_CHANGED if theirs else _EMPTIED, params=params)


def pianos_hold(piano_ids: Collection[int]) -> dict[int, Piano]:
    """Lock these pianos of the list against removal and return them by id. Raises ValidationError for a removed one."""
    found = Piano.objects.select_for_update(no_key=True).filter(pk__in=piano_ids).order_by("pk")
    named = {each.pk: each for each in found}
    if len(named) < len(piano_ids):
        raise ValidationError(UNKNOWN)
    return named


@transaction.atomic
def session_pianos_read(*, actor: Actor, session_id: int, text: str, confirmed: bool = False) -> int:
    """Set the pianos that a list gives to performers of a session; return how many performers it names.

    A line without a piano changes none. All lines are taken or none. Raises PermissionDenied, Session.DoesNotExist,
    ValidationError at `piano_lines`, and unless `confirmed` ConfirmationNeeded with pianos that are to be added to the
    list.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    lines = [line for line in piano_lines_read(text, LINES) if line.piano or line.participant_id is None]
    if not lines:
        raise ValidationError({LINES: _NO_LINES})
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    found = Appearance.objects.filter(session=session).values_list("participant_id", "pk")
    named = lines_check(lines, dict(found), LINES)
    ids = pianos_named(actor=actor, names=named.values(), confirmed=confirmed)
    pianos: dict[int, int | None] = {pk: ids[name.key] for pk, name in named.items()}
    session_pianos_set(actor=actor, session_id=session_id, pianos=pianos)
    return len(pianos)


def pianos_of_order(*, actor: Actor, text: str, field: str, confirmed: bool) -> dict[int, int]:
    """Return the pianos that a list with a column of pianos gives, ids by participant; empty without such a column.

    Lines of no participant are left out: the order of playing asks about them. Raises ConfirmationNeeded as
    `pianos_named`, ValidationError at `field` for a participant twice.
    """
    if piano_header(text) is None:
        return {}
    lines = [line for line in piano_lines_read(text, field) if line.piano and line.participant_id]
    named = lines_check(
        lines, {line.participant_id: line.participant_id for line in lines if line.participant_id}, field
    )
    ids = pianos_named(actor=actor, names=named.values(), confirmed=confirmed)
    return {pk: ids[name.key] for pk, name in named.items()}


def order_pianos_set(actor: Actor, session: Session, pianos: Mapping[int, int]) -> None:
    """Set the pianos of the locked session's performers, ids by participant; others are left out.

    Raises ValidationError for a removed piano.
    """
    found = Appearance.objects.filter(session=session, participant__in=pianos)
    chosen: dict[int, int | None] = {pk: pianos[each] for each, pk in found.values_list("participant_id", "pk")}
    session_pianos_set(actor=actor, session_id=session.pk, pianos=chosen)


@dataclass(frozen=True, slots=True)
class PianosGiven:
    """The ids of pianos that were added to the list, and performances by id with their piano before and after."""

    added: tuple[int, ...]
    changes: tuple[tuple[int, int | None, int], ...]


@transaction.atomic
def pianos_give(*, actor: Actor, pianos: Mapping[int, PianoName]) -> PianosGiven:
    """Set the pianos of these participants' newest performances, and add those that the list does not have.

    Participants without a performance are left out. Raises PermissionDenied, ValidationError for a full list.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    known = set(Piano.objects.values_list("pk", flat=True))
    ids = pianos_named(actor=actor, names=pianos.values(), confirmed=True)
    newest = Appearance.objects.filter(participant__in=pianos).order_by("participant_id", "-session__starts_at", "-pk")
    changes = tuple(
        (each.pk, each.piano_id, ids[pianos[each.participant_id].key]) for each in newest.distinct("participant_id")
    )
    changed = tuple(change for change in changes if change[1] != change[2])
    _appearances_set(actor, {pk: after for pk, _, after in changed})
    return PianosGiven(tuple(sorted(set(ids.values()) - known)), changed)


@transaction.atomic
def pianos_take_back(*, actor: Actor, changes: Collection[tuple[int, int | None, int]], added: Collection[int]) -> None:
    """Undo `pianos_give`: performances whose piano was changed since keep it, and the list keeps pianos in use.

    Raises PermissionDenied.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    now = dict(Appearance.objects.filter(pk__in=[pk for pk, *_ in changes]).values_list("pk", "piano_id"))
    listed = set(Piano.objects.values_list("pk", flat=True))
    back = {pk: before if before in listed else None for pk, before, after in changes if now.get(pk) == after}
    _appearances_set(actor, back)
    for piano in Piano.objects.filter(pk__in=added, appearances=None).order_by("pk"):
        piano_delete(actor=actor, piano_id=piano.pk)


def _appearances_set(actor: Actor, pianos: Mapping[int, int | None]) -> None:
    """Set the pianos of these performances of any sessions."""
    sessions: dict[int, dict[int, int | None]] = defaultdict(dict)
    found = Appearance.objects.filter(pk__in=pianos).order_by("session_id")
    for session_id, pk in found.values_list("session_id", "pk"):
        sessions[session_id][pk] = pianos[pk]
    for session_id, chosen in sessions.items():
        session_pianos_set(actor=actor, session_id=session_id, pianos=chosen)


def lines_check(lines: Sequence[PianoLine], appearances: Mapping[int, int], field: str) -> dict[int, PianoName]:
    """Return the pianos that lines give, by appearance; `appearances` are those of the session by participant.

    Raises ValidationError at `field` for a line of no participant, for one outside the session, and for one to whom two
    lines give different pianos.
    """
    if nameless := [f"{line.number} (“{line.text}”)" for line in lines if line.participant_id is None]:
        raise ValidationError({field: ValidationError(_OPEN, params={"lines": _listed(nameless)})})
    if outside := [line.text for line in lines if line.participant_id not in appearances]:
        raise ValidationError({field: ValidationError(_OUTSIDE, params={"names": _listed(outside)})})
    named: dict[int, PianoName] = {}
    for line in lines:
        appearance_id = appearances[line.participant_id or 0]
        if named.get(appearance_id, line.piano) != line.piano:
            raise ValidationError({field: ValidationError(_TWICE, params={"name": line.text})})
        if line.piano:
            named[appearance_id] = line.piano
    return named


def pianos_named(*, actor: Actor, names: Collection[PianoName], confirmed: bool) -> dict[str, int]:
    """Return the ids of the pianos with these names, by key, and add those that the list does not have.

    Raises ConfirmationNeeded unless `confirmed`, with those that are to be added; ValidationError for a full list.
    """
    list(Piano.objects.select_for_update(no_key=True).order_by("pk").values_list("pk"))  # against a removal
    known = by_key(Piano.objects.all())
    new: dict[str, PianoName] = {}
    for name in names:  # of several spellings the first
        if name.key not in known:
            new.setdefault(name.key, name)
    if new and not confirmed:
        raise ConfirmationNeeded([_offer(name) for name in new.values()])
    added = {key: piano_add(actor=actor, maker=name.maker, model=name.model) for key, name in new.items()}
    return {key: piano.pk for key, piano in {**known, **added}.items()}


def _offer(name: PianoName) -> ValidationError:
    about = {"piano": str(name), "maker": name.maker, "model": name.model}
    return ValidationError(_NEW if name.model else _NEW_MAKER, params=about)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _pianos_store(actor: Actor, session: Session, changed: Sequence[Appearance], before: Mapping[str, str]) -> None:
    """Store the pianos of these performances, with an audit entry of the session, and publish them."""
    if not changed:
        return
    Appearance.objects.bulk_update(changed, ["piano"])
    after = _named(changed)
    change_note(
        actor=actor, action="session.pianos", subject_id=session.pk, name=session.title, before=before, after=after
    )
    _announce({session.pk}, {each.participant_id for each in changed})


def _named(appearances: Sequence[Appearance]) -> dict[str, str]:
    """Return the pianos of these performances by performer, as texts for the audit."""
    return {f"{each.order_number} {each.participant.name}": str(each.piano or "") for each in appearances}


def _announce(session_ids: Collection[int], participant_ids: Collection[int]) -> None:
    publish(PianosChanged(tuple(sorted(session_ids)), tuple(sorted(participant_ids))))
