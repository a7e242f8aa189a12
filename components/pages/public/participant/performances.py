"""A participant's performances: what comes and the newest are open, each earlier one is a line that opens in place."""

from collections.abc import Callable, Sequence
from functools import partial

from apps.competition.selectors import SessionAppearance
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.hooks.connection import use_viewer
from components.hooks.opened_rows import toggled, use_opened_rows
from components.markup import Markup, VdomDict, cached_markup, component, html, key, use_ref
from components.opened_part import opened_part
from components.page import Page
from components.pages.public.participant.video import Players, VideoMoment, appearance_video, full_video
from components.parts.programme import video_moment
from components.parts.ranking.place import performance_place
from components.parts.ratings.performance import performance_means
from components.parts.ratings.rating_form import performance_rating
from components.parts.ratings.rating_rows import performance_words
from components.parts.ratings.recommendations import performance_recommendation
from components.parts.ratings.statistics import performance_heard
from components.parts.reactions.curve import performance_moments
from components.rendering.parts import Ref, page_event, page_events, shared_part
from components.ui.blocks import theater_button
from components.ui.empty_states import empty
from components.ui.frames.page_grid import unbroken_words
from components.ui.ordinals import ordinal
from components.ui.programme_lines import composer
from components.ui.venue_time import day

OPEN, WATCH = "performance_open", "watch"  # page events
SessionAppearances = tuple[SessionAppearance, ...]
Show = Callable[[Ref], Markup]


def open_at_first(session_appearances: SessionAppearances, asked: str) -> tuple[int, ...]:
    """Return the performances that stand open when the page comes: those to come, the newest, and the one asked for."""
    newest = next((each.appearance.id for each in session_appearances if each.appearance.has_begun), None)
    return tuple(
        each.appearance.id
        for each in session_appearances
        if not each.appearance.has_begun or each.appearance.id == newest or str(each.appearance.id) == asked
    )


def performance_parts(
    session_appearances: SessionAppearances, opened: Sequence[int], *, is_signed_in: bool, language: str
) -> tuple[Ref, ...]:
    """Return the parts of performances of which these are open."""
    lines = (performance_means(each.appearance.id, language=language) for each in _earlier(session_appearances))
    places = (_place(each, language) for each in session_appearances if each.appearance.has_begun)
    inside = (
        part
        for each in session_appearances
        if each.appearance.id in opened
        for part in _parts(each, is_signed_in=is_signed_in, language=language).values()
    )
    return (*lines, *places, *inside)


def _place(each: SessionAppearance, language: str) -> Ref:
    session, appearance = each.session, each.appearance
    which = (appearance.participant_id, appearance.id, session.stage_id, session.stage)
    return performance_place(*which, language=language)


def _earlier(session_appearances: SessionAppearances) -> SessionAppearances:
    return tuple(each for each in session_appearances if each.appearance.has_begun)[1:]


def _parts(each: SessionAppearance, *, is_signed_in: bool, language: str) -> dict[str, Ref]:
    """Return the parts of an open performance by their place in it; those who rate see the hall's on their own keys."""
    which = (each.appearance.id, each.appearance.participant_id)
    form = {"form": performance_rating(*which, language=language)}
    if not each.appearance.has_begun:
        return form
    heard = {} if is_signed_in else {"heard": performance_heard(*which, language=language)}
    return {
        "moments": performance_moments(*which, language=language),
        **form,
        **heard,
        "recommendation": performance_recommendation(*which, language=language),
        "words": performance_words(*which, language=language),
    }


@component
def performances(page: Page, session_appearances: SessionAppearances, at_first: tuple[int, ...]) -> VdomDict:
    """Every performance, the newest first; one video plays at a time."""
    none_yet: Players = {}
    players = use_ref(none_yet).current
    current_appearances = use_ref(session_appearances)
    current_appearances.current = session_appearances
    opened, change = use_opened_rows(page, at_first)

    async def on_watch(argument: str) -> None:
        if asked := _video_asked(current_appearances.current, argument):
            chosen, moment = asked
            for appearance_id, hear in tuple(players.items()):
                hear(moment if appearance_id == chosen else None)

    async def on_open(argument: str) -> None:
        for each in _earlier(current_appearances.current):
            if str(each.appearance.id) == argument:
                change(partial(toggled, row=each.appearance.id))

    if not session_appearances:
        words = empty(texts(page.language)("No performances yet."))
        return html.div({"class": "sheet sheet--next"}, html.div({"class": "body"}, words))
    earlier = _earlier(session_appearances)
    sections = (
        _performance(
            each,
            players,
            page.language,
            is_earlier=each in earlier,
            is_open=each.appearance.id in opened,
            show=shared_part if each.appearance.id in at_first else opened_part,
        )
        for each in session_appearances
    )
    return html.div({"class": "performances"}, page_events({WATCH: on_watch, OPEN: on_open}), *sections)


