"""The first block of Home by state: on stage, the interval, after a session, before the first one, prizes.

It has one height in all states (`door.css`), so that a change of state moves nothing below it. Each state has keys of
its own, so that the browser replaces its elements and moves none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from apps.competition.selectors.public.participants import (
    AppearanceDetail,
    ParticipantsField,
    SessionCard,
    SessionDetail,
    participants_field,
)
from apps.competition.selectors.public.prizes import stages_prized
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.sessions import live_session, session_appearances, session_ended_last
from apps.competition.selectors.public.stage_overviews import StageOverview, stage_overviews
from apps.core.database.fields import venue_day, venue_zone
from apps.core.texts import Texts, texts
from apps.ranking.selectors.session_standing import SessionMarks, session_marks
from components.parts.failures import read_or_nothing
from components.parts.home.figures import OWN_COUNT, played, session_figures
from components.parts.prizes import home_prizes
from components.parts.ratings.rating_form import keys_address
from components.parts.ratings.states import LISTEN
from components.parts.sessions.interval import planned_words
from components.parts.sessions.lists import coming_sessions_read
from components.runtime import Markup, VdomDict, html, public_part, read_once, shared_part, slot
from components.ui.blocks import badge, button_link, link, live_badge, ordinal
from components.ui.frames import unbroken_pair, unbroken_words
from components.ui.marks import sign_slot
from components.ui.people import performer_link, stage_drawing
from components.ui.venue_time import clock_time, day_month, day_span, day_time, moment

# the topics of Home, as specified; the clock, so that a failed read is repeated; what is live and what is to come
TOPICS = ("latest_news", "featured_participants", "clock.minute", "live", "sessions", "stages")
STAGES_SHOWN = 4
THEN_SHOWN = 3  # as many as lead in the interval


@dataclass(frozen=True, slots=True)
class HomeState:
    """What the first block shows: the live session, else the final’s prizes, the last session, or when it begins."""

    session: SessionDetail | None = None
    appearances: tuple[AppearanceDetail, ...] = ()
    marks: SessionMarks | None = None
    coming: SessionCard | None = None
    stages: tuple[StageOverview, ...] = ()
    field: ParticipantsField | None = None
    prized_stage_id: int | None = None


@public_part(topics=lambda: TOPICS)
def home_banner(*, language: str) -> VdomDict:
    """The first block of Home: who is on stage, the interval, the prizes, or when the competition begins."""
    state = read_or_nothing(_state_read, None)
    return html.div({"class": "door"}, _block(state, language) if state else None)


def _block(state: HomeState, language: str) -> VdomDict:
    if state.prized_stage_id is not None:
        return _awarded(state.prized_stage_id, language)
    if state.session is None:
        return _before(state, language)
    if not state.session.is_live:
        return _after(state.session, state, language)
    now = performer(state.appearances)
    return _playing(now, state.session, language) if now else _between(state.session, state.appearances, language)


def _state_read() -> HomeState:
    """Return the state of Home. Queries: two while live or after the final, six after a session, nine before one."""
    if session := read_once(live_session):
        return HomeState(session=session, appearances=read_once(session_appearances, session_id=session.id))
    if prized := next((each.stage_id for each in stages_prized() if each.is_over and each.has_places), None):
        return HomeState(prized_stage_id=prized)
    ended = session_ended_last()
    coming = next((card for card in coming_sessions_read() if ended is None or card.id != ended.id), None)
    if ended is not None:
        appearances = read_once(session_appearances, session_id=ended.id)
        ids = tuple(each.id for each in played(appearances))
        marks = read_once(session_marks, stage_id=ended.stage_id, appearance_ids=ids)
        return HomeState(session=ended, appearances=appearances, marks=marks, coming=coming)
    return HomeState(coming=coming, stages=stage_overviews(), field=participants_field())


def _awarded(stage_id: int, language: str) -> VdomDict:
    """Return the block after the final: its prizes lead Home from their publication on."""
    own = {"class": "sheet", "aria-label": texts(language)("Prizes"), "key": f"prizes-{stage_id}"}
    return html.section(own, shared_part(home_prizes(stage_id, language=language)))


def _live(session: SessionDetail, look: str, head: Sequence[Markup], body: VdomDict, t: Texts) -> VdomDict:
    """Return the dark block of a live session, with the line that leads to its page."""
    return html.section(
        {"class": "stage", "aria-label": t("Live Now"), "key": "live"},
        html.a(
            {"class": f"livebar sheet {look}".strip(), "href": f"/sessions/{session.id}"},
            html.span(
                {"class": "livebar__line", "key": look or "playing"},
                *head,
                " ",
                html.span({"class": "livebar__what"}, session.title),
                " ",
                html.span({"class": "livebar__go"}, t("Watch")),
            ),
        ),
        html.div({"class": "sheet door__body"}, body),
    )


def _playing(now: AppearanceDetail, session: SessionDetail, language: str) -> VdomDict:
    t = texts(language)
    listen = html.span(slot(LISTEN, now.id), t("Listen and rate"))
    body = html.div(
        {"class": "door__grid door__grid--video", "key": f"playing-{now.id}"},
        html.div({"class": "door__video"}, stage_drawing()),
        html.div(
            html.p({"class": "door__name", "translate": "no"}, now.name),
            html.p({"class": "door__what"}, _place(now, session, t)),
            html.p({"class": "door__own"}, sign_slot(now.id)),
            html.p(button_link(keys_address(session.id, now.id), listen)),
        ),
    )
    return _live(session, "", (live_badge(t("Live Now")),), body, t)


def _place(appearance: AppearanceDetail, session: SessionDetail, t: Texts) -> str:
    return t("{country}, {ordinal} in {session}.").format(
        country=appearance.country, ordinal=ordinal(appearance.order_number, t), session=session.title
    )


def _between(session: SessionDetail, appearances: Sequence[AppearanceDetail], language: str) -> VdomDict:
    """Return the block of a live session with an empty stage."""
    t, coming, last = texts(language), following(appearances), last_on_stage(appearances)
    state, label = _interval_words(coming, last, t)
    head = [live_badge(t("LIVE NOW")), " ", badge(state, "now") if state else None]
    if last is not None and coming is not None and last.left_at is not None:
        at = clock_time(last.left_at, zone=venue_zone(), language=language)
        head += [" ", html.span({"class": "livebar__since"}, t("since {time}").format(time=at))]
    who: list[Markup] = [html.p({"class": "door__name"}, t("Everybody has played.") if last else session.title)]
    if coming is not None:
        who = [
            html.p({"class": "door__turn"}, label),
            html.p({"class": "door__name", "translate": "no"}, coming.name),
            html.p({"class": "door__what"}, _place(coming, session, t)),
            html.p({"class": "door__planned"}, *planned_words(coming, language)) if coming.planned_start else None,
        ]
    elif not last:
        who.append(html.p({"class": "door__what"}, t("The order of playing is not known yet.")))
    way = t("To the interval") if coming and last else t("To the session")
    body = html.div(
        {"class": "door__grid", "key": f"between-{last.id if last else 0}"},
        html.div(*who, html.p(button_link(f"/sessions/{session.id}", way))),
        session_figures(session, language=language) if last else _then(coming, appearances, t),
    )
    return _live(session, "livebar--rest", head, body, t)


def _then(first: AppearanceDetail | None, appearances: Sequence[AppearanceDetail], t: Texts) -> Markup:
    """Return who plays after the first performer; None without others."""
    others = [each for each in appearances if first is not None and each.order_number > first.order_number]
    if not others:
        return None
    rows = (
        html.li(
            {"key": f"then-{each.id}"},
            html.span({"class": "nr"}, str(each.order_number)),
            performer_link(each.participant_id, each.name, "heads__name"),
        )
        for each in others[:THEN_SHOWN]
    )
    return html.div(html.p({"class": "door__heading"}, t("Then")), html.ol({"class": "heads"}, *rows))


def _interval_words(coming: AppearanceDetail | None, last: AppearanceDetail | None, t: Texts) -> tuple[str, str]:
    """Return the badge and the label of the next performer."""
    if last is None:
        return t("It begins soon"), t("First")
    return (t("Interval"), t("Next, after the interval")) if coming else ("", "")


def _after(session: SessionDetail, state: HomeState, language: str) -> VdomDict:
    """Return the summary of the last session, which leads Home until the next one starts."""
    t = texts(language)
    return html.section(
        {"class": "sheet", "aria-label": t("After the session"), "key": f"after-{session.id}"},
        html.div(
            {"class": "door__grid"},
            html.div(
                _ended(session, language),
                html.p({"class": "door__name"}, *unbroken_words(session.title)),
                html.p({"class": "door__what"}, _summary(state, t), html.span(slot(OWN_COUNT, session.id))),
                html.p(button_link(f"/sessions/{session.id}", t("The order of the session"))),
                _next(state.coming, language),
            ),
            session_figures(session, language=language),
        ),
    )


def _ended(session: SessionDetail, language: str) -> Markup:
    """Return when the session ended: the time, with the date unless it is today."""
    if session.ended_at is None:
        return None
    since, until = venue_day(timezone.now())
    before, _, after = texts(language)("Ended {time}").partition("{time}")
    # without the viewer's time, which needs another line: the banner keeps its height
    words = clock_time if since <= session.ended_at < until else day_time
    when = words(session.ended_at, zone=venue_zone(), language=language)
    return html.p({"class": "door__label"}, before, when, after)


def _summary(state: HomeState, t: Texts) -> str:
    """Return how many played, and how many marks of how many listeners count."""
    count = len(played(state.appearances))
    words = t.plural("{n} performance.", "{n} performances.", count).format(n=count)
    if state.marks is None or not state.marks.marks:
        return f"{words} {t('No ratings count yet.')}"
    people = t.plural("{n} listener", "{n} listeners", state.marks.raters).format(n=f"{state.marks.raters:,}")
    given = t.plural("{n} rating", "{n} ratings", state.marks.marks).format(n=f"{state.marks.marks:,}")
    return f"{words} {t('{listeners} gave {ratings} that count.').format(listeners=people, ratings=given)}"


def _next(coming: SessionCard | None, language: str) -> Markup:
    """Return the next session with its time; None without one."""
    if coming is None:
        return None
    before, _, after = texts(language)("Next: {title}").partition("{title}")
    when = moment(coming.starts_at, zone=venue_zone(), language=language)
    return html.p(
        {"class": "door__next"}, before, html.a({"href": f"/sessions/{coming.id}"}, coming.title), after, ", ", when
    )


def _before(state: HomeState, language: str) -> VdomDict:
    """Return the block before the first session: its time, the field, the dates of the stages, and how it works."""
    t, coming = texts(language), state.coming
    label = None
    if coming is not None:
        when = moment(coming.starts_at, zone=venue_zone(), language=language)
        label = html.p({"class": "door__label"}, html.a({"href": f"/sessions/{coming.id}"}, coming.title), ": ", when)
    field = _field(state, t)
    is_empty = coming is None and not field
    words = html.div(
        label,
        html.p(
            {"class": "door__name"}, t("No session has been announced yet.") if is_empty else _since(coming, language)
        ),
        html.p({"class": "door__what"}, field) if field else None,
    )
    return html.section(
        {"class": "sheet", "aria-label": t("Before the first session"), "key": "before"},
        html.div({"class": "door__grid"}, words, None if is_empty else _dates(state.stages, language)),
        _steps(t),
    )


def _since(coming: SessionCard | None, language: str) -> str:
    t = texts(language)
    if coming is None:
        return t("The audience marks")
    return t("The audience marks, from {day}").format(
        day=day_month(coming.starts_at, zone=venue_zone(), language=language)
    )


def _field(state: HomeState, t: Texts) -> str:
    """Return the numbers of participants, countries and stages in words; what is not known is left out."""
    field, parts = state.field, []
    if field is not None and field.participants:
        parts.append(unbroken_pair(t.plural("%(n)d participant", "%(n)d participants", field.participants)))
        parts.append(unbroken_pair(t.plural("%(n)d country", "%(n)d countries", field.countries)))
    if state.stages:
        parts.append(unbroken_pair(t.plural("%(n)d stage", "%(n)d stages", len(state.stages))))
    return t("{numbers}, every piece on 25 keys.").format(numbers=", ".join(parts)) if parts else ""


def _dates(stages: Sequence[StageOverview], language: str) -> VdomDict:
    t = texts(language)
    if not stages:
        return html.p({"class": "muted"}, t("No session has been announced yet."))
    rows = [_stage(stage, language) for stage in stages[:STAGES_SHOWN]]
    more = link("/stages", t("All stages")) if len(stages) > STAGES_SHOWN else None
    return html.div(html.ol({"class": "days"}, *rows), more)


def _stage(stage: StageOverview, language: str) -> VdomDict:
    t = texts(language)
    dates: Markup = html.span({"class": "days__when"}, t("Not dated yet"))
    if stage.begins_at is not None and stage.ends_at is not None:
        dates = day_span(stage.begins_at, stage.ends_at, zone=venue_zone(), language=language, has_year=False)
    size = t.plural("%(n)d performer", "%(n)d performers", stage.performers) if stage.performers else ""
    name = html.a({"href": f"/stages/{stage.id}"}, *unbroken_words(stage.name))
    return html.li({"key": f"stage-{stage.id}"}, dates, html.span(name, f", {unbroken_pair(size)}" if size else ""))


def _steps(t: Texts) -> VdomDict:
    words = (
        t("Listen to a performance, live or later."),
        t("Strike a key for each piece, before you see what the others gave."),
        t("Submit with a comment. Your marks become part of the audience’s ranking."),
    )
    steps = [html.li({"key": f"step-{number}"}, text) for number, text in enumerate(words, start=1)]
    return html.ol({"class": "steps", "aria-label": t("How it works")}, *steps)
