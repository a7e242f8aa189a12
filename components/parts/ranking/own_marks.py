"""One viewer's own on a stage's page: the marks beside the hall's, and what administrators may do."""

from apps.accounts.actors import Viewer
from apps.ratings.selectors import own_stage_marks
from components.parts.ranking.head import ADMINISTRATORS
from components.parts.ranking.table import OWN_DOT, OWN_MARK, OWN_WAY
from components.rendering.slots import Fill, Fills, fill
from components.ui.mark_strip import own_position

SHOWN, GONE = fill({"hidden": False}), fill({"hidden": True})


def stage_fills(*, viewer: Viewer, language: str, stage_id: int) -> Fills:  # noqa: ARG001 - how a page's own is read
    """Return the fills of one's own marks of a stage's performances. One query."""
    if viewer.id is None:
        return {}
    fills: dict[str, Fill] = {ADMINISTRATORS: SHOWN} if viewer.is_admin else {}
    for appearance_id, mark in own_stage_marks(user_id=viewer.id, stage_id=stage_id).items():
        fills[f"{OWN_DOT}:{appearance_id}"] = fill(
            {"hidden": False, "aria-hidden": "true", "value": own_position(mark)}
        )
        fills[f"{OWN_MARK}:{appearance_id}"] = fill({"hidden": False}, str(mark))
        fills[f"{OWN_WAY}:{appearance_id}"] = GONE
    return fills
