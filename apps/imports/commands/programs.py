"""Commands of pasted programs."""

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.competition.limits import PIECE_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts
from apps.imports import services
from apps.imports.enums import ProgramStep
from apps.imports.limits import PROGRAM_LENGTH, PROGRAM_PIECES
from apps.imports.program_lines.decisions import Decisions
from apps.imports.selectors import program_text_get

_FIELDS = 4 * PROGRAM_PIECES  # of decisions, at most


@command()
def program_import(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Read the text, or assign it to the appearance in the argument when it is the one that was read.

    The field `go` is the page without the participant, which follows when all is assigned.
    """
    text = given.text("text", PROGRAM_LENGTH)
    is_read = text == program_text_get(user_id=actor.id or 0)
    assigns = given.choice("do", tuple(ProgramStep)) == ProgramStep.ASSIGN
    if not (assigns and is_read):
        services.program_text_store(actor=actor, text=text)
        changed = t("The text was changed. ") if assigns else ""
        return Answer(changed + t("Please look at what each line became."))
    if not given.argument:
        raise ValidationError("Please choose a participant.")
    version = given.text("version", VERSION_LENGTH) or None
    confirmed = given.flag("confirmed")
    assigned = services.program_assign(
        actor=actor,
        appearance_id=given.id(),
        text=text,
        decisions=_decisions(given),
        version=version,
        confirmed=confirmed,
    )
    if not assigned.missing and assigned.pieces:
        undo = ("program_undo", assigned.undo_id) if assigned.undo_id else None
        return Answer(t("Program assigned successfully!"), go=given.path("go"), undo=undo, empty=True)
    partly = t("Program partially assigned. {n} pieces matched, {m} pieces not found.")
    return Answer(partly.format(n=assigned.pieces, m=len(assigned.missing)))  # stays in view; the page has the undo


@command(confirm="Clear the text?")
def program_text_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - every command's signature
    """Forget the pasted text."""
    services.program_text_clear(actor=actor)
    return Answer(t("Cleared."), empty=True)


def _decisions(given: Arguments) -> Decisions:
    """Return what the fields of the form decide; their names end in the mark of a line, two numbers.

    `slot-…-17` is the slot of piece 17, `take-…` the pieces that are ticked of a line with several (`several-…`),
    `pick-…` the piece that was chosen, `name-…` the name of another one.
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
    return Decisions({place: slot for place, slot in slots.items() if slot}, taken, picked, named)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= ID_DIGITS
