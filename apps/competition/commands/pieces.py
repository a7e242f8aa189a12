"""Commands of the catalogue."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.limits import PIECE_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import Texts

LIST = "/admin/pieces"


@command()
def piece_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a piece to its category."""
    category, name = given.text("category", PIECE_LENGTH), given.text("name", PIECE_LENGTH)
    services.piece_add(actor=actor, category=category, name=name)
    return Answer(t("Piece added successfully"), empty=True)


@command()
def piece_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the piece in the argument."""
    saved = services.piece_update(
        actor=actor,
        piece_id=given.id(),
        category=given.text("category", PIECE_LENGTH),
        name=given.text("name", PIECE_LENGTH),
        version=given.text("version", VERSION_LENGTH) or None,
    )
    return Answer(t("Piece updated successfully"), go=LIST, kept_fields=saved.kept_fields)


@command(confirm="Delete this piece?")
def piece_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the piece in the argument."""
    services.piece_delete(actor=actor, piece_id=given.id())
    return Answer(t("Piece deleted successfully"))
