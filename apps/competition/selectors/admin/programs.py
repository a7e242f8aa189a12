"""Reads of programs and of the catalogue for administrators."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from apps.competition.enums import SPECIFIED, Category
from apps.competition.limits import APPEARANCES_LISTED, MOMENTS_APART
from apps.competition.models import Appearance, ProgramEntry, StageSlot
from apps.competition.selectors.public.participants import PieceTitle, participants_named
from apps.competition.selectors.public.programs import PART_ROWS, member_title, piece_title
from apps.competition.youtube import video_id
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.edits import version_of

PAGE = 20  # participants
_ROW = (
    *("id", "order_number", "participant_id", "participant__name", "participant__country", "participant__avatar_url"),
    *("is_repeated", "counting", "session__youtube_id", "session__stage_id", "session__stage__has_own_slots"),
)
_COUNTING = Appearance.objects.filter(stage=OuterRef("stage"), participant=OuterRef("participant"), is_repeated=False)


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a program's item, with its link: a movement or section by `name`, or in a set its own `piece`."""

    id: int
    name: str
    piece: PieceTitle | None
    youtube_url: str
    timestamp: int | None  # seconds into the recording

    @property
    def version(self) -> str:
        """The version of the link."""
        return version_of(link_fields(self.youtube_url))


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One piece of a program, with its link and its parts; the form sends the link's `version` back."""

    id: int
    order_number: int
    slot: str
    piece: PieceTitle
    youtube_url: str
    timestamp: int | None  # seconds into the recording
    parts: tuple[PartRow, ...] = ()

    @property
    def version(self) -> str:
        """The version of the link."""
        return version_of(link_fields(self.youtube_url))


@dataclass(frozen=True, slots=True)
class DoubtfulMoment:
    """A piece with a moment that descends or jumps, and the piece `before` it in the same video."""

    entry: EntryRow
    before: EntryRow

    @property
    def seconds(self) -> int:
        """The seconds from the beginning of the piece before; below 0 when the moment descends."""
        return (self.entry.timestamp or 0) - (self.before.timestamp or 0)


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One of the five slots with its entries; `label` is the pieces' category if they share one, else the slot's."""

    slot: str
    label: str  # a gettext source
    entries: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True)
class ProgramRow:
    """A participant's program in a session, in its order."""

    appearance_id: int
    order_number: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    is_repeated: bool
    counting: str  # the session with the participant's performance that counts in the stage, empty without one
    session_video: str  # the id of the session's video, empty without one
    stage_id: int
    has_own_slots: bool  # whether the stage has slots of its own, so that the five are not shown
    entries: tuple[EntryRow, ...]

    @property
    def version(self) -> str:
        """The version of the program."""
        return version_of(program_fields(entry.piece.name for entry in self.entries))

    @property
    def doubtful_moments(self) -> tuple["DoubtfulMoment", ...]:
        """The pieces that begin before the piece before them in the same video, or more than MOMENTS_APART after it.

        Pieces without a moment are skipped.
        """
        found: list[DoubtfulMoment] = []
        before: dict[str, EntryRow] = {}  # the piece before, by video
        for entry in self.entries:
            if entry.timestamp is None:
                continue
            video = video_id(entry.youtube_url) or self.session_video
            last = before.get(video)
            before[video] = entry
            if last is not None and not 0 <= entry.timestamp - (last.timestamp or 0) <= MOMENTS_APART:
                found.append(DoubtfulMoment(entry, last))
        return tuple(found)

    @property
    def slots(self) -> tuple[SlotRow, ...]:
        """The five slots with their entries, and other slots that have entries."""
        used = {each.slot for each in self.entries}
        shown = (slot for slot in Category if slot in SPECIFIED or slot.value in used)
        return tuple(_slot(slot, [each for each in self.entries if each.slot == slot.value]) for slot in shown)


def programs_admin(*, session_id: int, query: str = "", number: int = 1) -> NumberedPage[ProgramRow]:
    """Return a page of a session's programs, in order; names have every word of `query`. Three queries."""
    found = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    if query.strip():
        found = found.filter(participant__in=participants_named(query))
    return numbered_page(found, number=number, size=PAGE, read=_rows)


def program_admin(*, appearance_id: int) -> ProgramRow | None:
    """Return the program of one appearance, or None for an unknown id. Two queries."""
    return next(iter(_rows(Appearance.objects.filter(pk=appearance_id))), None)


@dataclass(frozen=True, slots=True)
class ParticipantProgram:
    """An appearance in a session, and whether it has a program."""

    appearance_id: int
    order_number: int
    name: str
    session: str
    has_program: bool


@dataclass(frozen=True, slots=True)
class ProgramCounts:
    """The number of appearances, and how many of them have a program."""

    all: int
    with_program: int


_HAS_PROGRAM = Exists(ProgramEntry.objects.filter(appearance=OuterRef("pk")))
_PARTICIPANT_PROGRAM = ("id", "order_number", "participant__name", "session__title", "has_program")


