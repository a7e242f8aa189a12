"""Save a participant file and undo it: all good rows or none, each person and piece once."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NoReturn

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.permissions import can_edit_competition
from apps.competition.piano_names import PianoName, piano_read
from apps.competition.selectors.admin.participants import participant_facts
from apps.competition.services.participants import (
    NewParticipant,
    NewPiece,
    participants_add,
    participants_fill,
    participants_lock,
    participants_remove,
    pieces_add,
    pieces_remove,
)
from apps.competition.services.pianos import pianos_give, pianos_take_back
from apps.competition.works import COMPOSER
from apps.core.database.fields import venue_zone
from apps.core.events import publish
from apps.core.permissions import require
from apps.imports.enums import GOOD, CreationKind, ImportState, RowProblem, RowStatus
from apps.imports.events import ParticipantImportChanged
from apps.imports.models import ImportCreation, ParticipantImport
from apps.imports.participant_files.changes import START_NUMBER, biography_generated, stored_facts
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece, piece_read
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors.participant_files import ImportSummary, plan_basis
from apps.imports.services.participant_files import (
    BATCH,
    GUESS,
    NOT_ALLOWED,
    SAVED_ALREADY,
    import_lock,
    rows_counted,
)

STAGE = "Preliminary Round"
SAVING_FAILED = "Error saving data"


@dataclass(frozen=True, slots=True)
class GoodRow:
    """A row that is saved or can be saved; `pieces` are names, `person` is the decision about a similar name."""

    position: int
    line: int
    first_name: str
    last_name: str
    country: str
    pieces: tuple[str, ...]
    person: str
    is_saved: bool
    start_number: int | None
    birth_year: int | None
    biography: str
    name_local: str
    piano: str
    avatar_url: str
    participant_id: int | None
    before: Mapping[str, Any]
    taken: Sequence[str]

    @property
    def names(self) -> tuple[str, str, str]:
        """Return first name, last name and country."""
        return self.first_name, self.last_name, self.country


@transaction.atomic
def import_save(*, actor: Actor, import_id: int) -> ImportSummary:
    """Save the good rows of a file that are not saved yet, and return the totals of all saves of this file.

    Of existing participants empty facts are filled, and ticked ones changed. Raises PermissionDenied,
    ParticipantImport.DoesNotExist. Raises ValidationError without unsaved rows, while the encoding is a guess, for a
    fact that was changed meanwhile, or when the database refuses a row; then all of it is rolled back.
    """
    participants_lock()
    stored = import_lock(actor, import_id, even_saved=True)
    if not stored.is_encoding_sure:
        raise ValidationError(GUESS)
    rows, pieces_named = _good_rows(stored)
    unsaved = [row for row in rows if not row.is_saved]
    if stored.state == ImportState.SAVED and not unsaved:
        raise ValidationError(SAVED_ALREADY)
    known, catalogue = plan_basis()
    pieces = {name: _piece_now(piece, catalogue) for name, piece in pieces_named.items()}
    pianos = _pianos(unsaved, known)
    fills = _fills(unsaved, known)
    people = _new_people(unsaved, known)
    missing = [pieces[name] for row in unsaved for name in row.pieces if not pieces[name].is_known]
    try:
        with transaction.atomic():
            participants_fill(actor=actor, values={pk: _sides(each, 1) for pk, each in fills.items()})
            made = [*_make(actor, people, missing, pieces), *_pianos_give(actor, pianos)]
    except (IntegrityError, DataError) as error:
        raise ValidationError(SAVING_FAILED) from error
    creations = [ImportCreation(participant_import=stored, kind=k, created_id=pk, version=v) for k, pk, v in made]
    creations += [
        ImportCreation(participant_import=stored, kind=CreationKind.FILLED, created_id=pk, version="", values=values)
        for pk, values in fills.items()
    ]
    ImportCreation.objects.bulk_create(creations, batch_size=BATCH)
    added = {row.position for row in people}
    there = [row.position for row in unsaved if row.position not in added]  # also those of another window's file
    stored.rows.filter(status=RowStatus.NEW, position__in=there).update(status=RowStatus.EXISTING, is_known=True)
    stored.rows.filter(status__in=GOOD, is_saved=False).update(is_saved=True)
    summary = _summary(stored, len(rows), {piece.name for piece in pieces.values()})
    _saved_note(actor, stored, summary, saved_rows=len(rows), has_made=bool(creations))
    return summary


def _summary(stored: ParticipantImport, saved_rows: int, names: Collection[str]) -> ImportSummary:
    """Return the totals of a file's saved rows; each piece is counted once, by name."""
    made = Counter(stored.creations.values_list("kind", flat=True))
    new_people, new_pieces = made[CreationKind.PARTICIPANT], made[CreationKind.PIECE]
    given, filled = made[CreationKind.PLAYED], made[CreationKind.FILLED]
    return ImportSummary(new_people, saved_rows - new_people, new_pieces, len(names) - new_pieces, given, filled)


