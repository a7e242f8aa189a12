"""Public reads of prizes: the published ones of a stage and of a participant."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from apps.competition.enums import PrizeAward, PrizeKind, PrizeListState
from apps.competition.models import Prize, PrizeList, PrizeRecipient, Session


@dataclass(frozen=True, slots=True)
class Recipient:
    """A performer who receives a prize."""

    participant_id: int
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class PrizeShown:
    """A prize of a stage with those who receive it, by second name; none of them if it is not awarded."""

    id: int
    name: str
    kind: PrizeKind
    award: PrizeAward
    recipients: tuple[Recipient, ...]

    @property
    def is_shared(self) -> bool:
        """Whether the performers share it; several distinctions are not shared."""
        return self.award == PrizeAward.SHARED and self.kind != PrizeKind.DISTINCTION


@dataclass(frozen=True, slots=True)
class ParticipantPrize:
    """A published prize of a participant, with its stage."""

    name: str
    is_shared: bool
    stage_id: int
    stage: str


_KINDS = tuple(PrizeKind)


def list_prizes(lists: QuerySet[PrizeList]) -> tuple[PrizeShown, ...]:
    """Return the prizes of one list: by kind, then in their order. Two queries, one without any."""
    columns = ("pk", "name", "kind", "award")
    prizes = tuple(Prize.objects.filter(list__in=lists).order_by("order_number").values_list(*columns))
    if not prizes:
        return ()
    recipients: dict[int, list[Recipient]] = {}
    found = PrizeRecipient.objects.filter(list__in=lists).order_by("participant__sort_folded", "participant_id")
    of_recipient = ("prize_id", "participant_id", "participant__name", "participant__country")
    for prize_id, *row in found.values_list(*of_recipient):
        recipients.setdefault(prize_id, []).append(Recipient(*row))
    shown = (
        PrizeShown(pk, name, PrizeKind(kind), PrizeAward(award), tuple(recipients.get(pk, ())))
        for pk, name, kind, award in prizes
    )
    return tuple(sorted(shown, key=lambda prize: _KINDS.index(prize.kind)))


def stage_prizes(*, stage_id: int) -> tuple[PrizeShown, ...]:
    """Return the published prizes of a stage: by kind, then in their order. At most two queries."""
    return list_prizes(PrizeList.objects.filter(stage_id=stage_id, state=PrizeListState.PUBLISHED))


def participant_prizes(*, participant_id: int) -> tuple[ParticipantPrize, ...]:
    """Return the published prizes of a participant: by kind, then in their order. One query."""
    found = PrizeRecipient.objects.filter(participant_id=participant_id, list__state=PrizeListState.PUBLISHED)
    columns = ("prize__name", "kind", "award", "list__stage_id", "list__stage__name")
    rows = sorted(
        found.order_by("-list__stage__order_number", "prize__order_number").values_list(*columns),
        key=lambda row: _KINDS.index(PrizeKind(row[1])),
    )
    return tuple(
        ParticipantPrize(name, award == PrizeAward.SHARED and kind != PrizeKind.DISTINCTION, stage_id, stage)
        for name, kind, award, stage_id, stage in rows
    )


def prize_recipient_ids(*, stage_id: int) -> frozenset[int]:
    """Return the participants of whom it is published that they receive a prize of the stage. One query."""
    found = PrizeRecipient.objects.filter(list__stage_id=stage_id, list__state=PrizeListState.PUBLISHED)
    return frozenset(found.values_list("participant_id", flat=True))


def prizes_received(*, stage_ids: Collection[int], participant_ids: Collection[int]) -> Mapping[tuple[int, int], str]:
    """Return the names of participants who receive a published prize of these stages, by stage and participant.

    One query.
    """
    found = PrizeRecipient.objects.filter(
        list__stage_id__in=stage_ids, list__state=PrizeListState.PUBLISHED, participant_id__in=participant_ids
    )
    rows = found.values_list("list__stage_id", "participant_id", "participant__name")
    return {(stage_id, participant_id): name for stage_id, participant_id, name in rows}


@dataclass(frozen=True, slots=True)
class PrizedStage:
    """A stage with published prizes: its last session, None without any, and whether all of its sessions are over.

    `has_places` is whether they contain prizes in order, as those of a final do.
    """

    stage_id: int
    last_session_id: int | None
    is_over: bool
    has_places: bool


def stages_prized() -> tuple[PrizedStage, ...]:
    """Return the stages with published prizes, the last one first. One query."""
    sessions = Session.objects.filter(stage=OuterRef("stage"))
    found = PrizeList.objects.filter(state=PrizeListState.PUBLISHED).annotate(
        last_session=Subquery(sessions.order_by("-starts_at", "-pk").values("pk")[:1]),
        has_places=Exists(Prize.objects.filter(list=OuterRef("pk"), kind=PrizeKind.PLACE)),
        is_open=Exists(sessions.filter(Q(is_live=True) | Q(starts_at__gt=Now()))),
    )
    rows = found.order_by("-stage__order_number").values_list("stage_id", "last_session", "is_open", "has_places")
    return tuple(PrizedStage(stage_id, last, not is_open, has) for stage_id, last, is_open, has in rows)
