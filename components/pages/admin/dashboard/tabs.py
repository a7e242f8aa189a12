"""The tabs of the dashboard and of Tonight, with the numbers of what waits, kept current."""

from collections.abc import Mapping

from apps.community.enums import ReportKind
from apps.community.selectors.reports import report_counts
from apps.core.texts import Texts, texts
from apps.ranking.selectors import unusual_count
from apps.ratings.enums import RatingKind
from apps.ratings.selectors.counts import waiting_counts
from components.pages.admin.dashboard.query import TABS, Tab, dashboard_at
from components.runtime import Component, VdomDict, component, html, use_live_query
from components.ui.areas import DASHBOARD, TONIGHT
from components.ui.blocks import visually_hidden

Waiting = Mapping[RatingKind, int]
Open = Mapping[ReportKind, int]
TONIGHTS = (Tab.PIECES, Tab.PERFORMANCES, Tab.REPORTS, Tab.UNUSUAL)


@component
def dashboard_tabs(current: Tab, ratings: Waiting, texts_reported: Open, language: str) -> Component | VdomDict:
    """Render the dashboard's tabs."""
    t, counts = texts(language), _use_counts(ratings, texts_reported)
    links = (_tab(tab, words, counts.get(tab), t, current=current) for tab, words in _names(t).items())
    return html.nav({"class": "tabs tabs--all", "aria-label": t("Dashboard")}, *links)


@component
def tonight_tabs(  # noqa: PLR0917 - props
    current: Tab, ratings: Waiting, texts_reported: Open, unusual: int, stage_id: int, language: str
) -> Component | VdomDict:
    """Render the tabs of Tonight: those of the dashboard that moderate."""
    t, counts = texts(language), _use_counts(ratings, texts_reported)
    now = use_live_query(unusual_count, topics=(f"ranking.{stage_id}",), initial=unusual, stage_id=stage_id)
    names = _names(t) | {Tab.PIECES: t("Pieces"), Tab.PERFORMANCES: t("Performances"), Tab.UNUSUAL: t("Unusual")}
    numbers = {**counts, Tab.UNUSUAL: now}
    links = (_tab(tab, names[tab], numbers[tab], t, current=current, path=TONIGHT) for tab in TONIGHTS)
    return html.nav({"class": "tabs tabs--all tonight__tabs", "aria-label": t("What waits")}, *links)


def _use_counts(ratings: Waiting, texts_reported: Open) -> Mapping[Tab, int]:
    """Return the numbers of waiting ratings and reported texts by tab, kept current."""
    waiting = use_live_query(waiting_counts, topics=("ratings.waiting",), initial=ratings)
    reported = use_live_query(report_counts, topics=("reports",), initial=texts_reported)
    return {**{TABS[kind]: count for kind, count in waiting.items()}, Tab.REPORTS: sum(reported.values())}


def _names(t: Texts) -> dict[Tab, str]:
    return {
        Tab.PIECES: t("Piece Ratings"),
        Tab.PERFORMANCES: t("Performance Ratings"),
        Tab.REPORTS: t("Reports"),
        Tab.UNUSUAL: t("Unusual marks"),
        Tab.LIVE: t("Live Sessions"),
        Tab.AVATARS: t("Default Avatars"),
        Tab.AUDIT: t("Audit"),
        Tab.ERRORS: t("Errors"),
    }


def _tab(tab: Tab, words: str, count: int | None, t: Texts, *, current: Tab, path: str = DASHBOARD) -> VdomDict:
    own = {"key": tab.value, "href": dashboard_at(path, tab="" if tab == Tab.PIECES else tab.value)}
    if tab == current:
        own["aria-current"] = "page"
    return html.a(own, words, *([" ", _count(tab, count, t)] if count is not None else []))


def _count(tab: Tab, count: int, t: Texts) -> VdomDict:
    """Return the number, for screen readers with what it counts."""
    match tab:
        case Tab.REPORTS:
            words = t.plural(" text waiting", " texts waiting", count)
        case Tab.UNUSUAL:
            words = t.plural(" unusual account", " unusual accounts", count)
        case _:
            words = t.plural(" rating waiting", " ratings waiting", count)
    return html.span({"class": "count"}, str(count), visually_hidden(words))
