"""What a participant's program may be taken from: the pieces of an import, and programs of earlier stages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from apps.competition.models import Appearance, ImportedPerformance, ProgramEntry
from apps.competition.selectors.admin.programs import TAKES_SETS

_PROGRAM = ProgramEntry.objects.filter(appearance=OuterRef("pk"))
_IMPORTED = (
    ImportedPerformance.objects.filter(participant=OuterRef("participant"))
    .exclude(program="")
    .order_by("-performance_date", "-pk")
)
_EARLIER = (
    Appearance.objects.filter(
        Exists(_PROGRAM),
        participant=OuterRef("participant"),
        stage__order_number__lt=OuterRef("stage__order_number"),
    )
    .annotate(place=F("stage__order_number"))
    .order_by("-place", "is_repeated", "-session__starts_at", "-pk")
)
_ROW = ("id", "participant__name", "participant__country", "has_program", "imported", "takes_sets", "earlier")


@dataclass(frozen=True, slots=True)
class EarlierPiece:
    """A piece of a program of an earlier stage, in its slot."""

    piece_id: int
    slot: str


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """What an appearance's program may be taken from.

    `imported` is the program of the participant's newest import, one piece a line, empty without one. `earlier` is the
    program of the last stage before this one in which the participant has one, `stage` its name. `takes_sets` is as
    that of `Performer`.
    """

    appearance_id: int
    name: str
    country: str
    has_program: bool
    imported: str
    takes_sets: bool = False
    stage: str = ""
    earlier: tuple[EarlierPiece, ...] = ()


def program_sources(*, session_id: int) -> tuple[ProgramSource, ...]:
    """Return the sources of a session's programs, in the order of its appearances. At most two queries."""
    appearances = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    found = appearances.annotate(
        has_program=Exists(_PROGRAM),
        imported=Coalesce(Subquery(_IMPORTED.values("program")[:1]), Value(""), output_field=TextField()),
        takes_sets=TAKES_SETS,
        earlier=Subquery(_EARLIER.values("pk")[:1]),
    )
    rows = tuple(found.values_list(*_ROW))
    programs = _programs([earlier for *_, earlier in rows if earlier])
    sources = []
    for *row, earlier in rows:
        stage, pieces = programs.get(earlier, ("", ()))
        sources.append(ProgramSource(*(*row, stage, pieces)))
    return tuple(sources)


def _programs(appearance_ids: Sequence[int]) -> Mapping[int, tuple[str, tuple[EarlierPiece, ...]]]:
    """Return the stage and the program of these appearances. One query."""
    stages: dict[int, str] = {}
    pieces: dict[int, list[EarlierPiece]] = defaultdict(list)
    found = ProgramEntry.objects.filter(appearance__in=appearance_ids)
    columns = ("appearance_id", "appearance__stage__name", "piece_id", "slot")
    for pk, stage, piece_id, slot in found.order_by("appearance_id", "order_number").values_list(*columns):
        stages[pk] = stage
        pieces[pk].append(EarlierPiece(piece_id, slot))
    return {pk: (stages[pk], tuple(own)) for pk, own in pieces.items()}
