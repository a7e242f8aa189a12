"""Reads of participants for administrators."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Left

from apps.competition.limits import EXCERPT_LENGTH, OPTIONS_MOST
from apps.competition.models import Appearance, Participant
from apps.competition.selectors.public.participants import participants_named
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.edits import version_of

PAGE = 24  # participants
_EDITED = (
    *("first_name", "second_name", "name_local", "country", "biography", "birth_year", "avatar_url", "featured"),
    "start_number",
)
_NAME = ("name", "first_name", "second_name", "name_folded", "sort_folded", "country", "start_number", "id")
_ROW = ("id", "name", "country", "birth_year", "excerpt", "avatar_url", "featured", "appearance_count", "start_number")


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """A participant as the list for editors shows one."""

    id: int
    name: str
    country: str
    birth_year: int | None
    excerpt: str  # the start of the biography, one character more than a card shows
    avatar_url: str
    featured: bool
    appearance_count: int
    start_number: int | None = None

    @property
    def needs_avatar(self) -> bool:
        """Whether the participant has no picture."""
        return not self.avatar_url


@dataclass(frozen=True, slots=True)
class ParticipantEdit:
    """A participant as its form shows one; the form sends `version` back."""

    id: int
    first_name: str
    second_name: str
    name: str
    name_local: str
    country: str
    biography: str
    birth_year: int | None
    avatar_url: str
    featured: bool
    start_number: int | None
    family_first: bool  # whether the full name begins with the second name
    version: str


@dataclass(frozen=True, slots=True)
class ParticipantOption:
    """A participant as lists to choose from show one."""

    id: int
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class ParticipantName:
    """A participant's names as imports compare them, in either order, plain and folded, and the start number."""

    name: str
    first_name: str
    second_name: str
    name_folded: str
    sort_folded: str
    country: str
    start_number: int | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class ParticipantFacts:
    """A participant's names, and what a file can fill: by the fields of FACTS."""

    first_name: str
    second_name: str
    country: str
    start_number: int | None
    birth_year: int | None
    biography: str
    name_local: str
    avatar_url: str


FACTS = ("start_number", "birth_year", "biography", "name_local", "avatar_url")


def participants_admin(
    *, query: str = "", country: str = "", needs_avatar: bool = False, number: int = 1
) -> NumberedPage[ParticipantRow]:
    """Return a page of participants by second name, filtered as the public list is. Two queries."""
    found = participants_named(query).order_by("sort_folded", "id")
    if country:
        found = found.filter(country=country.replace("\x00", ""))
    if needs_avatar:
        found = found.filter(Q(avatar_url=""))
    return numbered_page(found, number=number, size=PAGE, read=_rows)


def participant_edit(*, participant_id: int) -> ParticipantEdit | None:
    """Return a participant for its form, or None for an unknown id. One query."""
    participant = Participant.objects.filter(pk=participant_id).only("name", *_EDITED).first()
    if participant is None:
        return None
    fields = participant_fields(participant)
    return ParticipantEdit(participant.pk, name=participant.name, **fields, version=version_of(fields))


def participant_fields(participant: Participant) -> dict[str, Any]:
    """Return a participant's editable values by field."""
    first, second = participant.first_name, participant.second_name
    family_first = first != second and participant.name == f"{second} {first}"
    return {**{name: getattr(participant, name) for name in _EDITED}, "family_first": family_first}


def participant_options(
    *, query: str = "", limit: int = OPTIONS_MOST, chosen: Sequence[int] = ()
) -> tuple[ParticipantOption, ...]:
    """Return at most `limit` participants to choose from by second name, and those `chosen`. One query.

    Their names have every word of `query`, with or without accents; a number is the start number.
    """
    found = participants_named(query).order_by("sort_folded", "id")[:limit]
    if chosen:  # only then a subquery: as the one condition, a fresh table's plan runs it again for every row
        matching = found.values("pk")
        found = Participant.objects.filter(Q(pk__in=matching) | Q(pk__in=chosen)).order_by("sort_folded", "id")
    return tuple(ParticipantOption(*row) for row in found.values_list("id", "name", "country"))


def participant_names() -> tuple[ParticipantName, ...]:
    """Return the names of all participants. One query."""
    return tuple(ParticipantName(*row) for row in Participant.objects.values_list(*_NAME))


def participant_facts(*, ids: Collection[int]) -> Mapping[int, ParticipantFacts]:
    """Return what is known of these participants, by id. One query, none without ids."""
    if not ids:
        return {}
    rows = Participant.objects.filter(pk__in=ids).values_list("id", "first_name", "second_name", "country", *FACTS)
    return {pk: ParticipantFacts(*columns) for pk, *columns in rows}


def participants_playing() -> frozenset[int]:
    """Return the ids of all participants with an appearance. One query."""
    return frozenset(Appearance.objects.order_by().values_list("participant_id", flat=True).distinct())


def _rows(found: QuerySet[Participant]) -> tuple[ParticipantRow, ...]:
    cards = found.annotate(excerpt=Left("biography", EXCERPT_LENGTH + 1), appearance_count=Count("appearances"))
    return tuple(ParticipantRow(*row) for row in cards.values_list(*_ROW))
