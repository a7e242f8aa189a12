"""Match references with pieces. A wrong piece is worse than none, so an ambiguous reference becomes a question."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from apps.imports.program_lines.catalogue import (
    POSTHUMOUS,
    Catalogue,
    CataloguePiece,
    opus_order,
)
from apps.imports.program_lines.damage import is_damaged
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.names import single_titles, sure_names
from apps.imports.program_lines.references import Reference, opus_of
from apps.imports.program_lines.tokens import Kind, Token, fits
from apps.imports.program_lines.vocabulary import (
    EXCLUDING_WORDS,
    HEADINGS,
    MOVEMENTS,
    OPEN_WORDS,
    OPENING_WORDS,
    REMARKS,
    SILENT,
)

LAST_OPUS = 65  # the last opus published by the composer
CHOICES = 24  # pieces that a line offers at most


class Outcome(StrEnum):
    """The result of matching a reference."""

    MATCHED = "matched"
    WHOLE = "whole"  # all pieces of an opus
    AMBIGUOUS = "ambiguous"
    CONTRADICTORY = "contradictory"
    UNKNOWN = "unknown"


class Why(StrEnum):
    """Why a line has no certain piece."""

    NONE = ""
    NO_SUCH_OPUS = "opus"
    NO_SUCH_NUMBER = "number"
    OTHER_KEY = "key"
    OTHER_TITLE = "title"
    OTHER_COUNT = "count"
    OTHER_NUMBER = "series"
    MOVEMENT = "movement"  # the line has movements of the work above it
    OTHER_COMPOSER = "composer"  # or an unknown name, which may be a composer's
    LEFT_OVER = "left over"  # unused words or numbers
    DAMAGED = "damaged"  # letters or digits of the line are lost
    HEADING = "heading"  # the line names a whole opus, and perhaps only begins a part of the program
    BAD_LINK = "link"


@dataclass(frozen=True, slots=True)
class Match:
    """The pieces of a reference; for an ambiguous or contradictory one, the candidates."""

    outcome: Outcome
    pieces: tuple[CataloguePiece, ...] = ()
    why: Why = Why.NONE


Test = Callable[[CataloguePiece], bool]


def match(reference: Reference, catalogue: Catalogue) -> Match:
    """Return the pieces that a reference matches."""
    reference = _with_own_title(reference, catalogue)
    if reference.is_whole_opus:
        return _whole(reference, catalogue)
    if whole := _whole_title(reference, catalogue):
        return Match(Outcome.WHOLE, whole)
    tests = _tests(reference, catalogue)
    if tests.keys() <= {"series"}:  # "No. 7" alone could mean any series
        return Match(Outcome.UNKNOWN)
    fitting = _fitting(_of_opus(reference, catalogue), tests.values())
    if tests and fitting:
        fitting = _also_of_opus(reference, _by_own_number(reference, fitting), catalogue)
        outcome = Outcome.MATCHED if len(fitting) == 1 else Outcome.AMBIGUOUS
        return Match(outcome, tuple(opus_order(fitting)[:CHOICES]))
    return _unfitting(reference, tests, catalogue)


def _of_opus(reference: Reference, catalogue: Catalogue) -> Sequence[CataloguePiece]:
    """Return the pieces among which those of a reference are: of its opus by the index, without one all."""
    return catalogue.by_opus.get(reference.opus, ()) if reference.opus else catalogue.singles


def loose_settled(references: Sequence[Reference], catalogue: Catalogue) -> list[Reference]:
    """Return the references with the meaning of bare numbers behind an opus, which stay loose unless it is certain.

    Certain are at least two numbers that the opus has, and that are no opus of the same name.
    """
    loose = [each for each in references if each.is_loose]
    if len(loose) > 1 and all(_is_number_only(each, catalogue) for each in loose):
        return [replace(each, is_loose=False) for each in references]
    settled: list[Reference] = []
    for each in references:
        settled += _opuses_meant(each, catalogue) if each.is_loose else [each]
    return settled


def _is_number_only(reference: Reference, catalogue: Catalogue) -> bool:
    return _in_opus(reference, catalogue) and not _is_opus(reference, catalogue)


def _in_opus(reference: Reference, catalogue: Catalogue) -> bool:
    number = reference.number or 0
    return any(piece.has_number(number) for piece in catalogue.by_opus.get(reference.opus, ()))


def _is_opus(reference: Reference, catalogue: Catalogue) -> bool:
    """Whether the number of a reference is an opus with pieces of its name."""
    pieces = catalogue.by_opus.get(str(reference.number), ())
    return any(not reference.title or piece.is_called(reference.title) for piece in pieces)


def _opuses_meant(reference: Reference, catalogue: Catalogue) -> list[Reference]:
    """Return a loose reference; as its whole opus, and the opus of its number, if the opus has no such number."""
    if _in_opus(reference, catalogue):
        return [reference]
    whole = replace(reference, number=None, is_plural=True)
    return [whole, replace(whole, opus=str(reference.number))] if _is_opus(reference, catalogue) else [whole]


def _tests(reference: Reference, catalogue: Catalogue) -> dict[str, Test]:
    """Return the conditions that a matching piece meets, by the name of the fact."""
    tests: dict[str, Test] = {}
    if reference.title:
        tests["title"] = lambda piece: piece.is_called(reference.title)
    opus = opus_of(reference)
    if opus == POSTHUMOUS:
        tests["opus"] = _is_posthumous
    elif opus:
        tests["opus"] = lambda piece: piece.is_of(opus)
    number = reference.number
    if number is not None:
        tests["number"] = lambda piece: piece.has_number(number)
    series = reference.series
    if series is not None:
        tests["series"] = lambda piece: piece.has_series(series) or (bool(opus) and piece.has_number(series))
    if reference.key:
        tests["key"] = lambda piece: fits(piece.key, reference.key)
    if reference.nickname and (reference.title or opus or reference.key or reference.nickname in sure_names()):
        ids = {piece.id for piece in catalogue.by_nickname.get(reference.nickname, ())}
        tests["nickname"] = lambda piece: piece.id in ids
    return tests


def _is_posthumous(piece: CataloguePiece) -> bool:
    """Whether a piece was published after the composer's death: without an opus, or with one above LAST_OPUS."""
    return (
        piece.opus == POSTHUMOUS
        or piece.opus.startswith("BI ")
        or (piece.opus.isdecimal() and int(piece.opus) > LAST_OPUS)
    )


