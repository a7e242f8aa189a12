"""One viewer's ratings, filled into the slots of forms and figures of a participant or of a session."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial

from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import PieceTitle, SessionAppearance
from apps.competition.selectors.public.programs import piece_titles
from apps.competition.selectors.public.sessions import appearances_get, appearances_played
from apps.core.database.fields import venue_day
from apps.core.texts import Texts, texts
from apps.ranking.own_states import OwnState, OwnStates, own_states
from apps.ratings.enums import Advance, PerformanceState
from apps.ratings.selectors.counts import RecommendationCounts, recommendation_counts
from apps.ratings.selectors.covering import ranks_covered
from apps.ratings.selectors.own import BesideAudience, OwnRatings, own_beside_audience, own_recent
from components.parts.failures import read_or_nothing
from components.parts.people import oval
from components.parts.ratings.covering import performer_covering_fills, piece_covering_fills
from components.parts.ratings.latest_ratings import DAY_MARKS
from components.parts.ratings.performance import MEANS, OWN_MEAN, same_fill
from components.parts.ratings.rating_form import BLIND, OWN_MARK, WAY_IN, keys_address
from components.parts.ratings.states import (
    RATE,
    rate_fills,
    state_fills,
    state_note,
    state_words,
    then_fill,
    unheard_fills,
)
from components.parts.sessions.interval import interval_fills
from components.runtime import (
    Fill,
    Fills,
    SlotQuery,
    VdomDict,
    command_button,
    covered,
    fill,
    html,
    public_part,
    read_together,
    slot,
    slot_query,
)
from components.ui.blocks import link, visually_hidden
from components.ui.empty_states import empty
from components.ui.mark_input import GIVEN
from components.ui.marks import sign_fills, strings_fills
from components.ui.people import performer_link, person, reaction_sign, with_names
from components.ui.pieces import work_text

SIGNS = {Advance.UP: "thumbsUp", Advance.DOWN: "thumbsDown"}
VOTE = "vote"  # the slots' name
EVERY = 1 / 3  # seconds between two reads


def _recommended_read(appearance_ids: tuple[int, ...]) -> Mapping[int, tuple[SessionAppearance, RecommendationCounts]]:
    """Return these performances with their recommendations, by appearance. Three queries."""
    counts = recommendation_counts(appearance_ids=appearance_ids)
    found = appearances_get(appearance_ids=appearance_ids)
    return {pk: (each, counts.get(pk, RecommendationCounts())) for pk, each in found.items()}


def _topics(_appearance_id: int, participant_id: int) -> tuple[str, ...]:
    topic = f"participant.{participant_id}"
    return (topic, f"{topic}.recommendations", "stages")


@public_part(topics=_topics, every=EVERY, together=_recommended_read, outcome=True)
def performance_recommendation(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """The question whether the participant should advance; the outcome, once it is published.

    Hidden until the performance begins.
    """
    t, known = texts(language), read_together(_recommended_read, appearance_id)
    if known is None or not known[0].appearance.has_begun:
        return html.div({"hidden": True})
    found, counts = known
    name = f"advance-{appearance_id}"
    back = f"/participants/{participant_id}?open={appearance_id}#{name}"
    return html.section(
        {"class": "performance__part", "id": name, "data-back": back},
        html.h3({"class": "performance__heading"}, t("The next stage")),
        *(_outcome(found, counts, t) if found.is_decided else _question(found, counts, t)),
    )


def _question(found: SessionAppearance, counts: RecommendationCounts, t: Texts) -> tuple[VdomDict, ...]:
    numbers = {Advance.UP: (t("Yes"), counts.up), Advance.DOWN: (t("No"), counts.down)}
    buttons = [_vote(found.appearance.id, which, *numbers[which]) for which in (Advance.UP, Advance.DOWN)]
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    return (
        html.p({"class": "ask"}, *with_names(t("Should {name} advance?"), name=found.appearance.name)),
        html.div({"class": "row", "data-answers": "", "data-wish": ""}, *buttons, answer),
    )


def _outcome(found: SessionAppearance, counts: RecommendationCounts, t: Texts) -> tuple[VdomDict, ...]:
    """Return whether the performer has advanced, and the audience's recommendations, which are closed by then."""
    if found.next_stage:
        outcome = t("{name} advances to {stage}.") if found.has_advanced else t("{name} does not advance to {stage}.")
    else:
        outcome = t("{name} advances.") if found.has_advanced else t("{name} does not advance.")
    said = t("The audience had said: {yes} yes, {no} no.").format(yes=counts.up, no=counts.down)
    return (
        html.p({"class": "ask"}, *with_names(outcome, name=found.appearance.name, stage=html.span(found.next_stage))),
        html.p({"class": "muted"}, said),
    )


