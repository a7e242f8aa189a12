"""The page of one participant: performances with videos and rating forms, biography, all ratings."""

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial

from apps.competition.selectors.public.participants import AppearanceDetail, SessionAppearance, participant_get
from apps.competition.selectors.public.sessions import participant_appearances
from apps.core.database.fields import venue_zone
from apps.core.database.paging import Cursor
from apps.core.texts import Texts, texts
from components.pages.public.not_found import not_found_page
from components.pages.public.session.video import Frame, below_video, player_words
from components.parts.following import performer_follow_slots
from components.parts.jury.performance import performance_jury
from components.parts.participants import participant_biography, participant_header
from components.parts.people import author_slots
from components.parts.programme import video_moment
from components.parts.ratings.own_ratings import performance_recommendation, rating_slots
from components.parts.ratings.performance import performance_means
from components.parts.ratings.rating_form import performance_rating
from components.parts.ratings.rating_rows import participant_ratings, performance_words
from components.parts.ratings.statistics import participant_together, performance_heard
from components.parts.sessions.facts import with_line
from components.parts.sessions.reactions import performance_moments
from components.parts.stages.ranking import performance_place
from components.parts.words import participant_words, write_link
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Parts,
    Ref,
    SlotQuery,
    VdomDict,
    cached_markup,
    component,
    html,
    joined,
    key,
    opened_part,
    page_event,
    page_events,
    shared_part,
    toggled,
    use_opened_rows,
    use_ref,
    use_state,
    use_viewer,
    web_module,
)
from components.ui.blocks import badge, ordinal, tabs, theater_button
from components.ui.empty_states import empty
from components.ui.frames import main, unbroken_words
from components.ui.mark_input import rating_script
from components.ui.people import stage_drawing
from components.ui.pieces import composer
from components.ui.venue_time import at_venue, day


def all_ratings(ratings: Ref, language: str) -> VdomDict:
    """Return the section of all ratings; its slots show this viewer's delete buttons."""
    t = texts(language)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("All Ratings"))),
        html.div(
            {"class": "body"},
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            shared_part(ratings),
        ),
    )


PLAYER = web_module("modules/video-player.js", "Player")
VideoMoment = tuple[str, int]  # a video id and a second
Players = MutableMapping[int, Callable[[VideoMoment | None], None]]  # setters of videos, by appearance id


@dataclass(frozen=True, slots=True)
class PlayerState:
    """The video in the player, None before one is chosen, and its second; `starts` counts the choices."""

    frame: Frame | None = None
    second: int = 0
    starts: int = 0

    def then(self, moment: VideoMoment | None) -> "PlayerState":
        """Return the state after a choice; `moment` is None if another performance's video was chosen."""
        if moment is None:
            return self if self.frame is None else PlayerState(starts=self.starts)
        video_id, second = moment
        stays = self.frame and self.frame.video_id == video_id  # the player only seeks
        return PlayerState(self.frame if stays else Frame(video_id, second), second, self.starts + 1)


def full_video(session_appearance: SessionAppearance) -> VideoMoment | None:
    """Return the video of a performance and its start in seconds; None without a video."""
    for line in session_appearance.appearance.program:
        if line.video_id:
            return line.video_id, line.second or 0
    return (session_appearance.session.youtube_id, 0) if session_appearance.session.youtube_id else None


@component
def appearance_video(session_appearance: SessionAppearance, players: Players, language: str) -> VdomDict:
    """Render the player after a video was chosen, else the drawn stage with a play button."""
    playing, set_playing = use_state(PlayerState())
    appearance_id = session_appearance.appearance.id

    players[appearance_id] = lambda moment: set_playing(lambda before: before.then(moment))
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
    """Return the drawn stage with a play link; without JavaScript the link leads to the session's page."""
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


OPEN, WATCH = "performance_open", "watch"  # page events
JURY = "jury"  # the part's name
HEARD = "heard"  # the audience's figures for anonymous visitors; the form shows them to signed-in viewers
SessionAppearances = tuple[SessionAppearance, ...]
Show = Callable[[Ref], Markup]


