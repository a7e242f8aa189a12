"""Who advances from a stage, for the form of administrators."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from apps.competition.models import Appearance, Participant, Stage, StageAdvancement
from apps.competition.selectors.public.stages import stages_after, stages_played
from apps.competition.stage_orders import StageOrder, stage_orders
from apps.core.edits import version_of


@dataclass(frozen=True, slots=True)
class AdvancingChoice:
    """A performer of the stage, with whether it is published that the performer advances."""

    participant_id: int
    start_number: int | None
    name: str
    country: str
    advances: bool


@dataclass(frozen=True, slots=True)
class AdvancingEdit:
    """Who advances from a stage, as its form shows it; `performers` are by start number, then by second names.

    `orders` are the stored orders of its performers.

    `at` and `by_id` are the time and the account of the last publication: None before it, the account also once it is
    deleted and for the terminal. The form sends `version` back.
    """

    id: int
    name: str
    next_stage: str  # empty for the last stage
    performers: tuple[AdvancingChoice, ...]
    at: datetime | None
    by_id: int | None
    orders: tuple[StageOrder, ...]
    version: str


def stage_before(stage_id: int) -> QuerySet[Stage]:
    """Return the stage before this one, as `stages_after` orders them; nothing for the first one."""
    own = Stage.objects.filter(pk=stage_id).values("order_number")
    return stages_played().filter(order_number__lt=Subquery(own)).order_by("-order_number")[:1]


def advancing_into(stage_id: int) -> QuerySet[StageAdvancement]:
    """Return who advances into the stage, from the one before it; nothing while that is not published."""
    return StageAdvancement.objects.filter(stage=Subquery(stage_before(stage_id).values("pk")))


def stage_candidates(stage_id: int) -> QuerySet[Participant]:
    """Return the participants who may play in the stage and are in no session of it.

    Once it is published who advances into it, only these.
    """
    taken = Appearance.objects.filter(stage_id=stage_id).values("participant_id")
    advancing = advancing_into(stage_id)
    is_in = Exists(advancing.filter(participant=OuterRef("pk")))
    return Participant.objects.filter(~Exists(advancing) | is_in).exclude(pk__in=taken)


def advancing_version(participant_ids: Collection[int]) -> str:
    """Return the version of the published participants that an editor reads."""
    return version_of({"participant": sorted(participant_ids)})


def advancing_edit(*, stage_id: int) -> AdvancingEdit | None:
    """Return a stage's performers and who of them advances, or None for an unknown id. Six queries."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        return None
    published = StageAdvancement.objects.filter(stage_id=stage_id).order_by("-at", "-pk")
    rows = tuple(published.values_list("participant_id", "at", "by_id"))
    advancing = {pk for pk, *_ in rows}
    plays = Exists(Appearance.objects.filter(stage_id=stage_id, participant=OuterRef("pk")))
    people = Participant.objects.filter(Q(plays) | Q(pk__in=advancing)).order_by("start_number", "sort_folded", "pk")
    _, at, by_id = rows[0] if rows else (None, None, None)
    return AdvancingEdit(
        id=stage.pk,
        name=stage.name,
        next_stage=stages_after(stage.order_number).values_list("name", flat=True).first() or "",
        performers=tuple(
            AdvancingChoice(*row, row[0] in advancing)
            for row in people.values_list("pk", "start_number", "name", "country")
        ),
        at=at,
        by_id=by_id,
        orders=stage_orders(stage_id),
        version=advancing_version(advancing),
    )
