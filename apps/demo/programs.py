"""Programs of the demo: real works, for the specification's five slots or for those of their stage."""

from collections.abc import Sequence
from itertools import zip_longest

from apps.accounts.actors import OPERATOR
from apps.competition.enums import SPECIFIED
from apps.competition.models import Piece
from apps.competition.services.programs import NewEntry, program_add

Pieces = dict[str, int]
_SPREAD = len(SPECIFIED)
# Some entries have their own video, as when a single piece is uploaded.
_OWN_VIDEO_EVERY = 9
_OWN_VIDEO = "YE7VzlLtp-4"


def program_load(
    appearance_id: int,
    order_number: int,
    program: str,
    pieces: Pieces,
    *,
    slots: Sequence[str],
    seconds: Sequence[int],
    is_live: bool,
) -> None:
    """Add the works of `program` ("10/4, 27/1, 42, 23") to an appearance in this order, each in its slot if any.

    `seconds` are the start times in the recording, or in the stream of the live session; none before the performance.
    """
    works = program.split(", ")
    entries = [
        _entry(order_number * _SPREAD + number, pieces[work], slot, second=second, is_live=is_live)
        for number, (work, slot, second) in enumerate(zip_longest(works, slots, seconds[: len(works)]), start=1)
    ]
    program_add(actor=OPERATOR, appearance_id=appearance_id, entries=entries)


def _entry(count: int, piece_id: int, slot: str | None, *, second: int | None, is_live: bool) -> NewEntry:
    """Return the entry of a work; `count` spreads the entries with a video of their own."""
    own = second is not None and not is_live and count % _OWN_VIDEO_EVERY == 0
    return NewEntry(
        piece_id=piece_id,
        slot=slot or "",
        timestamp=None if own else second,
        youtube_url=_own_video(count) if own else "",
    )


def pieces_by_work() -> Pieces:
    """Return the ids of the catalogue's pieces by work: "10/4", "20", of a set "33/1–4"."""
    rows = Piece.objects.exclude(opus="").order_by("-pk").values_list("pk", "opus", "number", "numbers")
    return {f"{opus}/{number or numbers}".removesuffix("/"): pk for pk, opus, number, numbers in rows}


def _own_video(number: int) -> str:
    """Return the address of a moment in a video, in one of two usual forms."""
    second = 10 + number % 40
    short, long = f"https://youtu.be/{_OWN_VIDEO}?t=", f"https://www.youtube.com/watch?v={_OWN_VIDEO}&t=1m"
    return f"{short}{second}" if number % 2 else f"{long}{second}s"