def _fitting(pieces: Iterable[CataloguePiece], tests: Iterable[Test]) -> list[CataloguePiece]:
    wanted = tuple(tests)
    return [piece for piece in pieces if all(test(piece) for test in wanted)]


def _by_own_number(reference: Reference, fitting: list[CataloguePiece]) -> list[CataloguePiece]:
    """Return the pieces with this catalogue's own number, if a key separates them from other editions' numbering."""
    number = reference.number if reference.number is not None else reference.series
    if not reference.key or number is None:
        return fitting
    return [piece for piece in fitting if piece.number == number] or fitting


def _also_of_opus(reference: Reference, fitting: list[CataloguePiece], catalogue: Catalogue) -> list[CataloguePiece]:
    """Return the pieces with those of the opus that a number alone may mean too: "Nocturne 9" is no. 9 or op. 9."""
    if reference.series is None or reference.key or reference.nickname or opus_of(reference):
        return fitting
    of_opus = catalogue.by_opus.get(str(reference.series), ())
    also = {piece.id: piece for piece in (*fitting, *of_opus) if piece in fitting or piece.is_called(reference.title)}
    return list(also.values())


def _whole(reference: Reference, catalogue: Catalogue) -> Match:
    """Return the pieces of an opus."""
    of_opus = catalogue.by_opus.get(reference.opus, [])
    pieces = tuple(opus_order(piece for piece in of_opus if not reference.title or piece.is_called(reference.title)))
    if not of_opus:
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_OPUS)
    if not pieces:  # no piece of this opus has the line's name, and the line has neither key nor number
        return Match(Outcome.UNKNOWN, why=Why.OTHER_TITLE)
    if reference.count not in (None, len(pieces)):
        return Match(Outcome.AMBIGUOUS, pieces, Why.OTHER_COUNT)
    return Match(Outcome.MATCHED if len(pieces) == 1 else Outcome.WHOLE, pieces)


def match_title(reference: Reference, catalogue: Catalogue) -> Match:
    """Return the pieces that a title without other facts means: the only work of this name, or those to choose from."""
    if whole := _whole_title(reference, catalogue):
        return Match(Outcome.WHOLE, whole)
    plain = tuple(opus_order(only_titled(reference.title, catalogue)))
    if len(plain) == 1 and reference.title in single_titles():
        return Match(Outcome.MATCHED, plain)
    is_open = 0 < len(plain) <= CHOICES and not reference.is_plural
    return Match(Outcome.AMBIGUOUS, plain) if is_open else Match(Outcome.UNKNOWN)


