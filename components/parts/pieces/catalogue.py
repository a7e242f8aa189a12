"""The catalogue of pieces: other names, how often each was played, and the audience's most frequent mark."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from apps.accounts.actors import Viewer
from apps.competition.enums import Category
from apps.competition.piece_aliases import PieceAliases, piece_aliases
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.pieces import ListedPiece, pieces_listed
from apps.core.texts import Texts, texts
from apps.ratings.selectors.covering import performances_seen
from apps.ratings.selectors.pieces import pieces_figures
from apps.ratings.selectors.statistics import Figures
from components.parts.ratings.performance import most_often
from components.runtime import (
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    covered_by,
    html,
    public_part,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.people import person_name
from components.ui.pieces import piece_link

CATALOGUE = "catalogue"  # the slot's name
EVERY = 10.0  # seconds between two reads
_TOPICS = ("pieces", "programs", "sessions", "live", "clock.minute")  # the clock, because sessions begin


@public_part(topics=lambda: (*_TOPICS, "ratings.latest"), every=EVERY)
def catalogue_with_marks(*, language: str) -> VdomDict:
    """All pieces, with the audience's most frequent marks of each."""
    return _catalogue(pieces_figures(), language)


@public_part(topics=lambda: _TOPICS)
def catalogue_without_marks(*, language: str) -> VdomDict:
    """All pieces without marks, for members for whom figures are covered."""
    return _catalogue({}, language)


@public_part(topics=lambda: ())  # it never changes; its inner part does
def piece_catalogue(*, language: str) -> VdomDict:
    """All pieces of the catalogue."""
    return html.div(slot(CATALOGUE, 0), shared_part(catalogue_with_marks(language=language)))


def catalogue_slots(*, language: str) -> SlotQuery:
    """Return the query that shows the catalogue without marks to members for whom figures are covered."""
    return slot_query(catalogue_fills, topics=("account.<id>.ratings",), language=language)


def catalogue_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return the catalogue without marks, unless the viewer covers nothing. One query."""
    if viewer.id is None or performances_seen(user_id=viewer.id) is None:
        return {}
    return {f"{CATALOGUE}:0": covered_by(catalogue_without_marks(language=language))}


def _catalogue(figures: Mapping[int, Figures], language: str) -> VdomDict:
    t, pieces = texts(language), pieces_listed()
    if not pieces:
        return html.div(empty(t("The catalogue is empty."), ("/participants", t("All participants"))))
    groups = groupby(pieces, key=lambda each: each.piece.category)
    return html.div(
        {"class": "catalogue"}, *(_category(Category(name), list(rows), figures, language) for name, rows in groups)
    )


def _category(
    category: Category, rows: Iterable[ListedPiece], figures: Mapping[int, Figures], language: str
) -> VdomDict:
    name = f"pieces-{category.value}"
    return html.section(
        {"key": name, "class": "catalogue__group", "aria-labelledby": name},
        html.h2({"id": name}, texts(language)(category.plural)),
        html.ol(*(_row(each, figures.get(each.piece.id), language) for each in rows)),
    )


def _row(listed: ListedPiece, figures: Figures | None, language: str) -> VdomDict:
    t, piece = texts(language), listed.piece
    look = {} if listed.performances else {"class": "is-quiet"}
    played = (
        t.plural("played once", "played %(n)d times", listed.performances) if listed.performances else t("not played")
    )
    return html.li(
        {"key": f"piece-{piece.id}"} | look,
        html.span({"class": "catalogue__name"}, piece_link(piece, language=language), _names(piece, t)),
        html.span({"class": "small muted catalogue__played"}, played),
        html.span({"class": "small catalogue__marks"}, most_often(figures, t) if figures else None),
    )


def _names(piece: PieceTitle, t: Texts) -> Markup:
    aliases = aliases_of(piece)
    nicknames, number = ", ".join(aliases.nicknames), numbering(aliases, t)
    if not (nicknames or number):
        return None
    names = person_name(nicknames) if nicknames else None
    return html.span({"class": "small muted"}, " ", names, "; " if nicknames and number else "", number)


def aliases_of(piece: PieceTitle) -> PieceAliases:
    """Return the other names of a piece."""
    opus = "" if piece.opus is None else str(piece.opus)
    return piece_aliases(title=piece.title, key=piece.key, opus=opus, number=piece.number)


def numbering(aliases: PieceAliases, t: Texts) -> str:
    """Return another numbering of a piece in words, empty without one."""
    return t("also {numbering}").format(numbering=aliases.numbering) if aliases.numbering else ""


def all_pieces(t: Texts) -> VdomDict:
    """Return the link to the catalogue."""
    return link("/pieces", t("All pieces"))
