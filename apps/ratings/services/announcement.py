"""The announcement of changed ratings, to all who show or count them."""

from collections.abc import Iterable

from apps.competition.selectors import appearance_places
from apps.core.events import publish
from apps.ratings.events import RatingsChanged, RecommendationsChanged

_Ids = tuple[int, ...]


def ratings_announce(users: Iterable[int], appearances: Iterable[int], *, public: bool, waiting: bool) -> None:
    """Announce that ratings of these appearances by these people changed. One query, within a transaction.

    `public` says that everybody saw or sees some of them, `waiting` that some wait for a moderator, or did.
    """
    publish(RatingsChanged(*_ids(users, appearances), public=public, waiting=waiting))


def recommendations_announce(users: Iterable[int], appearances: Iterable[int]) -> None:
    """Announce that recommendations for these appearances by these people changed. One query, within a transaction."""
    publish(RecommendationsChanged(*_ids(users, appearances)))


def _ids(users: Iterable[int], appearances: Iterable[int]) -> tuple[_Ids, _Ids, _Ids, _Ids]:
    """Return the people, the appearances, and their participants and stages, each once."""
    places = appearance_places(appearance_ids=frozenset(appearances))
    participants = {place.participant_id for place in places.values()}
    stages = {place.stage_id for place in places.values()}
    return _once(users), _once(places), _once(participants), _once(stages)


def _once(ids: Iterable[int]) -> _Ids:
    return tuple(sorted(set(ids)))