def open_at_first(session_appearances: SessionAppearances, asked: str) -> tuple[int, ...]:
    """Return the ids of performances open at first: future ones, the newest, and the one that the address names."""
    newest = next((each.appearance.id for each in session_appearances if each.appearance.has_begun), None)
    return tuple(
        each.appearance.id
        for each in session_appearances
        if not each.appearance.has_begun or each.appearance.id == newest or str(each.appearance.id) == asked
    )


def performance_parts(session_appearances: SessionAppearances, opened: Sequence[int], *, language: str) -> Parts:
    """Return the parts of performances by name, such as "form:17"; those in `opened` include their inner parts."""
    lines = {f"means:{each.appearance.id}": _means(each, language) for each in _earlier(session_appearances)}
    begun = (each for each in session_appearances if each.appearance.has_begun)
    places = {f"place:{each.appearance.id}": _place(each, language) for each in begun}
    inside = {
        f"{name}:{each.appearance.id}": ref
        for each in session_appearances
        if each.appearance.id in opened
        for name, ref in _inner_parts(each, language=language).items()
    }
    return joined(lines, places, inside)


def _means(each: SessionAppearance, language: str) -> Ref:
    return performance_means(each.appearance.id, each.session.stage_id, language=language)


def _place(each: SessionAppearance, language: str) -> Ref:
    session, appearance = each.session, each.appearance
    which = (appearance.participant_id, appearance.id, session.stage_id, session.stage)
    return performance_place(*which, language=language)


def _earlier(session_appearances: SessionAppearances) -> SessionAppearances:
    return tuple(each for each in session_appearances if each.appearance.has_begun)[1:]


def _inner_parts(each: SessionAppearance, *, language: str) -> dict[str, Ref]:
    """Return the parts of an open performance by name."""
    which = (each.appearance.id, each.appearance.participant_id)
    form = {"form": performance_rating(*which, language=language)}
    if not each.appearance.has_begun:
        return form
    return {
        "moments": performance_moments(*which, language=language),
        **form,
        HEARD: performance_heard(*which, language=language),
        **_jury(each, language),
        "recommendation": performance_recommendation(*which, language=language),
        "words": performance_words(*which, language=language),
    }


def _jury(each: SessionAppearance, language: str) -> dict[str, Ref]:
    """Return the part that compares the performance with the jury; a repeated one is not compared."""
    which = (each.appearance.id, each.appearance.participant_id, each.session.stage_id)
    return {} if each.appearance.is_repeated else {JURY: performance_jury(*which, language=language)}


@component
def performances(page: Page, session_appearances: SessionAppearances, at_first: tuple[int, ...]) -> VdomDict:
    """Render all performances, newest first; one video plays at a time."""
    none_yet: Players = {}
    players = use_ref(none_yet).current
    players.clear()  # those of open performances register as they render, below this component
    current_appearances = use_ref(session_appearances)
    current_appearances.current = session_appearances
    opened, change = use_opened_rows(page, at_first)

    async def on_watch(argument: str) -> None:
        if selection := _video_asked(current_appearances.current, argument):
            chosen, moment = selection
            for appearance_id, set_video in tuple(players.items()):
                set_video(moment if appearance_id == chosen else None)

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
    around = with_line(each.appearance.piano, each.session, texts(language)) if is_earlier else None
    inside = html.div({"class": "body"}, around, *_inside(each, players, language, show)) if is_open else None
    return html.section({"class": f"{look} performance", "key": name, "id": name}, heading, inside)


def _inside(each: SessionAppearance, players: Players, language: str, show: Show) -> list[Markup]:
    """Return the video, marks, recommendation and comments of an open performance; only the form of a future one."""
    is_signed_in = use_viewer().is_signed_in
    refs = _inner_parts(each, language=language)
    parts = {name: show(ref) for name, ref in refs.items() if name != HEARD or not is_signed_in}
    if not each.appearance.has_begun:
        return [parts["form"]]
    marks = _marks if is_signed_in or not each.appearance.program else _marks_for_anonymous
    return [
        key("video", appearance_video(each, players, language)),
        parts["moments"],
        marks(each, parts, texts(language)),
        parts.get(JURY),
        parts["recommendation"],
        parts["words"],
        html.p({"class": "say"}, write_link(each.appearance.id, texts(language))),
    ]


