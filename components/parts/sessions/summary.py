"""Shared parts of the summary of an ended session: its order by the audience's scores, its agreement and applause.

The order and the agreement are inside a slot. A member from whom figures of the stage are covered gets a part of their
own in its place, which members who see the same performances share (ADR 26).
"""

from collections.abc import Collection, Sequence
from decimal import Decimal

from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import ProgramLine, SessionAppearance, SessionCard, SessionDetail
from apps.competition.selectors.public.sessions import (
    appearances_get,
    live_session,
    session_appearances,
    session_get,
    sessions_coming,
)
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.live.limits import APPLAUDED_SHOWN
from apps.live.selectors import Applauded, applauded_most
from apps.ranking.own_states import own_states
from apps.ranking.selectors.results import Place
from apps.ranking.selectors.session_standing import (
    Agreement,
    SessionMarks,
    SessionPlace,
    SessionStanding,
    session_marks,
    session_standing,
)
from apps.ratings.enums import PerformanceState
from components.parts.programme import STAGE_VIDEO, watch_argument
from components.parts.ratings.covering import covering_line, folds, show_button
from components.parts.ratings.performance import BESIDE
from components.parts.stages.rank_words import (
    ADDED_MARKS,
    added_note,
    added_words,
    few_words,
    has_spread,
    score_range_words,
)
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    covered_by,
    fill,
    html,
    page_event,
    public_part,
    read_once,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import button_link, link, nth, visually_hidden
from components.ui.frames import section, title, unbroken_words
from components.ui.marks import keys, own_position, string_lengths, strings, strip
from components.ui.numbers import number_text
from components.ui.people import performer_link, person_name
from components.ui.pieces import video_second, work
from components.ui.venue_time import at_venue, clock, day

ORDER = "summary"  # the slots' names: the order and the agreement of a session
OWN_DOT, OWN_MARK, OWN_HEAD, OWN_COUNT = "summary_dot", "summary_mark", "summary_you", "summary_own"
SESSION_VIDEO = "session"  # the `watch` argument of the session's own video
NOTHING = "–"
BAR = "Bar: where the score lies nine times in ten. Dot: you."  # source of gettext


def _topics(session_id: int, stage_id: int) -> tuple[str, ...]:
    return (f"session.{session_id}", f"session.{session_id}.performer", f"ranking.{stage_id}")


@public_part(topics=lambda session_id: (f"session.{session_id}", "sessions"))
def summary_next(session_id: int, *, language: str) -> VdomDict:
    """The session that is live, else the next one with its time; its room is kept without either.

    If the session of this summary is live again, after an undo, the summary stays, and a link leads to the stage.
    """
    session = read_once(session_get, session_id=session_id)
    own = {"class": "summary__next muted"}
    if session is None or not (session.is_live or session.ended_at):
        return html.span(own)
    if session.is_live:
        to = {"class": "link", "href": f"/sessions/{session_id}", "data-reload": ""}
        return html.span(own, html.a(to, texts(language)("The session is live. To the stage")))
    live: SessionDetail | None = read_once(live_session)
    if live is not None:
        before, _, after = texts(language)("Live now: {session}").partition("{session}")
        return html.span(own, before, link(f"/sessions/{live.id}", live.title), after)
    coming: Sequence[SessionCard] = sessions_coming(now=timezone.now(), limit=2)
    following = next((each for each in coming if each.id != session_id), None)
    if following is None:
        return html.span(own)
    when = at_venue(following.starts_at, zone=venue_zone(), language=language, has_date=True)
    before, _, after = texts(language)("Next: {session}, {time}").partition("{session}")
    between, _, last = after.partition("{time}")
    to = link(f"/sessions/{following.id}", following.title)
    return html.span(own, before, to, between, when, last)


