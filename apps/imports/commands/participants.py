"""Commands of participant files that were sent."""

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import LINE, Answer, command
from apps.core.texts import Texts
from apps.imports import services
from apps.imports.enums import FileEncoding, RowProblem
from apps.imports.selectors import import_rows

PAGE = "/admin/import"


@command()
def import_save(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the file in the argument."""
    saved = services.import_save(actor=actor, import_id=given.id())
    loaded = t.plural(
        "Successfully loaded %(n)d participant", "Successfully loaded %(n)d participants", saved.new_participants
    )
    numbers = t(
        "{new_participants} new and {existing_participants} existing participants; "
        "{new_pieces} new and {existing_pieces} existing pieces."
    )
    summary = numbers.format(**{field: getattr(saved, field) for field in saved.__slots__})
    return Answer(f"{loaded}{LINE}{summary}", go=PAGE)


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
    category, number = given.choice("category", Category.values), given.id(2)
    rows = import_rows(import_id=given.id(0), after=given.id(1) - 1, limit=1)
    pieces = [piece.name for row in rows for piece in row.pieces][number - 1 : number]
    piece = pieces[0] if pieces else ""
    services.import_category_set(actor=actor, import_id=given.id(0), piece=piece, category=category)
    return Answer(t("The category is chosen."))


@command()
def import_person_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide who the participant of a row is; the argument is the file, the row and the answer: "12:7:same"."""
    person = RowProblem(given.word(2, (RowProblem.SAME, RowProblem.ANOTHER)))
    services.import_person_set(actor=actor, import_id=given.id(0), position=given.id(1), person=person)
    return Answer(t("The person is decided."))