def _vote(appearance_id: int, which: Advance, words: str, count: int) -> VdomDict:
    """Return the button; its slot shows the viewer's recommendation as pressed."""
    name = f"{appearance_id}:{which.value}"
    asked = command_button("recommendation_set", name) | slot(VOTE, name)
    asked |= {"class": "button button--plain vote", "aria-pressed": "false"}
    return html.button(asked, reaction_sign(SIGNS[which]), f"{words} ", html.span({"class": "num"}, str(count)))


CHECKED, PRESSED = fill({"checked": True}), fill({"aria-pressed": "true"})
NONE_YET = fill({"data-own": "none"})
BLIND_FIRST = {
    BLIND: fill({"data-own": "first"}),
    WAY_IN: fill({"hidden": True}),
    MEANS: NONE_YET,
}


def rating_slots(
    *, language: str, participant_id: int | None = None, session_id: int | None = None, stage_id: int | None = None
) -> SlotQuery:
    """Return the query for the viewer's ratings of the performances of a participant, or of a session of a stage."""
    of = {"participant_id": participant_id, "session_id": session_id, "stage_id": stage_id}
    arguments = {"language": language} | of
    # the begin of a performance covers the figures of all of the participant, and the ranks of its stage
    begins = () if participant_id is None else (f"participant.{participant_id}", "live")
    return slot_query(rating_fills, topics=("account.<id>.ratings", *begins), **arguments)


def rating_fills(
    *,
    viewer: Viewer,
    language: str,
    participant_id: int | None = None,
    session_id: int | None = None,
    stage_id: int | None = None,
) -> Fills:
    """Return the viewer's ratings of the performances of a participant, or of a session of a stage.

    The audience's figures of a performance are held back until the viewer has rated it. Up to eight queries, nine if
    a piece with a mark has left its program.
    """
    if viewer.id is None:
        return {}
    found = own_states(user_id=viewer.id, participant_id=participant_id, session_id=session_id)
    removed = {pk for own in found.values() for pk in own.ratings.removed}
    titles = piece_titles(piece_ids=removed) if removed else {}
    marks = (each for appearance_id, own in found.items() for each in _fills(appearance_id, own, language))
    return {
        **BLIND_FIRST,
        **state_fills(found, language),
        **piece_covering_fills(found),
        **({} if participant_id is None else _performer_fills(found, viewer.id, participant_id)),
        **({} if session_id is None or stage_id is None else interval_fills(found, session_id, stage_id, language)),
        **dict(marks),
        **_removed_fills(found, titles, language),
    }


def _removed_fills(states: OwnStates, titles: Mapping[int, PieceTitle], language: str) -> dict[str, Fill]:
    """Return the fills that say which marks are kept of pieces that have left a program."""
    words = texts(language)("{piece} was taken out of this program. Your mark of {n} is kept and does not count.")
    fills = {}
    for appearance_id, own in states.items():
        marks = [(titles[pk], mark) for pk, mark in own.ratings.removed.items() if pk in titles]
        lines = [words.format(piece=work_text(piece, language=language), n=mark) for piece, mark in marks]
        if lines:
            fills[f"{GIVEN}:removed-{appearance_id}"] = fill({"hidden": False}, " ".join(lines))
    return fills


