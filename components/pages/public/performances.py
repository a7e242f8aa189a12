"""What a participant has played: for each performance its session, the video, and the rating form."""

from dataclasses import dataclass

from apps.competition.selectors import PerformanceOf, ProgramLine
from apps.core.clock import venue_zone
from apps.core.texts import texts
from components.hooks.carrier import use_viewer
from components.markup import Markup, VdomDict, component, html, key, still, use_ref, use_state, web_module
from components.pages.public.rating_form import rating_section
from components.pages.public.watching import Frame
from components.rendering.parts import action, actions
from components.ui.drawings import stage_drawing
from components.ui.moment import day
from components.ui.sheet import unbroken
from components.ui.states import empty

PLAYER = web_module("modules/video-stage.js", "Player")
Performances = tuple[PerformanceOf, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """What a viewer watches: in which place's player, which video, from which second; `turn` counts the wishes."""

    place_id: int = 0
    frame: Frame | None = None
    second: int = 0
    turn: int = 0

    def then(self, wished: tuple[int, str, int]) -> "Playing":
        """Return what is watched after this wish (place, video, second): the same video in the same place seeks."""
        place_id, video_id, second = wished
        stays = self.frame and (self.place_id, self.frame.video_id) == (place_id, video_id)
        return Playing(place_id, self.frame if stays else Frame(video_id, second), second, self.turn + 1)


@component
def performances_tab(performances: Performances, language: str) -> VdomDict:
    """Every performance, the newest first; one video plays at a time."""
    playing, set_playing = use_state(Playing())
    known = use_ref(performances)
    known.current = performances
    is_signed_in = use_viewer().is_signed_in

    async def on_watch(argument: str) -> None:
        if wished := _wished(known.current, argument):
            set_playing(lambda before: before.then(wished))

    if not performances:
        words = empty(texts(language)("No performances yet."))
        return html.div({"class": "sheet sheet--next"}, html.div({"class": "body"}, words))
    return html.div(
        {"class": "performances"},
        actions({"watch": on_watch}),
        PLAYER({"frame": _player_id(playing.place_id), "second": playing.second, "turn": playing.turn}),
        *(
            key(f"place-{each.place.id}", _performance(each, index == 0, _frame(each, playing), is_signed_in, language))
            for index, each in enumerate(performances)
        ),
    )


def _wished(performances: Performances, argument: str) -> tuple[int, str, int] | None:
    """Return place, video and second of "17:" (from where it begins) or of a line, "17:301"; None for neither."""
    for each in performances:
        if argument == f"{each.place.id}:" and (video := _whole(each)):
            return each.place.id, *video
        for line in each.place.program:
            if argument == f"{each.place.id}:{line.id}" and line.video_id:
                return each.place.id, line.video_id, line.second or 0
    return None


def _whole(performance: PerformanceOf) -> tuple[str, int] | None:
    """Return the video of a performance and the second at which it begins there; None without one."""
    lines: list[ProgramLine] = [line for line in performance.place.program if line.video_id]
    if lines:
        return lines[0].video_id, lines[0].second or 0
    return (performance.session.youtube_id, 0) if performance.session.youtube_id else None


def _frame(performance: PerformanceOf, playing: Playing) -> Frame | None:
    return playing.frame if performance.place.id == playing.place_id else None


def _player_id(place_id: int) -> str:
    return f"video-{place_id}"


@component
def _performance(
    performance: PerformanceOf,
    is_first: bool,  # noqa: FBT001
    frame: Frame | None,
    is_signed_in: bool,  # noqa: FBT001
    language: str,
) -> VdomDict:
    return html.div(
        html.section(
            {"class": "sheet sheet--next" if is_first else "sheet sheet--ruled"},
            _heading(performance, language),
            html.div({"class": "body"}, _video(performance, frame, language)),
        ),
        rating_section(performance, is_signed_in, language),
    )


@still
def _heading(performance: PerformanceOf, language: str) -> VdomDict:
    session, place, _ = performance.session, performance.place, texts(language)
    look = "button button--plain button--small theater"
    theater = html.button({"type": "button", "class": look, "aria-pressed": "false"}, _("Theater mode"))
    return html.div(
        {"class": "hang"},
        html.h2(html.a({"href": f"/sessions/{session.id}"}, *unbroken(session.title))),
        html.p(
            day(session.starts_at, zone=venue_zone(), language=language),
            html.br(),
            _("No. {number} in the order of playing").format(number=place.order_number),
        ),
        html.p(theater) if _whole(performance) else None,
    )


def _video(performance: PerformanceOf, frame: Frame | None, language: str) -> Markup:
    _, place, session = texts(language), performance.place, performance.session
    if frame is None:
        return _poster(performance, language)
    title = _("Video: {title}").format(title=f"{place.name}, {session.title}")
    name = _player_id(place.id)
    player = {
        "id": name,
        "key": name,
        "src": frame.address,
        "title": title,
        "allow": "autoplay; encrypted-media; fullscreen; picture-in-picture",
        "referrerPolicy": "strict-origin-when-cross-origin",
    }
    return html.div({"class": "seat", "key": "seat"}, html.div({"class": "video"}, html.iframe(player)))


@still
def _poster(performance: PerformanceOf, language: str) -> VdomDict:
    """Return the drawn stage with a way to play; without scripts it leads to the session's page."""
    _, place, session = texts(language), performance.place, performance.session
    if not _whole(performance):
        return html.p({"class": "muted", "key": "seat"}, _("There is no video of this performance yet."))
    name = _("Play the video: {title}").format(title=f"{place.name}, {session.title}")
    play = {
        "class": "video__poster",
        "href": f"/sessions/{session.id}?watch=session#stage-video",
        "aria-label": name,
        **action("watch", f"{place.id}:"),
    }
    drawing = html.a(play, stage_drawing(f"spot-{place.id}"), html.span({"class": "video__play"}))
    return html.div({"class": "seat", "key": "seat"}, html.div({"class": "video"}, drawing))
