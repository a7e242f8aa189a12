"""When appearances came to the stage and left it, and whether they have begun."""

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from apps.competition.models import PerformingTime, SessionParticipant, Stage

_LATEST = PerformingTime.objects.filter(session_participant=OuterRef("pk")).order_by("-began_at", "-pk")
_NEXT_STAGE = Stage.objects.filter(order_number__gt=OuterRef("session__stage__order_number")).order_by("order_number")
_IN_NEXT_STAGE = SessionParticipant.objects.filter(
    participant=OuterRef("participant"), session__stage=OuterRef("next_stage_id")
)


def with_times(found: QuerySet[SessionParticipant]) -> QuerySet[SessionParticipant]:
    """Add to appearances when they came to the stage last (`came_at`) and left it (`left_at`), and `has_begun`.

    One has begun that is or has been on the stage; in a session that is not live all have once its time has come, for
    of many sessions nobody was ever set on stage.
    """
    latest = {"came_at": Subquery(_LATEST.values("began_at")[:1]), "left_at": Subquery(_LATEST.values("ended_at")[:1])}
    return found.annotate(**latest).annotate(
        has_begun=Q(is_performing=True)
        | Q(came_at__isnull=False)
        | Q(session__is_live=False, session__starts_at__lte=Now())
    )


def with_outcomes(found: QuerySet[SessionParticipant]) -> QuerySet[SessionParticipant]:
    """Add to appearances the next stage's name if its field is drawn (`next_stage`, else empty), and `has_advanced`."""
    name = Case(When(field_drawn_at__isnull=False, then="name"), default=Value(""))
    next_stage = {
        "next_stage_id": Subquery(_NEXT_STAGE.values("pk")[:1]),
        "next_stage": Coalesce(Subquery(_NEXT_STAGE.values(shown=name)[:1]), Value("")),
    }
    return found.annotate(**next_stage).annotate(has_advanced=Exists(_IN_NEXT_STAGE))
