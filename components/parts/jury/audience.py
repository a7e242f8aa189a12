"""The audience beside the jury on a stage's page: both ranks as a plot and a table, and where they differ most.

The comparison is inside a slot. A member from whom figures of the stage are covered gets a part of their own in its
place, about the performances whose figures the member sees (ADR 26).
"""

from collections.abc import Mapping, Sequence

from apps.core.texts import Texts, texts
from apps.jury.audience import ComparedPerformance, Comparison, comparison_get
from apps.jury.comparison import Agreement
from apps.ranking.publication import performer_labels
from components.runtime import (
    Markup,
    Vdom,
    VdomDict,
    command_button,
    html,
    public_part,
    read_once,
    shared_part,
    slot,
)
from components.ui.blocks import link, nth
from components.ui.frames import HARD, section
from components.ui.numbers import MINUS, number_text

AUDIENCE = "jury_audience"  # the slot's name
NAME = "audience-and-jury"  # the section's id
SIDE, EDGE = 100, 3  # of the plot, in units of its drawing
RADIUS, SMALL, MANY = 1.5, 1.0, 40  # of a point; in a plot with many of them it is smaller
# sources of gettext
NO_RANKS = "The audience has no ranks of the jury’s performances yet."
COVERED_ONE = "{n} performance is covered until you have marked it; the comparison leaves it out."
COVERED_MORE = "{n} performances are covered until you have marked them; the comparison leaves them out."
TAU = "Kendall’s tau-b of the two orders is {tau}"
MEANING = "1 is the same order, 0 no relation, and {least} the opposite order."
HOW = (
    "Each point is a performance and leads to its performer. Further left: higher with the jury. Further up: higher "
    "with the audience. On the line both agree."
)
_Labels = Mapping[int, str]
_CIRCLE, _LINE, _RECT = Vdom("circle"), Vdom("line"), Vdom("rect")


def _topics(stage_id: int, *_: object) -> tuple[str, ...]:
    return (f"ranking.{stage_id}", f"jury.{stage_id}", "stages", "sessions", "live", "featured_participants")


@public_part(topics=_topics, outcome=True)
def jury_comparison(stage_id: int, *, language: str) -> VdomDict:
    """The comparison of all performances that both the jury and the audience rank."""
    return _comparison(read_once(comparison_get, stage_id=stage_id), language)


@public_part(topics=_topics, outcome=True)
def own_jury_comparison(stage_id: int, seen: str, *, language: str) -> VdomDict:
    """The same for members who see the figures of the appearances `seen` (ids, as "3-17") only."""
    comparison = read_once(comparison_get, stage_id=stage_id)
    ids = frozenset(int(pk) for pk in seen.split("-") if pk)
    return _comparison(comparison and comparison.as_seen(ids), language)


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def jury_audience(stage_id: int, *, language: str) -> VdomDict:
    """The comparison, in a slot that a member fills with one of the performances whose figures the member sees."""
    return html.div(slot(AUDIENCE, stage_id), shared_part(jury_comparison(stage_id, language=language)))


def _comparison(comparison: Comparison | None, language: str) -> VdomDict:
    """Return the section with the comparison; a hidden element without a published sheet."""
    if comparison is None:
        return html.div({"hidden": True})
    t, shown = texts(language), comparison.performances
    covered = _covered(comparison, t) if comparison.covered else None
    inside = _compared(comparison, language) if shown else [None if covered else html.p(t(NO_RANKS))]
    return section(
        t("Audience and jury"),
        html.div({"class": "body stack"}, covered, *inside),
        aside=html.p(t("Ranks by the scores of this stage alone")),
        name=NAME,
    )


def _compared(comparison: Comparison, language: str) -> list[Markup]:
    """Return the coefficient, the plot, the largest differences and the table."""
    t, shown = texts(language), comparison.performances
    labels = performer_labels(each.appearance for each in shown)
    return [
        _pairs(comparison, t),
        html.details(
            html.summary({"class": "link"}, t("How this is counted")),
            html.p({"class": "small muted"}, agreement_words(comparison.agreement, t)),
        ),
        _figure(shown, labels, language),
        html.div(
            {"class": "versus__ways"},
            _ways(t("Higher with the audience"), comparison.higher_with_audience, labels, t),
            _ways(t("Higher with the jury"), comparison.higher_with_jury, labels, t),
        ),
        _table(shown, labels, t),
    ]


def _pairs(comparison: Comparison, t: Texts) -> VdomDict:
    """Return how many pairs of performances the two put in the same order."""
    same, pairs = comparison.pairs
    if not pairs:
        return html.p(t("Two performances with different ranks are needed to compare the orders."))
    words = t.plural(
        "The audience and the jury put {same} of {n} pair of performances in the same order.",
        "The audience and the jury put {same} of {n} pairs of performances in the same order.",
        pairs,
    )
    return html.p(words.format(same=same, n=pairs))


def _covered(comparison: Comparison, t: Texts) -> VdomDict:
    """Return how many performances are left out, and the button that shows them."""
    show = command_button("stage_figures_show", comparison.stage_id, busy=t("Processing..."))
    words = t.plural(COVERED_ONE, COVERED_MORE, comparison.covered).format(n=comparison.covered)
    return html.p(
        {"class": "small muted", "data-answers": "", "key": "covered"},
        f"{words} ",
        html.button({"class": "link"} | show, t("Show all of this stage")),
        " ",
        html.span({"data-answer": "", "role": "status"}),
    )


