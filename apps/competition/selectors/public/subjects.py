"""Performances as the subjects of posts and comments: by id, and those that the composer offers."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from apps.competition.limits import PERFORMERS_MOST
from apps.competition.models import Appearance, Participant, Session

OFFERED_MOST = 500
_COLUMNS = ("pk", "participant_id", "participant__name", "session_id", "session__title")


@dataclass(frozen=True, slots=True)
class Subject:
    """A performance that a text is about."""

    id: int
    participant_id: int
    name: str
    session_id: int
    session_title: str

    @property
    def path(self) -> str:
        """The address of the performance, opened, on its participant's page."""
        return f"/participants/{self.participant_id}?open={self.id}#performance-{self.id}"


def subjects_get(*, ids: Collection[int]) -> Mapping[int, Subject]:
    """Return these performances by id, without deleted ones. One query."""
    return {each.id: each for each in _subjects(Appearance.objects.filter(pk__in=ids))}


def subjects_offered() -> tuple[Subject, ...]:
    """Return the performances of the live session, else of the last session that began, in their order. One query.

    Sessions without performers are passed over.
    """
    with_performers = Session.objects.filter(Exists(Appearance.objects.filter(session=OuterRef("pk"))))
    live = with_performers.filter(is_live=True).values("pk")[:1]
    last = with_performers.filter(starts_at__lte=Now()).order_by("-starts_at", "-pk").values("pk")[:1]
    found = Appearance.objects.filter(Q(session=Coalesce(Subquery(live), Subquery(last))))
    return _subjects(found.order_by("order_number")[:PERFORMERS_MOST])


def performers_offered() -> Mapping[int, str]:
    """Return the names of performers with an appearance by id, in their order, at most OFFERED_MOST. One query."""
    playing = Participant.objects.filter(Exists(Appearance.objects.filter(participant=OuterRef("pk"))))
    return dict(playing.order_by("sort_folded", "pk").values_list("pk", "name")[:OFFERED_MOST])


def _subjects(found: QuerySet[Appearance]) -> tuple[Subject, ...]:
    return tuple(Subject(*row) for row in found.values_list(*_COLUMNS))