def _good_rows(stored: ParticipantImport) -> tuple[list[GoodRow], dict[str, FilePiece]]:
    """Return the rows that are saved or can be, and their pieces by the name that the rows use."""
    rows: list[GoodRow] = []
    pieces: dict[str, FilePiece] = {}
    found = stored.rows.filter(status__in=GOOD).order_by("position")
    facts = ("start_number", "birth_year", "biography", "name_local", "piano", "avatar_url")
    more = ("problem", "is_saved", *facts, "participant_id", "before", "taken")
    columns = ("position", "line", "first_name", "last_name", "country", "pieces", *more)
    for position, line, first, last, country, of_row, *others in found.values_list(*columns).iterator(chunk_size=BATCH):
        for piece in of_row:
            if piece["name"] not in pieces:
                pieces[piece["name"]] = FilePiece(**piece)
        names = tuple(piece["name"] for piece in of_row)
        rows.append(GoodRow(position, line, first, last, country, names, *others))
    return rows, pieces


def _piece_now(piece: FilePiece, catalogue: Catalogue) -> FilePiece:
    """Return a piece as the catalogue has it now, or as it is to be added."""
    now = piece_read(piece.name, catalogue)
    return now if now.is_known else replace(piece, is_known=False)


def _new_people(rows: Iterable[GoodRow], known: KnownPeople) -> list[GoodRow]:
    """Return the rows with new participants, each participant once.

    Raises ValidationError for a similar name added after the file was read, because it was not part of the decisions,
    and for a start number that another participant has got since.
    """
    people = []
    for row in rows:
        name = row.names
        alike = known.alike_to(*name)
        if known.line_of(*name) is not None or (alike and row.person == RowProblem.SAME):
            continue
        if alike and row.person != RowProblem.ANOTHER:
            sentence = "Line %(line)d: %(name)s is spelled like %(alike)s, added since. Please read the file again."
            params = {"line": row.line, "name": f"{row.first_name} {row.last_name}", "alike": alike}
            raise ValidationError(sentence, params=params)
        _start_number_require_free(row, known)
        known.add(*name, row.line)
        people.append(row)
    return people


Fills = Mapping[int, Mapping[str, tuple[Any, Any]]]  # by participant and field: the value before and after


def _sides(values: Mapping[str, tuple[Any, Any]], side: int) -> dict[str, Any]:
    """Return the values before (0) or after (1), by field."""
    return {field: both[side] for field, both in values.items()}


def _fills(rows: Iterable[GoodRow], known: KnownPeople) -> Fills:
    """Return what rows fill or change of participants who are there; their numbers are given to them in `known`.

    Raises ValidationError for a fact that was changed since the file was read, and for a number of somebody else.
    """
    changing = {row.participant_id: row for row in rows if row.participant_id and row.before}
    fills: dict[int, dict[str, tuple[Any, Any]]] = {}
    for pk, facts in participant_facts(ids=tuple(filter(None, changing))).items():
        row, stored = changing[pk], stored_facts(facts)
        fields = [field for field, before in row.before.items() if not before or field in row.taken]
        fields = [field for field in fields if stored[field] != getattr(row, field)]
        if any(stored[field] != row.before[field] for field in fields):
            sentence = "Line %(line)d: %(name)s was changed meanwhile. Please read the file again."
            params = {"line": row.line, "name": f"{row.first_name} {row.last_name}"}
            raise ValidationError(sentence, params=params)
        if fields:
            fills[pk] = {field: (getattr(facts, field), getattr(row, field)) for field in fields}
    _numbers_move([(changing[pk], *each[START_NUMBER]) for pk, each in fills.items() if START_NUMBER in each], known)
    return fills


