"""Participants, pieces, sessions and stages as they are found by a search."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from apps.competition.events import (
    AppearancesChanged,
    ParticipantChanged,
    ParticipantsAdded,
    ParticipantsChanged,
    ParticipantsRemoved,
    PianosChanged,
    PiecesChanged,
    PlannedTimesChanged,
    SessionChanged,
    StageRenamed,
    StagesChanged,
)
from apps.competition.models import Appearance, Participant, Piece, PiecePart, Session, Stage
from apps.competition.piece_aliases import PieceAliases, piece_aliases
from apps.competition.works import COMPOSER
from apps.core.database.fields import venue_zone
from apps.search.enums import Kind
from apps.search.registry import Document, Searchable, register

# Titles and signs as programs show them (`components/ui/pieces.py`; a test compares both).
_TITLES = {
    "Etude": "Étude",
    "Etudes": "Études",
    "Ecossaise": "Écossaise",
    "Ecossaises": "Écossaises",
    "Etiuda": "Étude",
    "Nokturn": "Nocturne",
    "Mazurek": "Mazurka",
}
_SIGNS = {"sharp": "♯", "flat": "♭", None: ""}
_KEY = re.compile(r"([A-G])(?:-(sharp|flat))? (major|minor)")
_PLURALS = {
    "Étude": ("Etudes", "Etiudy", "Etüden"),
    "Nocturne": ("Nocturnes", "Nokturny", "Notturni"),
    "Scherzo": ("Scherzos", "Scherza", "Scherzi"),
    "Mazurka": ("Mazurkas", "Mazurki", "Mazurken"),
}
_NUMBERED = re.compile(r"\d|posth")
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10}
_NUMERALS = _ROMAN.keys() | {str(number) for number in _ROMAN.values()}
_OTHER_NUMERAL = {roman: str(number) for roman, number in _ROMAN.items()}
_OTHER_NUMERAL |= {number: roman for roman, number in _OTHER_NUMERAL.items()}
_STAGES = {"Stage": ("Etap", "Round"), "Etap": ("Stage",), "Round": ("Stage",), "Final": ("Finał", "Finals")}
_WORDS = {  # of the first numerals: a cardinal and ordinals
    "I": "one first 1st pierwszy",
    "II": "two second 2nd drugi",
    "III": "three third 3rd trzeci",
    "IV": "four fourth 4th czwarty",
}


_PARTICIPANT_COLUMNS = (
    *("first_name", "second_name", "name", "name_folded", "sort_folded", "name_local", "country", "biography"),
)


def searchables_register() -> None:
    """Register the four kinds."""
    register(
        Searchable(
            Kind.PARTICIPANT,
            columns=(*(f"participants.{name}" for name in _PARTICIPANT_COLUMNS), "pianos.maker", "pianos.model"),
            ids=_ids(Participant.objects.all()),
            documents=_participants,
            events={
                ParticipantChanged: lambda event: (event.participant_id,),
                ParticipantsAdded: lambda event: event.participant_ids,
                ParticipantsChanged: lambda event: event.participant_ids,
                ParticipantsRemoved: lambda event: event.participant_ids,
            },
            others={
                PianosChanged: lambda event: event.participant_ids,
                AppearancesChanged: lambda event: event.participant_ids,
            },
        )
    )
    register(
        Searchable(
            Kind.PIECE,
            columns=(
                *(f"pieces.{name}" for name in ("name", "composer", "title", "key", "opus", "numbers")),
                "piece_parts.name",
            ),
            ids=_ids(Piece.objects.all()),
            documents=_pieces,
            events={PiecesChanged: lambda event: event.piece_ids},
            others={PiecesChanged: lambda event: _sets_of(event.piece_ids)},
        )
    )
    register(
        Searchable(
            Kind.SESSION,
            columns=(
                *("sessions.title", "sessions.description", "sessions.orchestra", "sessions.conductor"),
                "stages.name",
            ),
            ids=_ids(Session.objects.all()),
            documents=_sessions,
            events={
                SessionChanged: lambda event: (event.session_id,),
                PlannedTimesChanged: lambda event: (event.session_id,),
            },
            others={StageRenamed: lambda event: _sessions_of(event.stage_ids)},
        )
    )
    register(
        Searchable(
            Kind.STAGE,
            columns=("stages.name",),
            ids=_ids(Stage.objects.all()),
            documents=_stages,
            events={StagesChanged: lambda event: event.stage_ids, StageRenamed: lambda event: event.stage_ids},
        )
    )


def _ids(rows: QuerySet[Any]) -> Callable[[], Iterator[int]]:
    return lambda: rows.order_by("pk").values_list("pk", flat=True).iterator()


def _sessions_of(stage_ids: Collection[int]) -> Collection[int]:
    return tuple(Session.objects.filter(stage_id__in=stage_ids).values_list("pk", flat=True)) if stage_ids else ()


def _sets_of(piece_ids: Collection[int]) -> Collection[int]:
    found = PiecePart.objects.filter(member__in=piece_ids).values_list("piece_id", flat=True)
    return tuple(found) if piece_ids else ()


def _participants(ids: Collection[int]) -> Iterator[Document]:
    pianos = _pianos(ids)
    for each in Participant.objects.filter(pk__in=ids):
        number = each.start_number
        numbers = (str(number), f"no {number}", f"nr {number}") if number else ()
        yield Document(
            each.pk,
            each.name,
            ", ".join(filter(None, (each.country, each.name_local))),
            "\n".join(filter(None, (each.biography, *pianos[each.pk]))),
            names=(*_orders(each.first_name, each.second_name), *filter(None, [each.name_local]), *numbers),
            weight=int(each.featured),
        )


def _pianos(ids: Collection[int]) -> Mapping[int, Collection[str]]:
    """Return a line for each piano that these participants play, newest first, by participant: "Piano Kitamori EX"."""
    found = Appearance.objects.filter(participant__in=ids, piano__isnull=False).order_by("-session__starts_at")
    lines: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for participant_id, maker, model in found.values_list("participant_id", "piano__maker", "piano__model"):
        lines[participant_id][f"Piano {maker} {model}".strip()] = None
    return lines


def _orders(first: str, second: str) -> Iterator[str]:
    """Yield a name in both orders, and with first names as one word: "Chun Lam" is also written "ChunLam"."""
    for each in dict.fromkeys((first, first.replace(" ", ""))):
        yield f"{each} {second}"
        yield f"{second} {each}"


def _sessions(ids: Collection[int]) -> Iterator[Document]:
    for each in Session.objects.filter(pk__in=ids).select_related("stage"):
        begin = each.starts_at.astimezone(venue_zone())
        yield Document(
            each.pk,
            each.title,
            f"{each.stage.name}, {begin.day} {begin:%B %Y}",
            "\n".join(filter(None, (each.description, _orchestra(each)))),
            names=_numeral_names(each.title),
            weight=int(begin.timestamp()),
        )


def _orchestra(session: Session) -> str:
    """Return the line with the orchestra and the conductor; empty for neither."""
    conductor = f"conducted by {session.conductor}" if session.conductor else ""
    return ", ".join(filter(None, (session.orchestra, conductor)))


def _stages(ids: Collection[int]) -> Iterator[Document]:
    for each in Stage.objects.filter(pk__in=ids):
        yield Document(each.pk, each.name, names=_numeral_names(each.name), weight=-each.order_number)


def _numeral_names(name: str) -> tuple[str, ...]:
    """Return "Stage 1" and "Etap I" for "Stage I", and the other way round."""
    words = name.split()
    others = [each for word in words[:1] for each in _STAGES.get(word.strip(","), ())]
    names = [words, *([each, *words[1:]] for each in others)]
    numbered = [[_numeral(word) for word in each] for each in names]
    spelled = [each for name in names for each in _spelled(name)]
    return tuple(" ".join(each) for each in (*names[1:], *numbered, *spelled) if each != words)


def _spelled(words: list[str]) -> Iterator[list[str]]:
    """Yield "Stage one", "first Stage" and the like for "Stage I"."""
    for at, word in enumerate(words):
        before, after = words[:at], words[at + 1 :]
        for number, spelled in enumerate(_WORDS.get(word.rstrip(","), "").split()):
            yield [spelled, *before, *after] if number else [*before, spelled, *after]


def _numeral(word: str) -> str:
    bare = word.rstrip(",.:")
    return _OTHER_NUMERAL[bare] + word[len(bare) :] if bare in _NUMERALS else word


@dataclass(frozen=True, slots=True)
class _Work:
    """Opus and number of a piece: as they are shown, and other ways to write them."""

    shown: str
    others: tuple[str, ...]


def _pieces(ids: Collection[int]) -> Iterator[Document]:
    parts = Prefetch("parts", PiecePart.objects.select_related("member").order_by("order_number"))
    for each in Piece.objects.filter(pk__in=ids).prefetch_related(parts):
        aliases = piece_aliases(title=each.title, key=each.key, opus=each.opus, number=each.number)
        work, members = _work(each), [part.member for part in each.parts.all() if part.member]
        movements = [part.name for part in each.parts.all() if part.name]
        translations = [" ".join(name) for name in aliases.translations]
        yield Document(
            each.pk,
            _piece_title(each, work),
            ", ".join([*aliases.nicknames, *filter(None, [aliases.numbering])]),
            "\n".join(filter(None, [*translations, ", ".join(movements), *(member.name for member in members)])),
            names=(
                *(each.name, each.composer, f"{each.title} {each.key} {work.shown}", *work.others, *movements),
                *(*_piece_names(aliases, work), *_plurals(each, work), *_in_series(each.title, aliases)),
                *_set_names(each, members),
            ),
            weight=-each.pk,
        )


def _set_names(piece: Piece, members: Collection[Piece]) -> Iterator[str]:
    """Yield the names of a set by the titles of its pieces in other languages: "Mazurki op. 33 1–4"."""
    if not (members and piece.opus):
        return
    titles: dict[str, None] = {}
    for each in members:
        aliases = piece_aliases(title=each.title, key=each.key, opus=each.opus, number=each.number)
        plurals = _PLURALS.get(_TITLES.get(each.title, each.title), ())
        titles |= dict.fromkeys((*plurals, *(title for title, _ in aliases.translations)))
    yield f"{len(members)} {piece.title} op. {piece.opus}"
    for title in (piece.title, *titles):
        yield from (f"{title} op. {piece.opus}", f"{title} op. {piece.opus} {piece.numbers}")


def _work(piece: Piece) -> _Work:
    """Return opus and number."""
    opus, number = piece.opus, piece.number
    if not opus:
        return _Work("", ())
    begun = (f"op{opus}",) if opus.isdecimal() else ()  # "op41": "op4" is its beginning, and "op 4" (`queries.py`)
    work = f"op. {opus}" if _NUMBERED.match(opus) else opus
    if piece.numbers:
        return _Work(f"{work} nos. {piece.numbers}", (work, f"opus {opus}", f"{work} {piece.numbers}", *begun))
    if not number:
        others = [f"opus {opus}", *begun, *(("op. posthumous", "pośmiertny") if opus.startswith("posth") else ())]
        return _Work(work, tuple(others))
    others = [f"{work} {number}", f"opus {opus} nr {number}", f"{work} number {number}", *begun]
    return _Work(f"{work} no. {number}", tuple(others))


def _piece_title(piece: Piece, work: _Work) -> str:
    key = _KEY.fullmatch(piece.key)
    by = "" if COMPOSER.split()[-1].lower() in piece.composer.lower() or not piece.composer else f"{piece.composer}: "
    if piece.title and piece.numbers:
        return f"{by}{_TITLES.get(piece.title, piece.title)}, {work.shown}"
    if not piece.title or key is None:
        first, blank, rest = piece.name.partition(" ")
        return f"{by}{_TITLES.get(first, first)}{blank}{rest}"
    letter, sign, mode = key.groups()
    title = f"{by}{_TITLES.get(piece.title, piece.title)} in {letter}{_SIGNS[sign]} {mode}"
    return f"{title}, {work.shown}" if work.shown else title


def _plurals(piece: Piece, work: _Work) -> Iterator[str]:
    """Yield the names of all pieces of this title: "Etudes op. 10 no. 4"."""
    title = piece.title or piece.name.partition(" ")[0]
    for name in _PLURALS.get(_TITLES.get(title, title), ()):
        yield f"{name} {work.shown}"


def _in_series(title: str, aliases: PieceAliases) -> Iterator[str]:
    """Yield the names by the number among all works of its kind: "Nocturne no. 20", "Nokturn nr 20"."""
    if aliases.series:
        titles = dict.fromkeys((title, *(translated for translated, _ in aliases.translations)))
        yield from (f"{each} {sign} {aliases.series}" for each in titles for sign in ("no.", "nr"))


def _piece_names(aliases: PieceAliases, work: _Work) -> Iterator[str]:
    """Yield nicknames, numbers of other catalogues, and the names in other languages with their opus."""
    yield from aliases.nicknames
    yield from aliases.catalogues
    for title, key in aliases.translations:
        yield f"{title} {key} {work.shown}"
        yield f"{title} {'en' if key.endswith('eur') else 'in'} {key}"  # "Étude en ut majeur", "Etüde in C-Dur"
        if key.startswith("ut "):  # the note has another name in Switzerland, Belgium and Italy
            yield f"{title} {key.replace('ut ', 'do ')} {work.shown}"
