"""Pieces of the competition's catalogue with all facts that a line may name."""

from collections.abc import Iterable

from apps.competition.selectors.admin.programs import PieceFacts
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece, title_of
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.names import words_of_parts, work_of
from apps.imports.program_lines.references import Reference, references_of
from apps.imports.program_lines.tokens import Kind, tokens_of


def catalogue_of(facts: Iterable[PieceFacts]) -> Catalogue:
    """Return the catalogue of these pieces."""
    return Catalogue(tuple(piece_of(each, title_of(each.category)) for each in facts))


def piece_of(facts: PieceFacts, genre: str) -> CataloguePiece:
    """Return a piece of a genre with all facts that a line may name; facts missing in its columns are in its name."""
    named = _named(facts.name) if not (facts.title and facts.key) else Reference()
    title = named.title or _title(facts.title) or genre
    key, opus = facts.key or named.key, facts.opus or named.opus
    number = facts.number if facts.number is not None else named.number
    work = work_of(genre, opus, number, key)
    return CataloguePiece(
        id=facts.id,
        name=facts.name,
        category=facts.category,
        title=title,
        key=key,
        opus=opus,
        number=number,
        series=work.series,
        other_number=work.other_number,
        genre=genre,
        names=work.names,
        catalogues=work.catalogues,
        is_plain=work.is_plain,
        part_words=words_of_parts(work.parts),
    )


def _named(name: str) -> Reference:
    """Return the facts in a piece's name if it names exactly one piece."""
    references = references_of(tokens_of(fold_line(name)))
    return references[0] if len(references) == 1 else Reference()


def _title(written: str) -> str:
    """Return the title name in a title: "Nouvelle étude" is narrower than its genre."""
    titles = (token.value for token in tokens_of(fold_line(written)) if token.kind is Kind.TITLE)
    return next(titles, "")
