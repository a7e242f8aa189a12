"""Figures of the audience's marks: of a performance, for viewers who do not rate it, and of a participant.

The figures are parts inside slots, which are covered for members who have not marked yet (`covering.py`).
"""

from apps.competition.selectors.public.participants import ProgramLine, SessionAppearance
from apps.core.texts import Texts, texts
from apps.ratings.limits import PERFORMANCE_HIGHEST
from apps.ratings.selectors.statistics import Figures, PerformanceFigures, participant_figures
from components.parts.ratings.covering import TOGETHER, figures_slot, show_button
from components.parts.ratings.rating_form import EVERY, performance_topics, performances_read, piece_watch
from components.runtime import Markup, VdomDict, html, public_part, read_once, read_together, shared_part, slot
from components.ui.marks import KEYS, average, figure
from components.ui.pieces import others_link, work


@public_part(topics=performance_topics, every=EVERY, together=performances_read)
def performance_heard_figures(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The distributions of the marks of each piece of a performance, and of the whole."""
    t, known = texts(language), read_together(performances_read, appearance_id)
    if known is None or not known[0].appearance.has_begun:
        return html.div({"hidden": True})
    found, figures = known
    how = t("No ratings available yet.")
    if figures.overall.count or figures.all_pieces.count:
        how = t("The longer the string, the more often this mark was given. Brass key: the average.")
    whole = _figure(f"{appearance_id}-whole", _work(t("The whole performance")), figures.overall, t)
    return html.div(
        html.h3({"class": "performance__heading"}, t("How the audience heard it")),
        html.p({"class": "small muted heard__how"}, how),
        html.ol({"class": "heard__items"}, *_items(found, figures, language)),
        html.div({"class": "audience"}, whole),
    )


@public_part(topics=lambda *_: ())  # it never changes; its inner part does
def performance_heard(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """What the audience heard in a performance, and the button for an anonymous visitor who has folded it."""
    t, ref = texts(language), performance_heard_figures(appearance_id, participant_id, language=language)
    show = show_button(appearance_id, t("The whole performance"), t, t("Show the audience’s"))
    return html.div(
        {"class": "heard"},
        html.div(figures_slot(appearance_id), shared_part(ref)),
        html.p({"class": "small unfold", "hidden": True}, show),
    )


def _items(found: SessionAppearance, figures: PerformanceFigures, language: str) -> list[Markup]:
    """Return a line for each item, which opens to its figure: one at a time, at first that of the first item."""
    t, appearance = texts(language), found.appearance
    lines = {line.piece.id: line for line in appearance.program}  # a piece that is played twice has one figure
    return [
        html.li(
            {"key": f"{appearance.id}-{pk}"},
            html.details(
                {"name": f"heard-{appearance.id}"} | ({"open": True} if number == 1 else {}),
                html.summary(
                    html.span({"class": "nr"}, str(number)),
                    work(line.piece, language=language),
                    average(figures.piece(pk).mean, t("average")),
                ),
                _item(line, found, figures.piece(pk), language),
            ),
        )
        for number, (pk, line) in enumerate(lines.items(), start=1)
    ]


def _item(line: ProgramLine, found: SessionAppearance, figures: Figures, language: str) -> VdomDict:
    """Return the figure of an item, with the links that play it and lead to its piece."""
    t, name = texts(language), f"{found.appearance.id}-{line.piece.id}"
    ways = html.p(
        {"class": "small heard__ways"},
        others_link(line.piece, language=language),
        piece_watch(line, found, language),
    )
    return html.div({"class": "audience"}, _figure(name, None, figures, t), ways)


def _topics(participant_id: int) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"participant.{participant_id}.ratings")


@public_part(topics=_topics, every=EVERY)
def participant_figures_together(participant_id: int, *, language: str) -> VdomDict:
    """The distributions of the marks of all performances of a participant."""
    t, figures = texts(language), read_once(participant_figures, participant_id=participant_id)
    return html.div(
        {"class": "audience"},
        _figure("pieces", _work(t("All pieces")), figures.pieces, t, of=t("of {n}").format(n=KEYS)),
        _figure(
            "whole", _work(t("All performances")), figures.overall, t, of=t("of {n}").format(n=PERFORMANCE_HIGHEST)
        ),
    )


@public_part(topics=_topics, every=EVERY)
def participant_together(participant_id: int, *, language: str) -> VdomDict:
    """The combined figures of all performances of a participant; covered, their number of marks."""
    t, figures = texts(language), read_once(participant_figures, participant_id=participant_id)
    if not figures.overall.count and not figures.pieces.count:
        return html.div({"hidden": True})
    inside = shared_part(participant_figures_together(participant_id, language=language))
    marks = t.plural("%(n)d mark", "%(n)d marks", figures.pieces.count)
    return html.section(
        {"class": "sheet sheet--next together"},
        html.div({"class": "hang"}, html.h2(t("All together"))),
        html.div(
            {"class": "body"},
            html.div(slot(TOGETHER, participant_id), inside),
            html.p({"class": "small together__count"}, marks),
        ),
    )


def _work(words: str) -> VdomDict:
    return html.span({"class": "work"}, html.b(words))


def _figure(name: str, heading: Markup, figures: Figures, t: Texts, *, of: str = "") -> VdomDict:
    """Return a distribution; without a heading the line above it has its average."""
    often = figures.distribution
    given = ", ".join(f"{mark}: {times}" for mark, times in enumerate(often, start=1) if times)
    return figure(
        name,
        heading,
        often,
        figures.mean,
        average_words=t("average"),
        of=of,
        count=t.plural("%(n)d mark", "%(n)d marks", figures.count),
        spread=t("How often each mark was given: {marks}").format(marks=given) if given else "",
    )
