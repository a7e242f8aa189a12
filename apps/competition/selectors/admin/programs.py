"""Programs for administrators: by appearance in a session, in five slots."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from apps.competition.enums import Category
from apps.competition.models import ProgramEntry, SessionParticipant
from apps.competition.selectors.public.participants import participants_named
from apps.competition.selectors.public.programs import piece_title
from apps.competition.selectors.public.results import PieceTitle
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.edits.edit_merge import version_of

PAGE = 20  # participants
_ROW = ("id", "order_number", "participant_id", "participant__name", "participant__country", "participant__avatar_url")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One piece of a program, with its link; `version` is the link's version to send back."""

    id: int
    order_number: int
    slot: str
    piece: PieceTitle
    youtube_url: str
    timestamp: int | None  # seconds into the recording

    @property
    def version(self) -> str:
        """The version of the link."""
        return version_of(link_fields(self.youtube_url))


@dataclass(frozen=True, slots=True)
class SlotRow:
    """One of the five slots with its entries; `label` names what stands in it, where that is of one kind."""

    slot: str
    label: str  # the source of its translation
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
    entries: tuple[EntryRow, ...]

    @property
    def version(self) -> str:
        """The version of the program."""
        return version_of(program_fields(entry.piece.name for entry in self.entries))

    @property
    def slots(self) -> tuple[SlotRow, ...]:
        """The five slots with their entries."""
        return tuple(_slot(slot, [each for each in self.entries if each.slot == slot.value]) for slot in Category)


def programs_admin(*, session_id: int, query: str = "", number: int = 1) -> NumberedPage[ProgramRow]:
    """Return a page of a session's programs, in its order, of those whose name has every word. Three queries."""
    found = SessionParticipant.objects.filter(session_id=session_id).order_by("order_number")
    if query.strip():
        found = found.filter(participant__in=participants_named(query))
    return numbered_page(found, number=number, size=PAGE, read=_rows)


def program_admin(*, appearance_id: int) -> ProgramRow | None:
    """Return the program of one appearance, or None when there is no such appearance. Two queries."""
    return next(iter(_rows(SessionParticipant.objects.filter(pk=appearance_id))), None)


@dataclass(frozen=True, slots=True)
class ParticipantProgram:
    """Who plays in a session, and whether there is a program."""

    appearance_id: int
    order_number: int
    name: str
    has_program: bool


def session_programs(*, session_id: int, query: str = "") -> tuple[ParticipantProgram, ...]:
    """Return who plays in a session, in its order, of those whose name has every word. One query."""
    found = SessionParticipant.objects.filter(session_id=session_id).order_by("order_number")
    if query.strip():
        found = found.filter(participant__in=participants_named(query))
    has_program = Exists(ProgramEntry.objects.filter(session_participant=OuterRef("pk")))
    rows = found.annotate(has_program=has_program).values_list("id", "order_number", "participant__name", "has_program")
    return tuple(ParticipantProgram(*row) for row in rows)


def program_fields(names: Iterable[str]) -> dict[str, list[str]]:
    """Return a program as its version and the audit know it: its pieces in their order."""
    return {"pieces": list(names)}


def link_fields(youtube_url: str) -> dict[str, str]:
    """Return a link's editable value by field."""
    return {"url": youtube_url}


def _slot(slot: Category, entries: Sequence[EntryRow]) -> SlotRow:
    categories = {entry.piece.category for entry in entries}
    named = Category(categories.pop()) if len(categories) == 1 else slot
    return SlotRow(slot.value, str(named.label), tuple(entries))


def _rows(found: QuerySet[SessionParticipant]) -> tuple[ProgramRow, ...]:
    rows = tuple(found.values_list(*_ROW))
    entries = _entries([pk for pk, *_ in rows])
    return tuple(ProgramRow(*(*row, entries.get(row[0], ()))) for row in rows)


def _entries(appearance_ids: Sequence[int]) -> Mapping[int, tuple[EntryRow, ...]]:
    """Return the entries of these appearances by appearance, in their order. One query."""
    entries: dict[int, list[EntryRow]] = defaultdict(list)
    found = ProgramEntry.objects.filter(session_participant__in=appearance_ids).select_related("piece")
    for entry in found.order_by("session_participant_id", "order_number"):
        row = EntryRow(
            entry.pk, entry.order_number, entry.slot, piece_title(entry.piece), entry.youtube_url, entry.timestamp
        )
        entries[entry.session_participant_id].append(row)
    return {appearance_id: tuple(own) for appearance_id, own in entries.items()}