@public_part(topics=_topics)
def session_summary_head(session_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The times, the title, how many played and marked, and the ways to the ranking, the video and the next session."""
    t, standing = texts(language), read_once(session_standing, session_id=session_id)
    if standing is None:
        return html.header({"hidden": True})
    session = standing.session
    return html.header(
        {"class": "sheet sheet--first"},
        html.div({"class": "hang hang--low"}, _times(session, standing, language)),
        html.div(
            {"class": "body"},
            title(*unbroken_words(session.title)),
            html.p({"class": "standing__lead"}, _lead(standing, t), html.span(slot(OWN_COUNT, session_id))),
            covering_line(stage_id, t),
            html.p(
                {"class": "row row--loose"},
                button_link(f"/stages/{stage_id}", t("Ranking, {stage}").format(stage=session.stage)),
                _video(session, t),
                shared_part(summary_next(session_id, language=language)),
            ),
        ),
    )


def _times(session: SessionDetail, standing: SessionStanding, language: str) -> VdomDict:
    """Return the day, and from when to when it was played."""
    zone = venue_zone()
    came = [each.appearance.came_at for each in standing.performances if each.appearance.came_at is not None]
    times = min([session.starts_at, *came]), session.ended_at or session.starts_at
    first = day(session.starts_at, zone=zone, language=language)
    if session.ended_at is None:
        return html.p(first, ",", html.br(), clock(times[0], zone=zone, language=language))
    begin, end = (clock(at, zone=zone, language=language, is_labelled=at == times[1]) for at in times)
    before, _, rest = texts(language)("{begin} to {end}").partition("{begin}")
    between, _, after = rest.partition("{end}")
    return html.p(first, ",", html.br(), before, begin, between, end, after)


def _lead(standing: SessionStanding, t: Texts) -> str:
    """Return how many performances were played, and how many listeners gave how many marks that count."""
    count = len(_played(standing))
    played = t.plural("{n} performance.", "{n} performances.", count).format(n=count)
    marks = _marks(standing)
    if not marks.marks:
        return f"{played} {t('No ratings count yet.')}"
    words = t("{listeners} gave {ratings} that count.")
    people = t.plural("{n} listener", "{n} listeners", marks.raters).format(n=f"{marks.raters:,}")
    given = t.plural("{n} rating", "{n} ratings", marks.marks).format(n=f"{marks.marks:,}")
    return f"{played} {words.format(listeners=people, ratings=given)}"


def _played(standing: SessionStanding) -> tuple[SessionPlace, ...]:
    """Return the performances that were on stage; all of them in a session without recorded times."""
    on_stage = tuple(each for each in standing.performances if each.appearance.came_at is not None)
    return on_stage or standing.performances


def _marks(standing: SessionStanding) -> SessionMarks:
    ids = tuple(each.appearance.id for each in standing.performances)
    return read_once(session_marks, stage_id=standing.session.stage_id, appearance_ids=ids)


def _video(session: SessionDetail, t: Texts) -> Markup:
    if not session.youtube_id:
        return None
    to = {"class": "link", "href": f"/sessions/{session.id}?watch={SESSION_VIDEO}#{STAGE_VIDEO}"}
    return html.a(to | page_event("watch", SESSION_VIDEO), t("Watch the session"))


@public_part(topics=_topics, outcome=True)
def session_finale(session_id: int, stage_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The performances by score, and those about which the audience agreed most and least."""
    standing = read_once(session_standing, session_id=session_id)
    return _finale(standing, None, language)


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its inner part does
def session_summary(session_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The order and the agreement, in a slot that a member fills with those of the performances that they see."""
    return html.div(slot(ORDER, session_id), shared_part(session_finale(session_id, stage_id, language=language)))


@public_part(topics=lambda session_id, stage_id, _seen: _topics(session_id, stage_id), outcome=True)
def own_session_finale(session_id: int, stage_id: int, seen: str, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The same for members who see the figures of the performances `seen` (ids, as "3-17") only.

    The others stand below, in the order of playing.
    """
    ids = frozenset(int(pk) for pk in seen.split("-") if pk)
    standing = read_once(session_standing, session_id=session_id)
    return _finale(standing, ids, language)


def _finale(standing: SessionStanding | None, seen: Collection[int] | None, language: str) -> VdomDict:
    if standing is None:
        return html.div({"hidden": True})
    t, shown = texts(language), standing if seen is None else standing.as_seen(seen)
    return html.div(_order(shown, language, is_own=seen is not None), _agreement(standing, _marks(standing), seen, t))


def _order(standing: SessionStanding, language: str, *, is_own: bool) -> VdomDict:
    t, session = texts(language), standing.session
    played = {each.appearance.id for each in _played(standing)}
    rows = [_row(each, t, has_played=each.appearance.id in played, is_own=is_own) for each in standing.by_score]
    ranks = t("Likely rank: that in {stage}, nine times in ten.").format(stage=session.stage)
    has_scores = any(each.place.score is not None for each in standing.performances)
    return section(
        t("The order"),
        html.div(
            {"class": "body", "data-answers": ""},
            *(_covering(standing, t) if is_own else ()),
            html.ol({"class": "finale"}, _head(t, is_own=is_own, has_scores=has_scores), *rows),
        ),
        aside=html.div(
            html.p({"class": "finale__how"}, t(BAR))
            if any(_ends(each.place) for each in standing.performances)
            else None,
            None if is_own else html.p(ranks),
            html.p(t(ADDED_MARKS)) if any(added_words(each.place, t) for each in standing.performances) else None,
        )
        if has_scores
        else None,
    )


def _covering(standing: SessionStanding, t: Texts) -> tuple[Markup, ...]:
    """Return which performances the numbers count, and the place of answers."""
    count = sum(each.position is not None for each in standing.performances)
    words = t.plural(
        "The order is counted among the {n} performance whose marks you see.",
        "The order is counted among the {n} performances whose marks you see.",
        count,
    ).format(n=count)
    return (
        html.p({"class": "small muted"}, words) if count else None,
        html.p({"class": "small", "data-answer": "", "role": "status"}),
    )


def _head(t: Texts, *, is_own: bool, has_scores: bool) -> VdomDict:
    """Return the heads of the columns; without any score only those of names and own marks."""
    return html.li(
        {"class": "finale__head", "aria-hidden": "true", "key": "head"},
        html.span(),
        html.span(t("Performer")),
        keys() if has_scores else html.span(),
        html.span(t("Audience") if has_scores else None),
        html.span(_likely_head(t, is_own=is_own) if has_scores else None),
        html.span({"hidden": True} | slot(OWN_HEAD, "head"), t("You")),
    )


def _likely_head(t: Texts, *, is_own: bool) -> str:
    """Return the head of the ranges: a range of ranks counts covered performances, so members see that of the score."""
    return t("Likely score") if is_own else t("Likely rank")


def _row(each: SessionPlace, t: Texts, *, has_played: bool, is_own: bool) -> VdomDict:
    appearance = each.appearance
    name = performer_link(appearance.participant_id, appearance.name)
    own = html.b({"class": "is-mine", "hidden": True} | slot(OWN_MARK, appearance.id))
    return html.li(
        {"key": f"finale-{appearance.id}", "class": "" if each.position else "is-few"},
        html.span({"class": "nr"} | folds(appearance.id), _position(each, t)),
        html.span({"class": "finale__name"}, name, html.small(slot(BESIDE, appearance.id))),
        *_figures(each, t, has_played=has_played, is_own=is_own),
        html.span({"class": "finale__you"}, own),
    )


def _position(each: SessionPlace, t: Texts) -> str:
    if each.position is None:
        return NOTHING
    return t("{rank}, tied").format(rank=each.position) if each.is_tied else str(each.position)


def _figures(each: SessionPlace, t: Texts, *, has_played: bool, is_own: bool) -> tuple[Markup, ...]:
    """Return strip, score and its likely rank or range; without a score one sentence in their place."""
    place, appearance = each.place, each.appearance
    if place.score is not None:
        audience = visually_hidden(f"{t('audience')} ")
        folded = folds(appearance.id)
        score = html.b({"class": "finale__score"} | folded, audience, str(place.score), added_note(place, t))
        words = score_range_words(place, t) if is_own else _likely(place, t)
        likely = html.span({"class": "finale__range"} | folded, words)
        own = slot(OWN_DOT, appearance.id)
        return strip(place.score, _ends(place), own=own, words=_words(place, t), more=folded), score, likely
    if not has_played:
        return (html.span({"class": "finale__few"}, t("did not play")),)
    if each.is_covered:
        show = show_button(appearance.id, appearance.name, t)
        return (html.span({"class": "finale__few"}, t("covered"), " · ", show),)
    if appearance.is_repeated:
        return (html.span({"class": "finale__few"}, t("repeated, not ranked")),)
    return (html.span({"class": "finale__few"}, few_words(place, t)),)


def _ends(place: Place) -> tuple[Decimal, Decimal] | None:
    if place.score_from is None or place.score_to is None or not has_spread(place):
        return None
    return place.score_from, place.score_to


def _words(place: Place, t: Texts) -> str:
    ends = _ends(place)
    if ends is None:
        return t("{score} of 25").format(score=place.score)
    words = t("{score} of 25, nine times in ten between {lowest} and {highest}")
    return words.format(score=place.score, lowest=ends[0], highest=ends[1])


def _likely(place: Place, t: Texts) -> str:
    """Return the interval of the rank in the stage: "1st", "1st or 2nd", "1st to 4th"; empty if it is not known."""
    if place.lowest is None or place.highest is None:
        return ""
    first, last = nth(place.lowest, t), nth(place.highest, t)
    if place.lowest == place.highest:
        return first
    if place.highest - place.lowest == 1:
        return t("{lowest} or {highest}").format(lowest=first, highest=last)
    return t("{lowest} to {highest}").format(lowest=first, highest=last)


def _agreement(standing: SessionStanding, marks: SessionMarks, seen: Collection[int] | None, t: Texts) -> Markup:
    """Return the performances whose marks agree most and least; None without two that differ."""
    found = marks.extremes(seen)
    if found is None:
        return None
    most, least = found
    names = {each.appearance.id: each.appearance.name for each in standing.performances}
    return section(
        t("Agreement"),
        html.div(
            {"class": "body agree"},
            _agreed(t("Most agreed"), names[most.appearance_id], most, t),
            _agreed(t("Least agreed"), names[least.appearance_id], least, t),
        ),
    )


def _agreed(words: str, name: str, agreement: Agreement, t: Texts) -> VdomDict:
    half = t("Half of the {n} ratings are from {lowest} to {highest}.").format(
        n=f"{agreement.raters:,}", lowest=_mark(agreement.lowest), highest=_mark(agreement.highest)
    )
    return html.div(
        {"key": words},
        html.h3(words),
        html.p({"translate": "no"}, name),
        strings(string_lengths(agreement.often)),
        html.p({"class": "small muted"}, half),
    )


def _mark(mark: float) -> str:
    """Return a mark with at most one decimal."""
    return number_text(mark, 1).removesuffix(".0")


@public_part(topics=lambda session_id: (f"session.{session_id}", f"session.{session_id}.performer"))
def session_applause(session_id: int, *, language: str) -> VdomDict:
    """The most applauded minutes of the session, each of another performance, with links into the video."""
    t, order = texts(language), read_once(session_appearances, session_id=session_id)
    moments = applauded_most(appearance_ids=tuple(each.id for each in order))[:APPLAUDED_SHOWN]
    found = appearances_get(appearance_ids=[each.appearance_id for each in moments]) if moments else {}
    rows = [
        _applauded(found[each.appearance_id], each, language, is_first=number == 0)
        for number, each in enumerate(moments)
        if each.appearance_id in found
    ]
    if not rows:
        return html.div({"hidden": True})
    aside = html.p(t("Hearts and thumbs up while it was live"))
    return html.div(section(t("Most applauded"), html.ol({"class": "body lines"}, *rows), aside=aside))


def _applauded(shown: SessionAppearance, applauded: Applauded, language: str, *, is_first: bool) -> VdomDict:
    t, name = texts(language), shown.appearance.name
    timed = _timed(shown.appearance.program, applauded.second)
    words = t("{n} in one minute") if is_first else "{n}"
    about = person_name(name), f": {words.format(n=f'{applauded.count:,}')}"
    what = work(timed[0].piece, language=language) if timed else None
    return html.li(
        {"key": f"applauded-{shown.appearance.id}"},
        html.span({"class": "work"}, what, ", " if what else "", html.span({"class": "work__key"}, *about)),
        html.span({"class": "dots"}) if timed else None,
        _watch(shown, timed[1], t) if timed else None,
    )


def _timed(program: Sequence[ProgramLine], second: int) -> tuple[ProgramLine, int] | None:
    """Return the piece that is played so many seconds into a performance, and the second of the video.

    None for a program without times in a video.
    """
    if not program or not program[0].video_id or program[0].second is None:
        return None
    at = program[0].second + second
    begun = [
        line
        for line in program
        if line.video_id == program[0].video_id and line.second is not None and line.second <= at
    ]
    return begun[-1], at


def _watch(shown: SessionAppearance, second: int, t: Texts) -> VdomDict:
    """Return the link into the video; the page event "watch" is that of the curve's moments."""
    watch, at = watch_argument(shown.appearance.program[0].id, second), video_second(second)
    name = t("Watch {time}: {name}").format(time=at, name=shown.appearance.name)
    to = {"class": "watch", "href": f"/sessions/{shown.session.id}?watch={watch}#{STAGE_VIDEO}", "aria-label": name}
    return html.a(to | page_event("watch", f"{shown.appearance.id}:{watch}"), f"{t('Watch')} {at}")


def summary_slots(*, session_id: int, stage_id: int, language: str) -> SlotQuery:
    """Return the query for the viewer's own marks in a summary, and what is covered for them."""
    topics = ("account.<id>.ratings", f"ranking.{stage_id}")
    return slot_query(summary_fills, topics=topics, session_id=session_id, stage_id=stage_id, language=language)


def summary_fills(*, viewer: Viewer, session_id: int, stage_id: int, language: str) -> Fills:
    """Return the viewer's marks of the performances that were played in a session.

    A member from whom a performance of the stage is covered gets the order of those whose figures the member sees.
    Seven queries at most.
    """
    if viewer.id is None:
        return {}
    states, t = own_states(user_id=viewer.id, stage_id=stage_id), texts(language)
    listed = session_appearances(session_id=session_id)
    order = [each.id for each in listed if each.came_at is not None] or [each.id for each in listed]
    own = {pk: states[pk] for pk in order if pk in states}
    fills: dict[str, Fill] = {}
    if any(each.is_covered and each.state != PerformanceState.TO_COME for each in states.values()):
        seen = "-".join(str(pk) for pk in sorted(own) if not own[pk].is_covered)
        part = own_session_finale(session_id, stage_id, seen, language=language)
        fills[f"{ORDER}:{session_id}"] = covered_by(part)
    for pk, each in own.items():
        if (mark := each.ratings.mean) is not None:
            fills[f"{OWN_DOT}:{pk}"] = fill({"hidden": False, "aria-hidden": "true", "value": own_position(mark)})
            fills[f"{OWN_MARK}:{pk}"] = fill({"hidden": False}, f"{mark}")
    marked = sum(each.ratings.mean is not None for each in own.values())
    if marked:
        fills[OWN_HEAD] = fill({"hidden": False})
    words = t(" You marked all.") if marked == len(order) else t(" You marked {n} of {all}.")
    fills[f"{OWN_COUNT}:{session_id}"] = fill(text=words.format(n=marked, all=len(order)))
    return fills