def only_titled(title: str, catalogue: Catalogue) -> list[CataloguePiece]:
    """Return the pieces of which the whole name is this title."""
    return [piece for piece in catalogue.by_title.get(title, ()) if piece.is_plain]


def _whole_title(reference: Reference, catalogue: Catalogue) -> tuple[CataloguePiece, ...]:
    """Return the pieces of the only opus that a title in the plural can mean; empty without one.

    "Trois nouvelles études", "24 Preludes".
    """
    is_plural = reference.is_plural or reference.count is not None
    is_single = reference.opus or reference.key or reference.nickname
    has_number = reference.number is not None or reference.series is not None
    if not is_plural or is_single or has_number:
        return ()
    groups: dict[str, list[CataloguePiece]] = {}
    for piece in catalogue.by_title.get(reference.title, ()):
        if not reference.is_posthumous or _is_posthumous(piece):
            groups.setdefault(piece.opus, []).append(piece)
    if reference.count is not None:
        groups = {opus: pieces for opus, pieces in groups.items() if len(pieces) == reference.count}
    return tuple(opus_order(pieces)) if len(groups) == 1 and len(pieces := next(iter(groups.values()))) > 1 else ()


def _with_own_title(reference: Reference, catalogue: Catalogue) -> Reference:
    """Return a reference without a title that it has only of the piece before it, if no piece of its opus has it."""
    of_opus = catalogue.by_opus.get(reference.opus, ()) if "title" not in reference.written else ()
    is_other = bool(of_opus) and not any(piece.is_called(reference.title) for piece in of_opus)
    return replace(reference, title="") if is_other else reference


def _unfitting(reference: Reference, tests: dict[str, Test], catalogue: Catalogue) -> Match:
    """Return why no piece fits, with the candidates that fit part of the reference."""
    opus = opus_of(reference)
    of_opus = _fitting(_of_opus(reference, catalogue), [tests["opus"]]) if "opus" in tests else []
    if opus and not of_opus:
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_OPUS)
    if "number" in tests and not _fitting(of_opus, [tests["number"]]):
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_NUMBER)
    if not of_opus and not ("series" in tests and "key" in tests) and "nickname" not in tests:
        return Match(Outcome.UNKNOWN)
    by_place = _fitting(catalogue.singles, _some(tests, "opus", "number")) if "opus" in tests else []
    if "opus" not in tests:
        by_place = _fitting(catalogue.singles, _some(tests, "title", "series"))
    by_place = [piece for piece in by_place if _shares(piece, tests)]
    by_name = _by_name(tests, of_opus, by_place, catalogue)
    offered = opus_order({piece.id: piece for piece in (*by_place, *by_name)}.values())[:CHOICES]
    return Match(Outcome.CONTRADICTORY if offered else Outcome.UNKNOWN, tuple(offered), _why(tests, by_place))


def _shares(piece: CataloguePiece, tests: dict[str, Test]) -> bool:
    """Whether a piece shares its name, its key or its number with the line; the same opus alone is not enough."""
    return any(test(piece) for test in _some(tests, "title", "nickname", "key", "number", "series"))


def _by_name(
    tests: dict[str, Test], of_opus: list[CataloguePiece], by_place: list[CataloguePiece], catalogue: Catalogue
) -> list[CataloguePiece]:
    """Return the pieces of the key or nickname, preferably in this opus; none if the numbered pieces have them too.

    If no piece of the place has the line's name, the pieces of this name and key are others.
    """
    names = _some(tests, "key", "nickname")
    if not names:
        return []
    if _fitting(by_place, names):
        return _fitting(catalogue.singles, [*names, tests["title"]]) if _is_misnamed(tests, by_place) else []
    return _fitting(of_opus, names) or _fitting(catalogue.singles, [*names, *_some(tests, "title")])


def _is_misnamed(tests: dict[str, Test], by_place: list[CataloguePiece]) -> bool:
    """Whether the line has a name that no piece of its place has."""
    return "title" in tests and not _fitting(by_place, [tests["title"]])


def _some(tests: dict[str, Test], *names: str) -> list[Test]:
    return [tests[name] for name in names if name in tests]


