"""Reads of participants."""

from django.db.models import Count, QuerySet
from django.db.models.functions import Left

from apps.competition.limits import EXCERPT_LENGTH
from apps.competition.models import Participant
from apps.competition.selectors.public.results import ParticipantCard, ParticipantDetail
from apps.core.text_rules.names import fold

_WORDS = 10  # of a search that are looked at
_CARD = ("id", "name", "country", "birth_year", "excerpt", "avatar_url", "appearance_count")
_DETAIL = ("id", "name", "country", "birth_year", "biography", "avatar_url", "appearance_count")


def participant_list(*, query: str = "", country: str = "") -> tuple[ParticipantCard, ...]:
    """Return the participants by second name whose name has every word of `query`, in any order and without accents.

    `country` narrows the list to that country; empty arguments do not narrow it. One query.
    """
    if "\x00" in country:
        return ()  # PostgreSQL takes no such text, and no country has it
    found = participants_named(query).order_by("sort_folded", "id")
    return _cards(found.filter(country=country) if country else found)


def participants_named(query: str) -> QuerySet[Participant]:
    """Return the participants whose name has every word of `query`, in any order and without accents."""
    found = Participant.objects.all()
    for word in fold(query).split()[:_WORDS]:
        found = found.filter(name_folded__contains=word)
    return found


def participant_featured(*, limit: int = 6) -> tuple[ParticipantCard, ...]:
    """Return the featured participants, the newest first. One query."""
    return _cards(Participant.objects.filter(featured=True).order_by("-created_at", "-id")[:limit])


def participant_countries() -> tuple[str, ...]:
    """Return the countries that participants come from, each once, sorted as names are. One query."""
    countries = Participant.objects.order_by().values_list("country", flat=True).distinct()
    return tuple(sorted(countries, key=lambda country: (fold(country), country)))


def participant_get(*, participant_id: int) -> ParticipantDetail | None:
    """Return one participant, or None when there is none with that id. One query."""
    found = Participant.objects.filter(pk=participant_id).annotate(appearance_count=Count("appearances"))
    row = found.values_list(*_DETAIL).first()
    return ParticipantDetail(*row) if row else None


def participant_ids() -> tuple[int, ...]:
    """Return the ids of all participants, for the sitemap. One query."""
    return tuple(Participant.objects.order_by("id").values_list("id", flat=True))


def _cards(found: QuerySet[Participant]) -> tuple[ParticipantCard, ...]:
    """Return the cards of these participants; the biography stays in the database but for its beginning."""
    cards = found.annotate(excerpt=Left("biography", EXCERPT_LENGTH), appearance_count=Count("appearances"))
    return tuple(ParticipantCard(*row) for row in cards.values_list(*_CARD))
