"""The jury beside the audience on a performer's page: the difference of rank, and both distributions of marks.

A rank is about all performances of the stage, so the sentence is covered as ranks are. The distributions are covered
with the audience's figures of the performance.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from apps.core.texts import Texts, texts
from apps.jury.audience import ComparedPerformance, Comparison, comparisons_get
from apps.jury.selectors import MarksOfPerformer, jury_marks_of
from apps.ranking.selectors.figures import Basis, audience_figure, audience_figures
from apps.ratings.selectors.statistics import PerformanceFigures
from components.parts.jury.audience import NAME, ranks_words
from components.parts.jury.sheet import jury_address
from components.parts.ratings.covering import RANK, figures_slot
from components.parts.ratings.performance import EVERY, basis_words
from components.runtime import VdomDict, html, public_part, read_together, shared_part, slot
from components.ui.marks import KEYS, figure, mean_key

# sources of gettext
HIGHER = (
    "The audience ranked this performance {n} place higher than the jury.",
    "The audience ranked this performance {n} places higher than the jury.",
)
LOWER = (
    "The audience ranked this performance {n} place lower than the jury.",
    "The audience ranked this performance {n} places lower than the jury.",
)
ALIKE = "The audience and the jury ranked this performance alike."


def _comparisons_read(stage_ids: tuple[int, ...]) -> Mapping[int, Comparison]:
    """Return the comparisons of these stages. One query, and four for each stage with a published sheet."""
    return comparisons_get(stage_ids=stage_ids)


@public_part(
    topics=lambda stage_id, _appearance_id: (f"ranking.{stage_id}", f"jury.{stage_id}"),
    together=_comparisons_read,
    outcome=True,
)
def performance_difference(stage_id: int, appearance_id: int, *, language: str) -> VdomDict:
    """How many places higher or lower the audience ranks the performance; hidden unless both rank it."""
    t, comparison = texts(language), read_together(_comparisons_read, stage_id)
    found = comparison and comparison.of_appearance(appearance_id)
    if not comparison or not found:
        return html.p({"hidden": True})
    ranks = f"{ranks_words(found, t)} {t('of {n}').format(n=len(comparison.performances))}"
    way = html.a({"href": f"{jury_address(stage_id)}#{NAME}"}, difference_words(found, t))
    return html.p(way, " ", html.span({"class": "small muted"}, f"({ranks})"))


def difference_words(found: ComparedPerformance, t: Texts) -> str:
    """Return the difference of the two ranks as a sentence."""
    if not found.difference:
        return t(ALIKE)
    places = abs(found.difference)
    return t.plural(*(HIGHER if found.difference > 0 else LOWER), places).format(n=places)


def _marks_read(participant_ids: tuple[int, ...]) -> Mapping[int, Mapping[int, MarksOfPerformer]]:
    """Return what the jury gave these participants, by participant and stage. One query."""
    return jury_marks_of(participant_ids=participant_ids)


def _topics(_participant_id: int, appearance_id: int, stage_id: int) -> tuple[str, ...]:
    return (f"jury.{stage_id}", f"ranking.{stage_id}", f"session_participant.{appearance_id}.ratings")


@public_part(topics=_topics, every=EVERY, together=_marks_read, outcome=True)
def performance_jury_marks(participant_id: int, appearance_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The distributions of the jury's marks and of the audience's over the keys; hidden without marks of the jury."""
    t, given = texts(language), (read_together(_marks_read, participant_id) or {}).get(stage_id)
    if given is None:
        return html.div({"hidden": True})
    figures = audience_figures(appearance_ids=(appearance_id,)).get(appearance_id, PerformanceFigures())
    shown = audience_figure(figures)
    audience = f"{t('Audience')} {basis_words(shown, t)}".rstrip()
    words = t("score") if shown.basis is Basis.SCORE else t("average")
    return html.details(
        html.summary({"class": "link"}, t("The jury’s marks and the audience’s")),
        html.div(
            {"class": "audience"},
            _strings(t("Jury"), _often(given.marks), given.score, t("score"), t),
            _strings(audience, figures.all_pieces.distribution, shown.value, words, t),
        ),
    )


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner parts do
def performance_jury(appearance_id: int, participant_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The sentence and the distributions, each in a slot that may be covered."""
    sentence = performance_difference(stage_id, appearance_id, language=language)
    marks = performance_jury_marks(participant_id, appearance_id, stage_id, language=language)
    return html.div(
        {"class": "performance__part performance__jury stack"},
        html.div(slot(RANK, appearance_id), shared_part(sentence)),
        html.div(figures_slot(appearance_id), shared_part(marks)),
    )


def _often(marks: Sequence[Decimal]) -> tuple[int, ...]:
    """Return how often each key is the nearest one to a mark, a half rounded up."""
    nearest = Counter(mean_key(mark) for mark in marks)
    return tuple(nearest[key] for key in range(1, KEYS + 1))


def _strings(heading: str, often: Sequence[int], figure_shown: Decimal | None, words: str, t: Texts) -> VdomDict:
    given = ", ".join(f"{mark}: {times}" for mark, times in enumerate(often, start=1) if times)
    return figure(
        heading,
        html.span({"class": "work"}, html.b(heading)),
        often,
        figure_shown,
        average_words=words,
        count=t.plural("%(n)d mark", "%(n)d marks", sum(often)),
        spread=t("How often each mark was given: {marks}").format(marks=given) if given else "",
    )