def _why(tests: dict[str, Test], by_place: list[CataloguePiece]) -> Why:
    """Return the fact that contradicts opus and number."""
    for name, why in (("title", Why.OTHER_TITLE), ("key", Why.OTHER_KEY), ("series", Why.OTHER_NUMBER)):
        if name in tests and not _fitting(by_place, [tests[name]]):
            return why
    return Why.OTHER_KEY


_KNOWN = HEADINGS | SILENT | REMARKS | MOVEMENTS
_FACTS = frozenset({Kind.TITLE, Kind.KEY, Kind.OPUS, Kind.NUMBER, Kind.NICKNAME, Kind.POSTHUMOUS})
_JOINING = frozenset({"the", "of", "and"})
_WORD = re.compile(r"[^\W\d_]+")
_PARTICLES = frozenset("af av d da de del della den der di do dos du la le van von y zu zur".split())
_NAME_WORDS = 6  # words in a composer's name that is alone on a line, at most
_NAME_SIGNS = 12  # the same in signs, for scripts without spaces between words


def unknown_words(tokens: Iterable[Token], people: Collection[str] = ()) -> list[Token]:
    """Return the words that are neither facts, heading words, silent words nor part of `people`."""
    words = (token for token in tokens if token.kind is Kind.WORD and not token.value[0].isdigit())
    return [each for each in words if each.value not in _KNOWN and each.value not in people]


def doubt_of(
    tokens: Sequence[Token],
    unread: Iterable[Token],
    references: Sequence[Reference],
    text: str,
    people: Collection[str] = (),
) -> Why:
    """Return why the pieces of a line are uncertain although they fit.

    No piece of a damaged line is certain. An unknown name before the facts may be another composer's. A whole opus is
    certain only if all words of the line are used; one piece, if the words after its opus are understood.
    """
    if is_damaged(text, tokens):
        return Why.DAMAGED
    first = next((token.start for token in tokens if token.kind in _FACTS), 0)
    if why := _before(tokens, first, text, people):
        return why
    is_open = any(token.value in OPEN_WORDS or token.value in EXCLUDING_WORDS for token in tokens)
    if is_open or any(each.is_loose for each in references):
        return Why.LEFT_OVER
    left = [token for token in unread if _is_left(token, first) and token.value not in people]
    behind = [token for token in left if token.start > first]
    is_several = any(each.is_plural or each.is_whole_opus for each in references)
    is_vague = any(_is_vague(each) for each in references)
    lacks_opus = any(not (each.opus or each.nickname or each.is_posthumous) for each in references)
    has_number = any(token.kind is not Kind.WORD and not token.is_aside for token in behind)
    if (is_several and left) or has_number or ((is_vague or lacks_opus) and behind):
        return Why.LEFT_OVER
    return Why.NONE


def _is_vague(reference: Reference) -> bool:
    """Whether a reference has an opus and no other fact about a single piece."""
    is_single = reference.number is not None or reference.series is not None or reference.key or reference.nickname
    return reference.opus.isdecimal() and not is_single


def is_name(tokens: Sequence[Token], text: str, people: Collection[str] = ()) -> bool:
    """Whether a line without facts is the name of a person outside `people`."""
    words = [word for word in unknown_words(tokens, people) if word.value not in _PARTICLES]
    if not words or tokens[0].value in OPENING_WORDS:
        return False
    most = _NAME_WORDS if any(len(word.value) > 1 for word in words) else _NAME_SIGNS
    return len(words) <= most and not _lower(text).intersection(word.value for word in words)


def _before(tokens: Sequence[Token], first: int, text: str, people: Collection[str]) -> Why:
    """Return the doubt raised by unknown words before the first fact: followed by a colon or dash, or capitalised."""
    before = [word for word in unknown_words(tokens, people) if word.start < first]
    if not before:
        return Why.NONE
    between = (token.value for token in tokens if before[-1].end <= token.start < first)
    if not {":", "-"}.isdisjoint(between):
        return Why.OTHER_COMPOSER
    return Why.LEFT_OVER if {word.value for word in before} - _lower(text) else Why.NONE


def _is_left(token: Token, first: int) -> bool:
    """Whether an unused token carries meaning: a number, or a word that is not silent."""
    if token.kind is not Kind.WORD:
        return True
    is_heading = token.value in HEADINGS and token.start < first
    is_silent = token.value in SILENT or token.value in REMARKS or token.value in _JOINING
    return not (is_silent or token.value[0].isdigit() or is_heading)


def _lower(text: str) -> set[str]:
    """Return the folded words of a text that begin with a lower-case letter."""
    return {fold_line(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text)) if word[0].islower()}
