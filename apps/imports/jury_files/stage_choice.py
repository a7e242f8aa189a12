"""The stage of the site that a jury's file is proposed to belong to, by its number and its performers."""

from collections.abc import Collection, Iterable, Mapping

from apps.competition.selectors.public.stages import StageName
from apps.imports.jury_files.sheets import SheetRead
from apps.imports.jury_files.stage_numbers import number_named


def stage_proposed(
    sheet: SheetRead, stages: Iterable[StageName], performers: Mapping[int, Collection[int]], most: int
) -> int | None:
    """Return the id of the stage that fits best; None if none fits, or if several fit equally.

    `performers` are participants by stage. A stage with another number in its name never fits. Before the
    others is a stage with the file's number and some of its performers; then their number counts, then the name alone.
    A matrix has no number: before the others is a stage with exactly its performers.
    `most` is the number of stages in the rules.
    """
    ids = {each.participant.id for each in sheet.people if each.participant}
    fits: dict[tuple[bool, int, bool, bool], list[int]] = {}
    for stage in stages:
        number = number_named(stage.name, most)
        of_stage = performers.get(stage.id, ())
        shared = len(ids.intersection(of_stage))
        is_named = number is not None and number == sheet.place
        if (shared or is_named) and (sheet.place is None or number in (None, sheet.place)):
            is_exact = sheet.place is None and shared == len(of_stage)
            fits.setdefault((is_named and shared > 0, shared, is_named, is_exact), []).append(stage.id)
    best = fits[max(fits)] if fits else []
    return best[0] if len(best) == 1 else None
