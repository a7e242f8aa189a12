"""Two or three performances of a piece side by side: performer, the viewer's mark, and the audience's.

Performances as part of a set are left out: their marks are the set's.

Without names the part has nothing of the performers. A member who has marked all of them gets the part with names in
its place.
"""

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.pieces import PiecePerformance, piece_get, piece_performances
from apps.core.texts import Texts, texts
from apps.ratings.selectors.pieces import piece_figures, piece_own
from apps.ratings.selectors.statistics import NO_PIECES, Figures
from components.parts.pieces.piece import performances_topics, played_by
from components.parts.ratings.covering import PIECE_ASK, PIECE_FIGURES
from components.parts.ratings.performance import EVERY
from components.parts.ratings.rating_form import piece_audience, piece_score, rating_draft
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    command_form,
    covered,
    covered_by,
    fill,
    html,
    public_part,
    read_once,
    slot,
    slot_query,
)
from components.ui.blocks import link, visually_hidden
from components.ui.mark_input import GIVEN
from components.ui.pieces import work_text

COMPARED = "compared"  # the slot's name
# sources of gettext, in the order of the performances
ORDINALS = ("The first", "The second", "The third")


@public_part(topics=performances_topics, every=EVERY)
def comparison_named(piece_id: int, ids: str, *, language: str) -> VdomDict:
    """These performances ("17-12") with their performers."""
    return _sides(piece_id, ids, language, has_names=True)


@public_part(topics=performances_topics, every=EVERY)
def comparison_nameless(piece_id: int, ids: str, *, language: str) -> VdomDict:
    """These performances ("17-12") without anything of their performers."""
    return _sides(piece_id, ids, language, has_names=False)


def _sides(piece_id: int, ids: str, language: str, *, has_names: bool) -> VdomDict:
    t, piece = texts(language), read_once(piece_get, piece_id=piece_id)
    performances = read_once(piece_performances, piece_id=piece_id)
    known = {each.appearance.id: each for each in performances if each.whole is None}
    chosen = [known.get(int(pk)) for pk in ids.split("-")]
    if piece is None or None in chosen:
        return html.div(html.p({"class": "muted"}, t("This performance was removed.")))
    figures = read_once(piece_figures, piece_id=piece_id)
    return html.ol(
        {"class": "duo__sides"},
        *(
            _side(number, each, piece, figures.get(each.appearance.id, NO_PIECES), language, has_names=has_names)
            for number, each in enumerate(chosen)
            if each is not None
        ),
    )


def _side(
    number: int, each: PiecePerformance, piece: PieceTitle, figures: Figures, language: str, *, has_names: bool
) -> VdomDict:
    t, appearance = texts(language), each.appearance
    name = appearance.name if has_names else t(ORDINALS[number])
    field, words = f"mark-{appearance.id}-{piece.id}", work_text(piece, language=language)
    form = command_form("ratings_submit", appearance.id, draft=rating_draft(appearance.id))
    label = html.label({"htmlFor": field}, t("Your mark"), visually_hidden(f": {name}, {words}", has_name=has_names))
    keys = piece_score(field, piece, appearance.id, language)
    heard = piece_audience(appearance.id, piece, figures, language)
    return html.li(
        {"key": f"side-{appearance.id}"},
        _performer(each, t, language) if has_names else html.h2({"class": "person__name"}, name),
        html.form(
            form | {"class": "rating", "aria-label": name},
            html.ol(
                {"class": "marks"}, html.li({"key": field}, html.div({"class": "marks__title"}, label), keys, heard)
            ),
        ),
    )


def _performer(each: PiecePerformance, t: Texts, language: str) -> VdomDict:
    appearance = each.appearance
    to = f"/participants/{appearance.participant_id}?open={appearance.id}#rating-{appearance.id}"
    rate = link(to, t("Rate the performance"), visually_hidden(f": {appearance.name}", has_name=True))
    return played_by(each, html.h2, " · ", rate, language=language)


def comparison_slots(*, piece_id: int, ids: str, is_hidden: bool, language: str) -> SlotQuery:
    """Return the query for the viewer's marks of these performances, and for the names."""
    which = {"piece_id": piece_id, "ids": ids, "is_hidden": is_hidden}
    return slot_query(comparison_fills, topics=("account.<id>.ratings",), language=language, **which)


def comparison_fills(*, viewer: Viewer, piece_id: int, ids: str, is_hidden: bool, language: str) -> Fills:
    """Return the viewer's marks, the covers of the audience's, and with all marks given the names. One query."""
    if viewer.id is None:
        return {}
    found = piece_own(user_id=viewer.id, piece_id=piece_id)
    own = {int(pk): found[int(pk)] for pk in ids.split("-") if int(pk) in found}
    fills: dict[str, Fill] = {}
    for appearance_id, each in own.items():
        place = f"{appearance_id}-{piece_id}"
        if not each.is_seen:
            fills |= {f"{PIECE_FIGURES}:{place}": covered(), f"{PIECE_ASK}:{place}": fill({"hidden": False})}
        if each.mark is not None:
            fills[f"{GIVEN}:mark-{place}"] = fill({"value": str(each.mark)})
    if is_hidden and own and all(each.mark is not None for each in own.values()):
        fills[f"{COMPARED}:{piece_id}"] = covered_by(comparison_named(piece_id, ids, language=language))
    return fills


def compared_slot(piece_id: int, inside: Markup) -> VdomDict:
    """Return the place of the performances without names, which a member's marks replace."""
    return html.div(slot(COMPARED, piece_id), inside)
