"""Finds the pieces that a reference means. A wrong piece is worse than none: what fits twice is asked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from .catalogue import POSTHUMOUS, Catalogue, CataloguePiece, opus_order, sure_nicknames
from .keys import fits
from .references import Reference, opus_of

LAST_OPUS = 65  # that the composer published himself
CHOICES = 24  # pieces that a line offers at most


class Outcome(StrEnum):
    """What a reference came to."""

    MATCHED = "matched"
    WHOLE = "whole"  # all pieces of an opus
    AMBIGUOUS = "ambiguous"
    CONTRADICTORY = "contradictory"
    UNKNOWN = "unknown"


class Why(StrEnum):
    """Why a line named no piece for certain."""

    NONE = ""
    NO_SUCH_OPUS = "opus"
    NO_SUCH_NUMBER = "number"
    OTHER_KEY = "key"
    OTHER_TITLE = "title"
    OTHER_COUNT = "count"
    OTHER_NUMBER = "series"
    OTHER_COMPOSER = "composer"  # or an unknown name, which may be one's
    LEFT_OVER = "left over"  # words or numbers that were not understood
    BAD_LINK = "link"


@dataclass(frozen=True, slots=True)
class Match:
    """The pieces that a reference means, or may mean; for one that contradicts itself what it could have meant."""

    outcome: Outcome
    pieces: tuple[CataloguePiece, ...] = ()
    why: Why = Why.NONE


Test = Callable[[CataloguePiece], bool]


def match(reference: Reference, catalogue: Catalogue) -> Match:
    """Return what a reference means."""
    if reference.is_whole_opus:
        return _whole(reference, catalogue)
    tests = _tests(reference, catalogue)
    if tests.keys() <= {"series"}:  # "No. 7" alone may be anything
        return Match(Outcome.UNKNOWN)
    fitting = _fitting(catalogue.pieces, tests.values())
    if tests and fitting:
        fitting = _by_own_number(reference, fitting)
        outcome = Outcome.MATCHED if len(fitting) == 1 else Outcome.AMBIGUOUS
        return Match(outcome, tuple(opus_order(fitting)[:CHOICES]))
    return _unfitting(reference, tests, catalogue)


def _tests(reference: Reference, catalogue: Catalogue) -> dict[str, Test]:
    """Return what a piece must have to be meant, by the name of the fact."""
    tests: dict[str, Test] = {}
    if reference.title:
        tests["title"] = lambda piece: piece.title == reference.title
    opus = opus_of(reference)
    if opus == POSTHUMOUS:
        tests["opus"] = _is_posthumous
    elif opus:
        tests["opus"] = lambda piece: piece.opus == opus
    number = reference.number
    if number is not None:
        tests["number"] = lambda piece: _has_number(piece, number)
    series = reference.series
    if series is not None:
        tests["series"] = lambda piece: series in piece.series or (bool(opus) and _has_number(piece, series))
    if reference.key:
        tests["key"] = lambda piece: fits(piece.key, reference.key)
    if reference.nickname and (reference.title or opus or reference.nickname in sure_nicknames()):
        ids = {piece.id for piece in catalogue.by_nickname.get(reference.nickname, ())}
        tests["nickname"] = lambda piece: piece.id in ids
    return tests


def _has_number(piece: CataloguePiece, number: int) -> bool:
    """Whether a piece has this number in its opus, in this or another edition; one alone there, in its series."""
    return number in (piece.number, piece.other_number) or (piece.number is None and number in piece.series)


def _is_posthumous(piece: CataloguePiece) -> bool:
    """Whether a piece was published after the composer's death: with no opus, or one from 66 on."""
    return (
        piece.opus == POSTHUMOUS
        or piece.opus.startswith("BI ")
        or (piece.opus.isdecimal() and int(piece.opus) > LAST_OPUS)
    )


def _fitting(pieces: Iterable[CataloguePiece], tests: Iterable[Test]) -> list[CataloguePiece]:
    wanted = tuple(tests)
    return [piece for piece in pieces if all(test(piece) for test in wanted)]


def _by_own_number(reference: Reference, fitting: list[CataloguePiece]) -> list[CataloguePiece]:
    """Return those that have the number in this catalogue, where the key tells them from other editions' order."""
    number = reference.number if reference.number is not None else reference.series
    if not reference.key or number is None:
        return fitting
    return [piece for piece in fitting if piece.number == number] or fitting


def _whole(reference: Reference, catalogue: Catalogue) -> Match:
    """Return the pieces of an opus."""
    of_opus = catalogue.by_opus.get(reference.opus, [])
    pieces = tuple(opus_order(piece for piece in of_opus if reference.title in ("", piece.title)))
    if not of_opus:
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_OPUS)
    if not pieces:
        return Match(Outcome.CONTRADICTORY, tuple(opus_order(of_opus)[:CHOICES]), Why.OTHER_TITLE)
    if reference.count not in (None, len(pieces)):
        return Match(Outcome.AMBIGUOUS, pieces, Why.OTHER_COUNT)
    return Match(Outcome.MATCHED if len(pieces) == 1 else Outcome.WHOLE, pieces)


def _unfitting(reference: Reference, tests: dict[str, Test], catalogue: Catalogue) -> Match:
    """Return why no piece fits, with those that fit one half of what is written."""
    opus = opus_of(reference)
    of_opus = _fitting(catalogue.pieces, [tests["opus"]]) if "opus" in tests else []
    if opus and not of_opus:
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_OPUS)
    if "number" in tests and not _fitting(of_opus, [tests["number"]]):
        return Match(Outcome.UNKNOWN, why=Why.NO_SUCH_NUMBER)
    if not of_opus and not ("series" in tests and "key" in tests) and "nickname" not in tests:
        return Match(Outcome.UNKNOWN)
    by_place = _fitting(catalogue.pieces, _some(tests, "opus", "number")) if "opus" in tests else []
    if "opus" not in tests:
        by_place = _fitting(catalogue.pieces, _some(tests, "title", "series"))
    by_name = _by_name(tests, of_opus, by_place, catalogue)
    offered = opus_order({piece.id: piece for piece in (*by_place, *by_name)}.values())[:CHOICES]
    return Match(Outcome.CONTRADICTORY if offered else Outcome.UNKNOWN, tuple(offered), _why(tests, by_place))


def _by_name(
    tests: dict[str, Test], of_opus: list[CataloguePiece], by_place: list[CataloguePiece], catalogue: Catalogue
) -> list[CataloguePiece]:
    """Return the pieces that key or nickname mean, in this opus if there are any; none where they fit the number."""
    names = _some(tests, "key", "nickname")
    if not names or _fitting(by_place, names):
        return []
    return _fitting(of_opus, names) or _fitting(catalogue.pieces, [*names, *_some(tests, "title")])


def _some(tests: dict[str, Test], *names: str) -> list[Test]:
    return [tests[name] for name in names if name in tests]


def _why(tests: dict[str, Test], by_place: list[CataloguePiece]) -> Why:
    """Return which fact contradicts the opus and number."""
    for name, why in (("title", Why.OTHER_TITLE), ("key", Why.OTHER_KEY), ("series", Why.OTHER_NUMBER)):
        if name in tests and not _fitting(by_place, [tests[name]]):
            return why
    return Why.OTHER_KEY
