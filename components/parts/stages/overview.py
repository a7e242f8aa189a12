"""The list of stages: dates, state, ranking, who advanced, and the sessions of each."""

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from apps.competition.enums import StagePhase
from apps.competition.selectors.public.participants import SessionCard
from apps.competition.selectors.public.stage_overviews import StageOverview, stage_overviews
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.selectors.stages import RankingSize, ranking_sizes
from components.runtime import Markup, VdomDict, html, public_part, read_together, shared_part
from components.ui.blocks import badge, link, live_badge
from components.ui.empty_states import empty
from components.ui.frames import unbroken_pair, unbroken_words
from components.ui.people import performer_link
from components.ui.venue_time import day_clock, day_span, day_text

# sources of gettext
NO_STAGE = "No stage has been announced yet."
NO_MARK = "The audience’s ranking begins with the first ratings that count."
SESSIONS_MOST = 30  # listed of a stage


def _sizes_read(stage_ids: tuple[int, ...]) -> Mapping[int, RankingSize]:
    """Return the sizes of the newest rankings of these stages. One query."""
    return ranking_sizes(stage_ids=stage_ids)


@public_part(topics=lambda stage_id, *_: (f"ranking.{stage_id}",), together=_sizes_read)
def stage_size(stage_id: int, stage: str, performers: int, *, language: str) -> VdomDict:
    """The link to a stage's ranking, with its numbers of ratings and listeners, and whether it is closed."""
    t, size = texts(language), read_together(_sizes_read, stage_id)
    if size is None or not size.marks:
        return html.p(t(NO_MARK))
    ratings = unbroken_pair(t.plural("{n} rating", "{n} ratings", size.marks).format(n=f"{size.marks:,}"))
    people = unbroken_pair(t.plural("{n} listener", "{n} listeners", size.raters).format(n=f"{size.raters:,}"))
    words = t("{ratings} by {listeners}.").format(ratings=ratings, listeners=people)
    closed = ""
    if size.final_at is not None:
        on = day_text(size.final_at, zone=venue_zone(), language=language)
        closed = " " + t("Closed on {day}.").format(day=on)
    alone = " " + t("A single performance has a score, and no other beside it.") if performers == 1 else ""
    return html.p(
        html.a({"href": f"/stages/{stage_id}"}, t("Audience ranking, {stage}").format(stage=stage)),
        f": {words}{closed}{alone}",
    )


@public_part(topics=lambda: ("stages", "sessions", "clock.minute"), outcome=True)  # names of who advanced
def stage_list(*, language: str) -> VdomDict:
    """All stages in their order; a sentence without any."""
    t, now, stages = texts(language), timezone.now(), stage_overviews()
    if not stages:
        return html.div(empty(t(NO_STAGE), ("/sessions", t("All sessions"))))
    return html.ol({"class": "calendar"}, *(_stage(stage, now, language) for stage in stages))


def _stage(stage: StageOverview, now: datetime, language: str) -> VdomDict:
    t = texts(language)
    size = stage_size(stage.id, stage.name, stage.performers, language=language)
    sessions = [_session(card, language) for card in stage.sessions[:SESSIONS_MOST]]
    sessions += [html.li({"key": "all"}, way) for way in sessions_left(stage, t)]
    return html.li(
        {"key": f"stage-{stage.id}"},
        html.p({"class": "calendar__when"}, stage_dates(stage, language)),
        html.div(
            {"class": "stack"},
            html.h2(html.a({"href": f"/stages/{stage.id}"}, *unbroken_words(stage.name))),
            html.p({"class": "calendar__meta row"}, *stage_badges(stage, now, t), html.span(stage_contents(stage, t))),
            html.div({"class": "calendar__text"}, shared_part(size), _advanced(stage, t)) if stage.performers else None,
            html.ul({"class": "lines"}, *sessions) if sessions else None,
        ),
    )


def sessions_left(stage: StageOverview, t: Texts) -> list[VdomDict]:
    """Return the link to all sessions of a stage with more than SESSIONS_MOST, else nothing."""
    count = len(stage.sessions)
    words = t("All {n} sessions").format(n=f"{count:,}")
    return [link("/sessions?show=all", words)] if count > SESSIONS_MOST else []


def stage_dates(stage: StageOverview, language: str) -> Markup:
    """Return the days of a stage from its first session to its last."""
    if stage.begins_at is None or stage.ends_at is None:
        t = texts(language)
        return t("Without a date") if stage.is_archived else t("Not dated yet")
    return day_span(stage.begins_at, stage.ends_at, zone=venue_zone(), language=language)


def stage_badges(stage: StageOverview, now: datetime, t: Texts) -> list[Markup]:
    """Return the badges: where the stage is in time, and whether it is archived."""
    names = {
        StagePhase.BEFORE: t("To come"),
        StagePhase.UNDER_WAY: t("Under way"),
        StagePhase.OVER: t("Over"),
    }
    phase, archived = stage.phase(now), badge(t("Archived"), "quiet") if stage.is_archived else None
    if phase is StagePhase.LIVE:
        return [live_badge(t("LIVE NOW")), archived]
    return [archived] if archived and not stage.sessions else [badge(names[phase]), archived]


def stage_contents(stage: StageOverview, t: Texts) -> str:
    """Return the numbers of a stage's performers and sessions, or what is missing."""
    if not stage.sessions:
        if stage.is_archived:
            return t("It was archived without a session.")
        return t("No session has been announced yet.")
    sessions = unbroken_pair(t.plural("%(n)d session", "%(n)d sessions", len(stage.sessions)))
    if not stage.performers:
        return f"{sessions} · {t('Order not drawn yet')}"
    performers = unbroken_pair(t.plural("%(n)d performer", "%(n)d performers", stage.performers))
    return t("{performers} in {sessions}").format(performers=performers, sessions=sessions)


def advancing_words(count: int, performers: int, next_stage: str, t: Texts) -> str:
    """Return how many of a stage's performers advance; `next_stage` is empty after the last one."""
    if next_stage:
        return t("{n} of {all} advance to {stage}").format(n=count, all=performers, stage=next_stage)
    return t("{n} of {all} advance").format(n=count, all=performers)


def _advanced(stage: StageOverview, t: Texts) -> Markup:
    """Return who advances, folded; None until that is published."""
    if not stage.advanced:
        return None
    words = advancing_words(len(stage.advanced), stage.performers, stage.next_stage, t)
    rows = (
        html.li({"key": f"advanced-{each.participant_id}"}, performer_link(each.participant_id, each.name, "link"))
        for each in stage.advanced
    )
    return html.details(html.summary({"class": "link"}, words), html.ul({"class": "row"}, *rows))


def _session(card: SessionCard, language: str) -> VdomDict:
    t = texts(language)
    count = unbroken_pair(t.plural("%(n)d participant", "%(n)d participants", card.participant_count))
    begins = day_clock(card.starts_at, zone=venue_zone(), language=language, is_labelled=False)
    return html.li(
        {"key": f"session-{card.id}"},
        html.span(
            {"class": "work"},
            html.a({"href": f"/sessions/{card.id}"}, card.title),
            " ",
            html.span({"class": "work__key"}, count) if card.participant_count else None,
        ),
        html.span({"class": "dots"}),
        live_badge(t("LIVE NOW")) if card.is_live else begins,
    )
