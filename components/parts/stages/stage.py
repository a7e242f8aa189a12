"""The head of a stage's page, the line of its sessions, and who advances."""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from apps.competition.selectors.public.participants import AppearanceDetail, SessionCard
from apps.competition.selectors.public.pianos import stage_pianos
from apps.competition.selectors.public.prizes import stage_prizes
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import session_appearances
from apps.competition.selectors.public.stage_overviews import StageOverview, stage_overviews
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.selectors import run_get
from apps.ranking.selectors.results import Run
from components.parts.sessions.facts import pianos_counted
from components.parts.stages.overview import (
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
from components.ui.venue_time import day_clock, day_month

TOPICS = ("stages", "sessions", "clock.minute")


def _overview(stage_id: int) -> StageOverview | None:
    return next((each for each in read_once(stage_overviews) if each.id == stage_id), None)


@public_part(topics=lambda stage_id: (f"ranking.{stage_id}", *TOPICS), outcome=True)
def stage_head(stage_id: int, *, language: str) -> VdomDict:
    """The stage's name, one line with its state, dates and numbers, and links to the other stages."""
    t, stages, run = texts(language), read_once(stage_overviews), read_once(run_get, stage_id=stage_id)
    here = next((each for each in stages if each.id == stage_id), None)
    if here is None:
        return html.header({"class": "sheet sheet--first"}, html.div({"class": "body"}, title(t("Stage not found."))))
    when = [stage_dates(here, language), ", "] if here.sessions else []
    return html.header(
        {"class": "sheet sheet--first"},
        html.div(
            {"class": "body"},
            title(*unbroken_words(here.name)),
            html.div(
                {"class": "standing__lead row"},
                *stage_badges(here, timezone.now(), t),
                html.span(*when, stage_contents(here, t)),
            ),
            _stages(stages, here, language),
            _administration(here, run, t),
        ),
    )


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
    """The stage's sessions in one line, folded; a live one before them, with the way to its keys."""
    t, stage = texts(language), _overview(stage_id)
    if stage is None or not stage.sessions:
        return html.div({"hidden": True})  # the head states that there is none
    rows = [_evening(stage, card, timezone.now(), language) for card in stage.sessions[:SESSIONS_MOST]]
    rows += [html.li({"key": "all"}, way) for way in sessions_left(stage, t)]
    words = unbroken_pair(t.plural("%(n)d session", "%(n)d sessions", len(stage.sessions)))
    sessions = html.details(
        html.summary({"class": "link"}, words),
        html.ol({"class": "evenings"}, *rows),
        pianos_counted(stage_pianos(stage_id=stage_id), t),
        html.p({"class": "small muted"}, t("The times are those in the hall.")),
    )
    live = (link(f"/sessions/{card.id}", card.title) for card in stage.sessions if card.is_live)
    return html.div({"class": "sheet"}, html.div({"class": "body standing__sessions"}, *live, sessions))


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
        day_clock(card.starts_at, zone=venue_zone(), language=language),
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
    appearances: Sequence[AppearanceDetail] = read_once(session_appearances, session_id=card.id)
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
        words = f"{words} {t('They will be marked here.')}"
        return html.div({"class": "sheet"}, html.p({"class": "body small muted standing__in"}, words))
    rows = (
        html.li({"key": f"advances-{each.participant_id}"}, performer_link(each.participant_id, each.name, "link"))
        for each in stage.advanced
    )
    count = advancing_words(len(stage.advanced), stage.performers, stage.next_stage, t)
    return section(t("Who goes on"), html.div({"class": "body"}, html.p(count), html.ul({"class": "going"}, *rows)))
