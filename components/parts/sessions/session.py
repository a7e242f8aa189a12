"""The session page's parts: the stage and the running order."""

from collections.abc import Sequence

from django.utils import timezone

from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import following, last_on_stage, performer
from apps.competition.selectors.public.schedule import minutes_late
from apps.competition.selectors.public.sessions import (
    Withdrawn,
    session_appearances,
    session_get,
    session_withdrawals,
)
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.parts.following import follow_button
from components.parts.people import entry
from components.parts.ratings.covering import covering_line
from components.parts.ratings.performance import MEANS, performance_means, performance_strings
from components.parts.ratings.rating_form import keys_address, performance_rating
from components.parts.sessions.call_alert import call_alert
from components.parts.sessions.facts import orchestra_words, plays_piano, with_line
from components.parts.sessions.interval import (
    FIRST,
    KEYS_OPEN,
    heard_now,
    interval_badge,
    interval_when,
    since_words,
)
from components.parts.sessions.lists import video_label
from components.parts.sessions.reactions import performance_moments, stage_moments
from components.parts.sessions.schedule import interval_words, late_words
from components.runtime import (
    Fill,
    Markup,
    VdomDict,
    cached_markup,
    fill,
    html,
    page_event,
    public_part,
    read_once,
    shared_part,
    slot,
)
from components.ui.blocks import badge, link, live_badge, theater_button
from components.ui.empty_states import empty
from components.ui.frames import title, unbroken_words
from components.ui.marks import sign_slot
from components.ui.people import performer_link, person_name, with_names
from components.ui.venue_time import at_venue, moment

PANEL, ROW = "panel", "row"  # the slots' names: the content of an open row, and the row itself
# the slots' name: "before:line" and "before:words" are the line of the folded rows, "before:17" the row below it
BEFORE = "before"
OPEN = "order_open"  # the page event: open or close a row


def _topics(session_id: int) -> tuple[str, str]:
    return (f"session.{session_id}", f"session.{session_id}.performer")


@public_part(topics=_topics)
def session_head(session_id: int, *, language: str) -> VdomDict:
    """The line above the video: whether it is live, whether there is an interval, and the title.

    The badges keep their room while the session is not live.
    """
    t = texts(language)
    session = read_once(session_get, session_id=session_id)
    if session is None:
        return html.div({"class": "stand__head"}, title(t("Session not found.")))
    badges: tuple[Markup, ...] = ()
    if session.is_live:
        badges = live_badge(t("LIVE NOW")), " ", interval_badge(session_id, t)
    state = html.p({"class": "stand__state"}, *badges)
    return html.div({"class": "stand__head"}, state, title(*unbroken_words(session.title)), theater_button(t))


@cached_markup
def ended_head(language: str) -> VdomDict:
    """Return the line above the video of an ended session, whose title is that of the summary."""
    t = texts(language)
    return html.div({"class": "stand__head"}, html.h2(t("Recording")), theater_button(t))


@public_part(topics=lambda session_id: (f"session.{session_id}",))
def session_about(session_id: int, *, language: str) -> VdomDict:
    """The session's time and description, and the link to the ranking of its stage."""
    session = read_once(session_get, session_id=session_id)
    if session is None:
        return html.div()
    when = moment(session.starts_at, zone=venue_zone(), language=language)
    about = html.p({"class": "stand__about"}, session.description) if session.description else None
    stalls = texts(language)("Audience ranking, {stage}").format(stage=session.stage)
    ranking = html.p({"class": "small"}, link(f"/stages/{session.stage_id}", stalls))
    covered = covering_line(session.stage_id, texts(language))
    end = planned_end(session, language)
    words = orchestra_words(session, texts(language), opening=True)
    orchestra = html.p({"class": "with"}, *words) if words else None
    return html.div({"class": "stand__when"}, html.p(when), end, about, orchestra, ranking, covered)


