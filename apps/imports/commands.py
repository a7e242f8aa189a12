"""Commands of imports: each reads its arguments and calls one service."""

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import leave_to_database, register
from apps.competition.enums import Category
from apps.competition.limits import NAME_LENGTH, PIECE_LENGTH
from apps.competition.piece_names import reader_register
from apps.competition.selectors.admin.participants import FACTS
from apps.core.commands import LINE, Access, Answer, Arguments, command
from apps.core.limits import ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts
from apps.imports.enums import Delimiter, FileEncoding, OfferSource, ProgramStep, RowProblem
from apps.imports.limits import (
    ALL_SESSIONS,
    JURY_CHOSEN,
    LABEL_LENGTH,
    PROGRAM_BLOCKS,
    PROGRAM_LENGTH,
    PROGRAM_PIECES,
    SESSION_MOST,
    SHEET_LENGTH,
    STAGE_MOST,
)
from apps.imports.participant_files.plan import name_read
from apps.imports.participant_files.summary import rows_words, summary_words
from apps.imports.program_lines.decisions import Decisions
from apps.imports.program_summary import assigned_words, taken_words
from apps.imports.selectors.jury_files import jury_files_own
from apps.imports.selectors.participant_files import import_get, import_row, imports_own
from apps.imports.selectors.programs import program_batches_own, program_text_get, program_texts_own
from apps.imports.services import (
    jury_files,
    participant_files,
    participant_saving,
    program_offers,
    programs,
)
from apps.imports.services.programs import BlockChoices
from apps.imports.tables.headers import COLUMNS_SHOWN
from apps.jury.services import SAVED, UNCHANGED

PAGE = "/admin/import"


