"""The parts of a live session without a performer: before the first one, in an interval, and after the last one.

Below the video are who comes next and when, and the marks and moments of the performance that has just ended. A tab
beside it has what the viewer has not rated yet, who leads the session and what has moved since the former interval, and
the newest comments. While a performer is on stage, all of them are empty and read nothing of their own. A change from
one performer to the next is one transaction, so no part is ever rendered between the two.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta

from django.utils import timezone

from apps.competition.selectors.public.participants import AppearanceDetail, SessionAppearance, SessionDetail
from apps.competition.selectors.public.programs import following, last_on_stage, performer, program_pieces
from apps.competition.selectors.public.sessions import appearances_get, session_appearances, session_get
from apps.core.database.fields import venue_zone
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.live.selectors import Comment, ReactionCurve, reaction_curves
from apps.ranking.own_states import OwnState, OwnStates
from apps.ranking.selectors.intervals import Moved, interval_scores
from apps.ranking.selectors.session_standing import SessionPlace, SessionStanding, session_standing
from apps.ratings.enums import PerformanceState
from components.parts.comments import EVERY as COMMENTS_EVERY
from components.parts.comments import comments_read, with_default_picture
from components.parts.programme import STAGE_VIDEO, watch_argument
from components.parts.ratings.covering import folds
from components.parts.ratings.performance import performance_means, performance_strings
from components.parts.ratings.rating_form import keys_address
from components.parts.ratings.states import RATE, RATE_WAY, state_words
from components.parts.sessions.schedule import MINUTES
from components.parts.stages.rank_words import added_note
from components.runtime import (
    Fill,
    Markup,
    VdomDict,
    command_button,
    covered_by,
    fill,
    html,
    page_event,
    public_part,
    read_once,
    read_together,
    shared_part,
    slot,
)
from components.ui.blocks import badge, link, nth, visually_hidden
from components.ui.people import disc, performer_link, person_name
from components.ui.pieces import title_text, video_second
from components.ui.reaction_curve import peaks
from components.ui.venue_time import ago, clock, clock_time

FIRST = 3  # performers that are named before the first one plays
LEADERS = 3
SAID = 2  # comments
UNRATED_MOST = 30  # rows; the style sheet shows the first three that the viewer has not rated
INTERVAL = "interval"  # the id of the panel
UNRATED, UNRATED_WORDS, AHEAD = "unrated", "unrated_words", "ahead"  # the slots' names
KEYS_OPEN = "keys_open"  # the page event: open a row of the running order for its keys


def _topics(session_id: int, *_others: int | str) -> tuple[str, str]:
    return (f"session.{session_id}", f"session.{session_id}.performer")


def _order(session_id: int) -> tuple[AppearanceDetail, ...] | None:
    """Return the order of playing of a live session with an empty stage; None for any other session."""
    session = read_once(session_get, session_id=session_id)
    if session is None or not session.is_live:
        return None
    appearances = read_once(session_appearances, session_id=session_id)
    return None if performer(appearances) else appearances


def interval_badge(session_id: int, t: Texts) -> VdomDict:
    """Return the badge beside LIVE NOW in an interval; it keeps its place during a performance."""
    order = _order(session_id)
    is_interval = order is not None and last_on_stage(order) is not None and following(order) is not None
    look = {} if is_interval else {"data-off": ""}
    return html.span({"class": "interval__badge"} | look, badge(t("Interval"), "now"))


Found = tuple[SessionAppearance, ReactionCurve]


def _moments_read(appearance_ids: tuple[int, ...]) -> Mapping[int, Found]:
    """Return these performances with their reactions, by appearance. Three queries."""
    curves = reaction_curves(appearance_ids=appearance_ids)
    found = read_once(appearances_get, appearance_ids=appearance_ids) if curves else {}
    return {pk: (found[pk], along) for pk, along in curves.items() if pk in found}


@public_part(topics=lambda _appearance_id, participant_id: (f"participant.{participant_id}",), together=_moments_read)
def interval_moments(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The most applauded moments of a performance as links into the video; they keep their line without any."""
    t, known = texts(language), read_together(_moments_read, appearance_id)
    if known is None:
        return html.p({"class": "heard-now__moments"})
    found, along = known
    first = next(iter(found.appearance.program), None)
    if first is None or not first.video_id or first.second is None or along.is_on_stage:
        return html.p({"class": "heard-now__moments"})
    seconds = [first.second + nth_slice * along.slice_seconds for nth_slice in peaks(along.applause)]
    return html.p({"class": "heard-now__moments"}, *(_moment(found, second, t, language) for second in seconds))