def planned_end(session: SessionDetail, language: str) -> Markup:
    """Return the line with the time at which the session should end, or has ended; None if no end was planned."""
    if session.planned_end is None:
        return None
    words = texts(language)("Planned to end at {time}") if session.ended_at is None else texts(language)("Ended {time}")
    before, _, after = words.partition("{time}")
    end = at_venue(session.ended_at or session.planned_end, zone=venue_zone(), language=language, has_date=False)
    return html.p({"class": "small muted"}, before, end, after)


@public_part(topics=_topics)
def session_now(session_id: int, *, language: str) -> VdomDict:
    """The reaction curve, the current and the next performer, and the audience's marks so far.

    Without a performer it is the next one, and what was just heard. A short form of it is beside the small player of a
    phone. When the session has ended it leads to the summary, and keeps its room.
    """
    session = read_once(session_get, session_id=session_id)
    if session is None or not session.is_live:
        over = _over(session, language) if session else ()
        return html.div({"class": "stand__now"}, *over, _dock(session.title if session else "", None))
    appearances = read_once(session_appearances, session_id=session_id)
    now = performer(appearances)
    said = html.div(
        {"key": "said", "class": "stand__said", "aria-live": "polite"}, *_now(session, appearances, language)
    )
    if now is None:
        return _interval(session, appearances, said, language)
    along = _along(shared_part(stage_moments(now.id, session_id, language=language)))
    strings = shared_part(performance_strings(now.id, now.name, language=language))
    dock = _dock(person_name(now.name), live_badge(texts(language)("LIVE")))
    return html.div({"class": "stand__now"}, along, said, strings, dock)


def _over(session: SessionDetail, language: str) -> tuple[Markup, ...]:
    """Return what a window shows in which the session was live: its page stays until the press.

    What is above the words during a performance keeps its room, if one was on stage.
    """
    t = texts(language)
    words: list[Markup] = [t("The session has ended."), html.p(_anew(session.id, t("To the summary")))]
    if session.ended_at is None:  # Set as Live was undone
        words = [moment(session.starts_at, zone=venue_zone(), language=language)]
    label, *more = words
    last = last_on_stage(read_once(session_appearances, session_id=session.id))
    was_on_stage = last is not None and session.ended_at is not None and last.left_at == session.ended_at
    said = {"key": "said", "class": "stand__said", "aria-live": "polite", "data-over": ""}
    curve = _along(html.figure({"class": "moments", "aria-hidden": "true"})) if was_on_stage else None
    return curve, html.div(said, html.p({"class": "stage__label"}, label), *more)


def _along(curve: VdomDict) -> VdomDict:
    """Return the place of the curve, which keeps its height while its part is on its way."""
    return html.div({"key": "along", "class": "stand__along"}, curve)


def _anew(session_id: int, words: str) -> VdomDict:
    """Return the link that loads the session's page as it is now."""
    return html.a({"class": "link", "href": f"/sessions/{session_id}", "data-reload": ""}, words)


@public_part(topics=_topics)
def session_call(session_id: int, *, language: str) -> VdomDict:
    """The same in a window that was opened before the session: when it begins and with whom, and then that it is live.

    Where the programme is below the video, what comes would move it: a line of the same height leads to it there.
    """
    session = read_once(session_get, session_id=session_id)
    if session is None:
        return html.div({"class": "call"})
    inner = shared_part(session_now(session_id, language=language))
    if session.ended_at is not None:
        return html.div({"class": "call"}, inner)
    t, said = texts(language), {"key": "call", "class": "stand__said call__line", "aria-live": "polite"}
    if session.is_live:
        live = html.p({"key": "live", "class": "stage__label"}, t("The session is live."))
        way = html.p({"key": "way"}, _anew(session_id, t("To the stage")))
        return html.div({"class": "call"}, html.div(said, live, way), inner)
    when = html.p(
        {"key": "when", "class": "stage__label"}, moment(session.starts_at, zone=venue_zone(), language=language)
    )
    first = _beginning(read_once(session_appearances, session_id=session_id), t)
    return html.div({"class": "call"}, _dock(session.title, None), html.div(said, when, *first))