def _marks(each: SessionAppearance, parts: dict[str, Markup], t: Texts) -> VdomDict:
    heading = html.h3({"class": "performance__heading"}, t("Your marks, on the audience’s strings"))
    return html.section(_rating(each), heading, composer(), parts["form"])


def _marks_for_anonymous(each: SessionAppearance, parts: dict[str, Markup], t: Texts) -> VdomDict:
    """Return the audience's figures, and a line that shows the rating form in their place."""
    line = html.summary(
        html.span({"class": "button"}, t("Rate this performance")),
        html.span({"class": "muted small"}, t("Signing in brings you back to these keys, with your marks.")),
    )
    form = html.details({"class": "performance__rate"}, line, composer(), parts["form"])
    heard = html.div({"class": "performance__heard"}, parts[HEARD])
    return html.section(_rating(each), form, heard)


def _rating(each: SessionAppearance) -> dict[str, str]:
    """Return the attributes of the section of marks; signing in leads back to it."""
    appearance, name = each.appearance, f"rating-{each.appearance.id}"
    back = f"/participants/{appearance.participant_id}?open={appearance.id}#{name}"
    return {"class": "performance__part", "id": name, "data-back": back}


def _video_asked(session_appearances: SessionAppearances, argument: str) -> tuple[int, VideoMoment] | None:
    """Return the appearance and video for "17:" (a performance) or "17:301" (a line, `video_moment`), or None."""
    appearance_id, _, watch = argument.partition(":")
    for each in session_appearances:
        if appearance_id == str(each.appearance.id):
            video = video_moment(each.appearance.program, watch) if watch else full_video(each)
            return (each.appearance.id, video) if video else None
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
            *_planned(appearance, language),
            *((" ", badge(t("repeated"), "quiet")) if appearance.is_repeated else ()),
        ),
        with_line(appearance.piano, session, t),
        shared_part(_place(each, language)) if appearance.has_begun else None,
        html.p(theater_button(t)) if appearance.has_begun and full_video(each) else None,
    )


def _planned(appearance: AppearanceDetail, language: str) -> tuple[Markup, ...]:
    """Return the time at which a performance should begin, while it has not begun and the time is known."""
    if appearance.planned_start is None or appearance.has_begun:
        return ()
    return ", ", at_venue(appearance.planned_start, zone=venue_zone(), language=language, has_date=False)


