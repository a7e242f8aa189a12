"""Public reads of participants, and the result types shared with sessions and programs."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import CharField, Count, Exists, Func, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Concat, Left, Replace

from apps.competition.limits import COUNTRIES_MOST, EXCERPT_LENGTH, PARTICIPANTS_SHOWN, START_NUMBER_MOST
from apps.competition.models import Appearance, Participant, Session, StageAdvancement
from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.text_rules import DIGRAPHS, SIGNS, ascii_text, fold, name_clean, name_key


@dataclass(frozen=True, slots=True)
class ParticipantCard:
    """A participant as lists show one."""

    id: int
    name: str
    country: str
    birth_year: int | None
    excerpt: str  # the start of the biography, one character more than a card shows
    avatar_url: str
    appearance_count: int
    start_number: int | None = None


@dataclass(frozen=True, slots=True)
class ParticipantDetail:
    """A participant as its own page shows it."""

    id: int
    name: str
    country: str
    birth_year: int | None
    biography: str
    avatar_url: str
    appearance_count: int
    start_number: int | None = None
    name_local: str = ""  # the name in another script


@dataclass(frozen=True, slots=True)
class PieceTitle:
    """A piece as a program prints it; `opus` is an int if it is numeric, else a word such as "posth.".

    `numbers` are those of a set ("13–18"), which has no key.
    """

    id: int
    name: str
    category: str
    composer: str
    title: str
    key: str
    opus: int | str | None
    number: int | None
    numbers: str = ""


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of a program's line, with its video: a movement or section by `name`, or in a set its own `piece`."""

    id: int
    name: str
    piece: PieceTitle | None
    video_id: str
    second: int | None


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """One line of a program, with its video; `video_id` is empty without one. `parts` are those of its piece."""

    id: int
    order_number: int
    slot: str
    piece: PieceTitle
    video_id: str
    second: int | None
    parts: tuple[LinePart, ...] = ()


@dataclass(frozen=True, slots=True)
class AppearanceDetail:
    """A participant's appearance in a session, without the program."""

    id: int
    order_number: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    is_performing: bool
    has_begun: bool  # ratings are refused before
    came_at: datetime | None  # last entry on stage
    stay_id: int | None  # of that time on stage, in the order of entries
    left_at: datetime | None  # exit after the last entry, None while on stage
    is_repeated: bool  # rated and shown, but not ranked
    planned_start: datetime | None  # None if it is not known
    piano: str  # maker and model, empty if it is not known
    interval_after: int | None  # minutes of the planned interval that follows in the session, None without one


@dataclass(frozen=True, slots=True)
class AppearanceWithProgram(AppearanceDetail):
    """An appearance with the program."""

    program: tuple[ProgramLine, ...]


@dataclass(frozen=True, slots=True)
class AppearancePlace:
    """Participant and stage of an appearance, and the pieces of its program, by ids."""

    participant_id: int
    stage_id: int
    is_repeated: bool
    piece_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class AppearanceProgram:
    """An appearance by ids, with its participant and the pieces of its program.

    `is_decided` is whether it is published who advances from its stage.
    """

    id: int
    session_id: int
    participant_id: int
    piece_ids: frozenset[int]
    has_begun: bool
    is_decided: bool


@dataclass(frozen=True, slots=True)
class SessionCard:
    """A session as lists show it."""

    id: int
    title: str
    stage: str
    stage_id: int
    starts_at: datetime
    description: str
    participant_count: int
    youtube_id: str
    is_live: bool
    orchestra: str = ""
    conductor: str = ""


@dataclass(frozen=True, slots=True)
class SessionDetail:
    """A session as its own page shows it; `ended_at` is None while it is live, and for one that never was.

    `planned_end` is None if it is not known.
    """

    id: int
    title: str
    stage: str
    stage_id: int
    starts_at: datetime
    description: str
    youtube_id: str
    is_live: bool
    ended_at: datetime | None = None
    planned_end: datetime | None = None
    orchestra: str = ""
    conductor: str = ""


@dataclass(frozen=True, slots=True)
class SessionAppearance:
    """An appearance of a participant with its session.

    `next_stage` is the name of the stage after its own, empty for the last. `is_decided` is whether it is published who
    advances to it, `has_advanced` whether the participant does. `previous_name` is the participant before in the order,
    empty for the first.
    """

    session: SessionDetail
    appearance: AppearanceWithProgram
    next_stage: str = ""
    is_decided: bool = False
    has_advanced: bool = False
    previous_name: str = ""


