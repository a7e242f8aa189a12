"""The catalogue of pieces: other names, how often each was played, and the audience's most frequent mark.

A category shows the works that are in a program, and behind a line the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from urllib.parse import urlencode

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
from components.ui.blocks import link, tabs
from components.ui.empty_states import empty
from components.ui.people import person_name
from components.ui.pieces import piece_link

CATALOGUE = "catalogue"  # the slot's name
EVERY = 10.0  # seconds between two reads
FRONT = 30  # works of a category before the line with the others: they fit on four screens of a phone
FILTERED = 8  # pieces from which a category can be filtered by opus
NO_OPUS = "none"  # in the address: works without a number of an opus
_TOPICS = ("pieces", "programs", "sessions", "live", "clock.minute")  # the clock, because sessions begin


@public_part(topics=lambda *_: (*_TOPICS, "ratings.latest"), every=EVERY)
def catalogue_with_marks(category: str, opus: str, *, language: str) -> VdomDict:
    """The pieces of a category, with the audience's most frequent marks of each."""
    return _catalogue(pieces_figures(), category, opus, language)


@public_part(topics=lambda *_: _TOPICS)
def catalogue_without_marks(category: str, opus: str, *, language: str) -> VdomDict:
    """The pieces of a category without marks, for members for whom figures are covered."""
    return _catalogue({}, category, opus, language)


@public_part(topics=lambda *_: ())  # it never changes; its inner part does
def piece_catalogue(category: str, opus: str, *, language: str) -> VdomDict:
    """The pieces of a category; without one, those of all categories that are in a program."""
    return html.div(slot(CATALOGUE, 0), shared_part(catalogue_with_marks(category, opus, language=language)))


def catalogue_slots(category: str, opus: str, *, language: str) -> SlotQuery:
    """Return the query that shows the catalogue without marks to members for whom figures are covered."""
    which = {"category": category, "opus": opus, "language": language}
    return slot_query(catalogue_fills, topics=("account.<id>.ratings",), **which)


def catalogue_fills(*, viewer: Viewer, category: str, opus: str, language: str) -> Fills:
    """Return the catalogue without marks, unless the viewer covers nothing. One query."""
    if viewer.id is None or performances_seen(user_id=viewer.id) is None:
        return {}
    return {f"{CATALOGUE}:0": covered_by(catalogue_without_marks(category, opus, language=language))}


def category_address(category: str, opus: str = "") -> str:
    """Return the address of a category's pieces, of one opus; without a category, of the pieces in a program."""
    fields = {name: value for name, value in (("category", category), ("opus", opus)) if value}
    return "/pieces" + (f"?{urlencode(fields)}" if fields else "")


def _catalogue(figures: Mapping[int, Figures], category: str, opus: str, language: str) -> VdomDict:
    t, pieces = texts(language), pieces_listed(category=category)
    if category and pieces:
        return html.div({"class": "catalogue"}, *_category(Category(category), pieces, opus, figures, language))
    in_programs = [each for each in pieces if each.programs]
    if not in_programs:
        words = t("No work is in a program yet.") if pieces else t("The catalogue is empty.")
        words = t("The catalogue has no work of this category.") if category else words
        return html.div(empty(words, ("/participants", t("All participants"))))
    groups = groupby(in_programs, key=lambda each: each.piece.category)
    return html.div(
        {"class": "catalogue"},
        *(
            _group(Category(name), list(rows), figures, language, is_open=not number)
            for number, (name, rows) in enumerate(groups)
        ),
    )


def _group(
    category: Category,
    pieces: Sequence[ListedPiece],
    figures: Mapping[int, Figures],
    language: str,
    *,
    is_open: bool,
) -> VdomDict:
    """Return a category's pieces that are in a program, behind a line, with the way to all of its pieces."""
    t = texts(language)
    count = t.plural("one work in programs", "%(n)d works in programs", len(pieces))
    every = t("All {pieces}").format(pieces=t(category.plural))
    return html.details(
        {"key": f"pieces-{category.value}", "class": "catalogue__others"} | ({"open": True} if is_open else {}),
        html.summary(html.h2(t(category.plural)), html.span({"class": "small muted"}, count)),
        _list(pieces, figures, language),
        html.p(link(category_address(category.value), every)),
    )


