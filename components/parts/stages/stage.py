"""The head of a stage's page, its sessions, and who advances."""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from apps.competition.selectors.public.participants import Appearance, SessionCard
from apps.competition.selectors.public.pianos import stage_pianos
from apps.competition.selectors.public.prizes import stage_prizes
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import session_appearances
from apps.competition.selectors.public.stage_overviews import StageOverview, stage_overviews
from apps.core.database.fields import venue_day, venue_zone
from apps.core.texts import Texts, texts
from apps.ranking import method
from apps.ranking.selectors import run_get
from apps.ranking.selectors.results import Run
from components.parts.sessions.facts import pianos_counted
from components.parts.stages.overview import (
    NO_MARK,
    SESSIONS_MOST,
    advancing_words,
    sessions_left,
    stage_badges,
    stage_contents,
    stage_dates,
)
from components.parts.stages.slots import ADMINISTRATORS
from components.runtime import Markup, VdomDict, command_button, html, public_part, read_once, slot
from components.ui.blocks import button_link, link, live_badge
from components.ui.frames import section, title, unbroken_pair, unbroken_words
from components.ui.people import performer_link
from components.ui.venue_time import at_venue, day, day_clock, day_month

TOPICS = ("stages", "sessions", "clock.minute")


def _overview(stage_id: int) -> StageOverview | None:
    return next((each for each in read_once(stage_overviews) if each.id == stage_id), None)


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", *TOPICS), outcome=True)
def stage_head(stage_id: int, *, language: str) -> VdomDict:
    """The time of the ranking, the stage's name, state, dates and numbers, and links to the other stages."""
    t, stages, run = texts(language), read_once(stage_overviews), read_once(run_get, stage_id=stage_id)
    here = next((each for each in stages if each.id == stage_id), None)
    if here is None:
        return html.header({"class": "sheet sheet--first"}, html.div({"class": "body"}, title(t("Stage not found."))))
    when = [stage_dates(here, language), ", "] if here.sessions else []
    return html.header(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang hang--low standing__made"}, *_made(run, language)),
        html.div(
            {"class": "body"},
            title(*unbroken_words(here.name)),
            html.div(
                {"class": "standing__lead row"},
                *stage_badges(here, timezone.now(), t),
                html.span(*when, stage_contents(here, t)),
            ),
            _stages(stages, here, language),
            _counts(here, run, t),
            _version(run, t),
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
        return [_sentence(t("Closed on {time}. Marks given later do not change this ranking."), when)]
    when = _time(run.made_at, language)
    if run.is_being_counted:
        return [_sentence(t("Being counted. This is the ranking of {time}."), when)]
    if run.failed_at is not None:
        return [_sentence(t("The last count failed. This is the ranking of {time}."), when)]
    return [_sentence(t("Counted at {time}, and again as marks come in."), when)]


def _sentence(words: str, when: VdomDict) -> VdomDict:
    before, _, after = words.partition("{time}")
    return html.p(before, when, after)


def _time(at: datetime, language: str) -> VdomDict:
    """Return the time at the venue, with the date unless it is today."""
    since, until = venue_day(timezone.now())
    return at_venue(at, zone=venue_zone(), language=language, has_date=not since <= at < until)


def _counts(stage: StageOverview, run: Run | None, t: Texts) -> Markup:
    """Return how many marks count and how many of them are blind; None for a stage without performers."""
    if not stage.performers:
        return None
    return html.p({"class": "small muted standing__counts"}, _lead(run, t), *_blind(run, t))


def _lead(run: Run | None, t: Texts) -> str:
    if run is None or not run.marks:
        return t(NO_MARK)
    marks = t.plural("{n} mark", "{n} marks", run.marks).format(n=f"{run.marks:,}")
    people = t.plural("{n} listener", "{n} listeners", run.raters).format(n=f"{run.raters:,}")
    return t("The audience ranking: {marks} by {listeners}.").format(marks=marks, listeners=people)


def _blind(run: Run | None, t: Texts) -> list[Markup]:
    """Return how many of the marks that count were made blind."""
    if run is None or run.blind is None or not run.marks:
        return []
    words = t.plural("{blind} of {n} rating was made blind.", "{blind} of {n} ratings were made blind.", run.marks)
    made = words.format(blind=f"{run.blind:,}", n=f"{run.marks:,}")
    return [" ", made, " ", link("/stages/method#blind", t("What that means"))]


def _version(run: Run | None, t: Texts) -> Markup:
    """Return the version of the method of a run that version 1 made, or that it changed while the ranking is open."""
    if run is None:
        return None
    if run.changed_from is not None and run.final_at is None:
        words = t("While this ranking was open, the method changed from version {before} to version {now}.")
        changed = words.format(before=run.changed_from, now=run.method)
        return html.p({"class": "small muted"}, changed, " ", link("/stages/method#weights", t("What weighs less")))
    if run.method != method.VERSION:
        return None
    words = t("Counted with version 1, which left out the highest and the lowest fifth of a performance’s marks.")
    return html.p({"class": "small muted"}, words)


def _stages(stages: Sequence[StageOverview], here: StageOverview, language: str) -> VdomDict:
    """Return links to all stages; a future stage is a text with its first day."""
    t, now = texts(language), timezone.now()
    ways = [_stage(each, language, is_here=each.id == here.id, now=now) for each in stages]
    every = link("/stages", t("All stages"))
    return html.nav({"class": "standing__stages", "aria-label": t("Stages")}, *ways, every)


def _stage(stage: StageOverview, language: str, *, is_here: bool, now: datetime) -> VdomDict:
    key, begins = {"key": f"stage-{stage.id}"}, stage.begins_at
    if is_here or (begins is not None and begins <= now):
        current = {"aria-current": "page"} if is_here else {}
        return html.a({"class": "link", "href": f"/stages/{stage.id}"} | key | current, stage.name)
    if begins is None:
        return html.span({"class": "muted"} | key, stage.name)
    since = day_month(begins, zone=venue_zone(), language=language)
    words = texts(language)("{stage}, from {day}").format(stage=stage.name, day=since)
    return html.span({"class": "muted"} | key, words)


def _administration(stage: StageOverview, run: Run | None, t: Texts) -> Markup:
    """Return the controls of a ranking; a slot shows them to administrators."""
    if run is None:
        return None
    return html.div(
        {"class": "row standing__acts", "hidden": True, "data-answers": ""} | slot(ADMINISTRATORS, "ranking"),
        _reopen(stage, t) if run.final_at is not None else _close(stage, t),
        link(f"/admin?tab=unusual&stage={stage.id}", t("Unusual marks")),
        html.p({"data-answer": "", "role": "status"}),
    )


def _close(stage: StageOverview, t: Texts) -> VdomDict:
    """Return the button that closes the ranking. The service asks first, with the number of marks left out."""
    asked = command_button("ranking_close", stage.id, busy=t("Processing..."))
    ask = t("Close the ranking of {stage}?").format(stage=stage.name)
    own = {"class": "button button--plain button--small", "data-ask": ask, "data-ask-yes": t("Close the ranking")}
    return html.button(own | asked, t("Close the ranking"))


def _reopen(stage: StageOverview, t: Texts) -> VdomDict:
    asked = command_button(
        "ranking_reopen",
        stage.id,
        busy=t("Processing..."),
        confirm=t("Open the ranking of {stage} again?").format(stage=stage.name),
        words=t("It is counted anew, with all marks given since."),
        yes=t("Open it again"),
    )
    return html.button({"class": "button button--plain button--small"} | asked, t("Open the ranking again"))


@public_part(topics=lambda _stage_id: ("live", *TOPICS))
def stage_evenings(stage_id: int, *, language: str) -> VdomDict:
    """The section of the stage's sessions in their order; the live one with its performer and the way to its keys."""
    t, stage = texts(language), _overview(stage_id)
    if stage is None or not stage.sessions:
        words = t("It was archived without a session.") if stage and stage.is_archived else t(NO_SESSION)
        return section(t("Sessions"), html.p({"class": "body muted"}, words))
    rows = [_evening(stage, card, timezone.now(), language) for card in stage.sessions[:SESSIONS_MOST]]
    rows += [html.li({"key": "all"}, way) for way in sessions_left(stage, t)]
    zone = html.p(t("The times are those in the hall."))
    evenings, pianos = html.ol({"class": "evenings"}, *rows), pianos_counted(stage_pianos(stage_id=stage_id), t)
    return section(t("Sessions"), html.div({"class": "body"}, evenings, pianos), aside=zone)


NO_SESSION = "No session has been announced yet."  # source of gettext


def _evening(stage: StageOverview, card: SessionCard, now: datetime, language: str) -> VdomDict:
    t = texts(language)
    if card.is_live:
        state, way = _now(card, t), button_link(f"/sessions/{card.id}", t("Listen"))
    else:
        count = unbroken_pair(t.plural("%(n)d performer", "%(n)d performers", card.participant_count))
        state = count if card.participant_count else t("Order not drawn yet")
        if card.starts_at <= now:
            state += f", {t('over') if stage.is_over(card, now) else t('not begun yet')}"
        way = None
    return html.li(
        {"key": f"session-{card.id}"} | ({"class": "is-live"} if card.is_live else {}),
        day_clock(card.starts_at, zone=venue_zone(), language=language, is_labelled=False),
        html.p(
            {"class": "evenings__what"},
            html.a({"href": f"/sessions/{card.id}"}, card.title),
            " ",
            live_badge(t("LIVE NOW")) if card.is_live else None,
            " ",
            html.small(state),
        ),
        way,
    )


def _now(card: SessionCard, t: Texts) -> str:
    """Return who is on stage in a live session, else who comes next."""
    appearances: Sequence[Appearance] = read_once(session_appearances, session_id=card.id)
    now, coming = performer(appearances), following(appearances)
    if now is not None:
        return t("on stage: {name}").format(name=now.name)
    if coming is None:
        return t("Everybody has played.") if appearances else t("Order not drawn yet")
    if last_on_stage(appearances) is None:
        return t("It begins soon, with {name}").format(name=coming.name)
    return t("interval; next: {name}").format(name=coming.name)


@public_part(topics=lambda _stage_id: (*TOPICS, "featured_participants"), outcome=True)
def stage_advancing(stage_id: int, *, language: str) -> VdomDict:
    """The section of who advances; before it is published, that it is not yet. Hidden in a last stage with prizes."""
    t, stage = texts(language), _overview(stage_id)
    if stage is None or not stage.performers:
        return html.div({"hidden": True})
    if not stage.advanced and not stage.next_stage and read_once(stage_prizes, stage_id=stage_id):
        return html.div({"hidden": True})  # its prizes are the outcome
    if not stage.advanced:
        words = t("It is not announced yet who advances.")
        if stage.next_stage:
            words = t("It is not announced yet who advances to {stage}.").format(stage=stage.next_stage)
        return section(t("Who goes on"), html.p({"class": "body muted"}, f"{words} ", t("They will be marked here.")))
    rows = (
        html.li({"key": f"advances-{each.participant_id}"}, performer_link(each.participant_id, each.name, "link"))
        for each in stage.advanced
    )
    count = advancing_words(len(stage.advanced), stage.performers, stage.next_stage, t)
    return section(t("Who goes on"), html.div({"class": "body"}, html.p(count), html.ul({"class": "going"}, *rows)))
