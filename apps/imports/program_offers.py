"""Programs that are offered: imported pieces and programs of earlier stages, matched with the catalogue."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from apps.competition.enums import Category
from apps.competition.selectors.admin.program_sources import ProgramSource
from apps.imports.enums import LineStatus, OfferSource
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.results import ProgramLine, SlottedPiece
from apps.imports.program_lines.starts import sets_in

_CERTAIN = (LineStatus.MATCHED, LineStatus.EXPANDED)


@dataclass(frozen=True, slots=True)
class ProgramOffer:
    """A program offered to an appearance: its items, each a piece or those of a set, and the lines without any."""

    source: OfferSource
    items: tuple[tuple[SlottedPiece, ...], ...]
    missing: tuple[str, ...] = ()
    stage: str = ""  # of an earlier program

    @property
    def pieces(self) -> tuple[SlottedPiece, ...]:
        """The pieces of all items."""
        return tuple(each for item in self.items for each in item)


@dataclass(frozen=True, slots=True)
class AppearanceOffers:
    """The programs offered to one appearance of a session."""

    appearance_id: int
    name: str
    has_program: bool
    offers: tuple[ProgramOffer, ...]

    def offer(self, source: OfferSource) -> ProgramOffer | None:
        """Return the offer of this source, or None."""
        return next((each for each in self.offers if each.source == source), None)

    def can_take(self, source: OfferSource) -> bool:
        """Return whether a program of this source can be taken: it has pieces, and none is chosen yet."""
        offer = self.offer(source)
        return not self.has_program and offer is not None and bool(offer.pieces)


def offers_match(sources: Iterable[ProgramSource], catalogue: Catalogue) -> tuple[AppearanceOffers, ...]:
    """Return the offers of each appearance, matched with the catalogue."""
    by_name = {piece.name: piece for piece in catalogue.pieces}
    by_id = {piece.id: piece for piece in catalogue.pieces}
    return tuple(
        AppearanceOffers(
            each.appearance_id,
            each.name,
            each.has_program,
            tuple(offer for offer in (_imported(each, by_name, catalogue), _earlier(each, by_id)) if offer),
        )
        for each in sources
    )


def _imported(
    source: ProgramSource, by_name: Mapping[str, CataloguePiece], catalogue: Catalogue
) -> ProgramOffer | None:
    """Return the offer of the imported pieces: by their exact name, else as a pasted line is read."""
    names = [line.strip() for line in source.imported.splitlines() if line.strip()]
    if not names:
        return None
    is_exact = all(name in by_name for name in names)
    lines = () if is_exact else program_read("\n".join(names), catalogue, names=(source.name, source.country))
    seen: set[int] = set()
    items: list[tuple[SlottedPiece, ...]] = []
    missing = []
    for at, name in enumerate(names):
        pieces = _exact(by_name[name]) if name in by_name else _read(lines[at])
        new = [each for each in pieces if each.piece.id not in seen]
        seen.update(each.piece.id for each in new)
        items += sets_in(new) if source.takes_sets else [(each,) for each in new]
        if not pieces and lines[at].same_as is None:
            missing.append(name)
    return ProgramOffer(OfferSource.IMPORTED, tuple(items), tuple(missing))


def _exact(piece: CataloguePiece) -> tuple[SlottedPiece, ...]:
    return (SlottedPiece(piece, Category(piece.category).value),)


def _read(line: ProgramLine) -> tuple[SlottedPiece, ...]:
    return line.pieces if line.status in _CERTAIN else ()


def _earlier(source: ProgramSource, by_id: Mapping[int, CataloguePiece]) -> ProgramOffer | None:
    """Return the offer of the program of an earlier stage, each piece once."""
    pieces = {each.piece_id: SlottedPiece(by_id[each.piece_id], each.slot) for each in source.earlier}
    items = tuple((each,) for each in pieces.values())
    return ProgramOffer(OfferSource.EARLIER, items, stage=source.stage) if items else None