def _performance(
    each: SessionAppearance, players: Players, language: str, *, is_earlier: bool, is_open: bool, show: Show
) -> VdomDict:
    name = f"performance-{each.appearance.id}"
    look = "sheet performance--earlier" if is_earlier else "sheet sheet--next"
    heading = _line(each, is_open, language) if is_earlier else _heading(each, language)
    inside = html.div({"class": "body"}, *_inside(each, players, language, show)) if is_open else None
    return html.section({"class": f"{look} performance", "key": name, "id": name}, heading, inside)


def _inside(each: SessionAppearance, players: Players, language: str, show: Show) -> list[Markup]:
    """Return the video, the marks, whether to advance, and the words on an open performance."""
    is_signed_in = use_viewer().is_signed_in
    parts = {place: show(ref) for place, ref in _parts(each, is_signed_in=is_signed_in, language=language).items()}
    if not each.appearance.has_begun:
        return [parts["form"]]
    marks = _marks if is_signed_in or not each.appearance.program else _marks_of_strangers
    return [
        key("video", appearance_video(each, players, language)),
        parts["moments"],
        marks(each, parts, texts(language)),
        parts["recommendation"],
        parts["words"],
    ]


def _marks(each: SessionAppearance, parts: dict[str, Markup], t: Texts) -> VdomDict:
    heading = html.h3({"class": "performance__heading"}, t("Your marks, on the hall’s strings"))
    return html.section(_rating(each), heading, composer(), parts["form"])


def _marks_of_strangers(each: SessionAppearance, parts: dict[str, Markup], t: Texts) -> VdomDict:
    """Return what the hall gave, and a line that opens the keys in its place."""
    line = html.summary(
        html.span({"class": "button"}, t("Rate this performance")),
        html.span({"class": "muted small"}, t("Signing in brings you back to these keys, with your marks.")),
    )
    form = html.details({"class": "performance__rate"}, line, composer(), parts["form"])
    heard = html.div({"class": "performance__heard"}, parts["heard"])
    return html.section(_rating(each), form, heard)


def _rating(each: SessionAppearance) -> dict[str, str]:
    """Return the attributes of the place of the marks, to which signing in leads back."""
    appearance, name = each.appearance, f"rating-{each.appearance.id}"
    back = f"/participants/{appearance.participant_id}?open={appearance.id}#{name}"
    return {"class": "performance__part", "id": name, "data-back": back}


def _video_asked(session_appearances: SessionAppearances, argument: str) -> tuple[int, VideoMoment] | None:
    """Return the appearance and the video for "17:" (the performance) or "17:301" (a line, `video_moment`), or None."""
    appearance_id, _, watch = argument.partition(":")
    for each in session_appearances:
        if appearance_id == str(each.appearance.id):
            found = video_moment(each.appearance.program, watch) if watch else full_video(each)
            return (each.appearance.id, found) if found else None
    return None


@cached_markup
def _heading(each: SessionAppearance, language: str) -> VdomDict:
    session, appearance, t = each.session, each.appearance, texts(language)
    return html.div(
        {"class": "hang"},
        html.h2(html.a({"href": f"/sessions/{session.id}"}, *unbroken_words(session.title))),
        html.p(
            day(session.starts_at, zone=venue_zone(), language=language),
            html.br(),
            t("{nth} to play").format(nth=ordinal(appearance.order_number, t)),
        ),
        shared_part(_place(each, language)) if appearance.has_begun else None,
        html.p(theater_button(t)) if appearance.has_begun and full_video(each) else None,
    )


@cached_markup
def _line(each: SessionAppearance, is_open: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    """Return the line of an earlier performance, with what the hall and oneself gave it, which opens and closes it."""
    session, appearance = each.session, each.appearance
    to = f"/participants/{appearance.participant_id}?open={appearance.id}#performance-{appearance.id}"
    attributes = {"href": to, "data-stay": "", "aria-expanded": "true" if is_open else "false"}
    return html.div(
        {"class": "performance__line"},
        html.h2(html.a(attributes | page_event(OPEN, appearance.id), *unbroken_words(session.title))),
        html.span(
            {"class": "performance__gave"},
            day(session.starts_at, zone=venue_zone(), language=language),
            shared_part(performance_means(appearance.id, language=language)),
        ),
        shared_part(_place(each, language)),
    )
