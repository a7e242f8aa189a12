"""Prizes of a stage for the form of administrators: the draft, or what a first one begins with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from apps.competition.enums import PrizeAward, PrizeKind, PrizeListState
from apps.competition.models import Appearance, Participant, PrizeList, PrizeRecipient, Stage
from apps.competition.selectors.public.prizes import PrizeShown, list_prizes
from apps.competition.stage_orders import StageOrder, stage_orders
from apps.core.edits import version_of


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize as a form has it; `participant_ids` are those who receive it."""

    name: str
    kind: PrizeKind = PrizeKind.PLACE
    award: PrizeAward = PrizeAward.SINGLE
    participant_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PrizeCandidate:
    """A performer of the stage."""

    participant_id: int
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class PrizesEdit:
    """The prizes of a stage, as its form shows them; `performers` are in the order of second names.

    `lines` are those of the draft, without one those that are published; () at first. `orders` are the
    stored orders of its performers. `published_at` and `by_id` are
    the time and the account of the publication, None without one. The form sends `version` back.
    """

    id: int
    name: str
    performers: tuple[PrizeCandidate, ...]
    lines: tuple[PrizeLine, ...]
    has_draft: bool
    published_at: datetime | None
    by_id: int | None
    orders: tuple[StageOrder, ...]
    version: str

    def proposed(self, lines: Sequence[PrizeLine], order: StageOrder) -> tuple[PrizeLine, ...]:
        """Return these lines with the performers of a stored order at its places; equal places share a prize."""
        playing, place, proposed = {each.participant_id for each in self.performers}, 0, list[PrizeLine]()
        for line in lines:
            if line.kind == PrizeKind.PLACE:
                place += 1
                ids = tuple(sorted(pk for pk, at in order.places.items() if at == place and pk in playing))
                award = PrizeAward.SHARED if len(ids) > 1 else PrizeAward.SINGLE
                proposed.append(replace(line, award=award, participant_ids=ids))
            else:
                proposed.append(line)
        return tuple(proposed)


# Names of a first list, in its order; sources of gettext.
FIRST_NAMES = (
    *((name, PrizeKind.PLACE) for name in ("First Prize", "Second Prize", "Third Prize")),
    *((name, PrizeKind.PLACE) for name in ("Fourth Prize", "Fifth Prize", "Sixth Prize")),
    ("Distinctions", PrizeKind.DISTINCTION),
    ("Best performance of a concerto", PrizeKind.SPECIAL),
    ("Best performance of a polonaise", PrizeKind.SPECIAL),
    ("Best performance of mazurkas", PrizeKind.SPECIAL),
    ("Best performance of a sonata", PrizeKind.SPECIAL),
)


def first_lines() -> tuple[PrizeLine, ...]:
    """Return the lines that a first list begins with, without recipients."""
    return tuple(
        PrizeLine(name, kind, PrizeAward.SHARED if kind == PrizeKind.DISTINCTION else PrizeAward.SINGLE)
        for name, kind in FIRST_NAMES
    )


def prize_lines(prizes: Sequence[PrizeShown]) -> tuple[PrizeLine, ...]:
    """Return the lines of stored prizes."""
    return tuple(
        PrizeLine(each.name, each.kind, each.award, tuple(sorted(who.participant_id for who in each.recipients)))
        for each in prizes
    )


def prizes_version(lines: Sequence[PrizeLine]) -> str:
    """Return the version of the lines that an editor reads."""
    rows = [f"{each.kind}|{each.award}|{each.name}|{sorted(each.participant_ids)}" for each in lines]
    return version_of({"prizes": rows})


def prizes_edit(*, stage_id: int) -> PrizesEdit | None:
    """Return a stage's performers and prizes, or None for an unknown id. Seven queries at most."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        return None
    lists = PrizeList.objects.filter(stage_id=stage_id)
    states = {row[0]: row[1:] for row in lists.values_list("state", "published_at", "by_id")}
    has_draft = PrizeListState.DRAFT in states
    shown = lists.filter(state=PrizeListState.DRAFT if has_draft else PrizeListState.PUBLISHED)
    lines = prize_lines(list_prizes(shown))
    playing = Appearance.objects.filter(stage_id=stage_id).values("participant_id")
    receiving = PrizeRecipient.objects.filter(list__in=shown).values("participant_id")
    people = Participant.objects.filter(Q(pk__in=playing) | Q(pk__in=receiving)).order_by("sort_folded", "pk")
    published_at, by_id = states.get(PrizeListState.PUBLISHED, (None, None))
    return PrizesEdit(
        id=stage.pk,
        name=stage.name,
        performers=tuple(PrizeCandidate(*row) for row in people.values_list("pk", "name", "country")),
        lines=lines,
        has_draft=has_draft,
        published_at=published_at,
        by_id=by_id,
        orders=stage_orders(stage_id),
        version=prizes_version(lines),
    )
