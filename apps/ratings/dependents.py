"""This app's dependents of appearances and pieces (`apps/competition/dependents.py`), and of calls (`calls.py`)."""

from collections.abc import Collection, Mapping, Sequence

from apps.accounts.actors import Actor
from apps.competition.calls import TakenBack, call_ratings_register, calls_register
from apps.competition.dependents import DependentRows, Dependents, register
from apps.ratings.selectors.counts import pieces_rated_of, ratings_of_appearances, ratings_submitted
from apps.ratings.services.removal import (
    appearance_ratings_delete,
    appearance_ratings_hold,
    appearance_ratings_take_back,
    piece_ratings_delete,
)

WHAT_GOES = "Ratings of pieces: %(pieces)d, of the performance: %(performances)d, recommendations: %(recommendations)d."


def dependents_register() -> None:
    """Register ratings as dependents of appearances and pieces, and what happens to them when a call is taken back."""
    register(
        DependentRows(
            appearances=_appearances,
            delete=_delete,
            entries=lambda appearance_id: pieces_rated_of(appearance_id=appearance_id),
            entries_delete=_entries_delete,
        )
    )
    call_ratings_register(counts=lambda ids: ratings_submitted(appearance_ids=ids), hold=appearance_ratings_hold)
    calls_register(taken_back=_taken_back)


def _appearances(appearance_ids: Sequence[int]) -> Mapping[int, Dependents]:
    return {
        appearance_id: Dependents(
            WHAT_GOES,
            {
                "pieces": counts.piece_ratings,
                "performances": counts.performance_ratings,
                "recommendations": counts.recommendations,
            },
        )
        for appearance_id, counts in ratings_of_appearances(appearance_ids=appearance_ids).items()
    }


def _delete(actor: Actor, appearance_id: int) -> None:
    appearance_ratings_delete(actor=actor, appearance_id=appearance_id)


def _taken_back(call: TakenBack) -> None:
    appearance_ratings_take_back(actor=call.actor, appearance_id=call.appearance_id)


def _entries_delete(actor: Actor, appearance_id: int, piece_ids: Collection[int]) -> None:
    piece_ratings_delete(actor=actor, appearance_id=appearance_id, piece_ids=piece_ids)
