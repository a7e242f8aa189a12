"""Programs of the demo: five real pieces for the five slots."""

from apps.accounts.actors import OPERATOR
from apps.competition import services
from apps.competition.enums import Category
from apps.competition.models import Piece

from .moments import piece_second

# Now and then somebody uploads one piece by itself: every such entry names a video of its own.
_OWN_VIDEO_EVERY = 9
_OWN_VIDEOS = ("aqz-KE-bpKQ", "eRsGyueVLvQ", "R6MlUcmOul8")


def program_load(place_id: int, order_number: int, program: str, *, played: int) -> None:
    """Add the pieces of `program` ("10/4, 25/6, 27/1, 20, 24/4") to a place, one for each slot in turn.

    Of the first `played` participants the recording has the moments at which they began each piece.
    """
    for piece_number, (slot, work) in enumerate(zip(Category, program.split(", "), strict=True), start=1):
        number = order_number * len(Category) + piece_number
        has_moment = order_number <= played
        own = has_moment and number % _OWN_VIDEO_EVERY == 0
        services.program_entry_add(
            actor=OPERATOR,
            session_participant_id=place_id,
            piece_id=_piece_id(slot, work),
            slot=slot,
            timestamp=piece_second(order_number, piece_number) if has_moment and not own else None,
            youtube_url=_own_video(number) if own else "",
        )


def _piece_id(slot: Category, work: str) -> int:
    """Return the piece of an opus and number, of the slot's own genre or, as an étude may sing, of another."""
    opus, _, number = work.partition("/")
    found = Piece.objects.filter(opus=opus, number=int(number) if number else None)
    return (found.filter(category=slot).first() or found.get()).pk


def _own_video(number: int) -> str:
    """Return the address of a video of one piece, with the moment it begins at, in one of the forms people paste."""
    video = _OWN_VIDEOS[number % len(_OWN_VIDEOS)]
    second = 10 + number % 40
    return (
        f"https://youtu.be/{video}?t={second}"
        if number % 2
        else f"https://www.youtube.com/watch?v={video}&t=1m{second}s"
    )
