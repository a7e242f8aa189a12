"""The table of a stage, as running order or as ranking, for all viewers or for members who cover some figures.

The table is inside a slot. A member who does not see all figures of the stage gets a part of their own in its place,
which members who see the same figures share.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from apps.competition.selectors.public.stages import advancing_ids
from apps.core.texts import Texts, texts
from apps.ranking.enums import TableOrder
from apps.ranking.publication import performer_labels
from apps.ranking.selectors import ranking_get
from apps.ranking.selectors.results import RankedPerformance, Ranking
from components.parts.stages.ranking_rows import (
    COLUMNS,
    COVERED,
    FEW,
    RANKED,
    TO_COME,
    TableRow,
    group_of,
    performance_rows,
    stage_address,
)
from components.runtime import Markup, VdomDict, command_button, html, public_part, read_once, slot
from components.ui.blocks import link, paging
from components.ui.empty_states import empty

STATE_HEAD = "stage_state"  # the slot's name: the head of the column with the signs, for members
# sources of gettext
CONDITION = "Performances are ranked once ten listeners who marked three each have marked them."
NO_RANKING = "No ranking yet. Performances are ranked once ten listeners who marked three each have marked them."
NO_PERFORMER = "No performer of this stage is known."
ALONE = "A single performance has a score, and no other beside it."
NOT_RANKED = "A single performance is not ranked: a mark counts once its listener has marked three of the stage."
# Topics besides the ranking: names, sessions, performers and recommendations change between two runs.
FURTHER_TOPICS = ("live", "stages", "sessions", "featured_participants", "clock.minute")


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *FURTHER_TOPICS), outcome=True)
def ranking_table(stage_id: int, number: int, order: str, *, language: str) -> VdomDict:
    """A page of the stage's performances in the `order` of TableOrder."""
    ranking = read_once(ranking_get, stage_id=stage_id)
    return _table_section(ranking, stage_id, number, TableOrder(order), language)


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}", *FURTHER_TOPICS), outcome=True)
def own_ranking(stage_id: int, number: int, order: str, seen: str, *, language: str) -> VdomDict:
    """The same for members who see the figures of the performances `seen` (ids, as "3-17") only.

    By rank, all others follow in the order of playing.
    """
    ids = frozenset(int(pk) for pk in seen.split("-") if pk)
    ranking = read_once(ranking_get, stage_id=stage_id)  # the parts of all members share this read of a run
    return _table_section(ranking.as_seen(ids), stage_id, number, TableOrder(order), language)


def _table_section(ranking: Ranking, stage_id: int, number: int, order: TableOrder, language: str) -> VdomDict:
    t, page = texts(language), ranking.page(number, order)
    if not page.rows:
        return html.section(
            {"class": "sheet sheet--ruled"},
            html.div({"class": "hang"}, html.h2(t("Performances"))),
            html.div({"class": "body"}, empty(t(NO_PERFORMER))),
        )
    query = {} if order is TableOrder.RANKING else {"order": order.value}
    played = sum(each.appearance.has_begun for each in ranking.performances)
    return html.section(
        {"class": "sheet standing__table", "data-answers": ""},
        html.div(
            {"class": "hang"},
            html.h2(t("Performances")),
            html.p(t.plural("{n} has played.", "{n} have played.", played).format(n=played)) if played else None,
        ),
        html.div(
            {"class": "body"},
            *(_covering(ranking, stage_id, t) if ranking.is_partly_covered else ()),
            _switch(stage_id, order, t),
            *_tables(ranking, page.rows, stage_id, order, language),
            _alone(ranking, t),
            paging(page.number, page.pages, path=f"/stages/{stage_id}", query=query, language=language),
        ),
    )


def _alone(ranking: Ranking, t: Texts) -> Markup:
    """Return whether the stage's only performance has a score; None for one that is covered, and beside others."""
    if len(ranking.performances) != 1 or ranking.to_come or ranking.is_partly_covered:
        return None
    [only] = ranking.performances
    return html.p({"class": "small muted"}, t(NOT_RANKED if only.place.score is None else ALONE))


def _covering(ranking: Ranking, stage_id: int, t: Texts) -> tuple[VdomDict, ...]:
    """Return how many performances are covered, the button that shows all and what it shows, and the answer's place."""
    covered = sum(each.is_covered for each in ranking.performances)
    words = t.plural(
        "{n} performance is covered until you have marked it.",
        "{n} performances are covered until you have marked them.",
        covered,
    ).format(n=covered)
    count = sum(each.place.rank is not None for each in ranking.performances)
    among = t.plural(
        "Ranks are counted among the {n} performance whose marks you see.",
        "Ranks are counted among the {n} performances whose marks you see.",
        count,
    ).format(n=count)
    show = {"class": "button button--plain button--small"}
    show |= command_button("stage_figures_show", stage_id, busy=t("Processing..."))
    shows = t("“Show all” shows their scores and ranks, and the marks of all pieces.")
    return (
        html.div(
            {"class": "small rank__all"},
            html.p(words, " ", shows, " ", link("/profile#ears", t("Change this")), " ", among if count else None),
            html.button(show, t("Show all")),
            html.p({"data-answer": "", "role": "status"}),
        ),
    )


