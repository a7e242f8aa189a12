"""The rows of a stage's table: one line for each performance, and below it the place of what unfolds."""

from dataclasses import dataclass

from apps.competition.selectors.public.stages import FieldAppearance
from apps.core.texts import Texts, texts
from apps.ranking.enums import TableOrder
from apps.ranking.selectors.results import RankedPerformance
from apps.ratings.selectors.counts import RecommendationCounts
from components.parts.ratings.covering import folds, show_button
from components.parts.ratings.rating_form import keys_address
from components.parts.sessions.session import OPEN, PANEL, ROW
from components.parts.stages.rank_words import (
    added_words,
    few_words,
    percent,
    range_words,
    rank_sign,
    score_range_words,
)
from components.runtime import Markup, VdomDict, cached_markup, html, page_event, slot
from components.ui.blocks import visually_hidden
from components.ui.frames import HARD
from components.ui.marks import sign_slot
from components.ui.people import with_names

RANKED, FEW, COVERED, TO_COME = "ranked", "few", "covered", "to_come"  # the groups of rows, in their order
OWN_MARK, OWN_WAY, OWN_ASK = "stage_mark", "stage_way", "stage_ask"  # the slots' names
COVERED_STATE = "stage_covered"
NOTHING = "–"
COLUMNS = 8


def stage_address(stage_id: int, order: TableOrder, opened: int | None = None) -> str:
    """Return the address of a stage's page in this order, with the row of the appearance `opened` unfolded."""
    query = [f"order={order.value}"] if order is not TableOrder.RANKING else []
    query += [] if opened is None else [f"open={opened}"]
    name = "" if opened is None else f"#appearance-{opened}"
    return f"/stages/{stage_id}{'?' if query else ''}{'&'.join(query)}{name}"


def group_of(each: RankedPerformance) -> str:
    """Return the group of a performance's row."""
    if each.is_to_come:
        return TO_COME
    if each.is_covered:
        return COVERED
    return RANKED if each.place.rank else FEW


