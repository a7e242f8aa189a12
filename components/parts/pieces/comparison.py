"""Two or three performances of a piece side by side: performer, the viewer's mark, and the audience's.

Performances as part of a set are left out: their marks are the set's.

Without names the part has nothing of the performers. A member who has marked all of them gets the part with names in
its place, and a line with the order by their marks and by the audience's. A mark that differs from the submitted
rating is sent with it by the button of its side.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.pieces import PiecePerformance, piece_get, piece_performances
from apps.core.texts import Texts, texts
from apps.ranking.own_states import OwnState, own_states
from apps.ratings.enums import PerformanceState
from apps.ratings.selectors.pieces import piece_figures, piece_own
from apps.ratings.selectors.statistics import NO_PIECES, Figures
from components.parts.pieces.piece import performances_topics, played_by
from components.parts.ratings.covering import PIECE_ASK, PIECE_FIGURES
from components.parts.ratings.performance import EVERY
from components.parts.ratings.rating_form import piece_audience, piece_score, rating_draft
from components.parts.ratings.states import state_words, unheard_fills
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    command_button,
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
from components.ui.marks import sign_fills, sign_slot
from components.ui.pieces import work_text

COMPARED, SEND, PREFERENCE = "compared", "compared_send", "preference"  # the slots' names
# source of gettext
NAMELESS = "This page does not say who plays until you have marked all of them. The videos may show it."
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
    return html.div(
        None if has_names else html.p({"class": "small muted"}, t(NAMELESS)),
        html.ol(
            {"class": "duo__sides"},
            *(
                _side(number, each, piece, figures.get(each.appearance.id, NO_PIECES), language, has_names=has_names)
                for number, each in enumerate(chosen)
                if each is not None
            ),
        ),
        html.p({"hidden": True} | slot(PREFERENCE, piece_id)),
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
        _send(appearance.id, t),
    )


def _send(appearance_id: int, t: Texts) -> VdomDict:
    """Return the viewer's state of the whole rating, and the button that sends it, hidden until it can be sent."""
    send = command_button("rating_send", appearance_id, busy=t("Processing..."))
    look = {"class": "button button--plain button--small", "type": "button", "hidden": True}
    return html.div(
        {"class": "row", "data-answers": ""},
        sign_slot(appearance_id),
        html.button(look | send | slot(SEND, appearance_id), t("Send")),
        html.p({"class": "small", "data-answer": "", "role": "status"}),
    )


def _performer(each: PiecePerformance, t: Texts, language: str) -> VdomDict:
    appearance = each.appearance
    to = f"/participants/{appearance.participant_id}?open={appearance.id}#rating-{appearance.id}"
    rate = link(to, t("Rate the performance"), visually_hidden(f": {appearance.name}", has_name=True))
    return played_by(each, html.h2, " ", rate, language=language)


def comparison_slots(*, piece_id: int, ids: str, is_hidden: bool, language: str) -> SlotQuery:
    """Return the query for the viewer's marks of these performances, and for the names."""
    which = {"piece_id": piece_id, "ids": ids, "is_hidden": is_hidden}
    return slot_query(comparison_fills, topics=("account.<id>.ratings",), language=language, **which)


def comparison_fills(*, viewer: Viewer, piece_id: int, ids: str, is_hidden: bool, language: str) -> Fills:
    """Return the viewer's marks, states and covers; with all marks given also the names and the preference.

    Four queries, seven with an approved mark; with all marks given three more.
    """
    if viewer.id is None:
        return {}
    found = piece_own(user_id=viewer.id, piece_id=piece_id)
    own = {int(pk): found[int(pk)] for pk in ids.split("-") if int(pk) in found}
    states = own_states(user_id=viewer.id, appearance_ids=list(own))
    fills: dict[str, Fill] = unheard_fills(language)
    for appearance_id, each in own.items():
        place = f"{appearance_id}-{piece_id}"
        if not each.is_seen:
            fills |= {f"{PIECE_FIGURES}:{place}": covered(), f"{PIECE_ASK}:{place}": fill({"hidden": False})}
        if each.mark is not None:
            fills[f"{GIVEN}:mark-{place}"] = fill({"value": str(each.mark)})
        if appearance_id in states:
            fills |= _state_fills(appearance_id, states[appearance_id], language)
    if own and all(each.mark is not None for each in own.values()):
        marks = {pk: each.mark or 0 for pk, each in own.items()}
        fills[f"{PREFERENCE}:{piece_id}"] = fill({"hidden": False}, _preference(piece_id, marks, texts(language)))
        if is_hidden:
            fills[f"{COMPARED}:{piece_id}"] = covered_by(comparison_named(piece_id, ids, language=language))
    return fills


def _state_fills(appearance_id: int, own: OwnState, language: str) -> dict[str, Fill]:
    """Return the sign of a performance, and the button if the whole rating can be sent."""
    if own.state in {PerformanceState.UNHEARD, PerformanceState.TO_COME}:
        return {}
    fills = sign_fills(appearance_id, own.state.value, state_words(own, language))
    is_unsent = own.state in {PerformanceState.MARKED, PerformanceState.CHANGED}
    if is_unsent and own.ratings.score and own.ratings.comment:
        fills[f"{SEND}:{appearance_id}"] = fill({"hidden": False})
    return fills


def _preference(piece_id: int, marks: Mapping[int, int], t: Texts) -> str:
    """Return the order of these performances by the member's marks, and by the audience's means."""
    names = {each.appearance.id: each.appearance.name for each in piece_performances(piece_id=piece_id)}
    figures = piece_figures(piece_id=piece_id)
    means = [(names.get(pk, ""), figures[pk].mean or Decimal(0)) for pk in marks if pk in figures]
    own = t("You: {own}.").format(own=_ordered([(names.get(pk, ""), Decimal(mark)) for pk, mark in marks.items()], t))
    if len(means) < len(marks):
        return own
    return f"{own} {t('The audience: {audience}.').format(audience=_ordered(means, t))}"


def _ordered(marks: Sequence[tuple[str, Decimal]], t: Texts) -> str:
    """Return the names by these marks, the highest first: "Ada Bell 16 to 14", of three "A 16, B 14, C 12"."""
    (first, best), (_, second), *others = ordered = sorted(marks, key=lambda each: -each[1])
    if others:
        return ", ".join(f"{name} {mark}" for name, mark in ordered)
    if best == second:
        return t("both {mark}").format(mark=best)
    return t("{name} {best} to {second}").format(name=first, best=best, second=second)


def compared_slot(piece_id: int, inside: Markup) -> VdomDict:
    """Return the place of the performances without names, which a member's marks replace."""
    return html.div(slot(COMPARED, piece_id), inside)
