"""Commands of pasted programs."""

from collections import defaultdict
from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.competition.limits import PIECE_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts
from apps.imports import services
from apps.imports.limits import PROGRAM_LENGTH, PROGRAM_PIECES
from apps.imports.program_lines.decisions import Decisions
from apps.imports.selectors import program_text_get

PAGE = "/admin/program-import"
READ = "read"  # the button that only reads the text
_FIELDS = 4 * PROGRAM_PIECES  # of decisions, at most


@command()
def program_import(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Read the text, or assign it to the appearance in the argument when it is the one that was read."""
    text = given.text("text", PROGRAM_LENGTH)
    is_read = text == program_text_get(user_id=actor.id or 0)
    if given.choice("do", ("assign", READ)) == READ or not is_read:
        services.program_text_store(actor=actor, text=text)
        again = "" if given.choice("do", ("assign", READ)) == READ else t("The text was changed. ")
        return Answer(again + t("Please look at what each line became."))
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
        return Answer(t("Program assigned successfully!"), go=PAGE, empty=True)
    partly = t("Program partially assigned. {n} pieces matched, {m} pieces not found.")
    return Answer(partly.format(n=assigned.pieces, m=len(assigned.missing)))


@command(confirm="Clear the text?")
def program_text_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - every command's signature
    """Forget the pasted text."""
    services.program_text_clear(actor=actor)
    return Answer(t("Cleared."), empty=True)


def _decisions(given: Arguments) -> Decisions:
    """Return what the fields of the form decide, named for their line: `slot-3-17`, `take-4`, `pick-5`, `name-6`."""
    if len(given.fields) > _FIELDS:
        raise ValidationError("This is more than a program has.")
    by_kind: dict[str, dict[tuple[int, ...], Any]] = defaultdict(dict)
    for name in given.fields:
        kind, _, numbers = name.partition("-")
        if kind in _READ and all(_is_number(each) for each in numbers.split("-")):
            by_kind[kind][tuple(int(each) for each in numbers.split("-"))] = _READ[kind](given, name)
    return Decisions(
        slots={(line, piece): slot for (line, piece), slot in by_kind["slot"].items() if slot},
        taken=_taken(by_kind["several"], by_kind["take"]),
        picked={line: int(piece) for (line,), piece in by_kind["pick"].items() if _is_number(piece)},
        named={line: name for (line,), name in by_kind["name"].items() if name},
    )


def _taken(asked: dict[tuple[int, ...], Any], taken: dict[tuple[int, ...], Any]) -> dict[int, frozenset[int]]:
    """Return the pieces that were ticked, by line; a line whose boxes are all empty has none."""
    return {line: frozenset(int(each) for each in taken.get((line,), ()) if _is_number(each)) for (line,) in asked}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= ID_DIGITS


_READ = {
    "slot": lambda given, name: given.choice(name, Category.values),
    "take": lambda given, name: given.several(name, PROGRAM_PIECES),
    "several": lambda given, name: given.text(name, 1),
    "pick": lambda given, name: given.text(name, ID_DIGITS),
    "name": lambda given, name: given.text(name, PIECE_LENGTH),
}