def _numbers_move(moves: Sequence[tuple[GoodRow, int | None, int]], known: KnownPeople) -> None:
    """Give these rows' participants their numbers in `known`. Raises ValidationError for a number of somebody else."""
    for _, before, _ in moves:
        known.numbers.pop(before or 0, None)
    for row, _, number in moves:
        if owner := known.numbers.get(number, ""):
            _number_taken(row, number, owner)
        known.numbers[number] = f"{row.first_name} {row.last_name}"


def _number_taken(row: GoodRow, number: int, owner: str) -> NoReturn:
    sentence = "Line %(line)d: start number %(number)d is taken by now (%(owner)s). Please read the file again."
    raise ValidationError(sentence, params={"line": row.line, "number": number, "owner": owner})


def _pianos(rows: Iterable[GoodRow], known: KnownPeople) -> dict[int, PianoName]:
    """Return the pianos that rows give to participants with a performance, by participant; others are left out.

    Raises ValidationError for two lines that give one participant different pianos.
    """
    pianos: dict[int, PianoName] = {}
    for row in rows:
        is_other = row.person == RowProblem.ANOTHER
        player = None if is_other else known.player(*row.names, is_alike=row.person == RowProblem.SAME)
        if not row.piano or player is None:
            continue
        name = piano_read(row.piano)
        if pianos.setdefault(player, name).key != name.key:
            params = {"line": row.line, "name": f"{row.first_name} {row.last_name}"}
            raise ValidationError("Line %(line)d: %(name)s has another piano in an earlier line.", params=params)
    return pianos


def _pianos_give(actor: Actor, pianos: dict[int, PianoName]) -> list[tuple[CreationKind, int, str]]:
    """Give the pianos to the newest performances; return the kind, id and version of each change."""
    if not pianos:
        return []
    given = pianos_give(actor=actor, pianos=pianos)
    changes = [(CreationKind.PLAYED, pk, f"{before or 0}:{after}") for pk, before, after in given.changes]
    return [*((CreationKind.PIANO, pk, "") for pk in given.added), *changes]


def _start_number_require_free(row: GoodRow, known: KnownPeople) -> None:
    number = row.start_number
    if number is None:
        return
    owner = known.number_owner(number, *row.names, is_another=True)
    if owner or known.number_line(number, row.line, *row.names):
        _number_taken(row, number, owner or f"line {known.number_lines[number][0]}")


def _make(
    actor: Actor, people: Sequence[GoodRow], missing: Sequence[FilePiece], named: dict[str, FilePiece]
) -> list[tuple[CreationKind, int, str]]:
    """Add the participants and pieces; return the kind, id and version of each."""
    unique = {piece.name: piece for piece in missing}
    piece_ids = pieces_add(actor=actor, pieces=[_new_piece(piece) for piece in unique.values()])
    added = participants_add(
        actor=actor, participants=[_new_participant(row, named) for row in people], stage=STAGE, on=_today()
    )
    return [
        *((CreationKind.PIECE, pk, "") for pk in piece_ids),
        *((CreationKind.PARTICIPANT, pk, version) for pk, version in added),
    ]


def _new_piece(piece: FilePiece) -> NewPiece:
    return NewPiece(piece.category, piece.name, COMPOSER, piece.title, piece.key, piece.opus, piece.number)


def _new_participant(row: GoodRow, named: dict[str, FilePiece]) -> NewParticipant:
    program = "\n".join(dict.fromkeys(named[name].name for name in row.pieces))
    biography = row.biography or biography_generated(*row.names)
    return NewParticipant(
        *row.names,
        biography,
        program,
        start_number=row.start_number,
        birth_year=row.birth_year,
        name_local=row.name_local,
        avatar_url=row.avatar_url,
    )


def _today() -> date:
    """Return today's date in the venue's time zone."""
    return timezone.now().astimezone(venue_zone()).date()


