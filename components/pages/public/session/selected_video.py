"""What the player on a session's page shows: the session's own video, or the one of a program's line."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings

from apps.competition.selectors import SessionDetail, session_appearances, session_get

SESSION_VIDEO = "session"  # asks for the session's own video, from its beginning
ENTRY_DIGITS = 9
PLAYER = "https://www.youtube-nocookie.com/embed/"


@dataclass(frozen=True, slots=True)
class SelectedVideo:
    """What a viewer asked to see: WHOLE or the id of a program's line, its video and the second it begins at."""

    watch: str
    video_id: str
    second: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The video in the player and the second it was loaded at. While it stands, the player is only told to seek."""

    video_id: str
    second: int

    @property
    def address(self) -> str:
        """The player's address; it plays at once, for somebody pressed Watch or the session is live."""
        query = {
            "enablejsapi": 1,
            "origin": settings.PUBLIC_URL,
            "autoplay": 1,
            "playsinline": 1,
            "rel": 0,
            "start": self.second,
        }
        return f"{PLAYER}{self.video_id}?{urlencode(query)}"


def selected_video(*, session_id: int, watch: str) -> SelectedVideo | None:
    """Return what `wish` (from an address or an action, so from anybody) means in this session, None for nothing."""
    if watch == SESSION_VIDEO:
        session = session_get(session_id=session_id)
        return SelectedVideo(SESSION_VIDEO, session.youtube_id, 0) if session and session.youtube_id else None
    if not (watch.isascii() and watch.isdecimal() and len(watch) <= ENTRY_DIGITS):
        return None
    lines = (line for appearance in session_appearances(session_id=session_id) for line in appearance.program)
    found = next((line for line in lines if line.id == int(watch) and line.video_id), None)
    return SelectedVideo(watch, found.video_id, found.second or 0) if found else None


def player_frame(current: Frame | None, session: SessionDetail, watch: SelectedVideo | None) -> Frame | None:
    """Return what the player shows now, given what it showed: None is the drawn stage.

    A wish goes first. Without one a live session plays by itself, and goes on when it ends; a recording waits.
    """
    if watch and watch.watch != SESSION_VIDEO:
        return _at(current, watch.video_id, watch.second)
    if session.youtube_id and (watch or current or session.is_live):
        return _at(current, session.youtube_id, 0)
    return None


def _at(current: Frame | None, video_id: str, second: int) -> Frame:
    return current if current and current.video_id == video_id else Frame(video_id, second)