def _moment(found: SessionAppearance, second: int, t: Texts, language: str) -> VdomDict:
    """Return the link to a second of the performance's video, with the piece that is played then."""
    program = found.appearance.program
    begun = [line for line in program if line.video_id == program[0].video_id and (line.second or 0) <= second]
    piece = title_text(max(begun, key=lambda line: line.second or 0).piece, language=language)
    watch = watch_argument(program[0].id, second)
    to = {
        "key": str(second),
        "class": "watch",
        "href": f"/sessions/{found.session.id}?watch={watch}#{STAGE_VIDEO}",
        "aria-label": t("Watch {time}: {piece}, {name}").format(
            time=video_second(second), piece=piece, name=found.appearance.name
        ),
    }
    asked = page_event("watch", f"{found.appearance.id}:{watch}")
    return html.a(to | asked, f"{video_second(second)} {piece}")


@public_part(topics=lambda session_id: (*_topics(session_id), "clock.minute"))
def interval_when(session_id: int, *, language: str) -> VdomDict:
    """The country of the next performer of an empty stage, and when the performance is or was planned."""
    coming = following(_order(session_id) or ())
    if coming is None:
        return html.p({"class": "stage__when"})
    words = (coming.country, ", ", *planned_words(coming, language)) if coming.planned_start else (coming.country,)
    return html.p({"class": "stage__when"}, *words)


