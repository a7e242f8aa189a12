"""What a stage's page shows one member: the own marks, their states, and the table without what is covered."""

from collections.abc import Mapping

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from apps.ranking.own_states import OwnState, own_states
from apps.ratings.enums import PerformanceState
from apps.ratings.selectors.own import ratings_own
from components.parts.ratings.performance import same_fill
from components.parts.ratings.states import state_fills
from components.parts.stages.performance import OWN_DOT, OWN_PIECE, UNFOLDED
from components.parts.stages.ranking_rows import COVERED_STATE, OWN_ASK, OWN_MARK, OWN_WAY
from components.parts.stages.ranking_table import STATE_HEAD, own_ranking
from components.runtime import Fill, Fills, SlotQuery, covered_by, fill, slot_query
from components.ui.marks import own_position

RANKING = "ranking"  # the slots' names: the table of a stage
ALL_SCORES = "all_scores"  # the sentence at files that contain covered figures
ADMINISTRATORS = "administrators"
SHOWN, GONE = fill({"hidden": False}), fill({"hidden": True})


def stage_slots(*, stage_id: int, number: int, order: str, language: str) -> SlotQuery:
    """Return the query for the viewer's own marks on a stage's page, with the page `number` of the table."""
    topics = ("account.<id>.ratings", f"ranking.{stage_id}")
    return slot_query(stage_fills, topics=topics, stage_id=stage_id, number=number, order=order, language=language)


def stage_fills(*, viewer: Viewer, stage_id: int, number: int, order: str, language: str) -> Fills:
    """Return the viewer's own marks of a stage's performances with their states, and administrators' controls.

    A member who is not shown all figures of the stage gets the table of those whose figures the member sees.
    """
    if viewer.id is None:
        return {}
    fills: dict[str, Fill] = {STATE_HEAD: SHOWN}
    fills |= {ADMINISTRATORS: SHOWN} if viewer.is_admin else {}
    states = own_states(user_id=viewer.id, stage_id=stage_id)
    fills |= state_fills(states, language)
    if any(own.covers_others for own in states.values()):
        fills |= _covered(states, stage_id, number, order, language)
    for appearance_id, own in states.items():
        mark = own.ratings.mean
        if mark is None:
            continue
        fills[f"{OWN_DOT}:{appearance_id}"] = fill(
            {"hidden": False, "aria-hidden": "true", "value": own_position(mark)}
        )
        fills[f"{OWN_MARK}:{appearance_id}"] = fill({"hidden": False}, str(mark))
        fills |= same_fill(appearance_id, own, language)
        if not own.is_covered:
            fills[f"{OWN_WAY}:{appearance_id}"] = GONE
    return fills


def _covered(states: Mapping[int, OwnState], stage_id: int, number: int, order: str, language: str) -> dict[str, Fill]:
    """Return the fills of the table and of its covered rows. Members who see the same figures share a part."""
    t = texts(language)
    seen = "-".join(str(pk) for pk, own in sorted(states.items()) if not own.is_covered)
    fills = {f"{RANKING}:{stage_id}": covered_by(own_ranking(stage_id, number, order, seen, language=language))}
    for appearance_id, own in states.items():
        if own.is_covered and own.marked:
            words = t("{n} of {all} marked").format(n=own.marked, all=own.pieces)
            fills[f"{COVERED_STATE}:{appearance_id}"] = fill(text=words)
            fills[f"{OWN_ASK}:{appearance_id}"] = fill(text=t("Finish to see"))
    if any(own.is_covered and own.state != PerformanceState.TO_COME for own in states.values()):
        fills[ALL_SCORES] = SHOWN
    return fills


def piece_slots(*, stage_id: int) -> SlotQuery:
    """Return the query for the viewer's marks of single pieces, which unfolded rows show."""
    return slot_query(piece_fills, topics=("account.<id>.ratings",), stage_id=stage_id)


def piece_fills(*, viewer: Viewer, stage_id: int) -> Fills:
    """Return the viewer's marks of the pieces of a stage's performances."""
    if viewer.id is None:
        return {}
    return {UNFOLDED: fill({"data-own": "first"})} | {
        f"{OWN_PIECE}:{appearance_id}-{piece_id}": fill(text=str(mark))
        for appearance_id, own in ratings_own(user_id=viewer.id, stage_id=stage_id).items()
        for piece_id, mark in own.marks.items()
    }
