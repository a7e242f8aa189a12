"""The video in the player of a session's page: the session's own, or the one of a program's line."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings

from apps.competition.selectors import SessionDetail, session_appearances, session_get
from apps.competition.youtube import video_address
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.parts.programme import video_moment

SESSION_VIDEO = "session"  # asks for the session's own video, from its beginning
LIVE_EDGE = 999_999  # a second after what was played so far: the player goes to the present
PLAYER = "https://www.youtube-nocookie.com/embed/"


@dataclass(frozen=True, slots=True)
class SelectedVideo:
    """A viewer's choice: `watch` is SESSION_VIDEO, or as `video_moment` takes it; its video and second."""

    watch: str
    video_id: str
    second: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The video in the player and the second it was loaded at; other seconds of it are sought without loading."""

    video_id: str
    second: int

    @property
    def address(self) -> str:
        """The player's address; it plays at once, from its beginning or the present without a second."""
        query = {
            "enablejsapi": 1,
            "origin": settings.PUBLIC_URL,
            "autoplay": 1,
            "playsinline": 1,
            "rel": 0,
        } | ({"start": self.second} if self.second else {})
        return f"{PLAYER}{self.video_id}?{urlencode(query)}"


def below_video(video_id: str, second: int, player: VdomDict, language: str) -> VdomDict:
    """Return the line below a video: the way to it on YouTube, and what its `player` has to say."""
    to = {"class": "link", "href": video_address(video_id, second or None), "target": "_blank"}
    way = html.a(to | {"rel": "external noopener"}, texts(language)("Watch on YouTube"))
    return html.div({"class": "video__under small"}, way, " ", player)


def player_words(language: str) -> dict[str, str]:
    """Return what the player's module says where the video does not play, and the button for its sound."""
    t = texts(language)
    return {
        "gone": t("This video is no longer there, or is private."),
        "forbidden": t("YouTube does not let this video play here."),
        "silent": t("The video does not play here."),
        "sound": t("Sound on"),
    }


def selected_video(*, session_id: int, watch: str) -> SelectedVideo | None:
    """Return the video for `watch` in this session, None when there is none; anybody can send anything.

    The session's own video begins at its beginning, a live one at the present.
    """
    if watch == SESSION_VIDEO:
        session = session_get(session_id=session_id)
        if session is None or not session.youtube_id:
            return None
        return SelectedVideo(SESSION_VIDEO, session.youtube_id, LIVE_EDGE if session.is_live else 0)
    if not watch[:1].isdecimal():
        return None
    lines = tuple(line for appearance in session_appearances(session_id=session_id) for line in appearance.program)
    found = video_moment(lines, watch)
    return SelectedVideo(watch, *found) if found else None


def player_frame(current: Frame | None, session: SessionDetail, watch: SelectedVideo | None) -> Frame | None:
    """Return the player's frame after `current`; None is the drawn stage.

    The viewer's choice comes first. Without one a live session plays by itself and goes on after it ends; a recording
    waits for a click.
    """
    if watch and watch.watch != SESSION_VIDEO:
        return _at(current, watch.video_id, watch.second)
    if session.youtube_id and (watch or current or session.is_live):
        return _at(current, session.youtube_id, 0)
    return None


def _at(current: Frame | None, video_id: str, second: int) -> Frame:
    return current if current and current.video_id == video_id else Frame(video_id, second)
