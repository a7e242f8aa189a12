"""The audience's marks of one performance: the numbers of a line, and a distribution that grows with new marks.

The figures are parts of their own, inside slots that are covered for a member who has not marked the performance yet
(`covering.py`): neither the member's pages nor frames contain them. The number of marks and the member's own mean are
in the parts around them, which everybody gets.
"""

from collections.abc import Callable, Mapping

from apps.core.texts import Texts, texts
from apps.ranking.own_states import OwnState
from apps.ranking.selectors.figures import AudienceFigure, Basis, audience_figure, audience_figures
from apps.ratings.selectors.statistics import Figures, PerformanceFigures
from components.parts.ratings.covering import figures_slot, show_button
from components.runtime import (
    Fill,
    Markup,
    Ref,
    VdomDict,
    covered_by,
    html,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.marks import KEYS, heard_keys, string_lengths, strings

MEANS, OWN_MEAN = "means", "own_mean"  # the slots' names
BESIDE = "beside"  # the audience's figure beside the viewer's mark: of the same pieces if only some are marked
EVERY = 1 / 3  # seconds between two reads
TIED = 3  # the most equally frequent marks that are listed
OFTEN = 5  # a mark is frequent if it is at least one in so many marks


def _figures_read(appearance_ids: tuple[int, ...]) -> Mapping[int, PerformanceFigures]:
    """Return the figures of these performances, by appearance. One query."""
    return read_once(audience_figures, appearance_ids=appearance_ids)


def _topics(appearance_id: int, *_others: str) -> tuple[str, ...]:
    return (f"session_participant.{appearance_id}.ratings",)


def _waiting_topics(appearance_id: int, *_others: str) -> tuple[str, ...]:
    return (*_topics(appearance_id), f"session_participant.{appearance_id}.waiting")


@public_part(
    topics=lambda appearance_id, stage_id: (*_topics(appearance_id), f"ranking.{stage_id}"),
    every=EVERY,
    together=_figures_read,
)
def performance_mean(appearance_id: int, stage_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The audience's figure: the ranking's score, and before that the mean so far."""
    return _figure(audience_figure(_figures(appearance_id)), texts(language))


@public_part(topics=_topics, every=EVERY, together=_figures_read)
def performance_same(appearance_id: int, pieces: str, *, language: str) -> VdomDict:
    """The audience's mean of some pieces (ids, as "3-17"): of those that a member has marked."""
    same = [int(pk) for pk in pieces.split("-")]
    return _figure(audience_figure(_figures(appearance_id), same), texts(language))


def same_fill(appearance_id: int, own: OwnState, language: str) -> dict[str, Fill]:
    """Return the fill that shows the audience's mean of the same pieces beside a member's marks of some pieces."""
    if own.is_covered or not own.some_pieces:
        return {}
    part = performance_same(appearance_id, "-".join(map(str, sorted(own.some_pieces))), language=language)
    return {f"{BESIDE}:{appearance_id}": covered_by(part)}


def _figure(figure: AudienceFigure, t: Texts) -> VdomDict:
    """Return the figure with its name: beside a heading "Audience" only what differs from the score is seen."""
    label = html.span({"class": "order__label"}, f"{t('audience')} ")
    if figure.value is None:
        return html.span(label, "–")
    return html.span(label, str(figure.value), basis_note(figure, t))


def basis_words(figure: AudienceFigure, t: Texts) -> str:
    """Return what a figure is called beside its number; empty for a score, and without a figure."""
    if figure.value is None or figure.basis is Basis.SCORE:
        return ""
    return t("so far") if figure.basis is Basis.SO_FAR else t("of the same pieces")


def basis_note(figure: AudienceFigure, t: Texts) -> Markup:
    """Return `basis_words` as they stand below a number; None if they are empty."""
    return html.small({"class": "basis"}, f" {words}") if (words := basis_words(figure, t)) else None


@public_part(topics=_topics, every=EVERY, together=_figures_read)
def performance_means(appearance_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The figures of the audience and of the viewer, at the end of a performance's line."""
    t = texts(language)
    audience = shared_part(performance_mean(appearance_id, stage_id, language=language))
    return html.span(
        {"class": "order__means"} | slot(MEANS, appearance_id),
        html.span({"class": "blind"} | figures_slot(appearance_id), html.span(slot(BESIDE, appearance_id), audience)),
        html.span({"class": "order__few"}, _count(_pieces(appearance_id), t)),
        html.b(html.span({"class": "order__label"}, f"{t('you')} "), html.span(slot(OWN_MEAN, appearance_id))),
        html.span({"class": "order__ask"}, t("rate")),
    )


def _part(part: Callable[..., Ref], appearance_id: int, language: str) -> VdomDict:
    return shared_part(part(appearance_id, language=language))


@public_part(topics=_waiting_topics, every=EVERY, together=_figures_read)
def performance_distribution(appearance_id: int, *, language: str) -> VdomDict:
    """The strings over the keyboard, and the most frequent marks; without marks, how many ratings wait."""
    t, figures = texts(language), _pieces(appearance_id)
    words: list[Markup] = [_none_yet(appearance_id, t)]
    if figures.mean is not None:
        words = [html.span(with_most_often(_count(figures, t), figures, t))]
    return html.div(
        strings(string_lengths(figures.distribution), numbered_to=max(figures.most_frequent, default=None)),
        _scale(*words),
    )


@public_part(topics=_waiting_topics, every=EVERY, together=_figures_read)
def performance_strings(appearance_id: int, name: str, *, language: str) -> VdomDict:
    """The distribution of the marks so far, as strings over a keyboard; covered, the keyboard without strings."""
    t, figures = texts(language), _pieces(appearance_id)
    words: list[Markup] = [_none_yet(appearance_id, t)]
    if figures.count:
        words = [html.span(_count(figures, t)), show_button(appearance_id, name, t, t("Show the audience’s"))]
    return html.div(
        {"class": "stage__audience"} | slot(MEANS, appearance_id),
        html.div(figures_slot(appearance_id), _part(performance_distribution, appearance_id, language)),
        html.div({"class": "stage__covered unfold"}, strings([0.0] * KEYS), _scale(*words)),
    )


def _scale(*words: Markup) -> VdomDict:
    """Return the line below the keyboard: its ends, and words between them."""
    least, most = (html.span({"aria-hidden": "true"}, str(end)) for end in (1, KEYS))
    return html.div({"class": "small stage__scale"}, least, html.div({"class": "stage__count"}, *words), most)


@public_part(topics=_topics, every=EVERY, together=_figures_read)
def piece_strings(appearance_id: int, piece_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - without words
    """The strings of the marks of one piece, over the keys of its control."""
    figures = _piece(appearance_id, piece_id)
    return heard_keys(figures.distribution, figures.mean)


@public_part(topics=_topics, every=EVERY, together=_figures_read)
def piece_heard(appearance_id: int, piece_id: int, *, language: str) -> VdomDict:
    """The average of the marks of one piece, and the most frequent ones; empty without marks."""
    t, figures = texts(language), _piece(appearance_id, piece_id)
    if figures.mean is None:
        return html.span({"hidden": True})
    return html.span(t("audience"), " ", html.b(str(figures.mean)), with_most_often("", figures, t))


@public_part(topics=_topics, every=EVERY, together=_figures_read)
def whole_heard(appearance_id: int, *, language: str) -> VdomDict:
    """The average of the marks of the whole performance; empty without marks."""
    figures = _figures(appearance_id).overall
    if figures.mean is None:
        return html.span({"hidden": True})
    return html.span(" · ", texts(language)("audience {mean}").format(mean=figures.mean))


def most_often(figures: Figures, t: Texts) -> str:
    """Return the most frequent marks in words: all of them, or the lowest TIED "among others".

    Empty if no mark is frequent: of many scattered marks the most frequent one says nothing.
    """
    if not figures.count or OFTEN * max(figures.distribution) < figures.count:
        return ""
    marks = [str(mark) for mark in figures.most_frequent]
    if len(marks) > TIED:
        return t("most often {these}, among others").format(these=", ".join(marks[:TIED]))
    *others, last = marks
    return t("most often {mark}").format(
        mark=t("{these} and {that}").format(these=", ".join(others), that=last) if others else last
    )


def with_most_often(words: str, figures: Figures, t: Texts) -> str:
    """Return the words followed by the most frequent marks, or alone if no mark is frequent."""
    often = most_often(figures, t)
    return f"{words}, {often}" if often else words


def _figures(appearance_id: int) -> PerformanceFigures:
    return read_together(_figures_read, appearance_id) or PerformanceFigures()


def _piece(appearance_id: int, piece_id: int) -> Figures:
    return _figures(appearance_id).piece(piece_id)


def _pieces(appearance_id: int) -> Figures:
    return _figures(appearance_id).all_pieces


def _none_yet(appearance_id: int, t: Texts) -> str:
    """Return what stands in the place of marks while none is approved."""
    waiting = _figures(appearance_id).waiting
    words = t.plural("%(n)d rating, shown once approved", "%(n)d ratings, shown once approved", waiting)
    return words if waiting else t("no marks yet")


def _count(figures: Figures, t: Texts) -> str:
    return t.plural("%(n)d mark", "%(n)d marks", figures.count) if figures.count else t("no marks yet")
