"""The head of a stage's page: what the ranking is made of and when, and the other stages."""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from apps.competition.selectors import StageName, stage_names
from apps.core.database.clock import venue_day, venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.selectors.rankings import Run, run_get
from components.markup import Markup, VdomDict, html
from components.rendering.parts import public_part, read_once
from components.rendering.slots import slot
from components.ui.blocks import link
from components.ui.controls.commands import command_button
from components.ui.frames.page_grid import title, unbroken_words
from components.ui.venue_time import at_venue, day, day_month

ADMINISTRATORS = "administrators"  # the slots' name


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", "stages", "sessions", "clock.minute"), outcome=True)
def stage_head(stage_id: int, *, language: str) -> VdomDict:
    """When the ranking was made, the stage's name, how many marks count, and the ways to the other stages."""
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
            _stages(stages, here, language),
            _administration(here, run, t),
        ),
    )


def _made(run: Run | None, language: str) -> list[Markup]:
    """Return when the ranking was made, and whether it stays or could not be made anew."""
    t = texts(language)
    if run is None:
        return []
    if run.final_at is not None:
        when = day(run.final_at, zone=venue_zone(), language=language)
        return [_said(t("Closed on {time}. Marks given later do not change this ranking."), when)]
    when = _time(run.made_at, language)
    if run.failed_at is not None:
        return [_said(t("The last count failed. This is the ranking of {time}."), when)]
    return [_said(t("Made {time}, anew while marks come in."), when)]


def _said(words: str, when: VdomDict) -> VdomDict:
    before, _, after = words.partition("{time}")
    return html.p(before, when, after)


def _time(at: datetime, language: str) -> VdomDict:
    """Return the time in the hall, with the date where that is not today's."""
    since, until = venue_day(timezone.now())
    return at_venue(at, zone=venue_zone(), language=language, has_date=not since <= at < until)


def _lead(run: Run | None, t: Texts) -> str:
    if run is None:
        return t("What the stalls think.")
    marks = t.plural("{n} mark", "{n} marks", run.marks).format(n=f"{run.marks:,}")
    people = t.plural("{n} listener", "{n} listeners", run.raters).format(n=f"{run.raters:,}")
    return t("What the stalls think: {marks} by {listeners}.").format(marks=marks, listeners=people)


def _stages(stages: Sequence[StageName], here: StageName, language: str) -> VdomDict:
    """Return the ways to all stages; those ahead say when they begin."""
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
    """Return what administrators do with a ranking; a slot shows it to them."""
    if run is None:
        return None
    return html.div(
        {"class": "row standing__acts", "hidden": True, "data-answers": ""} | slot(ADMINISTRATORS, "ranking"),
        _reopen(stage, t) if run.final_at is not None else _close(stage, t),
        link(f"/admin?tab=quarantine&stage={stage.id}", t("Quarantine")),
        html.p({"data-answer": "", "role": "status"}),
    )


def _close(stage: StageName, t: Texts) -> VdomDict:
    """Return the button that closes; the service asks, with the marks that would stay out."""
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
