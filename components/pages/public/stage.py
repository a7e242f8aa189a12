"""The page of one stage: its sessions, its performances as running order or ranking, its outcome, and words."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from apps.competition.selectors.public.programs import appearance_places
from apps.competition.selectors.public.stages import stage_names
from apps.core.limits import ID_DIGITS
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.jury.orders import JuryOrder
from apps.ranking.enums import TableOrder
from components.pages.public.not_found import not_found_page
from components.parts.covered_texts import texts_slots
from components.parts.jury.audience import jury_audience
from components.parts.jury.nearest import beside_slots, nearest_juror
from components.parts.jury.sheet import VIEW, stage_jury, stage_views
from components.parts.prizes import stage_prize_list
from components.parts.sessions.session import OPEN, PANEL, ROW
from components.parts.stages.performance import stage_performance
from components.parts.stages.ranking import stage_ranking, stage_tally
from components.parts.stages.ranking_rows import stage_address
from components.parts.stages.slots import piece_slots, stage_slots
from components.parts.stages.stage import stage_advancing, stage_evenings, stage_head
from components.parts.words import stage_words
from components.runtime import (
    Fill,
    Page,
    PageRequest,
    Parts,
    Query,
    Ref,
    SlotQuery,
    VdomDict,
    cached_markup,
    component,
    fill,
    fill_slots,
    html,
    joined,
    key,
    number_of,
    page_events,
    part_in_slot,
    shared_part,
    toggled,
    use_opened_rows,
    use_viewer,
)
from components.ui.blocks import link
from components.ui.frames import main

EXPANDED = fill({"aria-expanded": "true"})
Row = tuple[int, int]  # an appearance and its participant, by id
Rows = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class StagePageData:
    """The page data: the stage, whether it has sessions, the order of its table, and the rows the address unfolds."""

    stage_id: int
    has_sessions: bool
    order: TableOrder
    rows: Rows


def load(request: PageRequest) -> Page:
    """Return the page of a stage; `order` and `page` select the table, `open` an unfolded row. 404 if unknown."""
    t, stage_id, number = request.t, request.int_param("id"), request.page_number()
    stage = next((each for each in stage_names() if each.id == stage_id), None)
    if stage is None:
        return not_found_page(t("Stage not found."), ("/stages", t("All stages")), "stages")
    order, rows = _order(request.query), _rows(stage_id, request.query.get("open", ""))
    is_jury = request.query.get("view") == VIEW
    if is_jury:
        parts, slots = _jury(stage_id, request.query, request.language)
    else:
        parts, slots = _audience(stage_id, number, order, request.language)
        parts = joined(parts, _panels(rows, stage_id, request.language))
    words = t("The sessions and performances of {stage}: running order, the audience’s ranking, and who advances.")
    return Page(
        title=t("Audience ranking, {stage}").format(stage=stage.name),
        description=words.format(stage=stage.name),
        component=jury_page if is_jury else stage_page,
        data=StagePageData(stage_id, stage.begins_at is not None, order, rows),
        parts=parts,
        slots=slots,
        topics=("stages",),
    )


def _order(query: Query) -> TableOrder:
    """Return the order in the address; any other text is the ranking."""
    return TableOrder.RUNNING if query.get("order") == TableOrder.RUNNING else TableOrder.RANKING


def _audience(stage_id: int, number: int, order: TableOrder, language: str) -> tuple[Parts, tuple[SlotQuery, ...]]:
    """Return the parts and the viewer's fills of the audience's view."""
    parts: Parts = {
        "head": stage_head(stage_id, language=language),
        "views": stage_views(stage_id, "", language=language),
        "evenings": stage_evenings(stage_id, language=language),
        "ranking": stage_ranking(stage_id, number, order.value, language=language),
        "prizes": stage_prize_list(stage_id, language=language),
        "advancing": stage_advancing(stage_id, language=language),
        "words": stage_words(stage_id, language=language),
        "tally": stage_tally(stage_id, language=language),
    }
    own = stage_slots(stage_id=stage_id, number=number, order=order.value, language=language)
    covering = texts_slots(parts["words"], stage_id=stage_id)
    return parts, (own, piece_slots(stage_id=stage_id), covering)


def _jury(stage_id: int, query: Query, language: str) -> tuple[Parts, tuple[SlotQuery, ...]]:
    """Return the parts and the viewer's fills of the jury's view; `sort` orders the table, `juror` opens a column."""
    order = next((each for each in JuryOrder if each.value == query.get("sort")), JuryOrder.RANK).value
    juror_id = number_of(query, "juror", 0)
    parts: Parts = {
        "head": stage_head(stage_id, language=language),
        "views": stage_views(stage_id, VIEW, language=language),
        "nearest": nearest_juror(stage_id, language=language),
        "jury": stage_jury(stage_id, order, juror_id, language=language),
        "beside": jury_audience(stage_id, language=language),
    }
    return parts, (beside_slots(stage_id=stage_id, order=order, juror_id=juror_id, language=language),)


def _rows(stage_id: int, name: str) -> Rows:
    """Return the row of the stage with this appearance's id, untrusted input; none for any other text."""
    if not (name.isascii() and name.isdigit() and len(name) <= ID_DIGITS):
        return ()
    found = appearance_places(appearance_ids=[int(name)])
    return tuple((pk, place.participant_id) for pk, place in found.items() if place.stage_id == stage_id)


