"""Programs of the demo: five real pieces for the five slots."""

from collections import defaultdict
from collections.abc import Sequence

from apps.accounts.actors import OPERATOR
from apps.competition.enums import SPECIFIED, Category
from apps.competition.models import Piece
from apps.competition.services.programs import NewEntry, program_add

Pieces = dict[str, dict[str, int]]
# Some entries have their own video, as when a single piece is uploaded.
_OWN_VIDEO_EVERY = 9
_OWN_VIDEO = "YE7VzlLtp-4"


def program_load(
    appearance_id: int, order_number: int, program: str, pieces: Pieces, *, seconds: Sequence[int], is_live: bool
) -> None:
    """Add the pieces of `program` ("10/4, 25/6, 27/1, 20, 24/4") to an appearance, one for each slot in turn.

    `seconds` are the start times in the recording, or in the stream of the live session; none before the performance.
    """
    works = zip(SPECIFIED, program.split(", "), strict=True)
    entries = [
        _entry(
            order_number * len(SPECIFIED) + number,
            slot,
            pieces[work],
            second=seconds[number - 1] if seconds else None,
            is_live=is_live,
        )
        for number, (slot, work) in enumerate(works, start=1)
    ]
    program_add(actor=OPERATOR, session_participant_id=appearance_id, entries=entries)


def _entry(count: int, slot: Category, piece_ids: dict[str, int], *, second: int | None, is_live: bool) -> NewEntry:
    """Return the entry of a slot, with the work's piece in the slot's category if it exists, else its first one."""
    own = second is not None and not is_live and count % _OWN_VIDEO_EVERY == 0
    return NewEntry(
        piece_id=piece_ids.get(slot) or next(iter(piece_ids.values())),
        slot=slot,
        timestamp=None if own else second,
        youtube_url=_own_video(count) if own else "",
    )


def pieces_by_work() -> Pieces:
    """Return the ids of the catalogue's pieces, by work ("10/4", "20") and category."""
    found: Pieces = defaultdict(dict)
    for pk, category, opus, number in Piece.objects.values_list("pk", "category", "opus", "number"):
        found[f"{opus}/{number}" if number else opus][category] = pk
    return found


def _own_video(number: int) -> str:
    """Return the address of a moment in a video, in one of two usual forms."""
    second = 10 + number % 40
    short, long = f"https://youtu.be/{_OWN_VIDEO}?t=", f"https://www.youtube.com/watch?v={_OWN_VIDEO}&t=1m"
    return f"{short}{second}" if number % 2 else f"{long}{second}s"