@dataclass(frozen=True, slots=True)
class TableRow:
    """A performance as a row of the table; `label` is its name for screen readers.

    `is_among` is whether ranks are counted among the performances that a member sees: the score has a range then.
    """

    performance: RankedPerformance
    group: str
    label: str
    stage_id: int
    order: TableOrder
    advances: bool
    is_among: bool


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a row shows, and nothing else: a run changes figures of every performance that no row shows.

    `number` is empty without a rank, `figures` are the texts of the cells between name and mark, the likely ones after
    their name.
    """

    appearance: FieldAppearance
    group: str
    label: str
    stage_id: int
    order: TableOrder
    advances: bool
    closed_as: str
    number: str
    figures: tuple[str, ...]


def performance_rows(row: TableRow, language: str) -> tuple[VdomDict, VdomDict]:
    """Return the row of a performance and the one below it, which is empty until it unfolds."""
    t, each = texts(language), row.performance
    shown = _Shown(
        *(each.appearance, row.group, row.label, row.stage_id, row.order, row.advances, each.closed_as),
        number=_number(each, row.group, row.order, t),
        figures=_figures(row, t),
    )
    return _row(shown, language), _inside(each.appearance.id)


@cached_markup
def _inside(appearance_id: int) -> VdomDict:
    inside = html.td({"colSpan": COLUMNS, "hidden": True} | slot(PANEL, appearance_id))
    return html.tr({"key": f"inside-{appearance_id}", "class": "rank__inside"}, inside)


@cached_markup
def _row(row: _Shown, language: str) -> VdomDict:
    t, appearance, group = texts(language), row.appearance, row.group
    name = f"appearance-{appearance.id}"
    look = {} if group == RANKED else {"class": "is-few is-to-come" if group == TO_COME else "is-few"}
    return html.tr(
        {"key": name, "id": name} | look,
        html.td({"class": "rank__nr"} | folds(appearance.id), _number_cell(row.number, t)),
        _who(appearance, stage_address(row.stage_id, row.order, appearance.id), row.closed_as, row.advances, language),
        *_figure_cells(row, t),
        _own(appearance, group, row.label, language),
        _cell("state", sign_slot(appearance.id) if group != TO_COME else None),
    )


@cached_markup
def _who(appearance: FieldAppearance, address: str, closed_as: str, advances: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    t, to = texts(language), {"class": "rank__open", "href": address, "data-stay": ""}
    opens = to | {"aria-expanded": "false"} | page_event(OPEN, appearance.id) | slot(ROW, appearance.id)
    person = html.a(opens, html.span({"class": "person__name", "translate": "no"}, closed_as or appearance.name))
    now = (" ", html.small(*with_names(t("now {name}"), name=appearance.name))) if closed_as else ()
    goes = (" ", html.span({"class": "rank__goes"}, t("advances"))) if advances else ()
    return html.th({"scope": "row", "class": "rank__who"}, person, *now, *goes)


def _cell(name: str, *inside: Markup) -> VdomDict:
    return html.td({"class": f"rank__{name}"}, *inside)


def _number(each: RankedPerformance, group: str, order: TableOrder, t: Texts) -> str:
    """Return the number in the session or the rank; empty without a rank."""
    if order is TableOrder.RUNNING:
        return str(each.appearance.order_number)
    return rank_sign(each.place, t) if group == RANKED else ""


def _number_cell(number: str, t: Texts) -> VdomDict:
    """Return the number; without one a sign, with words for screen readers."""
    if number:
        return html.b(number)
    return html.b(html.span({"aria-hidden": "true"}, NOTHING), visually_hidden(t("no rank")))


def _figures(row: TableRow, t: Texts) -> tuple[str, ...]:
    """Return score, added marks, likely rank or range, raters and recommendations, or the one text in their place."""
    each, place = row.performance, row.performance.place
    match row.group:
        case "ranked":
            between = score_range_words(place, t) if row.is_among else range_words(place, t)
            likely = t("Likely score") if row.is_among else t("Likely rank")
            share = _share(each.recommendations, t)
            return str(place.score), added_words(place, t), likely, between, f"{place.raters:,}", share
        case "covered":
            return ()
        case "to_come":
            is_grouped = row.order is TableOrder.RUNNING  # by sessions; the ranking has a heading for those to come
            return (t("To come") if is_grouped else each.appearance.session_title,)
    return (few_words(place, t),)


def _figure_cells(row: _Shown, t: Texts) -> tuple[VdomDict, ...]:
    """Return the cells of these texts; a covered performance has one with the button that shows them."""
    if row.group != RANKED:
        words = _covered(row.appearance, t) if row.group == COVERED else row.figures
        return (html.td({"class": "rank__few", "colSpan": 4}, *words),)
    score, added, likely, between, raters, share = row.figures
    folded = folds(row.appearance.id)
    extra = html.div({"class": "rank__added"}, f" {added}") if added else None
    return (
        html.td({"class": "rank__score"} | folded, html.b(score), extra),
        html.td({"class": "rank__range"} | folded, html.span(f"{likely}: "), between),
        _cell("n", html.span(f"{t('Raters')}: "), raters),
        _cell("yes", html.span(f"{t('Would send on')}: "), share),
    )


def _covered(appearance: FieldAppearance, t: Texts) -> tuple[Markup, ...]:
    """Return that the figures are covered, and the button that shows them."""
    state = html.span(slot(COVERED_STATE, appearance.id), t("covered"))
    return state, html.span({"class": "rank__show"}, " · ", show_button(appearance.id, appearance.name, t))


@cached_markup
def _own(appearance: FieldAppearance, group: str, label: str, language: str) -> VdomDict:
    """Return the slot of the viewer's mark, and the link to rate, which is shown until there is a mark."""
    if group == TO_COME:
        return _cell("you")
    t, way = texts(language), {"class": "link", "href": keys_address(appearance.session_id, appearance.id)}
    way |= slot(OWN_WAY, appearance.id)
    if group == COVERED:
        asked = html.span(slot(OWN_ASK, appearance.id), t("Rate"))
        return _cell("you", html.a(way, asked, visually_hidden(f" {label}", has_name=True)))
    mark = html.b({"hidden": True} | slot(OWN_MARK, appearance.id))
    return _cell("you", mark, html.a(way | {"aria-label": t("Rate {name}").format(name=label)}, t("Rate")))


def _share(counts: RecommendationCounts, t: Texts) -> str:
    """Return the share of recommendations for advancing the performer, with the number of voters."""
    count = counts.up + counts.down
    share = f"{percent(counts.up, count) if count else 0}{HARD}%"
    return t("{share} of {n}").format(share=share, n=f"{count:,}") if count else NOTHING
