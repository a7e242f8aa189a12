"""Pieces of the competition's catalogue with all facts that a line may name."""

from collections.abc import Iterable

from apps.competition.enums import Category
from apps.competition.selectors.admin.pieces import PieceFacts
from apps.competition.works import COMPOSER
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.names import Work, words_of_parts, work_of
from apps.imports.program_lines.references import Reference, references_of
from apps.imports.program_lines.tokens import Kind, tokens_of


def catalogue_of(facts: Iterable[PieceFacts]) -> Catalogue:
    """Return the catalogue of these pieces."""
    return Catalogue(tuple(map(piece_of, facts)))


def piece_of(facts: PieceFacts) -> CataloguePiece:
    """Return a piece with all facts that a line may name; facts missing in its columns are read from its name."""
    named = _named(facts.name) if not (facts.title and facts.key) else Reference()
    key, opus = facts.key or named.key, facts.opus or named.opus
    number = facts.number if facts.number is not None else named.number
    genres = Category(facts.category).genres
    works = [(genre, work) for genre in genres if (work := work_of(genre, opus, number, key)).title]
    genre, work = works[0] if works else (genres[0] if len(genres) == 1 else "", Work())
    return CataloguePiece(
        id=facts.id,
        name=facts.name,
        category=facts.category,
        title=named.title or _title(facts.title) or genre,
        key=key,
        opus=opus,
        number=number,
        series=work.series,
        other_number=work.other_number,
        genre=genre,
        composer=facts.composer,
        own_title=facts.title,
        names=work.names,
        catalogues=work.catalogues,
        is_plain=work.is_plain,
        parts=facts.parts,
        part_words=words_of_parts(facts.parts),
        members=facts.members,
        is_by_another=facts.composer not in ("", COMPOSER),
    )


def _named(name: str) -> Reference:
    """Return the facts in a piece's name if it names exactly one piece."""
    references = references_of(tokens_of(fold_line(name)))
    return references[0] if len(references) == 1 else Reference()


def _title(written: str) -> str:
    """Return the title name in a title: "Nouvelle étude" is narrower than its genre."""
    titles = (token.value for token in tokens_of(fold_line(written)) if token.kind is Kind.TITLE)
    return next(titles, "")
