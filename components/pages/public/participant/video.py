"""The video of one performance; a component of its own, so that watching renders only the player."""

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass

from apps.competition.selectors import SessionAppearance
from apps.core.texts import texts
from components.markup import Markup, VdomDict, cached_markup, component, html, use_effect, use_state, web_module
from components.pages.public.session.selected_video import Frame, below_video, player_words
from components.rendering.parts import page_event
from components.ui.placeholder_pictures import stage_drawing

PLAYER = web_module("modules/video-player.js", "Player")
VideoMoment = tuple[str, int]  # a video id and a second
Players = MutableMapping[int, Callable[[VideoMoment | None], None]]  # sets the video of each appearance, by id


@dataclass(frozen=True, slots=True)
class PlayerState:
    """The video in the player, None before one is chosen, and its second; `starts` counts the choices."""

    frame: Frame | None = None
    second: int = 0
    starts: int = 0

    def then(self, moment: VideoMoment | None) -> "PlayerState":
        """Return the state after this choice; None is a choice of another performance's video."""
        if moment is None:
            return self if self.frame is None else PlayerState(starts=self.starts)
        video_id, second = moment
        stays = self.frame and self.frame.video_id == video_id  # then the player only seeks
        return PlayerState(self.frame if stays else Frame(video_id, second), second, self.starts + 1)


def full_video(session_appearance: SessionAppearance) -> VideoMoment | None:
    """Return the video of a performance and the second at which it begins there; None without one."""
    for line in session_appearance.appearance.program:
        if line.video_id:
            return line.video_id, line.second or 0
    return (session_appearance.session.youtube_id, 0) if session_appearance.session.youtube_id else None


@component
def appearance_video(session_appearance: SessionAppearance, players: Players, language: str) -> VdomDict:
    """The player once a video is chosen, else the drawn stage with a play button."""
    playing, set_playing = use_state(PlayerState())
    appearance_id = session_appearance.appearance.id

    @use_effect(dependencies=[appearance_id])
    def register() -> Callable[[], None]:
        players[appearance_id] = lambda moment: set_playing(lambda before: before.then(moment))
        return lambda: players.pop(appearance_id, None) and None

    name = f"video-{appearance_id}"
    player = PLAYER({"frame": name, "second": playing.second, "seeks": playing.starts, "words": player_words(language)})
    shown = (playing.frame.video_id, playing.second) if playing.frame else full_video(session_appearance)
    return html.div(
        _player(session_appearance, playing.frame, name, language)
        if playing.frame
        else _poster(session_appearance, language),
        below_video(*shown, player, language) if shown else player,
    )


def _player(session_appearance: SessionAppearance, frame: Frame, name: str, language: str) -> Markup:
    title = f"{session_appearance.appearance.name}, {session_appearance.session.title}"
    player = {
        "id": name,
        "key": name,
        "src": frame.address,
        "title": texts(language)("Video: {title}").format(title=title),
        "allow": "autoplay; encrypted-media; fullscreen; picture-in-picture",
        "referrerPolicy": "strict-origin-when-cross-origin",
    }
    return html.div({"class": "seat", "key": "seat"}, html.div({"class": "video"}, html.iframe(player)))


@cached_markup
def _poster(session_appearance: SessionAppearance, language: str) -> VdomDict:
    """Return the drawn stage with a play link; without scripts it leads to the session's page."""
    t, appearance, session = texts(language), session_appearance.appearance, session_appearance.session
    if not full_video(session_appearance):
        return html.p({"class": "muted", "key": "seat"}, t("There is no video of this performance yet."))
    name = t("Play the video: {title}").format(title=f"{appearance.name}, {session.title}")
    play = {
        "class": "video__poster",
        "href": f"/sessions/{session.id}?watch=session#stage-video",
        "aria-label": name,
        **page_event("watch", f"{appearance.id}:"),
    }
    drawing = html.a(play, stage_drawing(f"spot-{appearance.id}"), html.span({"class": "video__play"}))
    return html.div({"class": "seat", "key": "seat"}, html.div({"class": "video"}, drawing))