def planned_words(coming: AppearanceDetail, language: str) -> tuple[Markup, ...]:
    """Return when the next performance is planned and in how many minutes, or for when it was; empty if not known.

    The viewer's own time stands before the venue's where it differs.
    """
    if coming.planned_start is None:
        return ()
    t, at = texts(language), coming.planned_start
    minutes = -((timezone.now() - at) // timedelta(minutes=1))
    words = t("was planned for {time}")
    if minutes > 0:
        words = t("planned {time}, in {minutes}")
    before, _, after = words.format(time="{time}", minutes=_minutes(minutes, t)).partition("{time}")
    return before, clock(at, zone=venue_zone(), language=language), after


def _minutes(minutes: int, t: Texts) -> str:
    """Return a number of minutes in words, from an hour on in hours and minutes."""
    if minutes < MINUTES:
        return t.plural("%(n)d minute", "%(n)d minutes", minutes)
    hours, rest = divmod(minutes, MINUTES)
    words = t("{hours} h {minutes} min") if rest else t("{hours} h")
    return words.format(hours=hours, minutes=rest)


def since_words(last: AppearanceDetail, language: str) -> str:
    """Return since when the stage has been empty."""
    at = clock_time(last.left_at, zone=venue_zone(), language=language) if last.left_at else ""
    return texts(language)("since {time}").format(time=at)


def _name(appearance: AppearanceDetail) -> VdomDict:
    return performer_link(appearance.participant_id, appearance.name)


def heard_now(session: SessionDetail, last: AppearanceDetail, language: str) -> VdomDict:
    """Return the marks and moments of the performance that has just ended, and the link to its keys."""
    t, moments = texts(language), interval_moments(last.id, last.participant_id, language=language)
    asked = page_event(KEYS_OPEN, last.id) | slot(RATE_WAY, last.id)
    way = {"class": "link", "href": keys_address(session.id, last.id), "data-stay": ""}
    words = html.span(slot(RATE, last.id), t("Rate")), visually_hidden(f" {last.name}", has_name=True)
    return html.div(
        {"class": "heard-now"},
        html.p({"class": "stage__label"}, t("Just played")),
        html.div(
            {"class": "heard-now__who"},
            html.p(_name(last)),
            shared_part(performance_means(last.id, session.stage_id, language=language)),
            html.a(way | asked, *words),
        ),
        shared_part(performance_strings(last.id, last.name, language=language)),
        shared_part(moments),
    )


@public_part(topics=_topics)
def interval_unrated(session_id: int, *, language: str) -> VdomDict:
    """The performances that have been played, the last one first; those that the viewer has rated are hidden."""
    t, order = texts(language), _order(session_id)
    begun = [each for each in order or () if each.has_begun]
    pieces = program_pieces(appearance_ids=[each.id for each in begun]) if begun else {}
    latest = sorted(begun, key=lambda each: (each.left_at is not None, each.left_at, each.order_number), reverse=True)
    shown = [each for each in latest if each.id in pieces][:UNRATED_MOST]
    done = t("You have rated everybody who has played.") if shown else t("Nobody has played yet.")
    return html.section(
        {"class": "pause__bit todo"},
        html.h2(t("Not rated yet")),
        html.ol({"class": "heads"}, *(_unrated(session_id, each, len(set(pieces[each.id])), t) for each in shown)),
        html.p({"class": "todo__done muted"}, done),
        link("#programme", t("The whole program")),
    )


def _unrated(session_id: int, appearance: AppearanceDetail, pieces: int, t: Texts) -> VdomDict:
    asked = page_event(KEYS_OPEN, appearance.id)
    way = {"class": "button button--plain button--small", "href": keys_address(session_id, appearance.id)}
    return html.li(
        {"key": f"appearance-{appearance.id}"} | slot(UNRATED, appearance.id),
        html.span({"class": "nr"}, str(appearance.order_number)),
        html.span(
            {"class": "heads__name"},
            person_name(appearance.name),
            html.small(slot(UNRATED_WORDS, appearance.id), t.plural("%(n)d piece", "%(n)d pieces", pieces)),
        ),
        html.a(
            way | asked | {"data-stay": ""},
            html.span(slot(RATE, appearance.id), t("Rate")),
            visually_hidden(f" {appearance.name}", has_name=True),
        ),
    )


def _ahead_topics(session_id: int, stage_id: int, *_seen: str) -> tuple[str, ...]:
    return (*_topics(session_id), f"ranking.{stage_id}")


@public_part(topics=_ahead_topics, outcome=True)
def interval_ahead(session_id: int, stage_id: int, *, language: str) -> VdomDict:
    """The performances of the session with the highest scores, and what has moved since the former interval."""
    if _order(session_id) is None:
        return html.div({"hidden": True})
    standing = read_once(session_standing, session_id=session_id)
    return _ahead(standing, None, stage_id, language)


@public_part(topics=_ahead_topics, outcome=True)
def own_interval_ahead(session_id: int, stage_id: int, seen: str, *, language: str) -> VdomDict:
    """The same for members who see the figures of the performances `seen` (ids, as "3-17") only."""
    if _order(session_id) is None:
        return html.div({"hidden": True})
    ids = frozenset(int(pk) for pk in seen.split("-") if pk)
    standing = read_once(session_standing, session_id=session_id)
    return _ahead(standing.as_seen(ids) if standing else None, ids, stage_id, language)


def _ahead(standing: SessionStanding | None, seen: Collection[int] | None, stage_id: int, language: str) -> VdomDict:
    t = texts(language)
    heading, ranking = html.h2(t("Ahead in this session")), None
    if standing is None:
        return html.div(heading)
    scores = read_once(interval_scores, session_id=standing.session.id)
    everybody = frozenset(each.appearance.id for each in standing.performances)
    moved = scores.moved(everybody if seen is None else everybody & frozenset(seen)) if scores else {}
    rows = [_leader(each, moved.get(each.appearance.id), t) for each in standing.leaders(LEADERS)]
    ranking = link(f"/stages/{stage_id}", t("Ranking, {stage}").format(stage=standing.session.stage))
    hidden = [each for each in standing.performances if each.is_covered]
    none = html.p({"class": "muted"}, t("No scores yet."))
    return html.div(
        heading,
        html.ol({"class": "heads"}, *rows) if rows else None if hidden else none,
        _covered(len(hidden), standing, t) if hidden else None,
        ranking,
    )


def _covered(count: int, standing: SessionStanding, t: Texts) -> VdomDict:
    """Return how many performances are covered for the viewer, and the button that shows all of the stage."""
    begun = sum(each.appearance.has_begun for each in standing.performances)
    show = command_button("stage_figures_show", standing.session.stage_id, busy=t("Processing..."))
    return html.p(
        {"class": "small muted"},
        t("{n} of {all} covered:").format(n=count, all=begun),
        " ",
        html.button({"class": "link"} | show, t("Show all")),
        " ",
        html.span({"data-answer": "", "role": "status"}),
    )


def _leader(each: SessionPlace, moved: Moved | None, t: Texts) -> VdomDict:
    words, folded = _moved_words(moved, t), folds(each.appearance.id)
    return html.li(
        {"key": f"appearance-{each.appearance.id}"},
        html.span({"class": "nr"} | folded, str(each.position)),
        html.span({"class": "heads__name"}, _name(each.appearance), html.small(folded, words) if words else None),
        html.b(folded, str(each.place.score), added_note(each.place, t)),
    )


def _moved_words(moved: Moved | None, t: Texts) -> str:
    """Return how a performance has moved since the former interval, empty if that is not known."""
    if moved is None:
        return ""
    if moved.former is None:
        return t("new here")
    if moved.now is None:
        return ""
    if moved.now == moved.former:
        return t("unchanged")
    words = t("up from {place}") if moved.now < moved.former else t("down from {place}")
    return words.format(place=nth(moved.former, t))


@public_part(
    topics=lambda session_id: (*_topics(session_id), f"session.{session_id}.comments", "profiles"), every=COMMENTS_EVERY
)
def interval_said(session_id: int, *, language: str) -> VdomDict:
    """The newest comments, and their number."""
    t = texts(language)
    if _order(session_id) is None:
        return html.div({"hidden": True})
    found = comments_read(session_id)
    newest = with_default_picture(found.newest[:SAID]) if found.newest else ()
    every = t.plural("%(n)d comment", "All %(n)d comments", found.total)
    return html.section(
        {"class": "pause__bit"},
        html.h2(t("Said just now")),
        *(_comment(each, language) for each in newest),
        html.p({"class": "muted"}, t("Nobody has said anything yet.")) if not newest else link("#comments", every),
    )


def _comment(comment: Comment, language: str) -> VdomDict:
    when = ago(comment.created_at, zone=venue_zone(), language=language)
    return html.div(
        {"class": "says", "key": f"comment-{comment.id}"},
        disc(comment.author, initials(comment.author), comment.avatar_url),
        html.div(
            html.p({"class": "says__by"}, html.strong({"translate": "no"}, comment.author), " ", when),
            html.p({"class": "says__text"}, comment.content),
        ),
    )


@public_part(topics=_topics)
def interval_tab(session_id: int, *, language: str) -> VdomDict:
    """The tab of the interval's panel; hidden before the first performer, and while one is on stage."""
    order = _order(session_id) or ()
    words = texts(language)("Interval") if following(order) else texts(language)("At the end")
    own = {"href": f"#{INTERVAL}", "id": f"{INTERVAL}-tab"}
    return html.a(own | ({} if last_on_stage(order) else {"hidden": True}), words)


@public_part(topics=lambda session_id, _stage_id: _topics(session_id))
def interval_panel(session_id: int, stage_id: int, *, language: str) -> VdomDict:
    """What the viewer has not rated, who leads, and the newest comments; hidden as its tab is."""
    if not last_on_stage(_order(session_id) or ()):
        return html.div({"class": "pause", "hidden": True})
    return html.div(
        {"class": "pause"},
        shared_part(interval_unrated(session_id, language=language)),
        html.section(
            {"class": "pause__bit", "data-answers": ""} | slot(AHEAD, session_id),
            shared_part(interval_ahead(session_id, stage_id, language=language)),
        ),
        shared_part(interval_said(session_id, language=language)),
    )


def interval_fills(states: OwnStates, session_id: int, stage_id: int, language: str) -> dict[str, Fill]:
    """Return the fills of one viewer: what is not rated yet, and who leads among the performances that the viewer sees.

    They do not depend on the performer, so that a change of performer reads none of them again.
    """
    t = texts(language)
    fills = {name: each for pk, own in states.items() for name, each in _unrated_fills(pk, own, t, language).items()}
    if states.covers_more:
        seen = "-".join(str(pk) for pk, own in sorted(states.items()) if not own.is_covered)
        own_part = own_interval_ahead(session_id, stage_id, seen, language=language)
        fills[f"{AHEAD}:{session_id}"] = covered_by(own_part)
    return fills


def _unrated_fills(appearance_id: int, own: OwnState, t: Texts, language: str) -> dict[str, Fill]:
    """Return the fills of a performance's row: it is hidden once everything is marked and submitted."""
    is_sent = own.ratings.is_submitted and own.state != PerformanceState.CHANGED
    left = own.pieces - own.marked
    if is_sent and left <= 0:
        return {f"{UNRATED}:{appearance_id}": fill({"hidden": True})}
    if not (own.ratings.has_marks or own.ratings.is_changed):
        return {}
    words = state_words(own, language)
    if left > 0 and own.state != PerformanceState.CHANGED:
        words = t("{n} of {all} pieces left").format(n=left, all=own.pieces)
    return {f"{UNRATED_WORDS}:{appearance_id}": fill(text=words)}