def _category(
    category: Category, pieces: Sequence[ListedPiece], opus: str, figures: Mapping[int, Figures], language: str
) -> list[Markup]:
    """Return the filter by opus, the pieces in a program, and behind a line the others."""
    t = texts(language)
    opuses = list(dict.fromkeys(_opus_of(each) for each in pieces))
    chosen = opus if opus in opuses else ""
    shown = [each for each in pieces if chosen in ("", _opus_of(each))]
    often = sorted((each for each in shown if each.programs), key=lambda each: each.programs, reverse=True)
    front_ids = {each.piece.id for each in often[:FRONT]}
    front = [each for each in shown if each.piece.id in front_ids]
    others = [each for each in shown if each.piece.id not in front_ids]
    none = t("None of these works is in a program yet.")
    return [
        html.h2({"key": "name"}, t(category.plural)),
        _opuses(category.value, opuses, chosen, t) if len(pieces) > FILTERED and len(opuses) > 1 else None,
        _list(front, figures, language) if front else html.p({"key": "none", "class": "muted catalogue__none"}, none),
        _others(others, figures, language, is_open=bool(chosen)) if others else None,
    ]


def _opus_of(listed: ListedPiece) -> str:
    return str(listed.piece.opus) if isinstance(listed.piece.opus, int) else NO_OPUS


def _opuses(category: str, opuses: Iterable[str], chosen: str, t: Texts) -> VdomDict:
    """Return the filter: a row of links."""
    words = {"": t("All"), NO_OPUS: t("without opus")}
    choices = ((category_address(category, each), words.get(each, each)) for each in ("", *opuses))
    return html.div(
        {"key": "opuses", "class": "catalogue__opuses"},
        html.span({"class": "small muted", "aria-hidden": "true"}, t("Opus")),
        tabs(t("Opus"), list(choices), category_address(category, chosen)),
    )


def _others(others: Sequence[ListedPiece], figures: Mapping[int, Figures], language: str, *, is_open: bool) -> VdomDict:
    t = texts(language)
    sets = sum(each.is_set for each in others)
    works = t.plural("one other work", "%(n)d other works", len(others) - sets) if sets < len(others) else ""
    words = [works, t.plural("one other set", "%(n)d other sets", sets) if sets else ""]
    summary = ", ".join(filter(None, words))
    return html.details(
        {"key": "others", "class": "catalogue__others"} | ({"open": True} if is_open else {}),
        html.summary(html.span(summary[:1].upper() + summary[1:])),
        _list(others, figures, language),
    )


def _list(pieces: Iterable[ListedPiece], figures: Mapping[int, Figures], language: str) -> VdomDict:
    rows = (_row(each, figures.get(each.piece.id), language) for each in pieces)
    return html.ol({"key": "list", "class": "catalogue__list"}, *rows)


def _row(listed: ListedPiece, figures: Figures | None, language: str) -> VdomDict:
    t, piece = texts(language), listed.piece
    look = {} if listed.programs else {"class": "is-quiet"}
    return html.li(
        {"key": f"piece-{piece.id}"} | look,
        html.span({"class": "catalogue__name"}, piece_link(piece, language=language), _names(piece, t)),
        html.span({"class": "small muted catalogue__played"}, _played(listed, t)),
        html.span({"class": "small catalogue__marks"}, most_often(figures, t) if figures else None),
    )


def _played(listed: ListedPiece, t: Texts) -> str:
    if listed.performances:
        return t.plural("played once", "played %(n)d times", listed.performances)
    return t.plural("in one program", "in %(n)d programs", listed.programs) if listed.programs else t("not played")


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