@dataclass(frozen=True, slots=True)
class LiveNow:
    """The performer on stage in the live session."""

    session_id: int
    session_title: str
    stage: str
    participant_id: int
    name: str
    country: str
    avatar_url: str


@dataclass(frozen=True, slots=True)
class Named:
    """A participant or a session named in a text: `kind` is "participant" or "session"."""

    kind: str
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class LiveCard:
    """The live or last session as lists show it, with its performer; `participant_id` is None while nobody plays."""

    session: SessionCard
    participant_id: int | None
    name: str
    country: str


@dataclass(frozen=True, slots=True)
class ParticipantsField:
    """The numbers of participants and of their countries."""

    participants: int
    countries: int


def _key(column: str) -> Combinable:
    """Return the database expression for `name_key` of a folded column."""
    key: Combinable = Func(column, Value(SIGNS), Value(""), function="translate", output_field=CharField())
    for pair, letter in DIGRAPHS:
        key = Replace(key, Value(pair), Value(letter))
    return key


_NAME_KEY, _SORT_KEY = _key("name_folded"), _key("sort_folded")
_WORDS = 10  # words of a search that are used
_START_DIGITS = len(str(START_NUMBER_MOST))
_CARD = ("id", "name", "country", "birth_year", "excerpt", "avatar_url", "appearance_count", "start_number")
_DETAIL = (
    *("id", "name", "country", "birth_year", "biography", "avatar_url", "appearance_count", "start_number"),
    "name_local",
)


def participant_list(
    *, query: str = "", country: str = "", still_in: bool = False, number: int = 1, size: int = PARTICIPANTS_SHOWN
) -> NumberedPage[ParticipantCard]:
    """Return a page of participants by second name, filtered by `query`, `country` and `still_in`. Two queries.

    Every word of `query` must be in the name, in any order, without accents, or be the start number. `still_in` keeps
    participants with an appearance in the newest stage that has appearances; once it is published who advances from it,
    only those. Empty arguments do not filter.
    """
    found = participants_named(query).order_by("sort_folded", "id")
    if "\x00" in country:
        found = found.none()  # PostgreSQL refuses NUL, and no country has it
    elif country:
        found = found.filter(country=country)
    if still_in:
        found = found.filter(_still_in())
    return numbered_page(found, number=number, size=size, read=_cards)


def _still_in() -> Q:
    """Return the condition: plays in the newest stage with appearances and, once it is published, advances from it."""
    newest = Appearance.objects.order_by("-stage__order_number").values("stage_id")[:1]
    advancing = StageAdvancement.objects.filter(stage_id=newest)
    plays = Q(pk__in=Appearance.objects.filter(stage_id=newest).values("participant_id"))
    return plays & (~Q(Exists(advancing)) | Q(pk__in=advancing.values("participant_id")))


def participants_named(query: str) -> QuerySet[Participant]:
    """Return the participants with every word of `query` in their name or as their start number.

    Or with all of `query` in their name in another script. The words may have any order, and accents are optional; so
    are hyphens, apostrophes, spaces and two-letter spellings ("oe" for "ø"): see `name_key`.
    """
    named = Q()
    for word in fold(query).split()[:_WORDS]:
        has_word = Q(name_folded__contains=word)
        if key := name_key(word):
            has_word |= Q(key__contains=key)
        if word.isdigit() and len(word) <= _START_DIGITS:
            has_word |= Q(start_number=int(word))
        named &= has_word
    found = Participant.objects.alias(key=Concat(_NAME_KEY, Value(" "), _SORT_KEY))
    local = name_clean(query).replace("\x00", "")
    return found.filter(named | Q(name_local__icontains=local)) if named else found


def participants_alike(name_folded: str, sort_folded: str, *, country: str) -> QuerySet[Participant]:
    """Return the participants from a country with the same name key as this folded name, in either order."""
    keys = [name_key(name_folded), name_key(sort_folded)]
    found = Participant.objects.alias(name_key=_NAME_KEY, sort_key=_SORT_KEY)
    return found.filter(Q(name_key__in=keys) | Q(sort_key__in=keys), country__iexact=country).order_by("id")


