"""The catalogue in the form that lines are matched with: each piece with all facts that a line may name."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.vocabulary import NUMBERED_BY_OPUS

POSTHUMOUS = "posth."  # the opus of works without an opus number


@dataclass(frozen=True, slots=True)
class CataloguePiece:
    """A piece of the catalogue; unknown parts are empty or None.

    `title` is a title name of the vocabulary, which may be narrower than the `genre` of its category ("nouvelle
    etude"). `series`, `other_number` and `catalogues` are those of its work, `is_plain` means that its name is only its
    genre. `parts` are the names of its movements or sections, `part_words` the words in them. `members`
    are the ids of a set's pieces. `is_by_another` means a work of another composer.
    """

    id: int
    name: str
    category: str
    title: str
    key: str
    opus: str
    number: int | None
    series: frozenset[int] = frozenset()
    other_number: int | None = None
    numbers: str = ""  # of a set: "13–18"
    genre: str = ""
    composer: str = ""
    own_title: str = ""  # as it is shown, empty if only the name has one
    names: tuple[str, ...] = ()
    catalogues: tuple[str, ...] = ()
    is_plain: bool = True
    parts: tuple[str, ...] = ()
    part_words: frozenset[str] = frozenset()
    members: tuple[int, ...] = ()
    is_by_another: bool = False

    def is_called(self, title: str) -> bool:
        """Whether a line may call this piece by a title name."""
        return title in (self.title, self.genre)

    def has_number(self, number: int) -> bool:
        """Whether it has this number in its opus, in any edition, or in its series if it is alone in the opus."""
        return number in (self.number, self.other_number) or (self.number is None and number in self.series)

    def has_series(self, number: int) -> bool:
        """Whether it has this number where a line names no opus."""
        return number in self.series or (self.title in NUMBERED_BY_OPUS and number == self.number)

    def is_of(self, opus: str) -> bool:
        """Whether a line may name this opus, or this number of another catalogue, for it."""
        return opus in _opuses(self)


@dataclass(slots=True)
class Catalogue:
    """All pieces, and those that lines name by their facts, indexed by opus, name, nickname and title.

    A set, and the work of another composer, is found by its whole name only.
    """

    pieces: tuple[CataloguePiece, ...]
    singles: tuple[CataloguePiece, ...] = ()
    by_whole_name: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_members: dict[tuple[int, ...], CataloguePiece] = field(default_factory=dict)  # sets
    by_opus: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_name: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_nickname: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_title: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Fill the indexes."""
        self.singles = tuple(each for each in self.pieces if not each.members and not each.is_by_another)
        for piece in self.pieces:
            self.by_whole_name[fold_line(piece.name)].append(piece)
            if piece.members:
                self.by_members[piece.members] = piece
            else:
                self.by_name[fold_line(piece.name)].append(piece)
        for piece in self.singles:
            for opus in _opuses(piece):
                self.by_opus[opus].append(piece)
            for nickname in piece.names:
                self.by_nickname[nickname].append(piece)
            for title in {piece.title, piece.genre} - {""}:
                self.by_title[title].append(piece)


def _opuses(piece: CataloguePiece) -> Iterable[str]:
    """Yield the piece's opus and its numbers in other catalogues, also without the part after the stroke."""
    wholes = (each.partition("/")[0] for each in piece.catalogues if not each.startswith("KK"))
    return dict.fromkeys(each for each in (piece.opus, *piece.catalogues, *wholes) if each)


def opus_order(pieces: Iterable[CataloguePiece]) -> list[CataloguePiece]:
    """Return pieces by opus and number, works without an opus number last."""

    def order(piece: CataloguePiece) -> tuple[int, str, int, str]:
        known = piece.opus.isdecimal()
        return int(piece.opus) if known else 10**6, "" if known else piece.opus, piece.number or 0, piece.name

    return sorted(pieces, key=order)
