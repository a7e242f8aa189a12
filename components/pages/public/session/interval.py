"""The board that takes the place of the empty stage of a live session; a running video stays where it is."""

from apps.competition.selectors.public.participants import SessionDetail
from components.parts.sessions.interval import interval_board
from components.runtime import Markup, Parts, Ref, shared_part

BOARD = "board"  # the part's name


def board_parts(session: SessionDetail, language: str) -> Parts:
    """Return the part with the board; none for a session that is not live, or has a video."""
    return {BOARD: interval_board(session.id, language=language)} if session.is_live and not session.youtube_id else {}


def board_over_stage(board: Ref | None) -> Markup:
    """Return the board over the drawn stage, None where the page has none."""
    return shared_part(board) if board else None
