"""The page of one piece: all its performances, and a player for one of them."""

from dataclasses import dataclass
from decimal import Decimal

from apps.competition.selectors.public.pieces import PiecePerformance, piece_get, piece_performances
from apps.core.texts import texts
from apps.ratings.selectors.pieces import heard_figures
from components.pages.public.not_found import not_found_page
from components.pages.public.session.video import below_video, player_address, player_words
from components.parts.pieces.piece import (
    NOT_FOUND,
    WATCH,
    PieceOrder,
    Selection,
    own_means,
    piece_hands,
    piece_head,
    piece_played,
    piece_slots,
)
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    VdomDict,
    component,
    html,
    number_of,
    shared_part,
    web_module,
)
from components.ui.blocks import link
from components.ui.frames import main, section
from components.ui.pieces import work_text

PLAYER = web_module("modules/video-player.js", "Player")
FRAME = "piece-video"  # the id of the player


@dataclass(frozen=True, slots=True)
class PieceData:
    """The page data: which performances it shows, the one in the player, and the one after it in their order."""

    shown: Selection
    title: str
    watched: PiecePerformance | None = None
    following: PiecePerformance | None = None


def load(request: PageRequest) -> Page:
    """Return a piece's page; `sort` and `stage` choose the performances, `watch` plays one. 404 for an unknown id."""
    t, piece_id = request.t, request.int_param("id")
    piece = piece_get(piece_id=piece_id)
    if piece is None:
        return not_found_page(t(NOT_FOUND), ("/pieces", t("All pieces")), "pieces")
    order = next((each for each in PieceOrder if each.value == request.query.get("sort")), PieceOrder.DATE)
    shown = Selection(piece_id, order, number_of(request.query, "stage", 0))
    words = work_text(piece, language=request.language)
    which = (piece_id, order.value, shown.stage_id)
    return Page(
        title=words,
        description=t("Every performance of {piece} in the competition.").format(piece=words),
        component=piece_page,
        data=_data(shown, words, number_of(request.query, WATCH, 0)),
        parts={
            "head": piece_head(piece_id, language=request.language),
            "played": piece_played(piece_id, language=request.language),
            "hands": piece_hands(*which, language=request.language),
        },
        slots=(piece_slots(piece_id=piece_id, order=order.value, stage_id=shown.stage_id, language=request.language),),
        topics=("pieces", *(("programs", "sessions") if request.query.get(WATCH) else ())),
    )


def _data(shown: Selection, words: str, watched_id: int) -> PieceData:
    """Return the page data; an unknown performance, or one without a video, is not played."""
    if not watched_id:
        return PieceData(shown, words)
    marks: dict[int, Decimal | int | None] = {}
    if shown.order is PieceOrder.MARK:
        marks = own_means(shown.piece_id, heard_figures(piece_id=shown.piece_id))
    found = shown.in_order(piece_performances(piece_id=shown.piece_id), marks)
    with_video = [each for each in found if each.video_id and each.appearance.has_begun]
    place = next((nr for nr, each in enumerate(with_video) if each.appearance.id == watched_id), None)
    if place is None:
        return PieceData(shown, words)
    return PieceData(shown, words, with_video[place], next(iter(with_video[place + 1 :]), None))


@component
def piece_page(page: Page) -> VdomDict:
    """Render the head, the player and the performances."""
    data: PieceData = page.data
    played = html.div({"class": "hang hang--low"}, shared_part(page.parts["played"]))
    return main(
        html.header({"class": "sheet sheet--first"}, played, shared_part(page.parts["head"])),
        _player(data, page.language) if data.watched else None,
        shared_part(page.parts["hands"]),
    )


def _player(data: PieceData, language: str) -> Markup:
    t, watched = texts(language), data.watched
    if watched is None:
        return None
    second, name = watched.second or 0, watched.appearance.name
    attributes = {
        "id": FRAME,
        "src": player_address(watched.video_id, second, autoplay=False),
        "title": t("Video: {title}").format(title=f"{name}, {data.title}"),
        "allow": "autoplay; encrypted-media; fullscreen; picture-in-picture",
        "referrerPolicy": "strict-origin-when-cross-origin",
    }
    # the module plays the video; without scripts the viewer does
    player = PLAYER({"frame": FRAME, "second": second, "seeks": watched.appearance.id, "words": player_words(language)})
    video = html.div({"class": "seat"}, html.div({"class": "video"}, html.iframe(attributes)))
    return section(
        name,
        html.div(
            {"class": "body"},
            video,
            below_video(watched.video_id, second, player, language),
            html.p({"class": "hands__next"}, _following(data, language)),
        ),
        name=WATCH,
    )


def _following(data: PieceData, language: str) -> Markup:
    """Return the link to the next performance in the chosen order; after the last one, a sentence."""
    t, after = texts(language), data.following
    if after is None:
        return html.span({"class": "muted"}, t("This is the last performance of this list."))
    to = f"{data.shown.address(watch=after.appearance.id)}#{WATCH}"
    return link(to, t("Next performance of this piece: {name}").format(name=after.appearance.name))