def participant_featured(*, limit: int = 6) -> tuple[ParticipantCard, ...]:
    """Return the featured participants, the newest first. One query."""
    return _cards(Participant.objects.filter(featured=True).order_by("-created_at", "-id")[:limit])


def participant_countries() -> tuple[str, ...]:
    """Return the countries of participants, sorted, at most COUNTRIES_MOST. One query."""
    return tuple(field_countries())


def field_countries() -> Mapping[str, int]:
    """Return the numbers of participants by country, sorted by country, at most COUNTRIES_MOST. One query."""
    counted = Participant.objects.order_by("country").values_list("country").annotate(count=Count("pk"))
    return dict(sorted(counted[:COUNTRIES_MOST], key=lambda row: (fold(row[0]), row[0])))


def participants_field() -> ParticipantsField:
    """Return the numbers of participants and countries. One query."""
    found = Participant.objects.aggregate(participants=Count("pk"), countries=Count("country", distinct=True))
    return ParticipantsField(**found)


def participant_get(*, participant_id: int) -> ParticipantDetail | None:
    """Return one participant, or None when there is none with that id. One query."""
    found = Participant.objects.filter(pk=participant_id).annotate(appearance_count=Count("appearances"))
    row = found.values_list(*_DETAIL).first()
    return ParticipantDetail(*row) if row else None


def participant_ids() -> tuple[int, ...]:
    """Return the ids of all participants, for the sitemap. One query."""
    return tuple(Participant.objects.order_by("id").values_list("id", flat=True))


def _cards(found: QuerySet[Participant]) -> tuple[ParticipantCard, ...]:
    """Return the cards of these participants, with only the start of the biography."""
    cards = found.annotate(excerpt=Left("biography", EXCERPT_LENGTH + 1), appearance_count=Count("appearances"))
    return tuple(ParticipantCard(*row) for row in cards.values_list(*_CARD))


_WORD = re.compile(r"[A-Za-z0-9]++(?:[-'][A-Za-z0-9]++)*+|[^\sA-Za-z0-9]")
_UNSPACED = re.compile(
    "([\u3041-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])"
)  # one such sign is one word here
_DASHES = str.maketrans("–—", "  ")  # dashes separate words
_Words = tuple[str, ...]


def named_in(text: str) -> tuple[Named, ...]:
    """Return the participants and sessions named in full in a text, each once, in the text's order. Two queries.

    Names match by the keys of their words, titles without accents but with their case: "Final" may be a title, "final"
    is not. Words must be whole and on one line, and the longest match wins. Each Chinese, Japanese and Korean sign is a
    word.
    """
    known: dict[_Words, list[Named]] = defaultdict(list)
    for pk, name in Participant.objects.order_by("sort_folded", "id").values_list("id", "name"):
        known[_keys(_words(name))].append(Named("participant", pk, name))
    for pk, title in Session.objects.order_by("starts_at", "id").values_list("id", "title"):
        known[_words(title)].append(Named("session", pk, title))
    return tuple(dict.fromkeys(_found(text, known)))


def _found(text: str, known: dict[_Words, list[Named]]) -> Iterable[Named]:
    lengths: dict[str, list[int]] = defaultdict(list)  # name lengths by first word, the longest first
    for words in sorted(filter(None, known), key=len, reverse=True):
        if len(words) not in lengths[words[0]]:
            lengths[words[0]].append(len(words))
    for line in text.splitlines():
        yield from _found_in(_words(line), known, lengths)


def _found_in(words: _Words, known: dict[_Words, list[Named]], lengths: dict[str, list[int]]) -> Iterable[Named]:
    plain, start = _keys(words), 0
    while start < len(words):
        taken = 1
        for length in sorted({*lengths.get(words[start], ()), *lengths.get(plain[start], ())}, reverse=True):
            end = start + length
            named = [*known.get(plain[start:end], ()), *known.get(words[start:end], ())]
            if named:
                yield from named
                taken = length
                break
        start += taken


def _words(text: str) -> _Words:
    """Return the words and signs of a text in ASCII, without a possessive's ending."""
    composed = unicodedata.normalize("NFKC", text.translate(_DASHES))
    return tuple(word.removesuffix("'s") for word in _WORD.findall(ascii_text(_UNSPACED.sub(r" \1 ", composed))))


def _keys(words: _Words) -> _Words:
    """Return the key of each word; a sign is its own key."""
    return tuple(name_key(word.lower()) or word for word in words)
