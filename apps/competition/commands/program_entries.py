"""Commands of programs."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ADDRESS_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts

UPDATED = "Program updated successfully"


@command()
def program_select(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Put a piece into an appearance's program; the argument is both ids: "12:34"."""
    services.program_select(
        actor=actor, appearance_id=given.id(0), piece_id=given.id(1), confirmed=given.flag("confirmed")
    )
    return Answer(t(UPDATED))


@command()
def program_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Bring back what the change in the argument took away."""
    return Answer(t(services.program_undo(actor=actor, undo_id=given.id())))


@command()
def program_entry_move(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Move a piece of a program: "34:up"."""
    services.program_entry_move(actor=actor, entry_id=given.id(0), direction=given.word(1, ("up", "down")))
    return Answer(t(UPDATED))


@command(confirm="Remove this piece from the program?")
def program_entry_remove(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take the piece in the argument out of its program."""
    services.program_entry_remove(actor=actor, entry_id=given.id(), confirmed=given.flag("confirmed"))
    return Answer(t("Piece removed successfully"))


@command()
def program_entry_link(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store where in which video a piece begins; the field `go` is the page without the dialog."""
    url, version = given.text("url", ADDRESS_LENGTH), given.text("version", VERSION_LENGTH) or None
    saved = services.program_entry_link(actor=actor, entry_id=given.id(), url=url, version=version)
    return Answer(t("YouTube URL updated successfully"), go=given.path("go"), kept_fields=saved.kept_fields)
