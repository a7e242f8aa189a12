"""The rows of a stage's table: one line for each performance, and below it the place of what unfolds."""

from dataclasses import dataclass

from apps.core.texts import Texts, texts
from apps.ranking.enums import TableOrder
from apps.ranking.selectors.results import RankedPerformance
from apps.ratings.selectors.counts import RecommendationCounts
from components.parts.rank_words import few_words, percent, range_words, rank_sign, score_range_words
from components.parts.ratings.covering import show_button
from components.parts.ratings.rating_form import keys_address
from components.parts.session import OPEN, PANEL, ROW
from components.runtime import Markup, VdomDict, cached_markup, html, page_event, slot
from components.ui.blocks import visually_hidden
from components.ui.frames import HARD
from components.ui.marks import sign_slot

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


def performance_rows(row: TableRow, language: str) -> tuple[VdomDict, VdomDict]:
    """Return the row of a performance and the one below it, which is empty until it unfolds."""
    pk = row.performance.appearance.id
    inside = html.td({"colSpan": COLUMNS, "hidden": True} | slot(PANEL, pk))
    return _row(row, language), html.tr({"key": f"inside-{pk}", "class": "rank__inside"}, inside)


@cached_markup
def _row(row: TableRow, language: str) -> VdomDict:
    t, each, group = texts(language), row.performance, row.group
    appearance = each.appearance
    name = f"appearance-{appearance.id}"
    to = {"class": "rank__open", "href": stage_address(row.stage_id, row.order, appearance.id), "data-stay": ""}
    opens = to | {"aria-expanded": "false"} | page_event(OPEN, appearance.id) | slot(ROW, appearance.id)
    person = html.a(opens, html.span({"class": "person__name"}, appearance.name))
    goes = (" ", html.span({"class": "rank__goes"}, t("advances"))) if row.advances else ()
    look = {} if group == RANKED else {"class": "is-few is-to-come" if group == TO_COME else "is-few"}
    return html.tr(
        {"key": name, "id": name} | look,
        html.td({"class": "rank__nr"}, _number(each, group, row.order, t)),
        html.th({"scope": "row", "class": "rank__who"}, person, *goes),
        *_figures(row, t),
        _cell("you", *_own(each, group, row.label, t)),
        _cell("state", sign_slot(appearance.id) if group != TO_COME else None),
    )


def _cell(name: str, *inside: Markup) -> VdomDict:
    return html.td({"class": f"rank__{name}"}, *inside)


def _number(each: RankedPerformance, group: str, order: TableOrder, t: Texts) -> VdomDict:
    """Return the number in the session or the rank; without a rank a sign, with words for screen readers."""
    if order is TableOrder.RUNNING:
        return html.b(str(each.appearance.order_number))
    if group == RANKED:
        return html.b(rank_sign(each.place, t))
    return html.b(html.span({"aria-hidden": "true"}, NOTHING), visually_hidden(t("no rank")))


def _figures(row: TableRow, t: Texts) -> tuple[VdomDict, ...]:
    """Return the cells of score, its likely rank or range, raters and recommendations, or the one in their place."""
    each = row.performance
    match row.group:
        case "ranked":
            return _ranked(each, t, is_among=row.is_among)
        case "covered":
            return (_beside(*_covered(each, t)),)
        case "to_come":
            is_grouped = row.order is TableOrder.RUNNING  # by sessions; the ranking has a heading for those to come
            return (_beside(t("To come") if is_grouped else each.appearance.session_title),)
    return (_beside(few_words(each.place, t)),)


def _beside(*words: Markup) -> VdomDict:
    return html.td({"class": "rank__few", "colSpan": 4}, *words)


def _ranked(each: RankedPerformance, t: Texts, *, is_among: bool) -> tuple[VdomDict, ...]:
    place = each.place
    return (
        _cell("score", html.b(str(place.score))),
        _cell("range", score_range_words(place, t) if is_among else range_words(place, t)),
        _cell("n", html.span(f"{t('raters')} "), f"{place.raters:,}"),
        _cell("yes", *_share(each.recommendations, t)),
    )


def _covered(each: RankedPerformance, t: Texts) -> tuple[Markup, ...]:
    """Return that the figures are covered, and the button that shows them."""
    state = html.span(slot(COVERED_STATE, each.appearance.id), t("covered"))
    return state, html.span({"class": "rank__show"}, " · ", show_button(each.appearance.id, each.appearance.name, t))


def _own(each: RankedPerformance, group: str, label: str, t: Texts) -> tuple[VdomDict, ...]:
    """Return the slot of the viewer's mark, and the link to rate, which is shown until there is a mark."""
    appearance = each.appearance
    if group == TO_COME:
        return ()
    way = {"class": "link", "href": keys_address(appearance.session_id, appearance.id)} | slot(OWN_WAY, appearance.id)
    if group == COVERED:
        asked = html.span(slot(OWN_ASK, appearance.id), t("Rate"))
        return (html.a(way, asked, visually_hidden(f" {label}")),)
    return (
        html.b({"hidden": True} | slot(OWN_MARK, appearance.id)),
        html.a(way | {"aria-label": t("Rate {name}").format(name=label)}, t("rate")),
    )


def _share(counts: RecommendationCounts, t: Texts) -> tuple[Markup, ...]:
    """Return the share of recommendations for advancing the performer."""
    label, count = html.span(f"{t('send on')} "), counts.up + counts.down
    return (label, f"{percent(counts.up, count)}{HARD}%") if count else (label, NOTHING)
