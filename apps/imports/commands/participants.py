"""Commands of participant files that were sent."""

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import LINE, Answer, command
from apps.core.texts import Texts
from apps.imports import services
from apps.imports.enums import FileEncoding, RowProblem
from apps.imports.participant_files.summary import rows_words, summary_words
from apps.imports.selectors import import_get, import_row

PAGE = "/admin/import"


@command()
def import_save(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the file in the argument, or what was decided of it since; its page says what is left."""
    import_id = given.id()
    before = import_get(import_id=import_id)
    saved = services.import_save(actor=actor, import_id=import_id)
    after = import_get(import_id=import_id)
    count = saved.new_participants - (before.summary.new_participants if before else 0)
    loaded = t("Successfully loaded {n} participants").format(n=count)
    lines = [loaded, summary_words(saved, t), *([rows_words(after.counts, t)] if after else [])]
    return Answer(LINE.join(lines), go=f"{PAGE}?file={import_id}")


@command(confirm="Take back all that this import made?")
def import_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take back the import in the argument."""
    people, pieces = services.import_undo(actor=actor, import_id=given.id())
    taken = t("Taken back: {people}, {pieces}.").format(
        people=t.plural("%(n)d participant", "%(n)d participants", people),
        pieces=t.plural("%(n)d piece", "%(n)d pieces", pieces),
    )
    return Answer(taken, go=PAGE)


@command()
def import_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Forget the file in the argument."""
    services.import_clear(actor=actor, import_id=given.id())
    return Answer(t("The file is forgotten."), go=PAGE)


@command()
def import_encoding_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Read the file in the argument in another encoding."""
    encoding = given.choice("encoding", FileEncoding.values)
    if not encoding:
        raise ValidationError("Please choose an encoding.")
    services.import_encoding_set(actor=actor, import_id=given.id(), encoding=FileEncoding(encoding))
    return Answer(t("The file was read again."))


@command()
def import_category_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Choose the category of a missing piece; the argument is the file, the row and which of its pieces: "12:7:3"."""
    category = given.choice("category", Category.values)
    services.import_category_set(actor=actor, import_id=given.id(0), piece=_piece(given), category=category)
    return Answer(t("The category is chosen."))


@command()
def import_person_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide who the participant of a row is; the argument is the file, the row and the answer: "12:7:same"."""
    person = RowProblem(given.word(2, (RowProblem.SAME, RowProblem.ANOTHER)))
    services.import_person_set(actor=actor, import_id=given.id(0), position=given.id(1), person=person)
    return Answer(t("The person is decided."))


@command()
def import_piece_leave_out(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let rows be saved without a piece that is none; the argument is as that of `import_category_set`."""
    services.import_piece_leave_out(actor=actor, import_id=given.id(0), piece=_piece(given))
    return Answer(t("The row can be saved without it."))


def _piece(given: Arguments) -> str:
    """Return the name of the piece in the argument: the file, the row and which of its pieces."""
    row, number = import_row(import_id=given.id(0), position=given.id(1)), given.id(2)
    pieces = [piece.name for piece in row.pieces][number - 1 : number] if row else []
    return pieces[0] if pieces else ""
