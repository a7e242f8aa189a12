"""Two or three performances of a piece side by side: one sounds, the other waits at the same place of the piece.

With `names=hidden` the page has neither name, picture, country nor address of the performers, until a member has marked
all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from apps.competition.limits import COMPARED_OFFSET_MOST
from apps.competition.selectors.public.pieces import PiecePerformance, piece_get, piece_performances
from apps.competition.youtube import video_address
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.pages.public.not_found import not_found_page
from components.pages.public.session.video import player_address
from components.parts.pieces.comparison import (
    ORDINALS,
    compared_slot,
    comparison_named,
    comparison_nameless,
    comparison_slots,
)
from components.parts.pieces.piece import NOT_FOUND, TICK
from components.runtime import (
    Markup,
    Page,
    PageRequest,
    Parts,
    Query,
    VdomDict,
    component,
    html,
    number_of,
    shared_part,
    use_viewer,
    web_module,
)
from components.ui.blocks import link
from components.ui.empty_states import empty
from components.ui.forms import check, select
from components.ui.frames import main, section, title
from components.ui.mark_input import rating_script
from components.ui.people import NAMED
from components.ui.pieces import composer, work_text
from components.ui.venue_time import day_month

SIDES = ("a", "b", "c")  # the fields of the address
OFFSETS = ("", "offset", "offset_c")  # tenths of a second by which a side begins later
NAMES, HIDDEN = "names", "hidden"
DUO = web_module("modules/comparison.js", "Duo")
# sources of gettext
SAME = "These are the same performance. Choose two different ones."
ANOTHER = "One of these performances does not have this piece in its program. Choose two that do."
TO_COME = "One of these performances has not begun yet. Choose two that have."
FEW = "Two performances of this piece are needed to compare. So far there are fewer."
ONE = "One performance is chosen. Choose a second one."
MANY = "At most three performances are compared at once. These are the first three that you ticked."


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """The page data: what is compared, at which offsets in tenths of a second, and what may be chosen.

    `asked` are the ids in the address. `trouble` is the sentence that says why nothing is compared; it is empty before
    a choice.
    """

    piece_id: int
    words: str
    choices: tuple[tuple[str, str], ...]
    asked: tuple[int, ...] = ()
    compared: tuple[PiecePerformance, ...] = ()
    offsets: tuple[int, ...] = ()
    is_hidden: bool = False
    trouble: str = ""


def load(request: PageRequest) -> Page:
    """Return the comparison of performances; `names=hidden` is without names. 404 for an unknown piece.

    The address names them as `a`, `b` and `c`, or by the ticks of the piece's list (`TICK`).
    """
    t, language, piece_id = request.t, request.language, request.int_param("id")
    piece = piece_get(piece_id=piece_id)
    if piece is None:
        return not_found_page(t(NOT_FOUND), ("/pieces", t("All pieces")), "pieces")
    words = work_text(piece, language=language)
    data = _data(piece_id, words, request.query, language)
    ids = "-".join(str(each.appearance.id) for each in data.compared)
    slots = comparison_slots(piece_id=piece_id, ids=ids, is_hidden=data.is_hidden, language=language)
    return Page(
        title=t("Side by side: {piece}").format(piece=words),
        description=t("Performances of {piece}, to be heard side by side.").format(piece=words),
        component=comparison_page,
        data=data,
        parts=_parts(data, ids, language),
        slots=(slots,) if ids else (),
        topics=("pieces", "programs", "sessions", "live", "featured_participants"),
    )


def _parts(data: ComparisonData, ids: str, language: str) -> Parts:
    if not ids:
        return {}
    part = comparison_nameless if data.is_hidden else comparison_named
    return {"sides": part(data.piece_id, ids, language=language)}


def _data(piece_id: int, words: str, query: Query, language: str) -> ComparisonData:
    performances = piece_performances(piece_id=piece_id)
    every = {each.appearance.id: each for each in performances if each.whole is None}  # marks of a set are the set's
    begun = {pk: each for pk, each in every.items() if each.appearance.has_begun}
    choices = tuple((str(pk), _choice(each, language)) for pk, each in begun.items())
    asked = [number for number in (number_of(query, side, 0) for side in SIDES) if number]
    ticked = [pk for pk in begun if f"{TICK}{pk}" in query]
    asked, ticked = asked or ticked[: len(SIDES)], ticked[len(SIDES) :]
    data = ComparisonData(piece_id, words, choices, tuple(asked), is_hidden=query.get(NAMES) == HIDDEN)
    troubles = {
        FEW: len(begun) < 2,  # noqa: PLR2004 - two sides
        SAME: len(set(asked)) < len(asked),
        ANOTHER: not set(asked) <= every.keys(),
        TO_COME: not set(asked) <= begun.keys(),
        MANY: bool(ticked),
        ONE: len(asked) == 1,
    }
    trouble = next((words for words, holds in troubles.items() if holds), "")
    if trouble or len(asked) < 2:  # noqa: PLR2004 - as above
        return replace(data, trouble=trouble)
    if data.is_hidden:
        asked.sort(key=_shuffled)
    offsets = tuple(_offset(query, field) for field in OFFSETS[: len(asked)])
    return replace(data, compared=tuple(begun[pk] for pk in asked), offsets=offsets)


def _shuffled(appearance_id: int) -> int:
    """Return the place of a performance without a name: the same on each view, and no order that tells who plays."""
    return crc32(str(appearance_id).encode())


def _offset(query: Query, field: str) -> int:
    """Return the offset in the address, in tenths of a second; 0 for any other text."""
    text = query.get(field, "") if field else ""
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(COMPARED_OFFSET_MOST))
    return max(-COMPARED_OFFSET_MOST, min(COMPARED_OFFSET_MOST, int(text))) if is_number else 0


def _choice(each: PiecePerformance, language: str) -> str:
    when = day_month(each.starts_at, zone=venue_zone(), language=language)
    return f"{each.appearance.name} ({each.session}, {when})"


@component
def comparison_page(page: Page) -> VdomDict:
    """Render the choice of performances, the players, and the marks below."""
    t = texts(page.language)
    data: ComparisonData = page.data
    head = html.header(
        {"class": "sheet sheet--first"},
        html.div(
            {"class": "body"},
            composer(),
            title(t("Side by side")),
            html.p({"class": "lead"}, link(f"/pieces/{data.piece_id}", data.words)),
        ),
    )
    return main(head, _choose(data, t), *_compared(page, data, t))


def _compared(page: Page, data: ComparisonData, t: Texts) -> list[Markup]:
    if not data.compared:
        return []
    sides = shared_part(page.parts["sides"])
    body = html.div(
        {"class": "body duo", "data-count": str(len(data.compared))},
        DUO(_module(data, t)),
        _recordings(data, t),
        _names_note(page.address, t) if data.is_hidden else None,
        compared_slot(data.piece_id, sides) if data.is_hidden else sides,
    )
    note = html.p(t("One plays, the other waits at the same place of the piece."))
    return [section(t("Listen"), body, aside=note), rating_script(page.language)]


def _names_note(address: str, t: Texts) -> Markup:
    """Return that an anonymous visitor has to sign in to see the names; None for a member."""
    if use_viewer().is_signed_in:
        return None
    sign_in = link(f"/login?{urlencode({'next': address})}", t("Log in"))
    return html.p({"class": "small muted"}, t("Names come back only for members who are signed in."), " ", sign_in)


def _recordings(data: ComparisonData, t: Texts) -> VdomDict:
    """Return the links to the recordings, for browsers without scripts too."""
    ways: list[Markup] = []
    for number, each in enumerate(data.compared):
        if each.video_id:
            to = {"class": "link", "target": "_blank", "rel": "external noopener"}
            words = t("{which} on YouTube").format(which=_called(number, each, data, t))
            ways += [html.a({"key": str(number), "href": video_address(each.video_id, each.second), **to}, words), " "]
        else:
            none = t("{which}: there is no video.").format(which=_called(number, each, data, t))
            ways += [html.span({"key": str(number), "class": "muted"}, none), " "]
    return html.p({"class": "row small"}, *ways)


def _called(number: int, each: PiecePerformance, data: ComparisonData, t: Texts) -> str:
    return t(ORDINALS[number]) if data.is_hidden else each.appearance.name


def _module(data: ComparisonData, t: Texts) -> dict[str, Any]:
    sides = [
        {
            "name": _called(number, each, data, t),
            "source": player_address(each.video_id, 0, autoplay=True) if each.video_id else "",
            "second": each.second or 0,
            "known": each.second is not None,
            "offset": data.offsets[number],
            "field": OFFSETS[number],
        }
        for number, each in enumerate(data.compared)
    ]
    words = {
        "play": t("Play: {name}"),
        "other": t("Hear the other from here"),
        "next": t("Hear the next from here"),
        "key": t("Space"),
        "sounds": t("Now sounding: {name}"),
        "later": t("{name} begins {n} s later"),
        "earlier": t("{name} begins {n} s earlier"),
        "together": t("{name} begins where the piece begins"),
        "unknown": t("{name}: it is not known where the piece begins"),
        "less": t("A tenth of a second earlier: {name}"),
        "more": t("A tenth of a second later: {name}"),
        "only": t("Sound only"),
        "novideo": t("There is no video of this performance yet."),
    }
    return {"sides": sides, "words": words, "covered": data.is_hidden, "most": COMPARED_OFFSET_MOST}


def _choose(data: ComparisonData, t: Texts) -> VdomDict:
    """Return the form that chooses the performances; without names only the way back to them."""
    trouble = html.p({"class": "message"}, t(data.trouble)) if data.trouble else None
    if data.trouble == FEW:
        body: Sequence[Markup] = [empty(t(FEW), (f"/pieces/{data.piece_id}", data.words))]
    elif data.is_hidden and data.compared:
        shown = {side: str(each.appearance.id) for side, each in zip(SIDES, data.compared, strict=False)}
        back = f"/pieces/{data.piece_id}/compare?{urlencode(shown)}"
        body = [html.p(link(back, t("Show the names")))]
    else:
        body = [trouble, _form(data, t)]
    return html.div({"class": "sheet"}, html.div({"class": "body"}, *body))


def _form(data: ComparisonData, t: Texts) -> VdomDict:
    chosen = [str(pk) for pk in data.asked] + [""] * len(SIDES)
    first = [("", t("Choose one")), *data.choices]
    third = select(t("Third"), "c", [("", t("No third one")), *data.choices], chosen[2], stored=lambda _name: NAMED)
    return html.form(
        {"class": "duo__choice", "method": "get", "action": f"/pieces/{data.piece_id}/compare"},
        select(t("First"), "a", first, chosen[0], stored=lambda _name: NAMED),
        select(t("Second"), "b", first, chosen[1], stored=lambda _name: NAMED),
        html.div({"class": "duo__third"}, third),
        check(t("Hide the names until I have marked them"), NAMES, value=HIDDEN, defaultChecked=data.is_hidden),
        html.button({"class": "button", "type": "submit"}, t("Compare")),
    )
