"""Writes of the pasted programs of many performers: store a text, clear it, assign its blocks together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.programs import Performer
from apps.competition.services.program_batches import NewProgram, ProgramsSet, programs_set
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import text_clean
from apps.imports.enums import FileEncoding
from apps.imports.events import ProgramTextChanged
from apps.imports.limits import BATCH_BLOCKS, BATCH_LENGTH, BATCH_LINES, FILE_BYTES, PROGRAM_PIECES
from apps.imports.models import ProgramBatch
from apps.imports.program_lines.blocks import ProgramBlock, performer_labels
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.decisions import NONE, Decisions, entries_chosen, missing
from apps.imports.program_lines.lines import ProgramLine, SlottedPiece
from apps.imports.selectors import BatchPreview, batch_preview
from apps.imports.services.programs import NOT_ALLOWED, entries_new
from apps.imports.tables.encodings import encoding_guess, text_read

CHANGED = "The performers of these blocks were changed meanwhile. Please look at them again."


@dataclass(frozen=True, slots=True)
class BlockChoices:
    """An administrator's decisions by the marks of blocks.

    `performers` are the labels of performers chosen by hand, `replacing` the blocks whose performer's program is
    replaced, with the version of the program that was shown (empty for a performer chosen by hand).
    """

    performers: Mapping[str, str]
    replacing: Mapping[str, str]


NO_CHOICES = BlockChoices({}, {})


@dataclass(frozen=True, slots=True)
class BatchAssigned:
    """The result of an assignment. Each of the `blocks` is in exactly one of the four groups.

    `missing` are the lines without a piece in the assigned blocks.
    """

    assigned: tuple[str, ...]  # names of performers, as the two below
    had_program: tuple[str, ...]
    without_pieces: tuple[str, ...]
    without_performer: tuple[str, ...]  # headings
    pieces: int
    missing: tuple[ProgramLine, ...]
    undo_id: int | None

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return sum(map(len, (self.assigned, self.had_program, self.without_pieces, self.without_performer)))

    @property
    def is_complete(self) -> bool:
        """Whether every block is assigned and every line of them gave a piece."""
        return len(self.assigned) == self.blocks and not self.missing


@transaction.atomic
def program_batch_store(*, actor: Actor, text: str) -> None:
    """Store the programs that an administrator has pasted. Raises PermissionDenied, ValidationError at `text`."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    checked = program_batch_check(text)
    user_id = account_of(actor)
    if user_id is None:
        return
    ProgramBatch.objects.update_or_create(user_id=user_id, defaults={"text": checked, "updated_at": Now()})
    publish(ProgramTextChanged(user_id))


def program_batch_file_store(*, actor: Actor, content: bytes) -> FileEncoding:
    """Store the programs in a text file and return its encoding. Raises PermissionDenied, ValidationError."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    if len(content) > FILE_BYTES:
        raise ValidationError("Error reading file\nA file has at most 5 MB.")
    encoding = encoding_guess(content).encoding
    program_batch_store(actor=actor, text=text_read(content, encoding))
    return encoding


@transaction.atomic
def program_batch_clear(*, actor: Actor) -> None:
    """Delete the programs that an administrator has pasted. Raises PermissionDenied."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    if user_id is not None and ProgramBatch.objects.filter(user_id=user_id).delete()[0]:
        publish(ProgramTextChanged(user_id))


def program_batch_check(text: str) -> str:
    """Return pasted programs, cleaned. Raises ValidationError at `text` for an empty or too long text."""
    checked = text_clean(text)
    if not checked:
        raise ValidationError({"text": "Please paste programs first."})
    if len(checked) > BATCH_LENGTH or len(checked.splitlines()) > BATCH_LINES:
        params = {"lines": BATCH_LINES, "characters": BATCH_LENGTH}
        sentence = "The programs have at most %(lines)d lines and %(characters)d characters."
        raise ValidationError({"text": ValidationError(sentence, params=params)})
    return checked


