"""Commands of programs and of the slots of a stage: each reads its arguments and calls one service."""

from collections.abc import Sequence

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.competition.limits import (
    ALLOWED_MOST,
    PIECE_LENGTH,
    PROGRAM_MOST,
    SLOT_LABEL_LENGTH,
    STAGE_MINUTES_MOST,
    WORKS_TYPED_LENGTH,
)
from apps.competition.selectors.admin.works_typed import WorksTyped
from apps.competition.services import program_undo as program_undo_services
from apps.competition.services import programs, slots
from apps.competition.services.slots import SlotForm
from apps.competition.slot_presets import presets
from apps.core.commands import LINE, Access, Answer, Arguments, command
from apps.core.edits import FieldErrors
from apps.core.limits import ADDRESS_LENGTH, ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts

UPDATED = "Program updated successfully"


@command(Access.ADMINISTRATOR)
def program_select(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put a piece into an appearance's program; the argument is both ids: "12:34"."""
    programs.program_select(
        actor=actor, appearance_id=given.id(0), piece_id=given.id(1), confirmed=given.flag("confirmed")
    )
    return Answer(t(UPDATED))


@command(Access.ADMINISTRATOR)
def program_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the change in the argument."""
    undone = program_undo_services.program_undo(actor=actor, undo_id=given.id())
    if undone.sentence:
        return Answer(t(undone.sentence))
    restored = t.plural(
        "%(n)d program is as it was before.", "%(n)d programs are as they were before.", undone.restored
    )
    if not undone.staying:
        return Answer(restored)
    staying = t("Changed or rated since, so they stay as they are: {names}.").format(names=", ".join(undone.staying))
    return Answer(LINE.join((restored, staying)))


@command(Access.ADMINISTRATOR)
def program_entry_move(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Move a piece within a program: "34:up", or "34:up:1f" with the program's version."""
    programs.program_entry_move(
        actor=actor, entry_id=given.id(0), direction=given.word(1, ("up", "down")), version=_version(given, 2)
    )
    return Answer(t(UPDATED))


@command(Access.ADMINISTRATOR, confirm="Remove this piece from the program?")
def program_entry_remove(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Remove a piece from its program: "34", or "34:1f" with the program's version; then it can be undone."""
    version, confirmed = _version(given, 1), given.flag("confirmed")
    gone = programs.program_entry_remove(actor=actor, entry_id=given.id(), version=version, confirmed=confirmed)
    back = ("program_entry_add", f"{gone.appearance_id}:{gone.piece_id}:{gone.order_number}")
    return Answer(t("Piece removed successfully"), undo=back if version else None)


@command(Access.ADMINISTRATOR)
def program_entry_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put a piece into a program: appearance, piece and place, "12:34:2"; also with the version, "12:34:40:1f"."""
    programs.program_entry_add(
        actor=actor,
        appearance_id=given.id(0),
        piece_id=given.id(1),
        order_number=given.id(2),
        version=_version(given, 3),
        confirmed=given.flag("confirmed"),
    )
    return Answer(t(UPDATED))


@command(Access.ADMINISTRATOR)
def program_set_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put the set of the typed pieces at the end of the program of the appearance in the argument."""
    programs.program_set_add(
        actor=actor,
        appearance_id=given.id(0),
        typed=given.text("pieces", WORKS_TYPED_LENGTH),
        name=given.text("name", PIECE_LENGTH),
        version=_version(given, 1),
        confirmed=given.flag("confirmed"),
    )
    return Answer(t(UPDATED), empty=True)


@command(Access.ADMINISTRATOR)
def program_entry_link(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store the video and second at which a piece begins; the field `go` is the page without the dialog."""
    url, version = given.text("url", ADDRESS_LENGTH), given.text("version", VERSION_LENGTH) or None
    saved = programs.program_entry_link(actor=actor, entry_id=given.id(), url=url, version=version)
    return Answer(t("YouTube URL updated successfully"), go=given.path("go"), kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR)
def program_part_link(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store where a part of an item begins: "34:5" is item and part; the field `go` is the page without the dialog."""
    url, version = given.text("url", ADDRESS_LENGTH), given.text("version", VERSION_LENGTH) or None
    saved = programs.program_part_link(actor=actor, entry_id=given.id(0), part_id=given.id(1), url=url, version=version)
    return Answer(t("YouTube URL updated successfully"), go=given.path("go"), kept_fields=saved.kept_fields)


STAGE_PROGRAM = "/admin/stage-program"
SLOTS_SAVED = "Slots updated successfully"


@command(Access.ADMINISTRATOR)
def stage_preset(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Replace the slots of the stage in the argument by those of a preset."""
    preset, confirmed = given.choice("preset", tuple(presets())), given.flag("confirmed")
    missing = slots.stage_preset(actor=actor, stage_id=given.id(), preset=preset, confirmed=confirmed)
    lacking = t("Not in the catalogue: {works}.").format(works="; ".join(missing)) if missing else ""
    return Answer(LINE.join(filter(None, (t(SLOTS_SAVED), lacking))))


@command(Access.ADMINISTRATOR)
def stage_minutes(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store the minutes of the whole programs of the stage in the argument."""
    errors = FieldErrors()
    least = errors.checked(lambda: given.number("least_minutes", 1, STAGE_MINUTES_MOST), None)
    most = errors.checked(lambda: given.number("most_minutes", 1, STAGE_MINUTES_MOST), None)
    errors.require_none()
    version = given.text("version", VERSION_LENGTH) or None
    saved = slots.stage_minutes(actor=actor, stage_id=given.id(), least=least, most=most, version=version)
    return Answer(t("Minutes updated successfully"), kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR)
def slot_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a slot to the stage in the argument; the field `go` is the page without the form."""
    slots.slot_add(actor=actor, stage_id=given.id(), form=_slot_form(given))
    return Answer(t(SLOTS_SAVED), go=given.path("go"))


@command(Access.ADMINISTRATOR)
def slot_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the slot in the argument; the field `go` is the page without the form."""
    version = given.text("version", VERSION_LENGTH) or None
    saved = slots.slot_update(actor=actor, slot_id=given.id(), form=_slot_form(given), version=version)
    return Answer(t(SLOTS_SAVED), go=given.path("go"), kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR, confirm="Remove this slot?")
def slot_remove(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Remove the slot in the argument."""
    stage_id = slots.slot_remove(actor=actor, slot_id=given.id())
    return Answer(t(SLOTS_SAVED), go=f"{STAGE_PROGRAM}?stage={stage_id}")


@command(Access.ADMINISTRATOR)
def slot_move(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Move a slot within its stage: "4:up"."""
    slots.slot_move(actor=actor, slot_id=given.id(0), direction=given.word(1, ("up", "down")))
    return Answer(t(SLOTS_SAVED))


def _version(given: Arguments, part: int) -> str:
    """Return the version in a part of the argument, empty without this part."""
    return (given.argument.split(":")[part:] or [""])[0]


def _slot_form(given: Arguments) -> SlotForm:
    errors = FieldErrors()
    least = errors.checked(lambda: given.number("least", 0, PROGRAM_MOST), None)
    most = None if given.flag("any") else errors.checked(lambda: given.number("most", 1, PROGRAM_MOST), None)
    errors.require_none()
    return SlotForm(
        label=given.text("label", SLOT_LABEL_LENGTH),
        is_free=given.flag("free"),
        least=1 if least is None else least,
        most=None if given.flag("any") else most or max(1, least or 1),
        kept=_allowed(given.several("allowed", ALLOWED_MOST)),
        more=given.text("more", WORKS_TYPED_LENGTH),
    )


def _allowed(values: Sequence[str]) -> WorksTyped:
    """Return the ticked categories and piece ids; others are left out."""
    known = Category.values
    ids = (int(each) for each in values if each.isascii() and each.isdigit() and len(each) <= ID_DIGITS)
    return WorksTyped(tuple(Category(each) for each in values if each in known), tuple(ids))
