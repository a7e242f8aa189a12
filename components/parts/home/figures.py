"""The audience's figures of a session on Home: its highest scores in the interval, all of its marks after its end.

They are inside a slot. A member who hears blind first gets a part of their own in its place, about the performances
whose figures the member sees; members who see the same ones share it (ADR 26).
"""

from collections.abc import Collection

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import performer
from apps.competition.selectors.public.sessions import (
    live_session,
    session_appearances,
    session_ended_last,
    session_get,
)
from apps.core.texts import Texts, texts
from apps.ranking.method2 import LEAST_RATERS
from apps.ranking.selectors.session_standing import SessionMarks, SessionPlace, session_marks, session_standing
from apps.ratings.selectors.covering import performances_seen
from apps.ratings.selectors.own import own_marked
from apps.ratings.selectors.statistics import Figures
from components.parts.ratings.covering import folds
from components.parts.ratings.performance import with_most_often
from components.parts.stages.rank_words import added_note
from components.runtime import (
    Fill,
    Fills,
    Markup,
    SlotQuery,
    VdomDict,
    command_button,
    covered,
    covered_by,
    fill,
    html,
    public_part,
    read_once,
    shared_part,
    slot,
    slot_query,
)
from components.ui.blocks import visually_hidden
from components.ui.marks import KEYS, string_lengths, strings
from components.ui.people import performer_link

FIGURES, OWN_COUNT = "home_figures", "home_own_count"  # the slots' names
LEADERS, MARKS = "leaders", "marks"  # the kinds of figures: the highest scores of a live session, all of an ended one


def session_figures(session: SessionDetail, *, language: str) -> VdomDict:
    """Return the place of a session's figures; a member's fill may put a part of their own in it."""
    kind = LEADERS if session.is_live else MARKS
    part = shared_part(home_figures(session.id, session.stage_id, kind, language=language))
    return html.div({"class": "door__figures"} | slot(FIGURES, f"{session.id}-{kind}"), part)


def played(appearances: Collection[AppearanceDetail]) -> tuple[AppearanceDetail, ...]:
    """Return the appearances that were on stage; all that have begun in a session without recorded times."""
    on_stage = tuple(each for each in appearances if each.came_at is not None)
    return on_stage or tuple(each for each in appearances if each.has_begun)


def _topics(session_id: int, stage_id: int, *_: object) -> tuple[str, ...]:
    return (f"ranking.{stage_id}", f"session.{session_id}", f"session.{session_id}.performer")


