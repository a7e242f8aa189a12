"""Where a performance stands in the ranking of its stage, in one line."""

from collections.abc import Mapping

from apps.core.texts import Texts, texts
from apps.ranking.selectors.rankings import Place, places_of_participant
from components.markup import VdomDict, html
from components.rendering.parts import public_part, read_together
from components.ui.ordinals import nth


def _places_read(participant_ids: tuple[int, ...]) -> Mapping[int, Mapping[int, Place]]:
    """Return the places of these participants' performances, by participant and appearance. One query for each."""
    return {pk: places_of_participant(participant_id=pk) for pk in participant_ids}


@public_part(
    topics=lambda participant_id, appearance_id, stage_id, stage: (f"ranking.{stage_id}",),  # noqa: ARG005 - a part gets all
    together=_places_read,
    outcome=True,
)
def performance_place(participant_id: int, appearance_id: int, stage_id: int, stage: str, *, language: str) -> VdomDict:
    """The line with the rank and between which ranks it lies; nothing for a performance without a rank."""
    found = read_together(_places_read, participant_id) or {}
    place = found.get(appearance_id)
    if place is None or place.rank is None:
        return html.p({"hidden": True})
    return html.p(
        {"class": "performance__place"}, html.a({"href": f"/stages/{stage_id}"}, _words(place, stage, texts(language)))
    )


def _words(place: Place, stage: str, t: Texts) -> str:
    words = {"rank": nth(place.rank or 0, t), "stage": stage}
    if place.lowest is None or place.highest is None or place.lowest == place.highest:
        return t("{rank} in {stage}").format(**words)
    ends = {"lowest": nth(place.lowest, t), "highest": nth(place.highest, t)}
    return t("{rank} in {stage}, {lowest} to {highest}").format(**words, **ends)
