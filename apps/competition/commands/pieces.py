"""Commands of the catalogue."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.limits import PIECE_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.texts import Texts


@command()
def piece_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a piece to its category."""
    category, name = given.text("category", PIECE_LENGTH), given.text("name", PIECE_LENGTH)
    services.piece_add(actor=actor, category=category, name=name)
    return Answer(t("Piece added successfully"), empty=True)


@command(confirm="Delete this piece?")
def piece_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the piece in the argument."""
    services.piece_delete(actor=actor, piece_id=given.id())
    return Answer(t("Piece deleted successfully"))