def session_programs(
    *, session_id: int | None, query: str = "", has_program: bool, chosen: int = 0
) -> tuple[ParticipantProgram, ...]:
    """Return the appearances with or without a program, in order, at most APPEARANCES_LISTED, and the `chosen` one.

    `session_id` None means all sessions, the newest first. Names have every word of `query`. One query.
    """
    appearances = appearances_within(session_id=session_id)
    if query.strip():
        appearances = appearances.filter(participant__in=participants_named(query))
    found = appearances.annotate(has_program=_HAS_PROGRAM).filter(Q(has_program=has_program) | Q(pk=chosen))
    ordered = found.order_by("-session__starts_at", "session_id", "order_number")
    return tuple(ParticipantProgram(*row) for row in ordered.values_list(*_PARTICIPANT_PROGRAM)[:APPEARANCES_LISTED])


def program_counts(*, session_id: int | None) -> ProgramCounts:
    """Return how many appearances of a session have a program, of all sessions for None. One query."""
    counted = appearances_within(session_id=session_id).aggregate(
        all=Count("pk"), with_program=Count("pk", filter=Q(_HAS_PROGRAM))
    )
    return ProgramCounts(**counted)


@dataclass(frozen=True, slots=True)
class Performer:
    """An appearance as headings of pasted programs name it; `pieces` are the names in its program.

    `takes_sets` is true where the stage's slots have whole sets, or anything.
    """

    appearance_id: int
    order_number: int
    start_number: int | None
    participant_id: int
    name: str
    country: str
    session: str
    takes_sets: bool
    pieces: tuple[str, ...]

    @property
    def version(self) -> str:
        """The version of the program."""
        return version_of(program_fields(self.pieces))


_PERFORMER = (
    *("id", "order_number", "participant__start_number", "participant_id", "participant__name"),
    *("participant__country", "session__title", "takes_sets"),
)
_HAS_SETS = Q(is_free=True) | Q(allowances__piece__parts__member__isnull=False)
TAKES_SETS = Exists(StageSlot.objects.filter(_HAS_SETS, stage=OuterRef("stage")))


def performers(*, session_id: int | None, limit: int, appearance_id: int | None = None) -> tuple[Performer, ...]:
    """Return at most `limit` appearances of a session, of all sessions for None, with their programs. Two queries.

    With an `appearance_id` only this one.
    """
    within = appearances_within(session_id=session_id).annotate(takes_sets=TAKES_SETS)
    if appearance_id is not None:
        within = within.filter(pk=appearance_id)
    found = within.order_by("session__starts_at", "session_id", "order_number")
    rows = tuple(found.values_list(*_PERFORMER)[:limit])
    pieces: dict[int, list[str]] = defaultdict(list)
    entries = ProgramEntry.objects.filter(appearance__in=[row[0] for row in rows])
    ordered = entries.order_by("appearance_id", "order_number")
    for pk, name in ordered.values_list("appearance_id", "piece__name"):
        pieces[pk].append(name)
    return tuple(Performer(*(*row, tuple(pieces[row[0]]))) for row in rows)


def appearances_within(*, session_id: int | None) -> QuerySet[Appearance]:
    """Return the appearances of a session, of all sessions for None."""
    return Appearance.objects.filter(**({} if session_id is None else {"session_id": session_id}))


def program_fields(names: Iterable[str]) -> dict[str, list[str]]:
    """Return a program's values for its version and the audit: its pieces in their order."""
    return {"pieces": list(names)}


def program_version(names: Iterable[str]) -> str:
    """Return the version of a program of these pieces for the argument of a button, which has no colons."""
    return version_of(program_fields(names)).partition(":")[2]


def link_fields(youtube_url: str) -> dict[str, str]:
    """Return a link's editable value by field."""
    return {"url": youtube_url}


def _slot(slot: Category, entries: Sequence[EntryRow]) -> SlotRow:
    categories = {entry.piece.category for entry in entries}
    named = Category(categories.pop()) if len(categories) == 1 else slot
    return SlotRow(slot.value, str(named.label), tuple(entries))


def _rows(found: QuerySet[Appearance]) -> tuple[ProgramRow, ...]:
    counting = Coalesce(Subquery(_COUNTING.values("session__title")[:1]), Value(""))
    rows = tuple(found.annotate(counting=counting).values_list(*_ROW))
    entries = _entries([pk for pk, *_ in rows])
    return tuple(ProgramRow(*(*row, entries.get(row[0], ()))) for row in rows)


def _entries(appearance_ids: Sequence[int]) -> Mapping[int, tuple[EntryRow, ...]]:
    """Return the entries of these appearances by appearance, in their order. One query."""
    entries: dict[int, list[EntryRow]] = defaultdict(list)
    found = ProgramEntry.objects.filter(appearance__in=appearance_ids).select_related("piece")
    for entry in found.annotate(part_rows=PART_ROWS).order_by("appearance_id", "order_number"):
        row = EntryRow(
            entry.pk,
            entry.order_number,
            entry.slot,
            piece_title(entry.piece),
            entry.youtube_url,
            entry.timestamp,
            tuple(_part(each) for each in entry.part_rows),
        )
        entries[entry.appearance_id].append(row)
    return {appearance_id: tuple(own) for appearance_id, own in entries.items()}


def _part(row: dict[str, Any]) -> PartRow:
    moment = row["moment"] or {"second": None, "link": ""}
    return PartRow(row["id"], row["name"], member_title(row), moment["link"], moment["second"])
