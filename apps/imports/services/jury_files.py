"""Writes of the jury's files: store one, decide what is not certain, save it as a draft, clear it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.selectors.admin.participants import ParticipantName, participant_names
from apps.competition.selectors.public.stages import stage_names, stage_not_begun, stage_performers
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import storable
from apps.imports.enums import FileEncoding, JuryFileKind, TableKind
from apps.imports.events import JuryFileChanged
from apps.imports.jury_files.columns import MARKS_COLUMNS, OFFICIAL_COLUMNS
from apps.imports.jury_files.people import participant_labels
from apps.imports.jury_files.sheets import JurorRead, PersonRead
from apps.imports.jury_files.stage_choice import stage_proposed
from apps.imports.jury_files.texts import JuryText, jury_encoding, jury_file_read
from apps.imports.limits import FILE_NAME_LENGTH, SHEETS_NAMED
from apps.imports.models import JuryFile
from apps.imports.selectors.jury_files import (
    JuryFileShown,
    JuryPreview,
    jury_file_get,
    jury_file_preview,
    jury_sheet_read,
)
from apps.imports.services.header_choices import header_choose
from apps.imports.services.participant_files import GUESS
from apps.imports.tables.encodings import EncodingGuess
from apps.imports.tables.headers import ColumnsMissing
from apps.imports.tables.workbooks import Sheet
from apps.jury.permissions import can_edit_jury
from apps.jury.selectors import rule_current
from apps.jury.services import NOT_ALLOWED, SheetSaved, sheet_save, sheets_lock

NO_FILE = "There is no file to save. Please send it again."
CHANGED = "The file or the stored sheet was changed meanwhile. Please look at it again."
PICK = "Please choose a participant of the list."
NO_STAGE = "No stage of the site is certain by this file’s number and performers. Please choose a stage."
CHOOSE_STAGE = "Please choose a stage: then the file is kept, and its sheet and columns can be chosen."
UNKNOWN = -1
LEFT = "Nothing was stored: the file has faults, or participants to choose."


@dataclass(frozen=True, slots=True)
class JuryFileStored:
    """How a file of the jury was read: its encoding, and of a workbook the sheet."""

    encoding: FileEncoding
    sheet: Sheet | None


def jury_file_store(*, actor: Actor, stage_id: int | None, content: bytes, file_name: str = "") -> JuryFileStored:
    """Store a file of the jury in place of the administrator's last one; return how it was read.

    Without `stage_id` it is the file of the stage that its number and its performers propose; it can be changed. Raises
    PermissionDenied, ValidationError for an unknown stage, for a file that cannot be read, and if no stage is proposed.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    if stage_id is not None:
        _stage_check(stage_id)
    guess = jury_encoding(content)
    file = jury_file_read(content, guess.encoding)
    if stage_id is None and (stage_id := _stage_proposed(file)) is None:
        raise ValidationError({"stage": NO_STAGE})
    stored = JuryFileStored(guess.encoding, file.sheet)
    if user_id is None:
        return stored
    values = {
        "stage_id": stage_id,
        "file_name": file_name[:FILE_NAME_LENGTH],
        **_columns(file, content),
        **_guess(guess, content),
    }
    with transaction.atomic():  # begun after the file was read, which may take seconds
        JuryFile.objects.update_or_create(user_id=user_id, defaults=values | {"choices": {}, "updated_at": Now()})
        publish(JuryFileChanged(user_id))
    return stored


def _columns(file: JuryText, content: bytes) -> dict[str, Any]:
    """Return the columns of a file: its text, and of a workbook with several sheets its bytes and the sheets' names."""
    if file.sheet is None or not file.sheet.others:
        return {"text": file.text, "workbook": b"", "sheet": "", "other_sheets": []}
    others = [storable(name) for name in file.sheet.others[:SHEETS_NAMED]]
    return {"text": file.text, "workbook": content, "sheet": storable(file.sheet.name), "other_sheets": others}


def _guess(guess: EncodingGuess, content: bytes) -> dict[str, Any]:
    """Return the columns of a file's encoding; the bytes are kept only of a text that may be read in another one."""
    columns = {
        "content": b"",
        "encoding": "",
        "encoding_found": "",
        "is_encoding_sure": True,
        "is_decimal_comma": False,
    }
    if not guess.is_sure:
        found = guess.encoding
        columns |= {"content": content, "encoding": found, "encoding_found": found, "is_encoding_sure": False}
    return columns


