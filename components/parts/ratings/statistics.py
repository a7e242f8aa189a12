"""Figures of the audience's marks: of a performance, for viewers who do not rate it, and of a participant.

The figures are parts inside slots, which are covered for members who have not marked yet (`covering.py`).
"""

from apps.competition.selectors.public.participants import SessionAppearance
from apps.core.texts import Texts, texts
from apps.ratings.selectors.statistics import Figures, PerformanceFigures, participant_figures
from components.parts.ratings.covering import TOGETHER, figures_slot, show_button
from components.parts.ratings.rating_form import EVERY, performance_topics, performances_read, piece_watch
from components.runtime import Markup, VdomDict, html, public_part, read_once, read_together, shared_part, slot
from components.ui.empty_states import no_marks
from components.ui.marks import figure
from components.ui.pieces import piece_link


@public_part(topics=performance_topics, every=EVERY, together=performances_read)
def performance_heard_figures(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The distributions of the marks of each piece of a performance, and of the whole."""
    t, known = texts(language), read_together(performances_read, appearance_id)
    if known is None or not known[0].appearance.has_begun:
        return html.div({"hidden": True})
    found, figures = known
    heading = html.h3({"class": "performance__heading"}, t("How the audience heard it"))
    if not figures.overall.count and not figures.all_pieces.count:
        return html.div(heading, no_marks(t("No ratings available yet.")))
    how = t("Each string is as long as its mark was given often. Brass key: the average.")
    return html.div(
        heading, html.p({"class": "small muted"}, how), html.div({"class": "audience"}, *_all(found, figures, language))
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


def _all(found: SessionAppearance, figures: PerformanceFigures, language: str) -> list[Markup]:
    t, appearance = texts(language), found.appearance
    lines = {line.piece.id: line for line in appearance.program}  # a piece that is played twice has one figure
    shown: list[Markup] = [
        _figure(
            f"{appearance.id}-{pk}",
            piece_link(line.piece, language=language),
            figures.piece(pk),
            t,
            piece_watch(line, found, language),
        )
        for pk, line in lines.items()
    ]
    return [*shown, _figure(f"{appearance.id}-whole", _work(t("The whole performance")), figures.overall, t)]


def _topics(participant_id: int) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"participant.{participant_id}.ratings")


@public_part(topics=_topics, every=EVERY)
def participant_figures_together(participant_id: int, *, language: str) -> VdomDict:
    """The distributions of the marks of all performances of a participant."""
    t, figures = texts(language), read_once(participant_figures, participant_id=participant_id)
    return html.div(
        {"class": "audience"},
        _figure("pieces", _work(t("All pieces")), figures.pieces, t),
        _figure("whole", _work(t("All performances")), figures.overall, t),
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
        {"class": "sheet sheet--ruled together"},
        html.div({"class": "hang"}, html.h2(t("All together"))),
        html.div(
            {"class": "body"},
            html.div(slot(TOGETHER, participant_id), inside),
            html.p({"class": "small together__count"}, marks),
        ),
    )


def _work(words: str) -> VdomDict:
    return html.span({"class": "work"}, html.b(words))


def _figure(name: str, heading: Markup, figures: Figures, t: Texts, way: Markup = None) -> VdomDict:
    often = figures.distribution
    given = ", ".join(f"{mark}: {times}" for mark, times in enumerate(often, start=1) if times)
    return figure(
        name,
        heading,
        often,
        figures.mean,
        average=t("average"),
        count=t.plural("%(n)d rating", "%(n)d ratings", figures.count),
        spread=t("How often each mark was given: {marks}").format(marks=given) if given else "",
        way=way,
    )
