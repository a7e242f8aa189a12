"""The video on a session's page: a component per viewer, because each viewer may choose another video."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings

from apps.competition.selectors.public.participants import SessionDetail
from apps.competition.selectors.public.sessions import session_appearances_with_programs, session_get
from apps.competition.youtube import video_address
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.parts.programme import STAGE_VIDEO, video_moment
from components.runtime import (
    Markup,
    VdomDict,
    component,
    html,
    page_event,
    page_events,
    use_ref,
    use_state,
    web_module,
)
from components.ui.people import stage_drawing

SESSION_VIDEO = "session"  # value of `watch` for the session's own video
LIVE_EDGE = 999_999  # a second beyond the end, at which the player shows the live edge
PLAYER_ADDRESS = "https://www.youtube-nocookie.com/embed/"


@dataclass(frozen=True, slots=True)
class SelectedVideo:
    """A viewer's choice: `watch` is SESSION_VIDEO or an argument of `video_moment`; its video and second."""

    watch: str
    video_id: str
    second: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The video in the player, and the second at which it was loaded; the player seeks other seconds without a load."""

    video_id: str
    second: int

    @property
    def address(self) -> str:
        """Return the player's address with autoplay; without a second it starts at the beginning or live edge."""
        return player_address(self.video_id, self.second, autoplay=True)


def player_address(video_id: str, second: int, *, autoplay: bool) -> str:
    """Return the address of the player of a video, which starts at this second."""
    query = {"enablejsapi": 1, "origin": settings.PUBLIC_URL} | ({"autoplay": 1} if autoplay else {})
    query |= {"playsinline": 1, "rel": 0} | ({"start": second} if second else {})
    return f"{PLAYER_ADDRESS}{video_id}?{urlencode(query)}"


def below_video(video_id: str, second: int, player: VdomDict, language: str) -> VdomDict:
    """Return the line below a video: a link to YouTube, and the messages of its `player` module."""
    to = {"class": "link", "href": video_address(video_id, second or None), "target": "_blank"}
    way = html.a(to | {"rel": "external noopener"}, texts(language)("Watch on YouTube"))
    return html.div({"class": "video__under small"}, way, " ", player)


def player_words(language: str) -> dict[str, str]:
    """Return the player module's messages for a video that does not play, and the label of its sound button."""
    t = texts(language)
    return {
        "gone": t("This video is no longer there, or is private."),
        "forbidden": t("YouTube does not let this video play here."),
        "silent": t("The video does not play here."),
        "sound": t("Sound on"),
    }


def selected_video(*, session_id: int, watch: str) -> SelectedVideo | None:
    """Return the video for the untrusted value `watch` in this session; None if there is none.

    The session's own video starts at its beginning, a live one at the live edge.
    """
    if watch == SESSION_VIDEO:
        session = session_get(session_id=session_id)
        if session is None or not session.youtube_id:
            return None
        return SelectedVideo(SESSION_VIDEO, session.youtube_id, LIVE_EDGE if session.is_live else 0)
    if not watch[:1].isdecimal():
        return None
    lines = tuple(
        line for appearance in session_appearances_with_programs(session_id=session_id) for line in appearance.program
    )
    video = video_moment(lines, watch)
    return SelectedVideo(watch, *video) if video else None


def player_frame(current: Frame | None, session: SessionDetail, watch: SelectedVideo | None) -> Frame | None:
    """Return the player's frame that follows `current`; None is the drawn stage.

    A viewer's choice takes precedence. Without one, a live session plays automatically and keeps playing after it ends.
    A recording waits for a click.
    """
    if watch and watch.watch != SESSION_VIDEO:
        return _at(current, watch.video_id, watch.second)
    if session.youtube_id and (watch or current or session.is_live):
        return _at(current, session.youtube_id, 0)
    return None


def _at(current: Frame | None, video_id: str, second: int) -> Frame:
    return current if current and current.video_id == video_id else Frame(video_id, second)


PLAYER = web_module("modules/video-player.js", "Player")


@component
def stage_video(session: SessionDetail, requested_video: SelectedVideo | None, language: str) -> VdomDict:
    """Render the player for a chosen or live video, else the drawn stage with a play button."""
    requested = requested_video.watch if requested_video else ""
    (address, selected, starts), set_selected = use_state((requested, requested_video, 0))
    if requested_video and requested != address:  # the address names another video
        selected, starts = requested_video, starts + 1
    no_frame: Frame | None = None
    frame_now = use_ref(no_frame)
    frame = frame_now.current = player_frame(frame_now.current, session, selected)

    async def on_watch(argument: str) -> None:
        line = argument.rpartition(":")[2]  # "301", a program line, from "17:301"
        if choice := await in_thread(lambda: selected_video(session_id=session.id, watch=line)):
            set_selected(lambda before: (requested, choice, before[2] + (1 if before[0] == requested else 2)))

    return html.div(
        html.div(
            {"class": "video"},
            _player(frame, session, language) if frame else _poster(session, language),
            _back(session, selected, language),
        ),
        _below(frame, session, selected, starts, language),
        page_events({"watch": on_watch}),
    )


def _below(
    frame: Frame | None, session: SessionDetail, selected: SelectedVideo | None, starts: int, language: str
) -> Markup:
    """Return the line below the video; without a video, only the player module, which waits for one."""
    second = selected.second if selected else 0
    words = player_words(language)
    player = PLAYER({"frame": STAGE_VIDEO, "second": second, "seeks": starts, "words": words})
    shown = frame.video_id if frame else session.youtube_id
    return below_video(shown, 0 if second == LIVE_EDGE else second, player, language) if shown else player


def _back(session: SessionDetail, selected: SelectedVideo | None, language: str) -> Markup:
    """Return the link back to the live video; None unless the session is live and the viewer watches a piece."""
    if not session.is_live or selected is None or selected.watch == SESSION_VIDEO:
        return None
    to = {"key": "back", "class": "live-now video__live", "href": f"/sessions/{session.id}?watch={SESSION_VIDEO}"}
    return html.a(to | page_event("watch", SESSION_VIDEO), texts(language)("Back to live"))


def _player(frame: Frame, session: SessionDetail, language: str) -> VdomDict:
    return html.iframe(
        {
            "id": STAGE_VIDEO,
            "key": STAGE_VIDEO,
            "src": frame.address,
            "title": texts(language)("Video: {title}").format(title=session.title),
            "allow": "autoplay; encrypted-media; fullscreen; picture-in-picture",
            "referrerPolicy": "strict-origin-when-cross-origin",
        }
    )


def _poster(session: SessionDetail, language: str) -> VdomDict:
    if not session.youtube_id:
        return html.div({"key": "stage", "class": "video__poster"}, stage_drawing())
    play = {
        "key": "play",
        "class": "video__poster",
        "href": f"/sessions/{session.id}?watch={SESSION_VIDEO}#{STAGE_VIDEO}",
        "aria-label": texts(language)("Play the video: {title}").format(title=session.title),
    }
    return html.a(play | page_event("watch", SESSION_VIDEO), stage_drawing(), html.span({"class": "video__play"}))
