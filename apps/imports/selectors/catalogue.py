"""The catalogue as programs are compared with it."""

from apps.competition.selectors.admin import PieceFacts, piece_facts
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece, title_of, work_of
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.references import Reference, references_of
from apps.imports.program_lines.tokens import tokens_of


def catalogue_get() -> Catalogue:
    """Return the catalogue as programs are compared with it. One query."""
    return Catalogue(tuple(catalogue_piece(facts) for facts in piece_facts()))


def catalogue_piece(facts: PieceFacts) -> CataloguePiece:
    """Return a piece with what a line may call it; what its columns leave out is read from its name."""
    named = _named(facts.name) if not (facts.title and facts.key) else Reference()
    title = named.title or title_of(facts.category)
    key, opus = facts.key or named.key, facts.opus or named.opus
    number = facts.number if facts.number is not None else named.number
    work = work_of(title, opus, number, key)
    return CataloguePiece(
        facts.id, facts.name, facts.category, title, key, opus, number, work.series, work.other_number
    )


def _named(name: str) -> Reference:
    """Return what the name of a piece says of it, where it speaks of one piece."""
    references = references_of(tokens_of(fold_line(name)))
    return references[0] if len(references) == 1 else Reference()
