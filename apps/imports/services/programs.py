"""Writes of pasted programs: store a text, clear it, assign its blocks together; one performer's is one block."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.limits import PROGRAM_MOST
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.programs import Performer, program_admin
from apps.competition.services.catalogue import set_add
from apps.competition.services.program_batches import NewProgram, ProgramsSet, programs_set
from apps.competition.services.programs import NewEntry, NewStart
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import text_clean
from apps.imports.enums import FileEncoding
from apps.imports.events import ProgramTextChanged
from apps.imports.limits import FILE_BYTES, PROGRAM_BLOCKS, PROGRAM_LENGTH, PROGRAM_LINES
from apps.imports.models import ProgramText
from apps.imports.program_lines.blocks import ProgramBlock, performer_labels
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.decisions import NONE, Decisions, Item, items_chosen, missing
from apps.imports.program_lines.results import ProgramLine, SlottedPiece
from apps.imports.selectors.programs import (
    ProgramsPreview,
    program_assigned_to,
    program_read_for,
    program_text_get,
    programs_preview,
)
from apps.imports.tables.encodings import encoding_guess, text_read

NOT_ALLOWED = "Only administrators import programs."
GONE = "Selected participant not found"
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
class ProgramsAssigned:
    """The result of an assignment. Each of the `blocks` is in exactly one of the four groups.

    `missing` are the lines without a piece in the assigned blocks and in the chosen performer's. `pieces` counts
    items: a set is one.
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
def program_text_store(*, actor: Actor, text: str, assigned_to: int | None = None, read_for: int | None = None) -> None:
    """Store the programs that an administrator has pasted; `assigned_to` is the appearance that received a part.

    `read_for` is the appearance that is chosen on the page; one that is gone counts as none. Without `assigned_to`, a
    text that shares a line with the stored one keeps the stored assignment. The operator has no account, so that the
    text is only checked. Raises PermissionDenied, ValidationError at `text`.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    checked = program_text_check(text)
    if user_id is None:
        return
    before = ProgramText.objects.filter(user_id=user_id).first()
    if assigned_to is None and before is not None and set(_lines(before.text)) & set(_lines(checked)):
        assigned_to = before.assigned_to_id
    read_for = assigned_to if read_for is None or program_admin(appearance_id=read_for) is None else read_for
    defaults = {"text": checked, "assigned_to_id": assigned_to, "read_for_id": read_for, "updated_at": Now()}
    ProgramText.objects.update_or_create(user_id=user_id, defaults=defaults)
    publish(ProgramTextChanged(user_id))


def program_file_store(*, actor: Actor, content: bytes) -> FileEncoding:
    """Store the programs in a text file and return its encoding. Raises PermissionDenied, ValidationError."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    if len(content) > FILE_BYTES:
        raise ValidationError("Error reading file\nA file has at most 5 MB.")
    encoding = encoding_guess(content).encoding
    program_text_store(actor=actor, text=text_read(content, encoding))
    return encoding


