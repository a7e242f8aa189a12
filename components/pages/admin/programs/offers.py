"""Programs that the page "Programs" offers: imported pieces and programs of earlier stages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from apps.competition.enums import UndoKind
from apps.competition.selectors.admin.sessions import UndoRow, undos_recent
from apps.core.texts import Texts, texts
from apps.imports.enums import OfferSource
from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_offers import AppearanceOffers, ProgramOffer
from apps.imports.program_summary import missing_words
from apps.imports.selectors.programs import program_offers
from components.pages.admin.undo_list import undo_list
from components.runtime import Markup, VdomDict, command_button, component, html, use_live_query
from components.ui.blocks import link
from components.ui.pieces import work_text

Offers = tuple[AppearanceOffers, ...]
UNDO = "Assigned in {session}: the program of {names}."


@component
def session_offers(session_id: int, first: Offers, first_undos: tuple[UndoRow, ...], language: str) -> Markup:
    """Render the buttons that take the offered programs of a whole session, kept current, and the undos."""
    t = texts(language)
    people = use_live_query(program_offers, topics=("programs", "pieces"), initial=first, session_id=session_id)
    undos = use_live_query(undos_recent, topics=("programs",), initial=first_undos, kind=UndoKind.ASSIGNMENT)
    buttons = [_take_all(session_id, people, source, t) for source in OfferSource]
    if not any(buttons) and not undos:
        return _missing(people, t)
    return html.div(
        {"class": "offers"},
        html.div({"class": "row"}, *buttons) if any(buttons) else None,
        _missing(people, t),
        undo_list(undos, t(UNDO), t),
    )


def _take_all(session_id: int, people: Sequence[AppearanceOffers], source: OfferSource, t: Texts) -> Markup:
    """Return the button that takes all programs of a source; None if there are none to take."""
    count = sum(each.can_take(source) for each in people)
    if not count:
        return None
    words = (
        t.plural("Take the imported pieces for %(n)d performer", "Take the imported pieces for %(n)d performers", count)
        if source is OfferSource.IMPORTED
        else t.plural(
            "Take the program of an earlier stage for %(n)d performer",
            "Take the programs of an earlier stage for %(n)d performers",
            count,
        )
    )
    takes = command_button("programs_take", f"{session_id}:{source}", busy=t("Processing..."))
    look = "button" if source is OfferSource.IMPORTED else "button button--plain"
    return html.button({"key": f"take-{source}", "class": look} | takes, words)


def _missing(people: Sequence[AppearanceOffers], t: Texts) -> Markup:
    """Return the imported pieces of the session that are not in the catalogue; None without any."""
    missing = tuple((piece, each.name) for each in people for offer in each.offers for piece in offer.missing)
    if not missing:
        return None
    words = t.plural(
        "%(n)d imported piece is not found in the catalogue",
        "%(n)d imported pieces are not found in the catalogue",
        len({piece for piece, _ in missing}),
    )
    return html.details(
        {"class": "offers__missing"},
        html.summary({"class": "link"}, words),
        html.p({"class": "small"}, missing_words(missing, t), " ", link("/admin/pieces", t("Add a piece"))),
    )


def row_offers(session_id: int, person: AppearanceOffers | None, language: str) -> list[Markup]:
    """Return the programs offered to one appearance without a program, each with the button that takes it."""
    if person is None:
        return []
    return [_offer(session_id, person, offer, language) for offer in person.offers]


def _offer(session_id: int, person: AppearanceOffers, offer: ProgramOffer, language: str) -> VdomDict:
    t = texts(language)
    pieces = "; ".join(work_text(titled(each.piece), language=language, as_stored=True) for each in offer.pieces)
    label = t("Imported: {pieces}") if offer.source is OfferSource.IMPORTED else t("{stage}: {pieces}")
    missing = t("Not found: {pieces}.").format(pieces="; ".join(offer.missing)) if offer.missing else ""
    words = label.format(stage=offer.stage, pieces=pieces or t("no piece found"))
    return html.div(
        {"key": f"offer-{offer.source}", "class": "offer"},
        html.p({"class": "small"}, words, html.span({"class": "muted"}, f" {missing}") if missing else None),
        _take(session_id, person, offer, t) if offer.pieces else None,
    )


def _take(session_id: int, person: AppearanceOffers, offer: ProgramOffer, t: Texts) -> VdomDict:
    words = (
        t("Take the imported pieces")
        if offer.source is OfferSource.IMPORTED
        else t("Take the program of {stage}").format(stage=offer.stage)
    )
    takes = command_button(
        "program_take", f"{session_id}:{person.appearance_id}:{offer.source}", busy=t("Processing...")
    )
    own = {"class": "button button--plain button--small", "aria-label": f"{words}: {person.name}"}
    return html.button(own | takes, words)


def titled(piece: CataloguePiece) -> CataloguePiece:
    """Return a piece with its title as it is shown."""
    return replace(piece, title=piece.own_title or piece.title.capitalize())


def offers_by_id(people: Sequence[AppearanceOffers]) -> Mapping[int, AppearanceOffers]:
    """Return the offers by appearance."""
    return {each.appearance_id: each for each in people}
