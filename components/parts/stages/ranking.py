"""The audience ranking of a stage: its table, how it is counted, its files; the rank of a performance."""

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from apps.competition.selectors.public.stage_overviews import stage_overviews
from apps.core.database.fields import venue_day, venue_zone
from apps.core.texts import Texts, texts
from apps.ranking import method
from apps.ranking.selectors import (
    blind_comparisons,
    places_of_participant,
    run_get,
)
from apps.ranking.selectors.results import Place, Run
from components.parts.ratings.covering import RANK
from components.parts.stages.overview import NO_MARK
from components.parts.stages.rank_words import ADDED_MARKS, PUBLISHED, interval_words, rank_words
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
from components.ui.blocks import link
from components.ui.frames import section
from components.ui.venue_time import at_venue, day


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


METHOD = "/stages/method"
BLIND_SHARE = 10  # the number of blind ratings is said from one in so many on
# source of gettext
COUNTED = (
    "Each listener’s rating of a performance is the mean of the pieces marked. Who marks high or low throughout is "
    "brought to the audience’s scale, and ratings far from the others weigh less. Ten ratings of the stage’s average "
    "are added to every performance, so that a handful of raters moves little. The likely rank, “3rd to 6th”, is "
    "where the performance would be nine times in ten, had other listeners sat here; the bar on the keys of an opened "
    "row says the same of the score."
)


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", "stages", "sessions", "clock.minute"), outcome=True)
def stage_tally(stage_id: int, *, language: str) -> VdomDict:
    """How many ratings count and when they were counted; folded the method, what does not count, and the files."""
    t, run = texts(language), read_once(run_get, stage_id=stage_id)
    whole = html.a({"class": "link", "href": METHOD}, t("The whole method"))
    folded = () if run is None else (_not_counted(run, t), _files(stage_id, run, t))
    return section(
        t("How it is counted"),
        html.div(
            {"class": "body standing__counts"},
            html.p(_lead(run, t), *_blind(run, t)) if run or _has_performers(stage_id) else None,
            *_made(run, language),
            _version(run, t),
            html.div(
                {"class": "standing__folds"},
                _folded(t("The method in short"), html.p({"class": "prose"}, t(COUNTED)), html.p(t(ADDED_MARKS))),
                *folded,
                whole,
            ),
        ),
    )


def _has_performers(stage_id: int) -> bool:
    return any(each.id == stage_id and each.performers for each in read_once(stage_overviews))


def _folded(words: str, *inside: Markup) -> VdomDict:
    return html.details({"key": words}, html.summary({"class": "link"}, words), *inside)


def _lead(run: Run | None, t: Texts) -> str:
    if run is None or not run.marks:
        return t(NO_MARK)
    ratings = t.plural("{n} rating", "{n} ratings", run.marks).format(n=f"{run.marks:,}")
    people = t.plural("{n} listener", "{n} listeners", run.raters).format(n=f"{run.raters:,}")
    return t("{ratings} by {listeners} count.").format(ratings=ratings, listeners=people)


def _blind(run: Run | None, t: Texts) -> list[Markup]:
    """Return how many of the ratings that count were made blind, from one in BLIND_SHARE on."""
    if run is None or not run.blind or BLIND_SHARE * run.blind < run.marks:
        return []
    words = t.plural("{blind} of them was made blind.", "{blind} of them were made blind.", run.blind)
    made = words.format(blind=f"{run.blind:,}")
    return [" ", made, " ", link(f"{METHOD}#blind", t("What that means"))]


def _made(run: Run | None, language: str) -> list[VdomDict]:
    """Return when it was counted, and whether it is final, being counted, or its last update failed."""
    t = texts(language)
    if run is None:
        return []
    if run.final_at is not None:
        when = day(run.final_at, zone=venue_zone(), language=language)
        return [_sentence(t("Closed on {time}. Ratings given later do not change this ranking."), when)]
    when = _time(run.made_at, language)
    if run.is_being_counted:
        return [_sentence(t("Being counted. This is the ranking of {time}."), when)]
    if run.failed_at is not None:
        return [_sentence(t("The last count failed. This is the ranking of {time}."), when)]
    return [_sentence(t("Last counted {time}. It is counted again while ratings come in."), when)]


def _sentence(words: str, when: VdomDict) -> VdomDict:
    before, _, after = words.partition("{time}")
    return html.p({"class": "standing__made"}, before, when, after)


def _time(at: datetime, language: str) -> VdomDict:
    """Return the time at the venue, with the date unless it is today."""
    since, until = venue_day(timezone.now())
    return at_venue(at, zone=venue_zone(), language=language, has_date=not since <= at < until)


def _version(run: Run | None, t: Texts) -> Markup:
    """Return the version of the method of a run that version 1 made, or that it changed while the ranking is open."""
    if run is None:
        return None
    if run.changed_from is not None and run.final_at is None:
        words = t("While this ranking was open, the method changed from version {before} to version {now}.")
        changed = words.format(before=run.changed_from, now=run.method)
        return html.p({"class": "small muted"}, changed, " ", link(f"{METHOD}#weights", t("What weighs less")))
    if run.method != method.VERSION:
        return None
    words = t("Counted with version 1, which left out the highest and the lowest fifth of a performance’s ratings.")
    return html.p({"class": "small muted"}, words)


def _not_counted(run: Run, t: Texts) -> VdomDict:
    lines = (
        html.div({"key": reason.value}, html.dt(t(str(reason.label))), html.dd(f"{count:,}"))
        for reason, count in run.not_counted.items()
    )
    return _folded(t("Not counted yet"), html.dl({"class": "tally"}, *lines))


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
    way = html.p({"class": "small muted"}, typed) if is_closed else None
    known = html.p({"class": "small muted"}, t(PUBLISHED))
    return _folded(t("To check it yourself"), html.ul({"class": "lines"}, *lines), known, way, _missing(run, t))


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