@transaction.atomic
def program_text_clear(*, actor: Actor) -> None:
    """Delete the programs that an administrator has pasted. Raises PermissionDenied."""
    require(can_edit_competition(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    if user_id is not None and ProgramText.objects.filter(user_id=user_id).delete()[0]:
        publish(ProgramTextChanged(user_id))


def program_text_check(text: str) -> str:
    """Return pasted programs, cleaned. Raises ValidationError at `text` for an empty or too long text."""
    checked = text_clean(text)
    if not checked:
        raise ValidationError({"text": "Please paste a program first."})
    if len(checked) > PROGRAM_LENGTH or len(checked.splitlines()) > PROGRAM_LINES:
        params = {"lines": PROGRAM_LINES, "characters": PROGRAM_LENGTH}
        sentence = "A text has at most %(lines)d lines and %(characters)d characters."
        raise ValidationError({"text": ValidationError(sentence, params=params)})
    return checked


@transaction.atomic
def programs_assign(
    *,
    actor: Actor,
    text: str,
    session_id: int | None = None,
    appearance_id: int | None = None,
    choices: BlockChoices = NO_CHOICES,
    decisions: Decisions = NONE,
    version: str | None = None,
    confirmed: bool = False,
) -> ProgramsAssigned:
    """Assign the blocks of a text to the performers of a session, of all sessions for None, together or not at all.

    The lines before the first heading are the program of `appearance_id`, in place of the program there. The program
    of a heading's performer stays unless its block is in `choices.replacing`. Clear the stored text when every block
    is assigned and every line gave a piece, else store it. `version` is that of the shown blocks. Raises
    PermissionDenied, ValidationError (GONE without the appearance). Raises ConfirmationNeeded unless `confirmed` when
    ratings would be deleted, when another appearance received a part of the text, or when it was read for another one.
    An error rolls everything back.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    checked = program_text_check(text)
    preview = programs_preview(text=checked, session_id=session_id, appearance_id=appearance_id)
    if appearance_id is not None and preview.chosen is None:
        raise ValidationError(GONE)
    if version is not None and version != preview.version:
        raise ValidationError(CHANGED)
    if len(preview.programs) > PROGRAM_BLOCKS:
        raise ValidationError("At most %(most)d programs are assigned at once.", params={"most": PROGRAM_BLOCKS})
    people = _performers(preview, choices)
    if preview.is_single and not people:
        raise ValidationError("Please choose a participant.")
    chosen = {each.mark: _items(each, people, decisions, preview.catalogue) for each in preview.programs}
    programs = [
        _program(actor, people[each.mark], chosen[each.mark], _replaces(each, preview, choices))
        for each in preview.programs
        if each.mark in people and chosen[each.mark]
    ]
    questions = [] if confirmed else _readdressed(actor, preview, programs)
    try:
        done = programs_set(actor=actor, programs=programs, confirmed=confirmed)
    except ConfirmationNeeded as rated:
        raise ConfirmationNeeded([*questions, *rated.error_list]) from rated
    if questions:
        raise ConfirmationNeeded(questions)
    groups = _groups(preview, people, chosen, done)
    assigned = groups[_ASSIGNED]
    read = [*assigned, *filter(preview.is_of_chosen, groups[_NO_PIECES])]
    lost = tuple(line for each in read for line in missing(each.lines, decisions, preview.catalogue))
    result = ProgramsAssigned(
        assigned=_names(assigned, people),
        had_program=_names(groups[_KEPT], people),
        without_pieces=_names(groups[_NO_PIECES], people),
        without_performer=tuple(each.heading for each in groups[_NO_PERFORMER]),
        pieces=sum(len(chosen[each.mark]) for each in assigned),
        missing=lost,
        undo_id=done.undo_id,
    )
    if result.is_complete and result.blocks:
        program_text_clear(actor=actor)
    else:
        program_text_store(actor=actor, text=checked, assigned_to=_receiver(preview, assigned))
    return result


_ASSIGNED, _KEPT, _NO_PIECES, _NO_PERFORMER = "assigned", "kept", "no pieces", "no performer"
_Chosen = Mapping[str, tuple[Item, ...]]


def _items(
    block: ProgramBlock, people: Mapping[str, Performer], decisions: Decisions, catalogue: Catalogue
) -> tuple[Item, ...]:
    performer = people.get(block.mark)
    takes_sets = performer is not None and performer.takes_sets
    return items_chosen(block.lines, decisions, catalogue, takes_sets=takes_sets)


def _groups(
    preview: ProgramsPreview, people: Mapping[str, Performer], chosen: _Chosen, done: ProgramsSet
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


def _performers(preview: ProgramsPreview, choices: BlockChoices) -> Mapping[str, Performer]:
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


def _replaces(block: ProgramBlock, preview: ProgramsPreview, choices: BlockChoices) -> str | None:
    """Return the version of the program that a block replaces, empty for any; None if a program stays."""
    is_chosen = preview.is_of_chosen(block)
    return choices.replacing.get(block.mark, "" if is_chosen else None)


def _program(actor: Actor, performer: Performer, items: tuple[Item, ...], replaces: str | None) -> NewProgram:
    """Return the program of a block; its sets are in the catalogue afterwards. Raises ValidationError for too many."""
    if len(items) > PROGRAM_MOST:
        sentence = "The program of %(name)s has more than %(most)d pieces."
        raise ValidationError(sentence, params={"name": performer.name, "most": PROGRAM_MOST})
    return NewProgram(performer.appearance_id, tuple(_entries(actor, items)), replaces)


def _entries(actor: Actor, items: Iterable[Item]) -> Iterable[NewEntry]:
    """Yield the entries of a program."""
    for item in items:
        starts = tuple(NewStart(number, each.second, each.url) for number, each in item.parts.items())
        piece_id, slot = item_piece(actor, item.pieces), item.pieces[0].slot
        yield NewEntry(piece_id, slot=slot, timestamp=item.second, youtube_url=item.url, parts=starts)


def item_piece(actor: Actor, pieces: Sequence[SlottedPiece]) -> int:
    """Return the id of an item's piece; the set of several pieces is added to the catalogue if it lacks it."""
    ids = [each.piece.id for each in pieces]
    return set_add(actor=actor, piece_ids=ids).pk if len(ids) > 1 else ids[0]


def _receiver(preview: ProgramsPreview, assigned: Iterable[ProgramBlock]) -> int | None:
    """Return the chosen appearance if it received a part of the text, else None."""
    return preview.chosen.appearance_id if preview.chosen and any(map(preview.is_of_chosen, assigned)) else None


def _readdressed(actor: Actor, preview: ProgramsPreview, programs: Iterable[NewProgram]) -> list[ValidationError]:
    """Return the question to confirm if another appearance received a part of this text, or if it was read for it."""
    chosen = preview.chosen
    if chosen is None or all(each.appearance_id != chosen.appearance_id for each in programs):
        return []
    user_id = account_of(actor) or 0
    before = program_assigned_to(user_id=user_id)
    sentence = "A part of this text is the program of %(name)s already. It would become another program, too."
    if before is None and program_text_get(user_id=user_id) == preview.text:
        before = program_read_for(user_id=user_id)
        sentence = "This text was read for %(name)s. It would become the program of another performer."
    if before is None or before.appearance_id == chosen.appearance_id:
        return []
    return [ValidationError(sentence, params={"name": before.name})]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