def _saved_note(
    actor: Actor, stored: ParticipantImport, summary: ImportSummary, *, saved_rows: int, has_made: bool
) -> None:
    """Store the totals of the import, write the audit entry if rows were created, and publish the change."""
    numbers = {field: getattr(summary, field) for field in summary.__slots__}
    saved_at = stored.saved_at or timezone.now()
    ParticipantImport.objects.filter(pk=stored.pk).update(
        state=ImportState.SAVED,
        saved_at=saved_at,
        saved_rows=saved_rows,
        saved_hidden_rows=stored.rows.filter(is_saved=True, is_hidden=True).count(),
        **rows_counted(stored),
        **numbers,
    )
    if has_made:
        change_note(actor=actor, action="import.save", subject_id=stored.pk, name=stored.file_name, **numbers)
    publish(ParticipantImportChanged())


@transaction.atomic
def import_undo(*, actor: Actor, import_id: int) -> tuple[int, int]:
    """Delete the participants and pieces that an import created; return how many of each still existed.

    Participants who were there get back what they had, except facts that were changed since.
    Raises PermissionDenied, ParticipantImport.DoesNotExist. Raises ValidationError with the dependents that prevent the
    deletion; then all of it is rolled back.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    participants_lock()
    stored = ParticipantImport.objects.select_for_update().get(pk=import_id)
    if stored.state != ImportState.SAVED:
        raise ValidationError("This import was taken back already, or never saved.")
    made = dict(stored.creations.filter(kind=CreationKind.PARTICIPANT).values_list("created_id", "version"))
    piece_ids = list(stored.creations.filter(kind=CreationKind.PIECE).values_list("created_id", flat=True))
    _pianos_take_back(actor, stored)
    pieces, hanging_pieces = _try(lambda: pieces_remove(actor=actor, piece_ids=piece_ids))
    people, hanging_people = _try(lambda: participants_remove(actor=actor, versions=made))
    if hanging_people or hanging_pieces:
        raise ValidationError(["This import stays as it is.", *hanging_people, *hanging_pieces])
    _fills_take_back(actor, stored)
    stored.creations.all().delete()
    ParticipantImport.objects.filter(pk=import_id).update(state=ImportState.UNDONE)
    change_note(
        actor=actor,
        action="import.undo",
        subject_id=import_id,
        name=stored.file_name,
        participants=people,
        pieces=pieces,
    )
    publish(ParticipantImportChanged())
    return people, pieces


def _pianos_take_back(actor: Actor, stored: ParticipantImport) -> None:
    """Give performances the pianos that they had before the import, unless these were changed since."""
    added = list(stored.creations.filter(kind=CreationKind.PIANO).values_list("created_id", flat=True))
    found = stored.creations.filter(kind=CreationKind.PLAYED).values_list("created_id", "version")
    pairs = ((pk, *map(int, version.split(":"))) for pk, version in found)
    pianos_take_back(actor=actor, changes=[(pk, before or None, after) for pk, before, after in pairs], added=added)


def _fills_take_back(actor: Actor, stored: ParticipantImport) -> None:
    """Give participants back the facts that they had before the import, unless these were changed since.

    A start number that somebody else has by now stays away.
    """
    found = stored.creations.filter(kind=CreationKind.FILLED).values_list("created_id", "values")
    values = dict(found)
    now = participant_facts(ids=tuple(values))
    back = {
        pk: {field: before for field, (before, after) in values[pk].items() if getattr(facts, field) == after}
        for pk, facts in now.items()
    }
    known, _ = plan_basis()
    kept = {now[pk].start_number for pk, fields in back.items() if START_NUMBER in fields}
    for fields in back.values():
        number = fields.get(START_NUMBER)
        if number in known.numbers and number not in kept:
            del fields[START_NUMBER]
    participants_fill(actor=actor, values={pk: fields for pk, fields in back.items() if fields})


def _try(remove: Callable[[], int]) -> tuple[int, list[ValidationError]]:
    """Return how many rows were removed, and the errors about dependents."""
    try:
        return remove(), []
    except ValidationError as error:
        return 0, error.error_list
