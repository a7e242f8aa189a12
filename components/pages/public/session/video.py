"""The video on a session's page; a component of each viewer, who may choose another."""

from apps.competition.selectors import SessionDetail, session_get
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html, use_effect, use_ref, use_state, web_module
from components.pages.public.session.selected_video import (
    LIVE_EDGE,
    SESSION_VIDEO,
    Frame,
    SelectedVideo,
    below_video,
    player_frame,
    player_words,
    selected_video,
)
from components.parts.programme import STAGE_VIDEO
from components.rendering.parts import page_event, page_events
from components.ui.placeholder_pictures import stage_drawing

PLAYER = web_module("modules/video-player.js", "Player")


@component
def stage_video(initial: SessionDetail, asked: SelectedVideo | None, language: str) -> VdomDict:
    """The player when a video is chosen or live, else the drawn stage with a play button."""
    known: SessionDetail | None = initial
    session = use_live_query(session_get, f"session.{initial.id}", initial=known, session_id=initial.id) or initial
    (selected, starts), set_selected = use_state((asked, 0))
    nothing: Frame | None = None
    frame_now = use_ref(nothing)
    frame = frame_now.current = player_frame(frame_now.current, session, selected)

    @use_effect(dependencies=[asked.watch if asked else ""])
    def follow_address() -> None:
        if asked and asked != selected:
            set_selected(lambda before: (asked, before[1] + 1))

    async def on_watch(argument: str) -> None:
        line = argument.rpartition(":")[2]  # of "17:301", the line of an appearance
        if found := await in_thread(lambda: selected_video(session_id=initial.id, watch=line)):
            set_selected(lambda before: (found, before[1] + 1))

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
    """Return the line below the video; where there is none, the player's module alone, which waits for one."""
    second = selected.second if selected else 0
    words = player_words(language)
    player = PLAYER({"frame": STAGE_VIDEO, "second": second, "seeks": starts, "words": words})
    shown = frame.video_id if frame else session.youtube_id
    return below_video(shown, 0 if second == LIVE_EDGE else second, player, language) if shown else player


def _back(session: SessionDetail, selected: SelectedVideo | None, language: str) -> Markup:
    """Return the way back to what is live, for who watches one piece."""
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