def _switch(stage_id: int, order: TableOrder, t: Texts) -> VdomDict:
    """Return the links to the two orders of the table."""
    names = {TableOrder.RUNNING: t("Running order"), TableOrder.RANKING: t("Ranking")}
    ways = (
        html.a(
            {"key": which.value, "href": stage_address(stage_id, which), "data-stay": ""}
            | ({"aria-current": "true"} if which is order else {}),
            words,
        )
        for which, words in names.items()
    )
    return html.nav({"class": "switch", "aria-label": t("Order of the table")}, *ways)


def _tables(
    ranking: Ranking, shown: Sequence[RankedPerformance], stage_id: int, order: TableOrder, language: str
) -> Iterator[VdomDict]:
    """Yield the table; by rank another one with the performances to come, folded once one has played."""
    t = texts(language)
    labels = performer_labels(each.appearance for each in shown)
    advancing, is_among = read_once(advancing_ids, stage_id=stage_id), ranking.is_partly_covered

    def table(caption: str, bodies: Bodies) -> VdomDict:
        return html.table(
            {"class": "rank"},
            html.caption({"class": "visually-hidden"}, caption),
            html.thead(_heads(order, t, is_among=is_among)),
            *(
                html.tbody({"key": name}, _group_heading(heading) if heading else None, *rows(some))
                for name, heading, some in bodies
            ),
        )

    def rows(some: Sequence[RankedPerformance]) -> Iterator[VdomDict]:
        for each in some:
            appearance = each.appearance
            label, advances = labels[appearance.id], appearance.participant_id in advancing
            row = TableRow(each, group_of(each), label, stage_id, order, advances, is_among)
            yield from performance_rows(row, language)

    if order is TableOrder.RUNNING:
        yield table(t("The performances in the order of playing"), _sessions(shown))
        return
    begun = [each for each in shown if not each.is_to_come]
    to_come = [each for each in shown if each.is_to_come]
    if begun:
        yield table(t("Audience ranking, by rank"), _groups(begun, t, has_ranks=ranking.has_ranks))
    if to_come:
        heading = html.summary({"class": "link"}, t("{n} to come").format(n=len(to_come)))
        fold = {"key": "to-come", "class": "rank__fold"} | ({} if begun else {"open": True})
        yield html.details(fold, heading, table(t("To come"), [(TO_COME, None, to_come)]))


Bodies = list[tuple[str, Markup, Sequence[RankedPerformance]]]  # key, heading and rows


def _groups(shown: Sequence[RankedPerformance], t: Texts, *, has_ranks: bool) -> Bodies:
    found = {name: tuple(some) for name, some in groupby(shown, key=group_of)}
    headings = {
        FEW: t(CONDITION if has_ranks else NO_RANKING),
        COVERED: t("Covered, in the order of playing"),
    }
    is_named = not has_ranks and (FEW in found or COVERED in found)
    names = [name for name in headings if name in found or (name == FEW and is_named)]
    ranked: Bodies = [(RANKED, None, found.get(RANKED, ()))]
    return ranked + [(name, headings[name], found.get(name, ())) for name in names]


def _sessions(shown: Sequence[RankedPerformance]) -> Bodies:
    bodies: Bodies = []
    for (session_id, title), some in groupby(shown, key=_session):
        bodies.append((f"session-{session_id}", html.a({"href": f"/sessions/{session_id}"}, title), tuple(some)))
    return bodies


def _session(each: RankedPerformance) -> tuple[int, str]:
    return each.appearance.session_id, each.appearance.session_title


def _group_heading(words: Markup) -> VdomDict:
    heading = html.th({"scope": "rowgroup", "colSpan": COLUMNS, "class": "rank__group"}, words)
    return html.tr({"key": "group"}, heading)


def _heads(order: TableOrder, t: Texts, *, is_among: bool) -> VdomDict:
    head = {"scope": "col"}
    names = {
        "nr": t("Number") if order is TableOrder.RUNNING else t("Rank"),
        "who": t("Performer"),
        "score": t("Audience"),
        "range": t("Likely score") if is_among else t("Likely rank"),
        "n": t("Raters"),
        "yes": t("Would send on"),
        "you": t("You"),
    }
    state = html.span({"hidden": True} | slot(STATE_HEAD, "head"), t("State of your marks"))
    return html.tr(
        *(html.th(head | {"class": f"rank__{name}"}, html.span(words)) for name, words in names.items()),
        html.th(head | {"class": "rank__state"}, state),
    )
