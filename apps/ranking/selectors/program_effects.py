"""What another program of a performance changes in the ranking: whose marks stop or start counting."""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from django.core.exceptions import ValidationError

from apps.competition.selectors import appearance_places, program_pieces
from apps.ranking.limits import NAMES_MOST
from apps.ranking.models import RankingRun
from apps.ratings.selectors import pieces_marked

STOP = "Marks of less than half of the program would stop counting in the ranking: %(names)s."
START = "Marks of half of the program and more would start counting in the ranking: %(names)s."


def program_effects(appearance_id: int, piece_ids: Collection[int]) -> Sequence[ValidationError]:
    """Return whose marks these pieces in place of the program would change, a sentence each. Four queries.

    The final ranking of a stage changes no more.
    """
    places = appearance_places(appearance_ids=(appearance_id,))
    if any(_is_final(place.stage_id) for place in places.values()):
        return ()
    program = frozenset(program_pieces(appearance_ids=(appearance_id,)).get(appearance_id, ()))
    after = frozenset(piece_ids)
    stop: list[str] = []
    start: list[str] = []
    for name, marked in pieces_marked(appearance_id=appearance_id).items():
        counts, will_count = _is_half(marked, program), _is_half(marked, after)
        if counts != will_count:
            (stop if counts else start).append(name)
    found = ((STOP, stop), (START, start))
    return tuple(ValidationError(sentence, params={"names": _joined(names)}) for sentence, names in found if names)


def _is_half(marked: AbstractSet[int], program: AbstractSet[int]) -> bool:
    """Whether someone marked half of the program or more, of the pieces that stand in it."""
    return bool(marked & program) and 2 * len(marked & program) >= len(program)


def _is_final(stage_id: int) -> bool:
    return RankingRun.objects.filter(stage_id=stage_id, is_final=True).exists()


def _joined(names: Sequence[str]) -> str:
    """Return the first of these names, and how many more there are."""
    more = len(names) - NAMES_MOST
    return ", ".join([*names[:NAMES_MOST], *([f"+{more}"] if more > 0 else [])])