def _panels(rows: Rows, stage_id: int, language: str) -> Parts:
    return {f"panel:{row[0]}": _panel(row, stage_id, language) for row in rows}


def _panel(row: Row, stage_id: int, language: str) -> Ref:
    return stage_performance(*row, stage_id, language=language)


@component
def jury_page(page: Page) -> VdomDict:
    """Render the head and the jury's view."""
    return main(*(shared_part(ref) for ref in page.parts.values()))


@component
def stage_page(page: Page) -> VdomDict:
    """Render the head, the line of sessions, the table, the prizes, who advances, and how it is counted."""
    data: StagePageData = page.data
    shown = {name: shared_part(ref) for name, ref in page.parts.items() if not name.startswith("panel:")}
    asks = data.has_sessions and not use_viewer().is_signed_in
    sign_in = _sign_in(stage_address(data.stage_id, data.order), page.language) if asks else None
    rows, events = _use_open_rows(page)
    return main(
        shown["head"],
        shown["views"],
        shown["evenings"],
        shown["ranking"],
        sign_in,
        shown["prizes"],
        shown["advancing"],
        shown["words"],
        shown["tally"],
        page_events(events),
        _open_panels(rows, data, page.language),
    )


def _use_open_rows(page: Page) -> tuple[Rows, dict[str, Callable[[str], Awaitable[None]]]]:
    """Return the viewer's unfolded rows, and the handler that unfolds and folds them."""
    data: StagePageData = page.data
    rows, change = use_opened_rows(page, data.rows)

    async def on_open(argument: str) -> None:
        if named := await in_thread(lambda: _rows(data.stage_id, argument)):
            change(partial(toggled, row=named[0]))

    return rows, {OPEN: on_open}


def _open_panels(rows: Rows, data: StagePageData, language: str) -> VdomDict:
    """Return the fills of the slots of unfolded rows; `load` lists the parts of those that the address unfolds."""
    fills: dict[str, Fill] = {f"{ROW}:{appearance_id}": EXPANDED for appearance_id, _ in rows}
    for row in rows:
        if row in data.rows:
            fills[f"{PANEL}:{row[0]}"] = fill({"hidden": False}, part=_panel(row, data.stage_id, language).key)
    panels = (
        key(f"panel-{row[0]}", part_in_slot(f"{PANEL}:{row[0]}", _panel(row, data.stage_id, language)))
        for row in rows
        if row not in data.rows
    )
    return html.div(*panels, fill_slots(fills))


@cached_markup
def _sign_in(back: str, language: str) -> VdomDict:
    t, to = texts(language), "/login?" + urlencode({"next": back})
    words = t("Sign in to see your own marks here.")
    return html.div(
        {"class": "sheet"}, html.p({"class": "body small muted standing__in"}, words, " ", link(to, t("Log in")))
    )
