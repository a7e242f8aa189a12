"""A participant's performances: session, video and rating form of each."""

from apps.competition.selectors import SessionAppearance
from apps.core.database.clock import venue_zone
from apps.core.texts import texts
from components.markup import VdomDict, cached_markup, component, html, key, use_ref
from components.pages.public.participant.video import Players, VideoMoment, appearance_video, full_video
from components.parts.ratings.rating_form import performance_rating
from components.rendering.parts import Ref, page_events, shared_part
from components.ui.empty_states import empty
from components.ui.frames.page_grid import unbroken_words
from components.ui.programme_lines import composer
from components.ui.venue_time import day

SessionAppearances = tuple[SessionAppearance, ...]


@component
def appearances_tab(session_appearances: SessionAppearances, language: str) -> VdomDict:
    """Every performance, the newest first; one video plays at a time."""
    none_yet: Players = {}
    players = use_ref(none_yet).current
    current_appearances = use_ref(session_appearances)
    current_appearances.current = session_appearances

    async def on_watch(argument: str) -> None:
        if asked := _video_asked(current_appearances.current, argument):
            chosen, moment = asked
            for appearance_id, hear in tuple(players.items()):
                hear(moment if appearance_id == chosen else None)

    if not session_appearances:
        words = empty(texts(language)("No performances yet."))
        return html.div({"class": "sheet sheet--next"}, html.div({"class": "body"}, words))
    sections = (
        html.div(
            {"key": f"appearance-{each.appearance.id}"},
            html.section(
                {"class": "sheet sheet--ruled" if index else "sheet sheet--next"},
                _heading(each, language),
                html.div({"class": "body"}, key("video", appearance_video(each, players, language)))
                if each.appearance.has_begun
                else None,
            ),
            _rating(each, language),
        )
        for index, each in enumerate(session_appearances)
    )
    return html.div({"class": "performances"}, page_events({"watch": on_watch}), *sections)


def rating_ref(each: SessionAppearance, language: str) -> Ref:
    """Return the part with the rating form of a performance."""
    return performance_rating(each.appearance.id, each.appearance.participant_id, language=language)


@cached_markup
def _rating(each: SessionAppearance, language: str) -> VdomDict:
    t = texts(language)
    how = t(
        "One to twenty-five for each piece. Slide, tap, use the arrow keys or type the number. The rest sign means no "
        "mark yet."
    )
    return html.section(
        {"class": "sheet sheet--ruled", "id": f"rating-{each.appearance.id}"},
        html.div({"class": "hang"}, html.h2(t("Your ratings")), html.p(how)),
        html.div({"class": "body"}, composer(), shared_part(rating_ref(each, language))),
    )


def _video_asked(session_appearances: SessionAppearances, argument: str) -> tuple[int, VideoMoment] | None:
    """Return the appearance and the video for "17:" (the performance) or "17:301" (a line), or None."""
    for each in session_appearances:
        if argument == f"{each.appearance.id}:" and (video := full_video(each)):
            return each.appearance.id, video
        for line in each.appearance.program:
            if argument == f"{each.appearance.id}:{line.id}" and line.video_id:
                return each.appearance.id, (line.video_id, line.second or 0)
    return None


@cached_markup
def _heading(session_appearance: SessionAppearance, language: str) -> VdomDict:
    session, appearance, t = session_appearance.session, session_appearance.appearance, texts(language)
    look = "button button--plain button--small theater"
    theater = html.button({"type": "button", "class": look, "aria-pressed": "false"}, t("Theater mode"))
    return html.div(
        {"class": "hang"},
        html.h2(html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title))),
        html.p(
            day(session.starts_at, zone=venue_zone(), language=language),
            html.br(),
            t("No. {number} in the order of playing").format(number=appearance.order_number),
        ),
        html.p(theater) if full_video(session_appearance) else None,
    )
