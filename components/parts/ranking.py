"""Shared parts of the audience ranking of a stage."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils import timezone

from apps.competition.selectors.public.stages import StageName, stage_names
from apps.core.database.fields import venue_day, venue_zone
from apps.core.texts import Texts, texts
from apps.ranking import method
from apps.ranking.selectors import (
    Place,
    Run,
    blind_comparisons,
    places_of_participant,
    run_get,
)
from components.parts.rank_words import interval_words, rank_words
from components.parts.ranking_table import ADMINISTRATORS, ALL_SCORES, RANKING, ranking_table
from components.parts.ratings.covering import RANK
from components.runtime import (
    Markup,
    VdomDict,
    command_button,
    html,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.blocks import link
from components.ui.frames import section, title, unbroken_words
from components.ui.venue_time import at_venue, day, day_month


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", "stages", "sessions", "clock.minute"), outcome=True)
def stage_head(stage_id: int, *, language: str) -> VdomDict:
    """The time of the ranking, the stage's name, the number of counted marks, and links to the other stages."""
    t, stages, run = texts(language), stage_names(), read_once(run_get, stage_id=stage_id)
    here = next((each for each in stages if each.id == stage_id), None)
    if here is None:
        return html.header({"class": "sheet sheet--first"}, html.div({"class": "body"}, title(t("Stage not found."))))
    return html.header(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang hang--low standing__made"}, *_made(run, language)),
        html.div(
            {"class": "body"},
            title(*unbroken_words(here.name)),
            html.p({"class": "standing__lead"}, _lead(run, t)),
            _blind(run, t),
            _older(run, t),
            _stages(stages, here, language),
            _administration(here, run, t),
        ),
    )


def _made(run: Run | None, language: str) -> list[Markup]:
    """Return the time of the ranking, and whether it is final, being counted, or its last update failed."""
    t = texts(language)
    if run is None:
        return []
    if run.final_at is not None:
        when = day(run.final_at, zone=venue_zone(), language=language)
        return [_said(t("Closed on {time}. Marks given later do not change this ranking."), when)]
    when = _time(run.made_at, language)
    if run.is_being_counted:
        return [_said(t("Being counted. This is the ranking of {time}."), when)]
    if run.failed_at is not None:
        return [_said(t("The last count failed. This is the ranking of {time}."), when)]
    return [_said(t("Made {time}, anew while marks come in."), when)]


def _said(words: str, when: VdomDict) -> VdomDict:
    before, _, after = words.partition("{time}")
    return html.p(before, when, after)


def _time(at: datetime, language: str) -> VdomDict:
    """Return the time at the venue, with the date unless it is today."""
    since, until = venue_day(timezone.now())
    return at_venue(at, zone=venue_zone(), language=language, has_date=not since <= at < until)


def _lead(run: Run | None, t: Texts) -> str:
    if run is None:
        return t("The audience ranking.")
    marks = t.plural("{n} mark", "{n} marks", run.marks).format(n=f"{run.marks:,}")
    people = t.plural("{n} listener", "{n} listeners", run.raters).format(n=f"{run.raters:,}")
    return t("The audience ranking: {marks} by {listeners}.").format(marks=marks, listeners=people)


def _blind(run: Run | None, t: Texts) -> Markup:
    """Return how many of the marks that count were made blind."""
    if run is None or run.blind is None or not run.marks:
        return None
    words = t.plural("{blind} of {n} rating was made blind.", "{blind} of {n} ratings were made blind.", run.marks)
    made = words.format(blind=f"{run.blind:,}", n=f"{run.marks:,}")
    return html.p({"class": "small muted"}, made, " ", link("/stages/method#blind", t("What that means")))


def _older(run: Run | None, t: Texts) -> Markup:
    """Return the version of the method of a run that version 1 made."""
    if run is None or run.method != method.VERSION:
        return None
    words = t("Counted with version 1, which left out the highest and the lowest fifth of a performance’s marks.")
    return html.p({"class": "small muted"}, words)


