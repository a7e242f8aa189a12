"""The words of program lines, from the files of `apps/imports/vocabulary`.

`genres.csv` has for each title the words that name one piece, those that name several, and weak ones, which need a key
or an opus ("Konzert" is also a concert); pieces whose `numbering` is "opus" are called by their number in the opus.
`words.csv` has all other words, by kind. All words are folded.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "vocabulary"


def rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the lines of a file of the vocabulary."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)


_GENRES = tuple(rows("genres.csv"))
_WORDS = {row["kind"]: row["words"].split() for row in rows("words.csv")}

TITLES = {
    word: row["title"] for row in _GENRES for column in ("words", "plurals", "weak") for word in row[column].split()
}
PLURALS = frozenset(word for row in _GENRES for word in row["plurals"].split())
WEAK = frozenset(word for row in _GENRES for word in row["weak"].split())
NUMBERED_BY_OPUS = frozenset(row["title"] for row in _GENRES if row["numbering"] == "opus")

# Composers of studies, nocturnes and mazurkas outside this catalogue.
OTHER_COMPOSERS = frozenset(_WORDS["other composer"])
# Of these those who are also pianists of this catalogue's composer: "(Rubinstein)" behind his work is a performer.
PIANISTS = frozenset(_WORDS["pianist"])
# Spellings of this catalogue's composer.
COMPOSER = frozenset(_WORDS["composer"])
# A work "after", "sur", "arr." another one is not that one.
ARRANGING = frozenset(_WORDS["arranging"])
# Words of tempo, beside a title or on a movement's own line.
TEMPI = frozenset(_WORDS["tempo"])
# Further words on a movement's own line.
MOVEMENTS = frozenset(_WORDS["movement"])
# A line of only these words, digits, names of days and punctuation is a heading and names no piece.
HEADINGS = frozenset(_WORDS["heading"])
# A line that begins with one of these is a heading, even if it contains a name.
OPENING_WORDS = frozenset(_WORDS["opening"])
# With one of these words a line is ambiguous: it offers alternatives.
OPEN_WORDS = frozenset(_WORDS["open"])
# These words exclude the pieces that follow, or without any those before: "without No. 3", "(No. 3 omitted)".
EXCLUDING_WORDS = frozenset(_WORDS["excluding"])
# Between two numbers: all from the first to the second.
RANGE_WORDS = frozenset(_WORDS["range"])
# Makers of pianos and their models, on the line of a pianist or on their own.
INSTRUMENTS = frozenset(_WORDS["instrument"])
# Words about a performance or a recording, which say nothing about the piece.
REMARKS = frozenset(_WORDS["remark"])
# Words beside a title that do not help to identify the piece.
SILENT = COMPOSER | TEMPI | frozenset(_WORDS["silent"])
# Numbers of pieces in words.
COUNTS = {word: int(number) for word, _, number in (each.partition(":") for each in _WORDS["count"])}
