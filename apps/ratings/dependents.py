"""What this app answers when places in sessions, or pieces, are to go (`apps/competition/dependents.py`)."""

from collections.abc import Mapping, Sequence

from apps.accounts.actors import Actor
from apps.competition.dependents import Held, Holder, register
from apps.ratings.selectors import pieces_rated, ratings_of_places
from apps.ratings.services import place_ratings_delete

WHAT_GOES = "Ratings of pieces: %(pieces)d, of the performance: %(performances)d, recommendations: %(recommendations)d."


def holding_register() -> None:
    """Have the competition ask before it removes what was rated."""
    register(Holder(places=_places, release=_release, pieces=lambda piece_ids: pieces_rated(piece_ids=piece_ids)))


def _places(place_ids: Sequence[int]) -> Mapping[int, Held]:
    return {
        place_id: Held(
            WHAT_GOES,
            {
                "pieces": counts.piece_ratings,
                "performances": counts.performance_ratings,
                "recommendations": counts.recommendations,
            },
        )
        for place_id, counts in ratings_of_places(place_ids=place_ids).items()
    }


def _release(actor: Actor, place_id: int) -> None:
    place_ratings_delete(actor=actor, session_participant_id=place_id)