def _stages(stages: Sequence[StageName], here: StageName, language: str) -> VdomDict:
    """Return links to all stages; a future stage is a text with its first day."""
    t, now = texts(language), timezone.now()
    ways = [_stage(each, language, is_here=each is here, now=now) for each in stages]
    return html.nav({"class": "standing__stages", "aria-label": t("Stages")}, *ways)


def _stage(stage: StageName, language: str, *, is_here: bool, now: datetime) -> VdomDict:
    key, begins = {"key": f"stage-{stage.id}"}, stage.begins_at
    if is_here or (begins is not None and begins <= now):
        current = {"aria-current": "page"} if is_here else {}
        return html.a({"class": "link", "href": f"/stages/{stage.id}"} | key | current, stage.name)
    if begins is None:
        return html.span({"class": "muted"} | key, stage.name)
    since = day_month(begins, zone=venue_zone(), language=language)
    words = texts(language)("{stage}, from {day}").format(stage=stage.name, day=since)
    return html.span({"class": "muted"} | key, words)


def _administration(stage: StageName, run: Run | None, t: Texts) -> Markup:
    """Return the controls of a ranking; a slot shows them to administrators."""
    if run is None:
        return None
    return html.div(
        {"class": "row standing__acts", "hidden": True, "data-answers": ""} | slot(ADMINISTRATORS, "ranking"),
        _reopen(stage, t) if run.final_at is not None else _close(stage, t),
        link(f"/admin?tab=unusual&stage={stage.id}", t("Unusual marks")),
        html.p({"data-answer": "", "role": "status"}),
    )


def _close(stage: StageName, t: Texts) -> VdomDict:
    """Return the button that closes the ranking. The service asks first, with the number of marks left out."""
    asked = command_button("ranking_close", stage.id, busy=t("Processing..."))
    ask = t("Close the ranking of {stage}?").format(stage=stage.name)
    own = {"class": "button button--plain button--small", "data-ask": ask, "data-ask-yes": t("Close the ranking")}
    return html.button(own | asked, t("Close the ranking"))


def _reopen(stage: StageName, t: Texts) -> VdomDict:
    asked = command_button(
        "ranking_reopen",
        stage.id,
        busy=t("Processing..."),
        confirm=t("Open the ranking of {stage} again?").format(stage=stage.name),
        words=t("It is counted anew, with all marks given since."),
        yes=t("Open it again"),
    )
    return html.button({"class": "button button--plain button--small"} | asked, t("Open the ranking again"))


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def stage_ranking(stage_id: int, number: int, *, language: str) -> VdomDict:
    """The ranking, in a slot that a member fills with a ranking of the performances whose figures the member sees."""
    return html.div(slot(RANKING, stage_id), shared_part(ranking_table(stage_id, number, language=language)))


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
    """How many marks do not count and why, without their authors, and the downloads; empty before the first run."""
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
    without = html.span({"class": "work__key"}, t("without names"))
    about = _all_scores("marks", t) if is_closed else html.small(t("published when the ranking is closed"))
    lines = (
        _line("marks", t("The marks"), (without, about), _file(to, "marks.csv") if is_closed else None),
        _line(
            *("ranking", t("The ranking"), (_all_scores("ranking", t),)),
            *(_file(to, "ranking.csv"), _file(to, "ranking.json")),
        ),
        _line("method", t("The program that computes it"), (), _file(to, "ranking.py")),
    )
    seeds = "" if run.number is None else f" {stage_id} {run.number}"
    typed = html.code(f"python ranking.py marks-{stage_id}.csv{seeds}")
    way = html.p({"class": "small muted standing__run"}, typed) if is_closed else None
    inside = html.div({"class": "body"}, html.ul({"class": "lines"}, *lines), way, _missing(run, t))
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
