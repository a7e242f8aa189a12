"""The evening as whoever runs it sees it."""

from dataclasses import dataclass

from django.db.models import Case, Count, DurationField, ExpressionWrapper, F, FilteredRelation, Q, When
from django.db.models.functions import Now

from apps.competition.models import Session
from apps.competition.selectors.admin.appearances import PlaceRow, places_of
from apps.competition.selectors.public.results import SessionCard, SessionDetail
from apps.competition.selectors.public.sessions import CARD, live_session

OTHERS = 20  # sessions to choose from


@dataclass(frozen=True, slots=True)
class LiveState:
    """Which session is live, and which place of it is on stage; None where there is none."""

    session_id: int | None = None
    place_id: int | None = None


@dataclass(frozen=True, slots=True)
class LiveDesk:
    """What the live controls show."""

    session: SessionDetail | None  # the live one
    places: tuple[PlaceRow, ...]  # of the live session, in their order
    others: tuple[SessionCard, ...]  # that could go live, the nearest by date first

    @property
    def performer(self) -> PlaceRow | None:
        """Who is on stage."""
        return next((place for place in self.places if place.is_performing), None)

    @property
    def following(self) -> PlaceRow | None:
        """Who comes after the one on stage, or first when nobody is."""
        return following(self.places)

    @property
    def state(self) -> LiveState:
        """What stands now."""
        return LiveState(self.session.id if self.session else None, self.performer.id if self.performer else None)


def live_state() -> LiveState:
    """Return which session is live and who is on stage. One query."""
    now = FilteredRelation("places", condition=Q(places__is_performing=True))
    found = Session.objects.filter(is_live=True).annotate(now=now).values_list("pk", "now__pk").first()
    return LiveState(*found) if found else LiveState()


def live_desk() -> LiveDesk:
    """Return what the live controls show. At most three queries."""
    session = live_session()
    places = places_of([session.id]).get(session.id, ()) if session else ()
    return LiveDesk(session, places, _nearest())


def following(places: tuple[PlaceRow, ...]) -> PlaceRow | None:
    """Return who comes after the one on stage, the first when nobody is, or None after the last."""
    current = next((place.order_number for place in places if place.is_performing), 0)
    return next((place for place in places if place.order_number > current), None)


def _nearest() -> tuple[SessionCard, ...]:
    """Return the sessions that are not live, the nearest to now first. One query."""
    ahead = ExpressionWrapper(F("starts_at") - Now(), output_field=DurationField())
    behind = ExpressionWrapper(Now() - F("starts_at"), output_field=DurationField())
    away = Case(When(starts_at__gte=Now(), then=ahead), default=behind)
    found = Session.objects.filter(is_live=False).annotate(away=away, participant_count=Count("places"))
    return tuple(SessionCard(*row) for row in found.order_by("away", "id").values_list(*CARD)[:OTHERS])