def _performer_fills(states: OwnStates, user_id: int, participant_id: int) -> Fills:
    sees_some_rank = any(own.covers_others and not own.is_covered for own in states.values())
    hidden = ranks_covered(user_id=user_id, participant_id=participant_id) if sees_some_rank else ()
    return performer_covering_fills(states, participant_id, hidden)


def _fills(appearance_id: int, own: OwnState, language: str) -> Iterator[tuple[str, Fill]]:
    given = own.ratings
    if given.has_marks or given.is_changed:
        yield f"{BLIND}:{appearance_id}", fill({"data-own": own.state.value})
        yield f"{GIVEN}:state-{appearance_id}", fill({"hidden": False})
        yield f"{GIVEN}:note-{appearance_id}", fill(text=state_note(own, texts(language)))
        if then := then_fill(own, language):
            yield f"{GIVEN}:then-{appearance_id}", then
    if given.is_restorable:
        yield f"{GIVEN}:back-{appearance_id}", fill({"hidden": False})
    if given.mean is not None:
        yield f"{MEANS}:{appearance_id}", fill({"data-own": str(given.mean)})
        yield f"{OWN_MEAN}:{appearance_id}", fill(text=str(given.mean))
        yield from same_fill(appearance_id, own, language).items()
    if given.recommendation:
        yield f"{VOTE}:{appearance_id}:{given.recommendation}", PRESSED
    yield from rate_fills(appearance_id, own, texts(language)).items()
    yield from _form_fills(appearance_id, given)


def _form_fills(appearance_id: int, given: OwnRatings) -> Iterator[tuple[str, Fill]]:
    """Yield the fills of the form's fields: the latest values, submitted or not."""
    for piece_id, mark in given.marks.items():
        yield f"{GIVEN}:mark-{appearance_id}-{piece_id}", fill({"value": str(mark)})
        yield f"{OWN_MARK}:{appearance_id}-{piece_id}", fill({"data-own": str(mark)}, str(mark))
    if given.score:
        yield f"{GIVEN}:whole-{appearance_id}-{given.score}", CHECKED
    if given.quick_rating:
        yield f"{GIVEN}:quick-{appearance_id}-{given.quick_rating}", CHECKED
    if given.comment:
        yield f"{GIVEN}:comment-{appearance_id}", fill({"value": given.comment})


ROW, BAR, WORDS = "played", "played_bar", "played_words"  # the slots' names
MOST = 30  # lines; the style sheet shows the first three that the viewer has not marked
TOPICS = ("live", "sessions", "featured_participants", "clock.minute")


@public_part(topics=lambda: TOPICS)
def not_yet_rated(*, language: str) -> VdomDict:
    """The performers of today, else of the last session, in playing order: new ones are added at the end."""
    t = texts(language)
    nothing: tuple[SessionAppearance, ...] = ()
    since, until = venue_day(timezone.now())
    played = read_or_nothing(partial(appearances_played, since=since, until=until), nothing)
    shown = [each for each in played if each.appearance.program][:MOST]
    if not shown:
        return html.div({"class": "todo"}, empty(t("Nobody has played yet.")))
    session = shown[-1].session
    everybody = link(f"/sessions/{session.id}", t("Everybody in {title}").format(title=session.title))
    return html.div(
        {"class": "todo todo--live" if session.is_live else "todo"},
        html.ol(*(_row(each, t) for each in shown)),
        html.div({"class": "todo__done"}, empty(t("You have marked everybody who has played."))),
        html.p({"class": "todo__more"}, everybody),
    )


