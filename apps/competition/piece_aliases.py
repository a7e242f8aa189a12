"""Other names of pieces: nicknames, names in other languages, other numberings.

A piece is known by the parts of its title, so that a piece that is written by hand has its other names as well.
"""

from dataclasses import dataclass
from functools import cache

from apps.competition.works import Work, works

_SERIES = "series no. "  # before the number of a work among all of its kind
_KEY = "key given as "  # a remark for the reader of the table


@dataclass(frozen=True, slots=True)
class PieceAliases:
    """Other names of a piece.

    `translations` are title and key, ("Etiuda", "c-moll"); `catalogues` are numbers of other catalogues ("BI 108");
    `numbering` is a note or empty; `series` is the number among all works of its kind ("Nocturne no. 20"), or None.
    """

    nicknames: tuple[str, ...] = ()
    translations: tuple[tuple[str, str], ...] = ()
    catalogues: tuple[str, ...] = ()
    numbering: str = ""
    series: int | None = None


def piece_aliases(*, title: str, key: str, opus: str, number: int | None) -> PieceAliases:
    """Return the other names of the piece with these parts; of a piece outside the table, none."""
    return _by_parts().get((title, key, opus, number), PieceAliases())


@cache
def _by_parts() -> dict[tuple[str, str, str, int | None], PieceAliases]:
    return {(each.title, each.key, each.opus, each.number): _aliases(each) for each in works()}


def _aliases(work: Work) -> PieceAliases:
    series = [int(note.removeprefix(_SERIES)) for note in work.notes if note.startswith(_SERIES)]
    return PieceAliases(
        nicknames=work.nicknames,
        translations=tuple(dict.fromkeys(work.translations.values())),
        catalogues=work.catalogues,
        numbering="; ".join(note for note in work.notes if not note.startswith((_SERIES, _KEY))),
        series=series[0] if series else None,
    )
