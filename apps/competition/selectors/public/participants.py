"""Reads of participants."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import CharField, Count, Func, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Concat, Left, Replace

from apps.competition.limits import COUNTRIES_MOST, EXCERPT_LENGTH, PARTICIPANTS_SHOWN
from apps.competition.models import Participant, SessionParticipant
from apps.competition.selectors.public.results import NextAppearance, ParticipantCard, ParticipantDetail
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.text_rules.names import DIGRAPHS, SIGNS, fold, name_key


def _key(column: str) -> Combinable:
    """Return what `name_key` makes of a folded column."""
    key: Combinable = Func(column, Value(SIGNS), Value(""), function="translate", output_field=CharField())
    for pair, letter in DIGRAPHS:
        key = Replace(key, Value(pair), Value(letter))
    return key


_NAME_KEY, _SORT_KEY = _key("name_folded"), _key("sort_folded")
_WORDS = 10  # of a search that are looked at
_CARD = ("id", "name", "country", "birth_year", "excerpt", "avatar_url", "appearance_count")
_NEXT = ("session_id", "session__title", "session__starts_at", "session__is_live", "is_performing")
_DETAIL = ("id", "name", "country", "birth_year", "biography", "avatar_url", "appearance_count")


def participant_list(
    *, query: str = "", country: str = "", still_in: bool = False, number: int = 1, size: int = PARTICIPANTS_SHOWN
) -> NumberedPage[ParticipantCard]:
    """Return a page of participants by second name whose name has every word of `query`, in any order, without accents.

    `country` narrows the list to that country, `still_in` to whoever has an appearance in the newest stage that has
    appearances at all: the highest order number among them. Empty arguments do not narrow it. Two queries.
    """
    found = participants_named(query).order_by("sort_folded", "id")
    if "\x00" in country:
        found = found.none()  # PostgreSQL takes no such text, and no country has it
    elif country:
        found = found.filter(country=country)
    if still_in:
        found = found.filter(pk__in=_still_in().values("participant_id"))
    return numbered_page(found, number=number, size=size, read=_cards)


def participants_next(*, participant_ids: Collection[int], now: datetime) -> Mapping[int, NextAppearance]:
    """Return where these participants play next, by participant: in the live session, or from `now` on. One query."""
    theirs = SessionParticipant.objects.filter(participant_id__in=participant_ids)
    ahead = theirs.filter(Q(session__starts_at__gte=now) | Q(session__is_live=True))
    rows = ahead.order_by("-session__is_live", "session__starts_at", "session_id").values_list("participant_id", *_NEXT)
    found: dict[int, NextAppearance] = {}
    for participant_id, *row in rows:
        found.setdefault(participant_id, NextAppearance(*row))
    return found


def _still_in() -> QuerySet[SessionParticipant]:
    """Return the appearances in the newest stage that has any."""
    newest = SessionParticipant.objects.order_by("-session__stage__order_number").values("session__stage_id")[:1]
    return SessionParticipant.objects.filter(session__stage_id=newest)


def participants_named(query: str) -> QuerySet[Participant]:
    """Return the participants whose name has every word of `query`, in any order and without accents.

    Hyphens, apostrophes and spaces may be left out, and letters spelled in two ("oe" for "ø"): see `name_key`.
    """
    found = Participant.objects.alias(key=Concat(_NAME_KEY, Value(" "), _SORT_KEY))
    for word in fold(query).split()[:_WORDS]:
        has_word = Q(name_folded__contains=word)
        if key := name_key(word):
            has_word |= Q(key__contains=key)
        found = found.filter(has_word)
    return found


def participants_alike(name_folded: str, sort_folded: str, *, country: str) -> QuerySet[Participant]:
    """Return the participants from a country whose name has the key of this folded name, in either order."""
    keys = [name_key(name_folded), name_key(sort_folded)]
    found = Participant.objects.alias(name_key=_NAME_KEY, sort_key=_SORT_KEY)
    return found.filter(Q(name_key__in=keys) | Q(sort_key__in=keys), country__iexact=country).order_by("id")


def participant_featured(*, limit: int = 6) -> tuple[ParticipantCard, ...]:
    """Return the featured participants, the newest first. One query."""
    return _cards(Participant.objects.filter(featured=True).order_by("-created_at", "-id")[:limit])


def participant_countries() -> tuple[str, ...]:
    """Return the countries that participants come from, each once, sorted as names are, COUNTRIES_MOST. One query."""
    countries = Participant.objects.order_by("country").values_list("country", flat=True).distinct()
    return tuple(sorted(countries[:COUNTRIES_MOST], key=lambda country: (fold(country), country)))


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
    cards = found.annotate(excerpt=Left("biography", EXCERPT_LENGTH + 1), appearance_count=Count("appearances"))
    return tuple(ParticipantCard(*row) for row in cards.values_list(*_CARD))