def _beginning(appearances: Sequence[AppearanceDetail], t: Texts) -> list[VdomDict]:
    """Return who plays first, and who after that."""
    if not appearances:
        return []
    first, *others = appearances[:FIRST]
    then = with_names(t("then {names}"), names=", ".join(each.name for each in others))
    return [_turn(t("First:"), first), *([html.p({"class": "stage__told"}, *then)] if others else [])]


def _interval(
    session: SessionDetail, appearances: Sequence[AppearanceDetail], said: VdomDict, language: str
) -> VdomDict:
    """Return what a live session without a performer shows."""
    t, last, coming = texts(language), last_on_stage(appearances), following(appearances)
    heard = heard_now(session, last, language) if last else None
    words: list[Markup] = [session.title]
    if last and coming:
        number = html.span(str(coming.order_number))
        words = with_names(t("Interval. Next: {number} {name}"), number=number, name=coming.name)
    return html.div(
        {"class": "stand__now stand__now--interval"},
        html.div({"key": "heard", "class": "interval__heard"}, said, heard),
        _dock(html.span(*words), live_badge(t("LIVE"))),
    )


def _dock(words: Markup, live: Markup) -> VdomDict:
    return html.p({"class": "stand__dock", "aria-hidden": "true"}, live, html.span(words))


def _now(session: SessionDetail, appearances: Sequence[AppearanceDetail], language: str) -> list[Markup]:
    t, now, coming = texts(language), performer(appearances), following(appearances)
    if now is not None:
        country = html.p({"class": "person__from"}, now.country)
        person = entry(now, now.participant_id, "p", country)
        late = late_words(minutes_late(appearances), t)
        delay = (" ", html.span({"class": "stage__since"}, late)) if late else ()
        label = html.p({"class": "stage__label"}, t("Now Performing"), *delay)
        return [label, person, with_line(now.piano, session, t), _next(coming, now.interval_after, t)]
    last = last_on_stage(appearances)
    when = (shared_part(interval_when(session.id, language=language)), call_alert(session.id, last, t))
    if last is None:
        if coming is None:
            return []
        first, *others = _beginning(appearances, t)
        return [html.p({"class": "stage__label"}, t("It begins soon")), first, *when, *others]
    since = html.span({"class": "stage__since"}, *_since(last, language)) if coming and last.left_at else None
    label = html.p({"class": "stage__label"}, t("Interval") if coming else t("Everybody has played."), " ", since)
    return [label, _turn(t("Next:"), coming), *when] if coming else [label]


def _since(last: AppearanceDetail, language: str) -> tuple[Markup, ...]:
    """Return since when there has been an interval, and how long it is planned to be."""
    since, minutes = since_words(last, language), last.interval_after
    if minutes is None:
        return (since,)
    return since, ", ", texts(language).plural("%(n)d minute planned", "%(n)d minutes planned", minutes)


def _next(coming: AppearanceDetail | None, interval: int | None, t: Texts) -> Markup:
    """Return the line with the next performer, after a planned interval of so many minutes.

    Without a performer it keeps its height.
    """
    if coming is None:
        return html.p({"class": "stage__next"})
    number = html.span({"class": "nr"}, str(coming.order_number))
    words = t("{name} is next")
    if interval:
        words = t.plural(
            "{name} is next, after an interval of %(n)d minute",
            "{name} is next, after an interval of %(n)d minutes",
            interval,
        )
    return html.p({"class": "stage__next"}, number, " ", *with_names(words, name=coming.name))


def _turn(words: str, coming: AppearanceDetail) -> VdomDict:
    name = performer_link(coming.participant_id, coming.name)
    number = html.span({"class": "nr"}, str(coming.order_number))
    return html.p({"class": "stage__turn"}, f"{words} ", number, " ", name)


