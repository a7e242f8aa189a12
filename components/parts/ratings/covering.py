"""What a page says about covered figures ("own ears first"), and the buttons that show them."""

from collections.abc import Collection

from apps.accounts.actors import Viewer
from apps.core.texts import Texts
from apps.ranking.own_states import OwnState, OwnStates
from apps.ratings.enums import PerformanceState
from apps.ratings.selectors.covering import performances_seen
from components.runtime import Fill, Fills, SlotQuery, VdomDict, command_button, covered, fill, html, slot, slot_query
from components.ui.blocks import link, visually_hidden

COVERING = "covering"  # the slots' names: the line of a page on which something is covered for the viewer
FIGURES = "figures"  # parts with the audience's figures of a whole performance
RANK = "rank"  # the rank of a performance
TOGETHER = "together"  # the figures of all performances of a participant
PIECE_FIGURES, PIECE_ASK = "piece_figures", "piece_ask"  # those of a piece, and the way to see them
COVERED = covered("", {"data-own": "covered"})


def covering_line(stage_id: int, t: Texts) -> VdomDict:
    """Return the line that says that figures are covered; hidden until `covering_fills` finds some for the viewer."""
    show = command_button("stage_figures_show", stage_id, busy=t("Processing..."))
    return html.p(
        {"class": "small muted covering", "hidden": True, "data-answers": ""} | slot(COVERING, stage_id),
        t("The audience’s marks are covered until you have marked."),
        " ",
        html.button({"class": "link"} | show, t("Show all of this stage")),
        " · ",
        link("/profile#ears", t("Change this")),
        " ",
        html.span({"data-answer": "", "role": "status"}),
    )


def show_button(appearance_id: int, name: str, t: Texts, words: str = "") -> VdomDict:
    """Return the button that shows a member the audience's figures of the performance of `name`."""
    show = command_button("figures_show", appearance_id, busy=t("Processing..."))
    return html.button({"class": "link"} | show, words or t("Show"), visually_hidden(f": {name}", has_name=True))


def figures_slot(appearance_id: int) -> dict[str, str]:
    """Return the attributes of an element around a part with the audience's figures of the performance."""
    return slot(FIGURES, appearance_id)


def folds(appearance_id: int) -> dict[str, str]:
    """Return the attributes of a score or rank that is folded for visitors who have struck a key of the performance."""
    return {"data-folds": str(appearance_id)}


def covering_fills(states: OwnStates) -> dict[str, Fill]:
    """Return the fills that cover figures of whole performances, also of those that come later, for the viewer.

    Empty for a viewer who sees everything, and on the page of a session or stage for one who sees all of the stage.
    """
    line: dict[str, Fill] = {COVERING: fill({"hidden": False})} if any(map(_covers, states.values())) else {}
    return line | _cover(FIGURES, states)


def performer_covering_fills(states: OwnStates, participant_id: int, ranks_covered: Collection[int]) -> dict[str, Fill]:
    """Return the fills that cover the ranks of a performer, and the figures of all performances together.

    The latter are covered with any performance that has begun, and before the first one; a rank with any performance of
    its stage that has begun.
    """
    begun = (own for own in states.values() if own.state != PerformanceState.TO_COME)
    is_covered = any(own.is_covered for own in begun) or (states.covers_more and not states)
    hidden = {f"{RANK}:{pk}" for pk in ranks_covered if pk in states and states[pk].covers_others}
    ranks = {name: each for name, each in _cover(RANK, states).items() if name not in hidden}
    return ranks | ({f"{TOGETHER}:{participant_id}": COVERED} if is_covered else {})


def _cover(name: str, states: OwnStates) -> dict[str, Fill]:
    """Return the fills of the slots with this name, one for each performance."""
    if not states.covers_more:
        return {}
    return {name: COVERED} | {f"{name}:{pk}": fill() for pk, own in states.items() if not own.is_covered}


def piece_covering_fills(states: OwnStates) -> dict[str, Fill]:
    """Return the fills that cover the figures of pieces in the rating forms of these performances."""
    if not states.covers_more and not any(map(_covers, states.values())):
        return {}
    fills = {PIECE_FIGURES: covered(), PIECE_ASK: fill({"hidden": False})}
    for appearance_id, own in states.items():
        for piece_id in own.program if own.open_pieces is None else own.open_pieces:
            fills[f"{PIECE_FIGURES}:{appearance_id}-{piece_id}"] = fill()
            fills[f"{PIECE_ASK}:{appearance_id}-{piece_id}"] = fill({"hidden": True})
    return fills


def _covers(own: OwnState) -> bool:
    return own.is_covered or own.open_pieces is not None


def figures_slots() -> SlotQuery:
    """Return the query that covers figures of whole performances on pages that show any performance."""
    return slot_query(figures_fills, topics=("account.<id>.ratings",))


def figures_fills(*, viewer: Viewer) -> Fills:
    """Return the fills that cover the figures of all performances except those that the viewer sees. One query."""
    seen = None if viewer.id is None else performances_seen(user_id=viewer.id)
    return {} if seen is None else {FIGURES: COVERED} | {f"{FIGURES}:{pk}": fill() for pk in seen}
