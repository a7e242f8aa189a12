"""The audience ranking of a stage: its table, what does not count, its files; the rank of a performance."""

from collections.abc import Mapping

from apps.core.texts import Texts, texts
from apps.ranking.selectors import (
    blind_comparisons,
    places_of_participant,
    run_get,
)
from apps.ranking.selectors.results import Place, Run
from components.parts.ratings.covering import RANK
from components.parts.stages.rank_words import PUBLISHED, interval_words, rank_words
from components.parts.stages.ranking_table import ranking_table
from components.parts.stages.slots import ALL_SCORES, RANKING
from components.runtime import (
    Markup,
    VdomDict,
    html,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.frames import section


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def stage_ranking(stage_id: int, number: int, order: str, *, language: str) -> VdomDict:
    """The table, in a slot that a member fills with one of the performances whose figures the member sees."""
    return html.div(slot(RANKING, stage_id), shared_part(ranking_table(stage_id, number, order, language=language)))


def _places_read(participant_ids: tuple[int, ...]) -> Mapping[int, Mapping[int, Place]]:
    """Return the places of these participants' performances, by participant and appearance. One query for each."""
    return {pk: places_of_participant(participant_id=pk) for pk in participant_ids}


@public_part(
    topics=lambda participant_id, appearance_id, stage_id, stage: (f"ranking.{stage_id}",),  # noqa: ARG005 - a part gets all
    together=_places_read,
    outcome=True,
)
def performance_rank(participant_id: int, appearance_id: int, stage_id: int, stage: str, *, language: str) -> VdomDict:
    """The line with the rank and its interval; a hidden element for a performance without a rank."""
    found = read_together(_places_read, participant_id) or {}
    place = found.get(appearance_id)
    if place is None or place.rank is None:
        return html.p({"hidden": True})
    return html.p(
        {"class": "performance__place"}, html.a({"href": f"/stages/{stage_id}"}, _words(place, stage, texts(language)))
    )


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def performance_place(participant_id: int, appearance_id: int, stage_id: int, stage: str, *, language: str) -> VdomDict:
    """The line with the rank, in a slot that is covered for members who have not marked the performance."""
    ref = performance_rank(participant_id, appearance_id, stage_id, stage, language=language)
    return html.div({"class": "performance__rank"} | slot(RANK, appearance_id), shared_part(ref))


def _words(place: Place, stage: str, t: Texts) -> str:
    words = {"rank": rank_words(place, t), "stage": stage, "interval": interval_words(place, t)}
    return t("{rank} in {stage}, {interval}").format(**words)


@public_part(topics=lambda: ("stages", "clock.minute"))
def blind_differences(*, language: str) -> VdomDict:
    """How blind marks differ from the others, for each stage with enough of both; hidden without any."""
    t, found = texts(language), blind_comparisons()
    if not found:
        return html.p({"hidden": True})
    words = t("{stage}: blind marks are {difference} points higher, nine times in ten between {lowest} and {highest}.")
    lines = (
        words.format(stage=each.stage, difference=each.difference, lowest=each.lowest, highest=each.highest)
        for each in found
    )
    note = t("Each mark is compared with the mean of its performance. A number below zero means lower.")
    return html.div(*(html.p({"key": line}, line) for line in lines), html.p({"class": "small muted"}, note))


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}",), outcome=True)
def stage_tally(stage_id: int, *, language: str) -> VdomDict:
    """How many marks do not count and why, and the downloads; empty before the first run."""
    t, run = texts(language), read_once(run_get, stage_id=stage_id)
    if run is None:
        return html.div({"hidden": True})
    return html.div(_not_counted(run, t), _files(stage_id, run, t))


def _not_counted(run: Run, t: Texts) -> VdomDict:
    lines = (
        html.div({"key": reason.value}, html.dt(t(str(reason.label))), html.dd(f"{count:,}"))
        for reason, count in run.not_counted.items()
    )
    return section(t("What does not count yet"), html.div({"class": "body"}, html.dl({"class": "tally"}, *lines)))


def _files(stage_id: int, run: Run, t: Texts) -> VdomDict:
    """Return the files and the command that computes the ranking from them; the marks once it is closed."""
    to, is_closed = f"/stages/{stage_id}", run.final_at is not None
    about = _all_scores("marks", t) if is_closed else html.small(t("published when the ranking is closed"))
    lines = (
        _line("marks", t("The marks"), (about,), _file(to, "marks.csv") if is_closed else None),
        _line(
            *("ranking", t("The ranking"), (_all_scores("ranking", t),)),
            *(_file(to, "ranking.csv"), _file(to, "ranking.json")),
        ),
        _line("method", t("The program that computes it"), (), _file(to, "ranking.py")),
    )
    seeds = "" if run.number is None else f" {stage_id} {run.number}"
    typed = html.code(f"python ranking.py marks-{stage_id}.csv{seeds}")
    way = html.p({"class": "small muted standing__run"}, typed) if is_closed else None
    known = html.p({"class": "small muted"}, t(PUBLISHED))
    inside = html.div({"class": "body"}, html.ul({"class": "lines"}, *lines), known, way, _missing(run, t))
    return section(t("To check it yourself"), inside)


def _missing(run: Run, t: Texts) -> Markup:
    """Return how many sheets of deleted accounts the file of marks is without."""
    if not run.missing:
        return None
    one, more = (
        "{n} sheet is missing, recomputing differs by it.",
        "{n} sheets are missing, recomputing differs by them.",
    )
    return html.p({"class": "small muted"}, t.plural(one, more, run.missing).format(n=f"{run.missing:,}"))


def _all_scores(name: str, t: Texts) -> VdomDict:
    """Return the sentence at a file that does not cover anything; hidden from viewers who see all of the stage."""
    return html.small({"hidden": True} | slot(ALL_SCORES, name), t("This file shows all scores"))


def _file(to: str, name: str) -> VdomDict:
    return html.a({"class": "link", "href": f"{to}/{name}", "download": True}, name)


def _line(name: str, what: str, about: tuple[VdomDict, ...], *ways: Markup) -> VdomDict:
    return html.li(
        {"key": name},
        html.span({"class": "work"}, html.b(what), " ", *about),
        html.span({"class": "dots"}),
        html.span({"class": "row"}, *ways),
    )