@public_part(topics=_topics)
def session_performer_link(session_id: int, *, language: str) -> VdomDict:
    """The link to the current performer, and after the end to the summary.

    `modules/session-page.js` shows it after a change outside the viewport.
    """
    t, own = texts(language), {"class": "fresh stand__bring", "hidden": True}
    session = read_once(session_get, session_id=session_id)
    if session is not None and session.ended_at is not None:
        to = own | {"href": f"/sessions/{session_id}", "data-reload": ""}
        return html.a(to, html.span(t("The session has ended."), " ", t("To the summary")))
    now = performer(read_once(session_appearances, session_id=session_id))
    if now is None:
        return html.a(own)
    words = with_names(t("Now: {name}"), name=now.name)
    return html.a(own | {"href": f"#appearance-{now.id}"}, html.span(*words))


@public_part(topics=lambda session_id: (f"session.{session_id}", "clock.minute"))
def session_label(session_id: int, *, language: str) -> VdomDict:
    """The video's label: a stream until the session is over, then a recording; none beside LIVE NOW, which says it."""
    session = read_once(session_get, session_id=session_id)
    label = video_label(session, timezone.now(), texts(language)) if session and not session.is_live else ""
    return html.p({"class": "stage__under", "hidden": not label}, badge(label) if label else None)


