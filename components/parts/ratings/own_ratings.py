"""One viewer's ratings as fills for the slots of forms and figures, of a participant or of a session."""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from apps.accounts.actors import Viewer
from apps.core.texts import Texts, texts
from apps.ratings.selectors import OwnRatings, ratings_own
from components.parts.authors import author_fills
from components.parts.ratings.performance import MEANS, OWN_MEAN
from components.parts.ratings.rating_form import EARS, OWN_MARK, WAY_IN
from components.parts.ratings.recommendations import VOTE
from components.parts.ratings.statistics import TOGETHER
from components.rendering.slots import Fill, Fills, fill
from components.ui.controls.mark_input import GIVEN

CHECKED, PRESSED = fill({"checked": True}), fill({"aria-pressed": "true"})
NONE_YET = fill({"data-own": "none"})
OWN_EARS_FIRST = {
    EARS: fill({"data-own": "first"}),
    WAY_IN: fill({"hidden": True}),
    MEANS: NONE_YET,
    TOGETHER: NONE_YET,
}


def rating_fills(
    *, viewer: Viewer, language: str, participant_id: int | None = None, session_id: int | None = None
) -> Fills:
    """Return the fills for the performances of a participant, or of a session, and what listeners wrote. Three queries.

    What the hall gave a performance is held back until one has rated it.
    """
    if viewer.id is None:
        return {}
    t, found = texts(language), ratings_own(user_id=viewer.id, participant_id=participant_id, session_id=session_id)
    any_marks = any(given.pieces or given.overall for given in found.values())
    together = {f"{TOGETHER}:{participant_id}": fill({"data-own": "some"})} if any_marks else {}
    marks = (each for appearance_id, given in found.items() for each in _fills(appearance_id, given, t))
    return {**author_fills(viewer=viewer, language=language), **OWN_EARS_FIRST, **together, **dict(marks)}


def _fills(appearance_id: int, given: OwnRatings, t: Texts) -> Iterator[tuple[str, Fill]]:
    for piece_id, mark in given.pieces.items():
        yield f"{GIVEN}:mark-{appearance_id}-{piece_id}", fill({"value": str(mark.score)})
        yield f"{OWN_MARK}:{appearance_id}-{piece_id}", fill({"data-own": str(mark.score)})
    if marks := [each.score for each in given.pieces.values()]:
        mean = str((Decimal(sum(marks)) / len(marks)).quantize(Decimal("0.1"), ROUND_HALF_UP))
        yield f"{MEANS}:{appearance_id}", fill({"data-own": mean})
        yield f"{OWN_MEAN}:{appearance_id}", fill(text=mean)
    if overall := given.overall:
        yield f"{GIVEN}:whole-{appearance_id}-{overall.score}", CHECKED
        if overall.quick_rating:
            yield f"{GIVEN}:quick-{appearance_id}-{overall.quick_rating}", CHECKED
        yield f"{GIVEN}:comment-{appearance_id}", fill({"value": overall.comment})
    if state := _state(given, t):
        yield f"{GIVEN}:state-{appearance_id}", fill({"hidden": False}, state)
    if given.recommendation:
        yield f"{VOTE}:{appearance_id}:{given.recommendation}", PRESSED


def _state(given: OwnRatings, t: Texts) -> str:
    approved = [each.approved for each in (*given.pieces.values(), *((given.overall,) if given.overall else ()))]
    if not approved:
        return ""
    if all(approved):
        return t("Your ratings are shown to everybody. What you change waits for approval again.")
    if any(approved):
        return t(
            "Some of your ratings are shown to everybody; the others wait for approval. What you change waits again."
        )
    return t("Your ratings wait for approval; only you see them.")