@command(Access.ADMINISTRATOR)
def import_save(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the file in the argument, or the rows decided since the last save, and show the file's page."""
    import_id = given.id()
    before = import_get(import_id=import_id)
    saved = participant_saving.import_save(actor=actor, import_id=import_id)
    after = import_get(import_id=import_id)
    count = saved.new_participants - (before.summary.new_participants if before else 0)
    loaded = t("Successfully loaded {n} participants").format(n=count)
    lines = [loaded, summary_words(saved, t), *([rows_words(after.counts, t)] if after else [])]
    return Answer(LINE.join(lines), go=f"{PAGE}?file={import_id}")


@command(Access.ADMINISTRATOR, confirm="Take back all that this import made?")
def import_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the import in the argument."""
    people, pieces = participant_saving.import_undo(actor=actor, import_id=given.id())
    taken = t("Taken back: {people}, {pieces}.").format(
        people=t.plural("%(n)d participant", "%(n)d participants", people),
        pieces=t.plural("%(n)d piece", "%(n)d pieces", pieces),
    )
    return Answer(taken, go=PAGE)


@command(Access.ADMINISTRATOR)
def import_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the unsaved file in the argument."""
    participant_files.import_clear(actor=actor, import_id=given.id())
    return Answer(t("The file is forgotten."), go=PAGE)


@command(Access.ADMINISTRATOR)
def import_read_again(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Read the file in the argument in another way: the fields `encoding`, `delimiter`, `people` and `sheet`."""
    encoding, delimiter = given.choice("encoding", FileEncoding.values), given.choice("delimiter", Delimiter.values)
    is_read = participant_files.import_read_again(
        actor=actor,
        import_id=given.id(),
        encoding=FileEncoding(encoding) if encoding else None,
        delimiter=Delimiter(delimiter) if delimiter else None,
        is_people_only=given.flag("people"),
        sheet=given.text("sheet", SHEET_LENGTH),
    )
    return Answer(t("The file was read again.") if is_read else t("The file cannot be read so, either."))


@command(Access.ADMINISTRATOR)
def import_columns_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Say what the columns of the file in the argument are: the fields `column-…`, by the keys of names."""
    chosen = _columns(given)
    is_read = participant_files.import_columns_choose(actor=actor, import_id=given.id(), chosen=chosen)
    return Answer(t("The file was read again.") if is_read else t("The file cannot be read so, either."))


def _columns(given: Arguments) -> dict[str, str]:
    names = [name for name in given.fields if name.startswith("column-")][: COLUMNS_SHOWN + 1]
    return {name.removeprefix("column-"): given.text(name, NAME_LENGTH) for name in names}


@command(Access.ADMINISTRATOR)
def jury_columns_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Say what the columns of the jury's file are: the fields `column-…`, by the keys of names."""
    jury_files.jury_columns_choose(actor=actor, chosen=_columns(given))
    return Answer(t("The file was read again."))


@command(Access.ADMINISTRATOR)
def import_category_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the category of a missing piece; the argument is file, row and number of the piece: "12:7:3"."""
    category = given.choice("category", Category.values)
    participant_files.import_category_set(actor=actor, import_id=given.id(0), piece=_piece(given), category=category)
    return Answer(t("The category is chosen."))


@command(Access.ADMINISTRATOR)
def import_person_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide who a row's participant is; the argument is file, row and decision: "12:7:same"."""
    person = RowProblem(given.word(2, (RowProblem.SAME, RowProblem.ANOTHER)))
    participant_files.import_person_set(actor=actor, import_id=given.id(0), position=given.id(1), person=person)
    return Answer(t("The person is decided."))


@command(Access.ADMINISTRATOR)
def import_piece_leave_out(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let rows be saved without an unreadable piece; the argument is as that of `import_category_set`."""
    participant_files.import_piece_leave_out(actor=actor, import_id=given.id(0), piece=_piece(given))
    return Answer(t("The row can be saved without it."))


@command(Access.ADMINISTRATOR)
def import_piece_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Choose what an uncertain piece means: the field `piece`; the argument is as that of `import_category_set`."""
    chosen = given.text("piece", PIECE_LENGTH)
    if not chosen:
        raise ValidationError("Please choose a piece of the list.")
    participant_files.import_piece_choose(actor=actor, import_id=given.id(0), piece=_piece(given), chosen=chosen)
    return Answer(t("The piece is chosen."))


@command(Access.ADMINISTRATOR)
def import_changes_take(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Tick the facts in the field `take` among a row's changes, and no others; the argument is file and row: "12:7"."""
    fields = given.several("take", len(FACTS))
    participant_files.import_changes_take(actor=actor, import_id=given.id(0), position=given.id(1), fields=fields)
    return Answer(t.plural("%(n)d change is ticked.", "%(n)d changes are ticked.", len(fields)))


@command(Access.ADMINISTRATOR)
def import_changes_take_all(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Tick all changes of a file, or none: "12:all", "12:none"."""
    takes = given.word(1, ("all", "none")) == "all"
    ticked = participant_files.import_changes_take_all(actor=actor, import_id=given.id(0), takes=takes)
    return Answer(t.plural("%(n)d change is ticked.", "%(n)d changes are ticked.", ticked))


def _piece(given: Arguments) -> str:
    """Return the name of the piece in the argument: file, row and number of the piece."""
    row, number = import_row(import_id=given.id(0), position=given.id(1)), given.id(2)
    pieces = [piece.name for piece in row.pieces][number - 1 : number] if row else []
    return pieces[0] if pieces else ""


_FIELDS = 4 * PROGRAM_PIECES  # decisions, at most


@command(Access.ADMINISTRATOR)
def program_import(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Parse the text, or assign its programs if it equals the stored text.

    The argument is the appearance to which the lines before the first heading belong, or empty. The field `scope` is
    the session of the performers whom the headings name, or "all". The field `go` is the page after a complete
    assignment.
    """
    text = given.text("text", PROGRAM_LENGTH)
    appearance_id = given.id() if given.argument else None
    is_read = text == program_text_get(user_id=actor.id or 0)
    assigns = given.choice("do", tuple(ProgramStep)) == ProgramStep.ASSIGN
    if not (assigns and is_read):
        programs.program_text_store(actor=actor, text=text, read_for=appearance_id)
        changed = t("The text was changed. ") if assigns else ""
        return Answer(changed + t("Please look at what each line became."))
    assigned = programs.programs_assign(
        actor=actor,
        text=text,
        session_id=_session(given),
        appearance_id=appearance_id,
        choices=_block_choices(given),
        decisions=_decisions(given),
        version=given.text("version", VERSION_LENGTH) or None,
        confirmed=given.flag("confirmed"),
    )
    undo = ("program_undo", assigned.undo_id) if assigned.undo_id else None
    go = given.path("go") if assigned.is_complete else ""
    lines = assigned_words(assigned, t, is_single=appearance_id is not None and assigned.blocks == 1)
    return Answer(LINE.join(lines), go=go, undo=undo, empty=assigned.is_complete)


def _session(given: Arguments) -> int | None:
    """Return the session in the field `scope`; None for all sessions."""
    is_all = given.text("scope", ID_DIGITS) == ALL_SESSIONS
    return None if is_all else given.number("scope", 1, SESSION_MOST)


@command(Access.ADMINISTRATOR, confirm="Clear the text?")
def program_text_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - signature of all commands
    """Clear the pasted text."""
    programs.program_text_clear(actor=actor)
    return Answer(t("Cleared."), empty=True)


def _decisions(given: Arguments) -> Decisions:
    """Return the decisions in the form's fields; field names end in a line's mark, two numbers.

    `slot-…-17` is the slot of piece 17, `take-…` the ticked pieces of a line with several (`several-…`), `pick-…` the
    chosen candidate, `name-…` the name of another piece. `set-…` is ticked if the sets of a line (`sets-…`) are items.
    """
    if len(given.fields) > _FIELDS:
        raise ValidationError("This is more than a program has.")
    slots, taken, picked, named = {}, {}, {}, {}
    for name in given.fields:
        kind, _, rest = name.partition("-")
        numbers = rest.split("-")
        mark = "-".join(numbers[:2])
        if not all(_is_number(each) for each in numbers):
            continue
        match kind, len(numbers):
            case "slot", 3:
                slots[mark, int(numbers[2])] = given.choice(name, Category.values)
            case "several", 2:
                ticked = given.several(f"take-{mark}", PROGRAM_PIECES) if f"take-{mark}" in given.fields else ()
                taken[mark] = frozenset(int(each) for each in ticked if _is_number(each))
            case "pick", 2:
                piece = given.text(name, ID_DIGITS)
                picked[mark] = int(piece) if _is_number(piece) else 0
            case "name", 2:
                named[mark] = given.text(name, PIECE_LENGTH)
    return Decisions({place: slot for place, slot in slots.items() if slot}, taken, picked, named, _sets(given))


def _sets(given: Arguments) -> dict[str, bool]:
    marks = (name.removeprefix("sets-") for name in given.fields if name.startswith("sets-"))
    return {mark: f"set-{mark}" in given.fields for mark in marks}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= ID_DIGITS


@command(Access.ADMINISTRATOR)
def programs_take(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take the offered programs of all appearances of a session: "3:imported", "3:earlier"."""
    taken = program_offers.programs_take(actor=actor, session_id=given.id(0), source=_source(given, 1))
    return Answer(LINE.join(taken_words(taken, t)), undo=("program_undo", taken.undo_id) if taken.undo_id else None)


@command(Access.ADMINISTRATOR)
def program_take(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take the offered program of one appearance; the argument is session, appearance and source: "3:17:imported"."""
    taken = program_offers.programs_take(
        actor=actor, session_id=given.id(0), appearance_id=given.id(1), source=_source(given, 2)
    )
    if taken.had_program:
        raise ValidationError(
            "%(name)s has a program already. It stays as it is.", params={"name": taken.had_program[0]}
        )
    if not taken.taken:
        raise ValidationError("Nothing that is offered is in the catalogue.")
    return Answer(LINE.join(taken_words(taken, t)), undo=("program_undo", taken.undo_id) if taken.undo_id else None)


def _source(given: Arguments, part: int) -> OfferSource:
    return OfferSource(given.word(part, tuple(OfferSource)))


def _block_choices(given: Arguments) -> BlockChoices:
    """Return the decisions about blocks: `who-…` is a performer, `replace` the ticked blocks, each "mark:version"."""
    performers = {
        name.removeprefix("who-"): given.text(name, LABEL_LENGTH) for name in given.fields if name.startswith("who-")
    }
    ticked = (each.partition(":") for each in given.several("replace", PROGRAM_BLOCKS))
    return BlockChoices(performers, {mark: version for mark, _, version in ticked})


@command(Access.ADMINISTRATOR)
def jury_file_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store the decisions about a file of the jury.

    The fields are `who-…` and `juror-…`, named by the marks of lines, and `stage`, the stage of the site.
    """
    names = [name for name in given.fields if name.startswith(("who-", "juror-"))]
    if len(names) > JURY_CHOSEN:
        raise ValidationError("At most %(most)d of them are chosen at once.", params={"most": JURY_CHOSEN})
    chosen = {name: given.text(name, LABEL_LENGTH) for name in names}
    jury_files.jury_file_choose(actor=actor, chosen=chosen, stage_id=given.number("stage", 1, STAGE_MOST))
    return Answer(t("Chosen. Please look at the file again."))


@command(Access.ADMINISTRATOR)
def jury_file_read_again(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Read the jury's file in another way: the fields `sheet`, `encoding`, and `comma` ("point" or "comma")."""
    encoding, comma = given.choice("encoding", FileEncoding.values), given.choice("comma", ("point", "comma"))
    jury_files.jury_file_read_again(
        actor=actor,
        sheet=given.text("sheet", SHEET_LENGTH),
        encoding=FileEncoding(encoding) if encoding else None,
        is_decimal_comma=comma == "point" if comma else None,
    )
    return Answer(t("The file was read again."))


@command(Access.ADMINISTRATOR)
def jury_file_save(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the file of the jury as a draft; the field `version` is that of the preview."""
    version, confirmed = given.text("version", VERSION_LENGTH), given.flag("confirmed")
    saved = jury_files.jury_file_save(actor=actor, version=version, confirmed=confirmed)
    return Answer(t(SAVED if saved.is_changed else UNCHANGED), go=f"/admin/jury?sheet={saved.sheet_id}")


@command(Access.ADMINISTRATOR, confirm="Forget this file?")
def jury_file_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - signature of all commands
    """Delete the file of the jury that was sent."""
    jury_files.jury_file_clear(actor=actor)
    return Answer(t("The file is forgotten."))


reader_register(name_read)
register(
    "participant_imports.user_id",
    export=lambda user_id: imports_own(user_id=user_id),
    on_deletion=leave_to_database,
)
register(
    "program_texts.user_id",
    export=lambda user_id: program_texts_own(user_id=user_id),
    on_deletion=leave_to_database,
)
register(
    "program_batches.user_id",
    export=lambda user_id: program_batches_own(user_id=user_id),
    on_deletion=leave_to_database,
)
register(
    "jury_files.user_id",
    export=lambda user_id: jury_files_own(user_id=user_id),
    on_deletion=leave_to_database,
)