@transaction.atomic
def program_batch_assign(
    *,
    actor: Actor,
    text: str,
    session_id: int | None,
    choices: BlockChoices = NO_CHOICES,
    decisions: Decisions = NONE,
    version: str | None = None,
    confirmed: bool = False,
) -> BatchAssigned:
    """Assign the blocks of a text to the performers of a session, of all sessions for None, together or not at all.

    A chosen program stays unless its block is in `choices.replacing`. Clear the stored text when every block is
    assigned and every line gave a piece, else store it. `version` is that of the shown blocks. Raises
    PermissionDenied, ValidationError, ConfirmationNeeded unless `confirmed` when ratings would be deleted.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    checked = program_batch_check(text)
    preview = batch_preview(text=checked, session_id=session_id)
    if version is not None and version != preview.version:
        raise ValidationError(CHANGED)
    if len(preview.programs) > BATCH_BLOCKS:
        raise ValidationError("At most %(most)d programs are assigned at once.", params={"most": BATCH_BLOCKS})
    catalogue = Catalogue(preview.pieces)
    people = _performers(preview, choices)
    chosen = {each.mark: entries_chosen(each.lines, decisions, catalogue) for each in preview.programs}
    programs = [
        _program(each, people[each.mark], chosen[each.mark], choices)
        for each in preview.programs
        if each.mark in people and chosen[each.mark]
    ]
    done = programs_set(actor=actor, programs=programs, confirmed=confirmed)
    groups = _groups(preview, people, chosen, done)
    assigned = groups[_ASSIGNED]
    result = BatchAssigned(
        assigned=_names(assigned, people),
        had_program=_names(groups[_KEPT], people),
        without_pieces=_names(groups[_NO_PIECES], people),
        without_performer=tuple(each.heading for each in groups[_NO_PERFORMER]),
        pieces=sum(len(chosen[each.mark]) for each in assigned),
        missing=tuple(line for each in assigned for line in missing(each.lines, decisions, catalogue)),
        undo_id=done.undo_id,
    )
    if result.is_complete:
        program_batch_clear(actor=actor)
    else:
        program_batch_store(actor=actor, text=checked)
    return result


_ASSIGNED, _KEPT, _NO_PIECES, _NO_PERFORMER = "assigned", "kept", "no pieces", "no performer"
_Chosen = tuple[tuple[ProgramLine, SlottedPiece], ...]


def _groups(
    preview: BatchPreview, people: Mapping[str, Performer], chosen: Mapping[str, _Chosen], done: ProgramsSet
) -> Mapping[str, list[ProgramBlock]]:
    """Return the blocks by what became of them, each once."""
    groups: dict[str, list[ProgramBlock]] = {name: [] for name in (_ASSIGNED, _KEPT, _NO_PIECES, _NO_PERFORMER)}
    for block in preview.programs:
        if block.mark not in people:
            groups[_NO_PERFORMER].append(block)
        elif not chosen[block.mark]:
            groups[_NO_PIECES].append(block)
        else:
            is_assigned = people[block.mark].appearance_id in done.assigned
            groups[_ASSIGNED if is_assigned else _KEPT].append(block)
    return groups


def _names(blocks: Iterable[ProgramBlock], people: Mapping[str, Performer]) -> tuple[str, ...]:
    return tuple(people[each.mark].name for each in blocks)


def _performers(preview: BatchPreview, choices: BlockChoices) -> Mapping[str, Performer]:
    """Return the performers of blocks by mark. Raises ValidationError at the field of an unknown label."""
    labels = performer_labels(preview.performers)
    found = {}
    for block in preview.programs:
        label = choices.performers.get(block.mark, "")
        if block.performer:
            found[block.mark] = block.performer
        elif label in labels:
            found[block.mark] = labels[label]
        elif label:
            raise ValidationError({f"who-{block.mark}": "Please choose a performer of the list."})
    return found


def _program(block: ProgramBlock, performer: Performer, chosen: _Chosen, choices: BlockChoices) -> NewProgram:
    """Return the program of a block. Raises ValidationError for too many pieces."""
    if len(chosen) > PROGRAM_PIECES:
        sentence = "The program of %(name)s has more than %(most)d pieces."
        raise ValidationError(sentence, params={"name": performer.name, "most": PROGRAM_PIECES})
    return NewProgram(performer.appearance_id, tuple(entries_new(chosen)), choices.replacing.get(block.mark))