@public_part(topics=_topics, outcome=True)
def home_figures(session_id: int, stage_id: int, kind: str, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The three highest scores of a session in the interval; all of its marks as strings after its end."""
    return _figures(session_id, kind, None, language)


@public_part(topics=_topics, outcome=True)
def own_home_figures(session_id: int, stage_id: int, kind: str, seen: str, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The same for members who see the figures of the performances `seen` (ids, as "3-17") only."""
    return _figures(session_id, kind, frozenset(int(pk) for pk in seen.split("-") if pk), language)


def _figures(session_id: int, kind: str, seen: Collection[int] | None, language: str) -> VdomDict:
    """Return the figures for a viewer who sees those of `seen`, None is all.

    Nothing while a performer is on stage, and in the other state, for which a member's page has the part at hand.
    """
    session = read_once(session_get, session_id=session_id)
    appearances = read_once(session_appearances, session_id=session_id)
    begun = played(appearances)
    is_shown = session is not None and session.is_live == (kind == LEADERS) and performer(appearances) is None
    if session is None or not is_shown or not begun:
        return html.div({"hidden": True})
    shown = begun if seen is None else [each for each in begun if each.id in seen]
    t = texts(language)
    figures = _leaders(session, seen, t) if session.is_live else _board(_marks(session, shown), t)
    return html.div(*figures, _covering(len(begun) - len(shown), len(begun), session.stage_id, t))


def _leaders(session: SessionDetail, seen: Collection[int] | None, t: Texts) -> list[Markup]:
    standing = read_once(session_standing, session_id=session.id)
    leaders = () if standing is None else (standing if seen is None else standing.as_seen(seen)).leaders()
    heading = html.p({"class": "door__heading"}, t("Ahead in this session"))
    if leaders:
        return [heading, html.ol({"class": "heads"}, *(_leader(each, t) for each in leaders))]
    words = t("A performance has a score once {least} listeners who marked three each have marked it.")
    return [heading, html.p({"class": "muted door__none"}, words.format(least=LEAST_RATERS))]


def _leader(each: SessionPlace, t: Texts) -> VdomDict:
    appearance, place, folded = each.appearance, each.place, folds(each.appearance.id)
    words = visually_hidden(t("{score} of 25").format(score=place.score))
    return html.li(
        {"key": f"appearance-{appearance.id}"},
        html.span({"class": "nr"} | folded, str(each.position)),
        performer_link(appearance.participant_id, appearance.name, "heads__name"),
        html.b(folded, html.span({"aria-hidden": "true"}, str(place.score)), words, added_note(place, t)),
    )


def _marks(session: SessionDetail, appearances: Collection[AppearanceDetail]) -> SessionMarks:
    ids = tuple(each.id for each in appearances)
    return read_once(session_marks, stage_id=session.stage_id, appearance_ids=ids)


def _board(marks: SessionMarks, t: Texts) -> list[Markup]:
    """Return the marks as strings over the keys, with the most frequent one and the number as text."""
    figures = Figures(marks.marks, None, marks.often)
    count = t.plural("{n} rating", "{n} ratings", marks.marks).format(n=f"{marks.marks:,}")
    words = with_most_often(count, figures, t) if marks.marks else t("No ratings yet")
    return [
        strings(string_lengths(marks.often), mean=max(figures.most_frequent, default=None)),
        html.p(
            {"class": "you__scale small muted"},
            html.span({"aria-hidden": "true"}, "1"),
            html.span(words),
            html.span({"aria-hidden": "true"}, str(KEYS)),
        ),
    ]


def _covering(count: int, every: int, stage_id: int, t: Texts) -> Markup:
    """Return how many performances are covered, with the button that shows them; None if all are shown."""
    if not count:
        return None
    show = command_button("stage_figures_show", stage_id, busy=t("Processing..."))
    words = t("{n} of {all} covered: ").format(n=count, all=every)
    return html.p(
        {"class": "small muted door__covered", "data-answers": ""},
        words,
        html.button({"class": "link"} | show, t("Show all")),
        " ",
        html.span({"data-answer": "", "role": "status"}),
    )


def home_slots(*, language: str) -> SlotQuery:
    """Return the query for what a member sees of the session that Home is about."""
    return slot_query(home_fills, topics=("account.<id>.ratings", "sessions"), language=language)


def home_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return a member's own figures of the live session, else of the last one, and how much of it they have marked.

    Other sessions are covered until the fills are read again. At most five queries.
    """
    if viewer.id is None:
        return {}
    seen = performances_seen(user_id=viewer.id)
    fills: dict[str, Fill] = {} if seen is None else {FIGURES: covered()}
    session = live_session() or session_ended_last()
    if session is None:
        return fills
    appearances = session_appearances(session_id=session.id)
    if seen is not None:
        ids = "-".join(str(each.id) for each in appearances if each.id in seen)
        for kind in (LEADERS, MARKS):
            part = own_home_figures(session.id, session.stage_id, kind, ids, language=language)
            fills[f"{FIGURES}:{session.id}-{kind}"] = covered_by(part)
    if not session.is_live:
        begun = {each.id for each in played(appearances)}
        words = own_count(len(begun & own_marked(user_id=viewer.id)), len(begun), texts(language))
        fills[f"{OWN_COUNT}:{session.id}"] = fill(text=words)
    return fills


def own_count(marked: int, every: int, t: Texts) -> str:
    """Return how many of a session's performances a member has marked, as a sentence after others."""
    if marked == every:
        return t(" You marked all of them.")
    if not marked:
        return t(" You have not marked any of them yet.")
    return t(" You marked {n} of {all}.").format(n=marked, all=every)
