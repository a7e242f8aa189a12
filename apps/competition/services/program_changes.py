"""What a change of a program takes from listeners: asked for first, then done together with the change."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.competition.dependents import entry_dependents, entry_dependents_delete, program_effects
from apps.competition.models import ProgramEntry, SessionParticipant
from apps.core.edits.confirmation import ConfirmationNeeded


class PiecesRated(ConfirmationNeeded):
    """Raised without confirmation when pieces with ratings would leave a program, or other marks would count.

    `leaving` are names with the number of their ratings, `effects` sentences about the marks that stay.
    """

    def __init__(self, leaving: Sequence[tuple[str, int]], effects: Sequence[ValidationError] = ()) -> None:
        sentence = "%(piece)s would leave the program, with its ratings: %(count)d."
        rated = [ValidationError(sentence, params={"piece": name, "count": n}) for name, n in leaving]
        super().__init__([*rated, *effects])
        self.leaving = tuple(leaving)


def program_change_begin(
    actor: Actor,
    appearance: SessionParticipant,
    old: Sequence[ProgramEntry],
    piece_ids: Sequence[int],
    *,
    confirmed: bool,
) -> None:
    """Delete the ratings of the pieces that leave the locked program, which will have those of `piece_ids`.

    `old` are its entries with their pieces. Raises PiecesRated when that was not confirmed.
    """
    staying, ratings = frozenset(piece_ids), entry_dependents(appearance.pk)
    names = {entry.piece_id: entry.piece.name for entry in old if entry.piece_id not in staying}
    rated = [(name, ratings[piece_id]) for piece_id, name in names.items() if ratings.get(piece_id)]
    effects = program_effects(appearance.pk, staying)
    if (rated or effects) and not confirmed:
        raise PiecesRated(rated, effects)
    if rated:
        entry_dependents_delete(actor, appearance.pk, names)