def number(tau: float) -> str:
    """Return a coefficient with two decimals and the typographic minus sign; never a negative zero."""
    return number_text(tau, 2)


def agreement_words(found: Agreement, t: Texts) -> str:
    """Return tau-b with its interval in a sentence, and what its ends mean."""
    if found.tau is None:
        return t("Two performances with different ranks are needed to compare the orders.")
    words = t(TAU).format(tau=number(found.tau))
    if found.lowest is not None and found.highest is not None:
        between = t("nine times in ten between {lowest} and {highest}, had other performers played")
        words += ", " + between.format(lowest=number(found.lowest), highest=number(found.highest))
    count = t.plural("{n} performance", "{n} performances", found.count).format(n=found.count)
    return f"{words} ({count}). {t(MEANING).format(least=f'{MINUS}1')}"


def ranks_words(each: ComparedPerformance, t: Texts) -> str:
    """Return both ranks in words: "jury 3rd, audience 8th"."""
    words = t("jury {jury}, audience {audience}")
    return words.format(jury=nth(each.jury_rank, t), audience=nth(each.audience_rank, t))


def _figure(shown: Sequence[ComparedPerformance], labels: _Labels, language: str) -> VdomDict:
    """Return the plot: the jury's ranks to the right, the audience's downwards, the first ones at the top left."""
    t, count = texts(language), len(shown)
    points = (_point(each, labels[each.appearance.id], count, language) for each in shown)
    end = SIDE - EDGE
    frame = _RECT({"x": EDGE, "y": EDGE, "width": end - EDGE, "height": end - EDGE})
    diagonal = _LINE({"x1": EDGE, "y1": EDGE, "x2": end, "y2": end})
    name = t("The ranks of the jury and of the audience; the table below has the same numbers.")
    drawing = {"viewBox": f"0 0 {SIDE} {SIDE}", "role": "group", "aria-label": name}
    return html.figure(
        {"class": "versus__plot", "key": "plot"},
        html.p({"class": "small muted", "aria-hidden": "true"}, t("↑ Audience: 1st at the top")),
        html.svg(drawing, frame, diagonal, *points),
        html.p({"class": "small muted", "aria-hidden": "true"}, t("← Jury: 1st at the left")),
        html.figcaption({"class": "small muted"}, t(HOW)),
    )


def _point(each: ComparedPerformance, label: str, count: int, language: str) -> VdomDict:
    """Return a point of the plot; its title is the link's name, and shows under the pointer."""
    circle = {"cx": _across(each.jury_rank, count), "cy": _across(each.audience_rank, count)}
    circle["r"] = SMALL if count > MANY else RADIUS
    to = {"key": str(each.appearance.id), "href": f"/participants/{each.appearance.participant_id}"}
    return html.a(to, html.title(f"{label}: {ranks_words(each, texts(language))}"), _CIRCLE(circle))


def _across(rank: int, count: int) -> float:
    """Return the place of a rank on either axis, in units of the drawing."""
    return round(EDGE + (SIDE - 2 * EDGE) * (rank - 0.5) / count, 1)


def _ways(heading: str, found: Sequence[ComparedPerformance], labels: _Labels, t: Texts) -> Markup:
    """Return the largest differences one way; None without any."""
    if not found:
        return None
    return html.section(
        {"key": heading}, html.h3(heading), html.ol({"class": "lines"}, *(_way(each, labels, t) for each in found))
    )


def _way(each: ComparedPerformance, labels: _Labels, t: Texts) -> VdomDict:
    appearance, places = each.appearance, abs(each.difference)
    return html.li(
        {"key": f"differs-{appearance.id}"},
        html.span(
            {"class": "work"},
            link(f"/participants/{appearance.participant_id}", labels[appearance.id]),
            " ",
            html.small(ranks_words(each, t)),
        ),
        html.span({"class": "dots"}),
        html.span(t.plural("{n} place", "{n} places", places).format(n=places).replace(" ", HARD)),
    )


def _table(shown: Sequence[ComparedPerformance], labels: _Labels, t: Texts) -> VdomDict:
    """Return the plot as a table, folded."""
    names = t("Performer"), t("Jury"), t("Audience"), t("Difference")
    head = html.tr(*(html.th({"key": name, "scope": "col"}, name) for name in names))
    caption = html.caption({"class": "visually-hidden"}, t("The ranks of the jury and of the audience"))
    rows = (
        html.tr(
            {"key": str(each.appearance.id)},
            html.th(
                {"scope": "row"}, link(f"/participants/{each.appearance.participant_id}", labels[each.appearance.id])
            ),
            *(html.td(words) for words in (str(each.jury_rank), str(each.audience_rank), _signed(each.difference))),
        )
        for each in shown
    )
    note = t("Above zero: the audience ranks it higher.")
    return html.details(
        {"key": "table"},
        html.summary({"class": "link"}, t("All ranks as a table")),
        html.table({"class": "versus__table"}, caption, html.thead(head), html.tbody(*rows)),
        html.p({"class": "small muted"}, note),
    )


def _signed(difference: int) -> str:
    return f"{difference:+d}".replace("-", MINUS) if difference else "0"