@public_part(topics=lambda *_: ())  # it never changes; its inner parts do
def performance_panel(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """The content of an open row: the rating form or the program, the reaction curve, and the performer's link."""
    t = texts(language)
    more = link(f"/participants/{participant_id}", t("More about the performer"))
    follow = shared_part(follow_button(participant_id, "", language=language))
    form = shared_part(performance_rating(appearance_id, participant_id, language=language))
    moments = shared_part(performance_moments(appearance_id, participant_id, language=language))
    return html.div({"class": "order__inside"}, form, moments, html.div({"class": "order__more row"}, more, follow))


@public_part(topics=_topics)
def session_order(session_id: int, *, language: str) -> VdomDict:
    """The participants in playing order, one row each. A row opens in place, for each viewer separately."""
    t, appearances = texts(language), read_once(session_appearances, session_id=session_id)
    session = read_once(session_get, session_id=session_id)
    withdrawn = read_once(_withdrawn, session_id=session_id)
    if not (appearances or withdrawn) or session is None:
        return html.div(empty(t("The order of playing is not known yet.")))
    coming = following(appearances) if session.is_live else None
    last = last_on_stage(appearances)
    rows = {
        each.order_number: _row(session, each, each is coming, interval_words(each, last, t), language)
        for each in appearances
    }
    rows |= {each.order_number: withdrawn_row(each, language) for each in withdrawn}
    heads = html.span(t("audience")), html.span(slot(MEANS, "head"), t("you"))
    any_begun = any(each.has_begun for each in appearances)
    return html.div(
        {"class": "order__whole"},
        html.div({"class": "order__head"} | ({"aria-hidden": "true"} if any_begun else {"hidden": True}), *heads),
        html.span({"class": "order__marker", "aria-hidden": "true"}),
        _before(),
        html.ol({"class": "order"}, *(rows[number] for number in sorted(rows))),
    )


@cached_markup
def _before() -> VdomDict:
    """Return the line of the rows before the performer at the load of the page; a page fills it (`before_fills`).

    The style sheet folds the rows above the row that a page marks as the first one, while the line is closed.
    """
    words = html.summary(html.span(slot(BEFORE, "words")))
    return html.details({"class": "order__before", "hidden": True} | slot(BEFORE, "line"), words)


def before_fills(first: int, count: int, t: Texts) -> dict[str, Fill]:
    """Return the fills that fold the `count` rows before that of the appearance `first`."""
    return {
        f"{BEFORE}:line": fill({"hidden": False}),
        f"{BEFORE}:words": fill(text=t.plural("%(n)d earlier performer", "%(n)d earlier performers", count)),
        f"{BEFORE}:{first}": fill({"data-own": "first"}),
    }


@public_part(topics=_topics)
def stage_keys_link(session_id: int, *, language: str) -> VdomDict:
    """The skip link to the keys of the performer on stage, or in an interval of the last one; hidden without any."""
    session = read_once(session_get, session_id=session_id)
    last = last_on_stage(read_once(session_appearances, session_id=session_id))
    if session is None or not session.is_live or last is None:
        return html.a({"class": "skip", "hidden": True})
    way = {"class": "skip", "href": keys_address(session_id, last.id), "data-stay": ""}
    return html.a(way | page_event(KEYS_OPEN, last.id), texts(language)("To the keys"))


def _withdrawn(session_id: int) -> Sequence[Withdrawn]:
    return session_withdrawals(session_ids=[session_id]).get(session_id, ())


def withdrawn_row(withdrawn: Withdrawn, language: str) -> VdomDict:
    """Return the row of a performer who withdrew, struck out at the old place."""
    return html.li(
        {"key": f"withdrawn-{withdrawn.participant_id}"},
        html.div(
            {"class": "order__row"},
            html.span({"class": "nr"}, str(withdrawn.order_number)),
            html.s({"class": "muted person__name", "translate": "no"}, withdrawn.name),
            badge(texts(language)("withdrawn"), "quiet"),
        ),
    )


@cached_markup
def _row(
    session: SessionDetail,
    appearance: AppearanceDetail,
    is_next: bool,  # noqa: FBT001 - private
    interval: str,
    language: str,
) -> VdomDict:
    name = f"appearance-{appearance.id}"
    to = f"/sessions/{session.id}?open={appearance.id}#{name}"
    attributes = {"class": "order__row", "href": to, "data-stay": "", "aria-expanded": "false"}
    return html.li(
        {"key": name, "id": name, "class": _look(appearance, is_next), "data-back": to} | slot(BEFORE, appearance.id),
        html.a(
            attributes | page_event(OPEN, appearance.id) | slot(ROW, appearance.id),
            html.span({"class": "nr"}, str(appearance.order_number)),
            html.span(
                html.span({"class": "person__name", "translate": "no"}, appearance.name),
                " ",
                html.span({"class": "person__from"}, appearance.country),
                *_planned(appearance, language),
                *_interval_after(interval),
                *((" ", badge(texts(language)("repeated"), "quiet")) if appearance.is_repeated else ()),
                plays_piano(appearance.piano, texts(language)),
            ),
            _end(session, appearance, is_next, language),
            sign_slot(appearance.id) if appearance.has_begun else None,
        ),
        html.div({"class": "order__panel", "hidden": True} | slot(PANEL, appearance.id)),
    )


def _planned(appearance: AppearanceDetail, language: str) -> tuple[Markup, ...]:
    """Return the time at which a performance should begin, while it has not begun and the time is known."""
    if appearance.planned_start is None or appearance.has_begun:
        return ()
    at = at_venue(appearance.planned_start, zone=venue_zone(), language=language, has_date=False)
    return " ", html.span({"class": "order__planned"}, at)


def _interval_after(words: str) -> tuple[Markup, ...]:
    return (" ", html.span({"class": "order__planned"}, words)) if words else ()


def _look(appearance: AppearanceDetail, is_next: bool) -> str:  # noqa: FBT001 - private
    if appearance.is_performing:
        return "is-now"
    if appearance.has_begun:
        return "is-done"
    return "is-coming is-next" if is_next else "is-coming"


def _end(session: SessionDetail, appearance: AppearanceDetail, is_next: bool, language: str) -> VdomDict:  # noqa: FBT001 - private
    """Return the end of a row: the badge of the current performance, the figures of a past one, or "next"."""
    t = texts(language)
    if appearance.is_performing:
        return badge(t("Now Performing"), "now")
    if appearance.has_begun:
        return html.span(shared_part(performance_means(appearance.id, session.stage_id, language=language)))
    return html.span({"class": "order__when"}, t("next") if is_next else None)