def _row(each: SessionAppearance, t: Texts) -> VdomDict:
    appearance, session = each.appearance, each.session
    where = t("{title}, on stage now").format(title=session.title) if appearance.is_performing else session.title
    name = html.h3({"class": "person__name"}, performer_link(appearance.participant_id, appearance.name))
    pieces = len({line.piece.id for line in appearance.program})
    bar = {"max": str(pieces), "value": "0", "aria-hidden": "true"}
    return html.li(
        {"key": f"appearance-{appearance.id}"} | slot(ROW, appearance.id),
        person(oval(appearance, "small"), name, html.p({"class": "person__from"}, where)),
        html.p(
            {"class": "todo__state"},
            html.progress(bar | slot(BAR, appearance.id)),
            " ",
            html.span(slot(WORDS, appearance.id), t("no mark yet")),
        ),
        html.a(
            {"class": "button button--plain button--small", "href": keys_address(session.id, appearance.id)},
            html.span(slot(RATE, appearance.id), t("Rate")),
            visually_hidden(f" {appearance.name}", has_name=True),
        ),
    )


OWN = "own"  # the slots' name: "own:count" and "own:beside_audience"
OWN_KEY, OWN_AUDIENCE = "own_key", "own_audience"  # the slots' names: the viewer's and the audience's string of a key


def own_summary_slots(*, language: str) -> SlotQuery:
    """Return the query for the viewer's own figures on the home page."""
    return slot_query(own_summary_fills, topics=("account.<id>.ratings",), language=language)


def own_summary_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return the viewer's own figures on the home page. At most ten queries, for any number of ratings."""
    if viewer.id is None:
        return {}
    t = texts(language)
    found = own_states(user_id=viewer.id, appearance_ids=own_recent(user_id=viewer.id))
    beside = dict(_beside_audience(own_beside_audience(user_id=viewer.id), t))
    beside[DAY_MARKS] = covered()
    beside |= unheard_fills(language)  # of the performer on stage
    for appearance_id, own in found.items():
        beside |= _progress(appearance_id, own, language)
        beside |= sign_fills(appearance_id, own.state.value, state_words(own, language))
    return beside


def _progress(appearance_id: int, own: OwnState, language: str) -> dict[str, Fill]:
    """Return the fills of a performer's row on the home page: it is hidden once everything is marked and submitted."""
    is_sent = own.ratings.is_submitted and own.state != PerformanceState.CHANGED
    if is_sent and own.marked >= own.pieces:
        return {f"{ROW}:{appearance_id}": fill({"hidden": True}), **rate_fills(appearance_id, own, texts(language))}
    if not (own.ratings.has_marks or own.ratings.is_changed):
        return {}
    words = texts(language)("{n} of {all} marked").format(n=own.marked, all=own.pieces)
    return {
        f"{WORDS}:{appearance_id}": fill(text=words if is_sent else state_words(own, language)),
        f"{BAR}:{appearance_id}": fill({"value": str(own.marked)}),
        **rate_fills(appearance_id, own, texts(language)),
    }


def _beside_audience(own: BesideAudience, t: Texts) -> Iterator[tuple[str, Fill]]:
    if not own.count:
        return
    audience = sum(own.audience_often)
    words = t.plural("{n} mark of the audience, {own} of yours", "{n} marks of the audience, {own} of yours", audience)
    yield f"{OWN}:count", fill(text=words.format(n=f"{audience:,}", own=own.count))
    yield from strings_fills(OWN_KEY, own.own_often).items()
    yield from strings_fills(OWN_AUDIENCE, own.audience_often).items()
    if own.own_mean is None or own.audience_mean is None:
        yield f"{OWN}:beside_audience", fill(text=t("The audience has not marked your pieces yet."))
        return
    yield f"{OWN}:beside_audience", fill(text=_compared(own.own_mean, own.audience_mean, t))


def _compared(own: Decimal, audience: Decimal, t: Texts) -> str:
    words = {"more": abs(own - audience), "own": own, "audience": audience}
    if own == audience:
        return t("You mark as the audience does: {own}.").format(**words)
    if own > audience:
        return t("You mark {more} higher than the audience: {own} against {audience}.").format(**words)
    return t("You mark {more} lower than the audience: {own} against {audience}.").format(**words)