@cached_markup
def _line(each: SessionAppearance, is_open: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    """Return the line that opens and closes an earlier performance, with the audience's and the viewer's figures."""
    session, appearance = each.session, each.appearance
    to = f"/participants/{appearance.participant_id}?open={appearance.id}#performance-{appearance.id}"
    attributes = {"href": to, "data-stay": "", "aria-expanded": "true" if is_open else "false"}
    return html.div(
        {"class": "performance__line"},
        html.h2(html.a(attributes | page_event(OPEN, appearance.id), *unbroken_words(session.title))),
        html.span(
            {"class": "performance__gave"},
            day(session.starts_at, zone=venue_zone(), language=language),
            badge(texts(language)("repeated"), "quiet") if appearance.is_repeated else None,
            shared_part(_means(each, language)),
        ),
        shared_part(_place(each, language)),
    )


PERFORMANCES, BIOGRAPHY, RATINGS = "", "biography", "ratings"  # the address's `tab`
WORDS = "said"  # the part's name
SUMMARY_LENGTH = 155  # characters that search engines show


@dataclass(frozen=True, slots=True)
class ParticipantData:
    """The page data: the participant, the open tab, and its performances with those open at first."""

    participant_id: int
    tab: str
    session_appearances: tuple[SessionAppearance, ...] = ()
    at_first: tuple[int, ...] = ()


def load(request: PageRequest) -> Page:
    """Return the participant's page. `?tab=` selects the tab, `?open=` opens a performance. 404 for an unknown id."""
    t, participant_id = request.t, request.int_param("id")
    topic = f"participant.{participant_id}"
    participant = participant_get(participant_id=participant_id)
    if participant is None:
        return not_found_page(t("Participant not found."), ("/participants", t("All participants")), topic)
    tab = request.query.get("tab", PERFORMANCES)
    tab = tab if tab in (BIOGRAPHY, RATINGS) else PERFORMANCES
    about = " ".join(participant.biography.split())
    description = t("{name}, {country}: performances, biography and the audience’s ratings.")
    session_appearances = participant_appearances(participant_id=participant_id) if tab == PERFORMANCES else ()
    at_first = open_at_first(session_appearances, request.query.get("open", ""))
    return Page(
        title=participant.name,
        description=(f"{about[: SUMMARY_LENGTH - 1].rsplit(' ', 1)[0]}…" if len(about) > SUMMARY_LENGTH else about)
        or description.format(name=participant.name, country=participant.country),
        component=participant_page,
        data=ParticipantData(participant_id, tab, session_appearances, at_first),
        parts=joined(
            {"header": participant_header(participant_id, language=request.language)},
            _tab_parts(participant_id, tab, request.query.get("before", ""), request.language),
            _words(participant_id, session_appearances, request.language),
            performance_parts(session_appearances, at_first, language=request.language),
        ),
        slots=(
            *_slots(participant_id, tab, request.language),  # of the open tab
            performer_follow_slots(participant_id=participant_id),
        ),
        topics=(topic, "participants.removed"),
    )


def _slots(participant_id: int, tab: str, language: str) -> tuple[SlotQuery, ...]:
    if tab == BIOGRAPHY:
        return ()
    if tab == RATINGS:
        return (rating_slots(participant_id=participant_id, language=language), author_slots())
    return (rating_slots(participant_id=participant_id, language=language), author_slots())


def _tab_parts(participant_id: int, tab: str, before: str, language: str) -> Parts:
    if tab == RATINGS:
        cursor = Cursor.read(before)  # checked first: it becomes the part's key
        return {
            "together": participant_together(participant_id, language=language),
            "ratings": participant_ratings(participant_id, str(cursor) if cursor else "", language=language),
        }
    if tab == BIOGRAPHY:
        return {"biography": participant_biography(participant_id, language=language)}
    return {}


def _words(participant_id: int, session_appearances: SessionAppearances, language: str) -> Parts:
    """Return the part with what was written about the performances, if one has begun."""
    if not any(each.appearance.has_begun for each in session_appearances):
        return {}
    return {WORDS: participant_words(participant_id, language=language)}


@component
def participant_page(page: Page) -> VdomDict:
    """Render the header, the tabs, and the content of the open tab."""
    t = texts(page.language)
    about: ParticipantData = page.data
    to = f"/participants/{about.participant_id}"
    addresses = {PERFORMANCES: to, BIOGRAPHY: f"{to}?tab={BIOGRAPHY}", RATINGS: f"{to}?tab={RATINGS}"}
    names = {PERFORMANCES: t("Performance & Ratings"), BIOGRAPHY: t("Biography"), RATINGS: t("All Ratings")}
    tab_links = tabs(
        t("About this participant"), [(addresses[tab], name) for tab, name in names.items()], addresses[about.tab]
    )
    return main(
        shared_part(page.parts["header"]),
        html.div({"class": "sheet"}, tab_links),
        html.div({"key": f"tab-{about.tab}"}, *_content(page, t)),
    )


def _content(page: Page, t: Texts) -> list[Markup]:
    about: ParticipantData = page.data
    if about.tab == RATINGS:
        return [shared_part(page.parts["together"]), all_ratings(page.parts["ratings"], page.language)]
    if about.tab == BIOGRAPHY:
        heading = html.div({"class": "hang"}, html.h2(t("Biography")))
        return [html.section({"class": "sheet sheet--next"}, heading, shared_part(page.parts["biography"]))]
    script = rating_script(page.language) if about.session_appearances else None
    words = shared_part(page.parts[WORDS]) if WORDS in page.parts else None
    return [performances(page, about.session_appearances, about.at_first), script, words]
