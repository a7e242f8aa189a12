"""One viewer's ratings on the title page: how far each performance is marked, and the marks beside the hall's."""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from apps.accounts.actors import Viewer
from apps.core.texts import Texts, texts
from apps.ratings.selectors import BesideHall, own_beside_hall, own_marked
from components.parts.ratings.not_yet_rated import BAR, ROW, WORDS
from components.rendering.slots import Fill, Fills, fill

OWN = "own"  # the slots' name: "own:key", "own:count" and "own:beside_hall"


def own_summary_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return the fills of one's own on the title page. Three queries, however many ratings."""
    if viewer.id is None:
        return {}
    t, found = texts(language), own_marked(user_id=viewer.id)
    beside = dict(_beside_hall(own_beside_hall(user_id=viewer.id), t))
    for appearance_id, pieces in found.items():
        if pieces.all:
            beside[f"{ROW}:{appearance_id}"] = fill({"hidden": True})
            continue
        words = t("{n} of {all} marked").format(n=pieces.marked, all=pieces.of)
        beside[f"{WORDS}:{appearance_id}"] = fill(text=words)
        beside[f"{BAR}:{appearance_id}"] = fill({"value": str(pieces.marked)})
    return beside


def _beside_hall(own: BesideHall, t: Texts) -> Iterator[tuple[str, Fill]]:
    if not own.count:
        return
    words = t.plural("You have given {n} mark.", "You have given {n} marks.", own.count)
    yield f"{OWN}:count", fill(text=words.format(n=own.count))
    if own.own_mean is None or own.hall_mean is None:
        yield f"{OWN}:beside_hall", fill(text=t("The hall has not marked your pieces yet."))
        return
    yield f"{OWN}:key", fill({"data-own": str(int(own.own_mean.quantize(Decimal(1), ROUND_HALF_UP)))})
    yield f"{OWN}:beside_hall", fill(text=_compared(own.own_mean, own.hall_mean, t))


def _compared(own: Decimal, hall: Decimal, t: Texts) -> str:
    words = {"more": abs(own - hall), "own": own, "hall": hall}
    if own == hall:
        return t("You mark as the hall does: {own}.").format(**words)
    if own > hall:
        return t("You mark {more} higher than the hall: {own} against {hall}.").format(**words)
    return t("You mark {more} lower than the hall: {own} against {hall}.").format(**words)
