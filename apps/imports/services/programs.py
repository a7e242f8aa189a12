"""Writes of pasted programs: store a text, clear it, assign it to an appearance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.programs import program_admin
from apps.competition.services.program_undo import program_keep
from apps.competition.services.programs import NewEntry, PiecesRated, program_replace
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import text_clean
from apps.imports.events import ProgramTextChanged
from apps.imports.limits import PROGRAM_LENGTH, PROGRAM_LINES, PROGRAM_PIECES
from apps.imports.models import ProgramText
from apps.imports.program_lines.decisions import NONE, Decisions, entries_chosen, missing
from apps.imports.program_lines.lines import ProgramLine, SlottedPiece, program_read
from apps.imports.selectors import catalogue_get, program_assigned_to, program_read_for, program_text_get

NOT_ALLOWED = "Only administrators import programs."
GONE = "Selected participant not found"


@dataclass(frozen=True, slots=True)
class ProgramAssigned:
    """The result of an assignment: pieces written, lines without a piece, and the undo of a replaced program."""

    pieces: int
    missing: tuple[ProgramLine, ...]
    undo_id: int | None = None


@transaction.atomic
def program_text_store(*, actor: Actor, text: str, assigned_to: int | None = None, read_for: int | None = None) -> None:
    """Store the program that an administrator has pasted; `assigned_to` is the appearance that received a part of it.

    `read_for` is the appearance that is chosen on the page; one that is gone counts as none. Without `assigned_to`, a
    text that shares a line with the stored one keeps the stored assignment. The operator has no account, so that the
    text is only checked. Raises PermissionDenied, ValidationError at `text`.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    given = program_text_check(text)
    if user_id is None:
        return
    before = ProgramText.objects.filter(user_id=user_id).first()
    if assigned_to is None and before is not None and set(_lines(before.text)) & set(_lines(given)):
        assigned_to = before.assigned_to_id
    read_for = assigned_to if read_for is None or program_admin(appearance_id=read_for) is None else read_for
    defaults = {"text": given, "assigned_to_id": assigned_to, "read_for_id": read_for, "updated_at": Now()}
    ProgramText.objects.update_or_create(user_id=user_id, defaults=defaults)
    publish(ProgramTextChanged(user_id))


@transaction.atomic
def program_text_clear(*, actor: Actor) -> None:
    """Delete the program that an administrator has pasted. Raises PermissionDenied."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    if user_id is not None and ProgramText.objects.filter(user_id=user_id).delete()[0]:
        publish(ProgramTextChanged(user_id))


@transaction.atomic
def program_assign(
    *,
    actor: Actor,
    appearance_id: int,
    text: str,
    decisions: Decisions = NONE,
    version: str | None = None,
    confirmed: bool = False,
) -> ProgramAssigned:
    """Replace an appearance's program by the pieces of a text, as decided; without pieces the program stays.

    Clear the stored text when every line gave a piece, else store it. Raises PermissionDenied, ValidationError (GONE
    without the appearance), EditConflict. Raises ConfirmationNeeded unless `confirmed` when ratings would be deleted,
    when another appearance received a part of the text, or when it was read for another one. An error rolls everything
    back.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    given, catalogue = program_text_check(text), catalogue_get()
    lines = program_read(given, catalogue, names=_names(appearance_id))
    chosen = entries_chosen(lines, decisions, catalogue)
    if len(chosen) > PROGRAM_PIECES:
        message = ValidationError("A program has at most %(most)d pieces.", params={"most": PROGRAM_PIECES})
        raise ValidationError({"text": message})
    assigned = ProgramAssigned(len(chosen), missing(lines, decisions, catalogue))
    if chosen:
        questions = [] if confirmed else _readdressed(actor, appearance_id, given)
        undo_id = program_keep(appearance_id=appearance_id, piece_ids=[each.piece.id for _, each in chosen])
        replacing: dict[str, Any] = {"entries": entries_new(chosen), "version": version, "confirmed": confirmed}
        try:
            program_replace(actor=actor, session_participant_id=appearance_id, **replacing)
        except PiecesRated as rated:
            if not questions:
                raise
            questions += rated.error_list
        if questions:
            raise ConfirmationNeeded(questions)
        assigned = replace(assigned, undo_id=undo_id)
    if assigned.missing or not chosen:
        program_text_store(actor=actor, text=given, assigned_to=appearance_id if chosen else None)
    else:
        program_text_clear(actor=actor)
    return assigned


def program_text_check(text: str) -> str:
    """Return a pasted program, cleaned. Raises ValidationError at `text` for an empty or too long one."""
    given = text_clean(text)
    if not given:
        raise ValidationError({"text": "Please paste a program first."})
    if len(given) > PROGRAM_LENGTH or len(given.splitlines()) > PROGRAM_LINES:
        params = {"lines": PROGRAM_LINES, "characters": PROGRAM_LENGTH}
        sentence = "A program has at most %(lines)d lines and %(characters)d characters."
        raise ValidationError({"text": ValidationError(sentence, params=params)})
    return given


def _readdressed(actor: Actor, appearance_id: int, text: str) -> list[ValidationError]:
    """Return the question to confirm if another appearance received a part of this text, or if it was read for it."""
    user_id = account_of(actor) or 0
    before = program_assigned_to(user_id=user_id)
    sentence = "A part of this text is the program of %(name)s already. It would become another program, too."
    if before is None and program_text_get(user_id=user_id) == text:
        before = program_read_for(user_id=user_id)
        sentence = "This text was read for %(name)s. It would become the program of another performer."
    if before is None or before.appearance_id == appearance_id:
        return []
    return [ValidationError(sentence, params={"name": before.name})]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _names(appearance_id: int) -> tuple[str, ...]:
    """Return the performer's name and country. Raises ValidationError when the appearance is gone."""
    found = program_admin(appearance_id=appearance_id)
    if found is None:
        raise ValidationError(GONE)
    return found.name, found.country


def entries_new(chosen: Sequence[tuple[ProgramLine, SlottedPiece]]) -> list[NewEntry]:
    """Return the entries of a program; a line's second and link belong to the first of its pieces."""
    entries, begun = [], set[int]()
    for line, each in chosen:
        is_first = line.number not in begun
        begun.add(line.number)
        second, url = (line.second, line.url) if is_first else (None, "")
        entries.append(NewEntry(each.piece.id, slot=each.slot, timestamp=second, youtube_url=url))
    return entries