@transaction.atomic
def jury_file_read_again(
    *, actor: Actor, sheet: str = "", encoding: FileEncoding | None = None, is_decimal_comma: bool | None = None
) -> None:
    """Read the file that an administrator has sent in another way; what is not given stays as it is.

    `sheet` is another one of a workbook, which drops decisions made by hand; an encoding that is given is sure. Raises
    PermissionDenied, and ValidationError without a file that can be read so.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    user_id = account_of(actor) or 0
    stored = JuryFile.objects.select_for_update().filter(user_id=user_id).first()
    if stored is None or (sheet and not stored.workbook) or (encoding and not stored.content):
        raise ValidationError(NO_FILE)
    values: dict[str, Any] = {"updated_at": Now()}
    if sheet:
        content = bytes(stored.workbook)
        values |= {**_columns(jury_file_read(content, sheet=sheet), content), "choices": {}}
    if encoding:
        text = jury_file_read(bytes(stored.content), encoding).text
        values |= {"text": text, "encoding": encoding, "is_encoding_sure": True}
    if is_decimal_comma is not None:
        values["is_decimal_comma"] = is_decimal_comma
    JuryFile.objects.filter(pk=stored.pk).update(**values)
    publish(JuryFileChanged(user_id))


def _stage_proposed(file: JuryText) -> int | None:
    """Return the stage that a file is proposed to belong to, None if none is certain. Raises ValidationError."""
    rule = rule_current()
    try:
        sheet = jury_sheet_read(file.text, participant_names(), {}, rule)
    except ColumnsMissing as error:
        if file.sheet and file.sheet.others:
            error.sheets_name(file.sheet.name, file.sheet.others)
        error.message = f"{error.message}\n{CHOOSE_STAGE}"
        raise
    return stage_proposed(sheet, stage_names(), stage_performers(), rule.stages)


def _stage_check(stage_id: int) -> None:
    """Raise ValidationError for an unknown stage."""
    if stage_id not in {each.id for each in stage_names()}:
        raise ValidationError({"stage": "Please choose a stage."})


@transaction.atomic
def jury_columns_choose(*, actor: Actor, chosen: Mapping[str, str]) -> None:
    """Store what the columns of the jury's file are, by the key of a name, for every file with this header.

    Raises PermissionDenied, ValidationError as `header_choose`.
    """
    _, preview = _read(actor)
    allowed = (*MARKS_COLUMNS, *OFFICIAL_COLUMNS)
    header_choose(kind=TableKind.JURY, columns=preview.columns, chosen=chosen, allowed=allowed)
    publish(JuryFileChanged(account_of(actor) or 0))


@transaction.atomic
def jury_file_choose(*, actor: Actor, chosen: Mapping[str, str], stage_id: int | None = None) -> None:
    """Store decisions made by hand: labels of participants and names of jurors by the marks of their lines.

    An empty one takes a decision back. With `stage_id` the file is that stage's from now on. Raises PermissionDenied,
    ValidationError at the field of an unknown label or stage.
    """
    file, preview = _read(actor)
    if stage_id is not None:
        _stage_check(stage_id)
    if preview.sheet is None:
        raise ValidationError(NO_FILE)
    labels = participant_labels(preview.people)
    choices = dict(file.choices)
    for each in preview.sheet.fields:
        if each.mark in chosen:
            choices[each.mark] = _choice(each, chosen[each.mark], labels, preview.sheet.vanished)
    choices = {mark: value for mark, value in choices.items() if value}
    if wrong := {mark: PICK for mark, value in choices.items() if value == UNKNOWN}:
        raise ValidationError(wrong)
    user_id = account_of(actor) or 0
    stage_id = file.stage_id if stage_id is None else stage_id
    JuryFile.objects.filter(user_id=user_id).update(choices=choices, stage_id=stage_id, updated_at=Now())
    publish(JuryFileChanged(user_id))


def _choice(
    each: PersonRead | JurorRead, words: str, labels: Mapping[str, ParticipantName], vanished: Sequence[str]
) -> int | str:
    """Return what is stored for a decision: an id or a juror's name; empty without one, UNKNOWN for another label.

    The name of a juror is the own one of a new juror, or that of one who may be the same.
    """
    if isinstance(each, JurorRead):
        return words if words in {each.own, each.near, each.name, *vanished} else ""
    return labels[words].id if words in labels else UNKNOWN if words else ""


@transaction.atomic
def jury_file_save(*, actor: Actor, version: str, confirmed: bool = True) -> SheetSaved:
    """Save the administrator's file as the draft of its stage, and forget the file. `version` is that of the preview.

    Raises PermissionDenied, ValidationError while the file has faults or decisions, and if something was changed;
    unless `confirmed` ConfirmationNeeded while no performance of the stage has begun.
    """
    require(can_edit_jury(actor), NOT_ALLOWED)
    sheets_lock()  # before the stored sheet is read: another administrator may save it now
    file, preview = _read(actor)
    if not file.is_encoding_sure:
        raise ValidationError(GUESS)
    if version != preview.version:
        raise ValidationError(CHANGED)
    saved = preview_save(actor=actor, preview=preview, file_name=file.file_name)
    if not confirmed and saved.is_changed and (questions := stage_not_begun(stage_id=preview.stage_id)):
        raise ConfirmationNeeded(list(questions))  # after all refusals; the transaction takes the draft back
    jury_file_clear(actor=actor)
    return saved


def preview_save(*, actor: Actor, preview: JuryPreview, file_name: str) -> SheetSaved:
    """Save what was read as the draft of its stage. Raises PermissionDenied, ValidationError with faults left."""
    if preview.error is not None:
        raise preview.error
    if preview.sheet is None or not preview.can_be_saved:
        raise ValidationError(LEFT)
    is_marks = preview.sheet.kind is JuryFileKind.MARKS
    return sheet_save(
        actor=actor,
        stage_id=preview.stage_id,
        place=preview.place,
        marks=preview.sheet.cells if is_marks else None,
        officials=None if is_marks else preview.sheet.officials,
        file_name=file_name,
    )


@transaction.atomic
def jury_file_clear(*, actor: Actor) -> None:
    """Delete the file that an administrator has sent. Raises PermissionDenied."""
    require(can_edit_jury(actor), NOT_ALLOWED)
    user_id = account_of(actor)
    if user_id is not None and JuryFile.objects.filter(user_id=user_id).delete()[0]:
        publish(JuryFileChanged(user_id))


def _read(actor: Actor) -> tuple[JuryFileShown, JuryPreview]:
    """Return the actor's file with its preview; the row is locked. Raises PermissionDenied, ValidationError."""
    require(can_edit_jury(actor), NOT_ALLOWED)
    user_id = account_of(actor) or 0
    JuryFile.objects.select_for_update().filter(user_id=user_id).first()
    file = jury_file_get(user_id=user_id)
    if file is None:
        raise ValidationError(NO_FILE)
    return file, jury_file_preview(file)
