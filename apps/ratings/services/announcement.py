"""Publish the events of changed ratings and recommendations."""

from collections.abc import Iterable, Mapping

from apps.competition.selectors.public.participants import AppearancePlace
from apps.competition.selectors.public.programs import appearance_places
from apps.core.events import publish
from apps.ratings.events import RatingsChanged, RecommendationsChanged
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating

_Ids = tuple[int, ...]


def ratings_announce(users: Iterable[int], appearances: Iterable[int], *, public: bool, waiting: bool) -> None:
    """Publish that ratings of these appearances by these people changed. One query, within a transaction.

    Set `public` if any of them is or was public, and `waiting` if any of them waits or waited for a moderator.
    """
    places = appearance_places(appearance_ids=frozenset(appearances))
    pieces = _once(piece for place in places.values() for piece in place.piece_ids)
    publish(RatingsChanged(*_ids(users, places), pieces, public=public, waiting=waiting))


def recommendations_announce(users: Iterable[int], appearances: Iterable[int]) -> None:
    """Publish that recommendations for these appearances by these people changed. One query, within a transaction."""
    publish(RecommendationsChanged(*_ids(users, appearance_places(appearance_ids=frozenset(appearances)))))


def account_ratings_announce(user_id: int) -> None:
    """Publish all ratings and recommendations of an account as changed when it is closed or reopened.

    At most four queries.
    """
    pieces, wholes = (
        table.objects.filter(user_id=user_id).values_list("appearance_id", "approved")
        for table in (PieceRating, PerformanceRating)
    )
    marks = list(pieces.union(wholes))
    if marks:
        public, waiting = any(approved for _, approved in marks), not all(approved for _, approved in marks)
        ratings_announce((user_id,), (appearance for appearance, _ in marks), public=public, waiting=waiting)
    recommended = AdvanceRecommendation.objects.filter(user_id=user_id).values_list("appearance_id", flat=True)
    if appearances := list(recommended):
        recommendations_announce((user_id,), appearances)


def _ids(users: Iterable[int], places: Mapping[int, AppearancePlace]) -> tuple[_Ids, _Ids, _Ids, _Ids]:
    """Return the people, the appearances, and their participants and stages, each once."""
    participants = {place.participant_id for place in places.values()}
    stages = {place.stage_id for place in places.values()}
    return _once(users), _once(places), _once(participants), _once(stages)


def _once(ids: Iterable[int]) -> _Ids:
    return tuple(sorted(set(ids)))
