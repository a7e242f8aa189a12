"""Load the demo's ratings once, without the services, because those date a rating with the present moment."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.selectors.sessions import account_id_get
from apps.competition.models import Appearance
from apps.competition.selectors.public.participants import ProgramLine, SessionAppearance
from apps.competition.selectors.public.sessions import appearances_get
from apps.core.database.long_transactions import ENDLESS
from apps.demo.accounts import listeners_load
from apps.demo.audience.lines import lines_about
from apps.demo.audience.opinions import Opinion, chance, comments, ears_first, opinion, rater_names, was_there
from apps.demo.audience.ranked_stage import mark_row, stalls_marks, stalls_names
from apps.demo.texts import live_texts
from apps.ratings.models import AdvanceRecommendation, CoveringChoice, PerformanceRating, PieceRating
from apps.ratings.services.announcement import ratings_announce, recommendations_announce

_LISTENERS = ("una_corda", "pedal-point")  # demo accounts that rate too
_SOON = timedelta(minutes=4)  # after the start of a piece, at least
_LATE = timedelta(hours=20)  # after the start of a piece, at most


@dataclass(frozen=True, slots=True)
class _GivenOpinion:
    """An opinion with its listener and performance; `moments` maps a piece's id to the time of its mark."""

    rater_id: int
    session_appearance: SessionAppearance
    moments: dict[int, datetime]
    opinion: Opinion

    @property
    def at(self) -> datetime:
        """The time of the rating for the whole performance."""
        return max(self.moments.values())


@transaction.atomic
def ratings_load(*, now: datetime | None = None) -> bool:
    """Load listeners and their ratings of the demo's played sessions, and return True.

    Return False without a write if the demo is not loaded, if any rating exists, or while another process is loading.
    """
    if not _first_to_load() or account_id_get(username=_LISTENERS[0]) is None or PerformanceRating.objects.exists():
        return False
    today = now or timezone.now()
    people = listeners_load((*_LISTENERS, *rater_names(), *stalls_names()))
    raters = {name: people[name] for name in (*_LISTENERS, *rater_names())}
    played = _played()
    given = sorted(_given(played, raters, today), key=lambda each: each.at)
    stalls = stalls_marks([people[name] for name in stalls_names()], played, now=today)
    marks = [*(row for each in given for row in _pieces(each)), *stalls]
    PieceRating.objects.bulk_create(sorted(marks, key=lambda row: row.created_at))
    PerformanceRating.objects.bulk_create(_performance_rating(each) for each in given)
    AdvanceRecommendation.objects.bulk_create(_recommendation(each) for each in given)
    _sheets_load({name: pk for name, pk in people.items() if name not in _LISTENERS})
    _announce(given)
    return True


def _first_to_load() -> bool:
    """Take the advisory lock of this load until the transaction ends; return False while another process holds it."""
    with connection.cursor() as cursor:
        cursor.execute(ENDLESS)  # may take longer than a page's limits on a slow machine
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('parterre demo ratings'))")
        return bool(cursor.fetchone()[0])


def _played() -> list[SessionAppearance]:
    """Return the performances of which at least one piece was played, in the order of their sessions."""
    begun = Appearance.objects.filter(times__isnull=False).distinct()
    ids = list(begun.order_by("session", "order_number").values_list("pk", flat=True))
    found = appearances_get(appearance_ids=ids)
    return [found[pk] for pk in ids if any(line.second is not None for line in found[pk].appearance.program)]


def _given(played: list[SessionAppearance], raters: dict[str, int], now: datetime) -> Iterator[_GivenOpinion]:
    """Yield the listeners' opinions. No listener repeats a comment, and no participant has one twice."""
    templates = {score: [*lines, *live_texts().marks[str(score)]] for score, lines in comments().items()}
    left = {rater: {score: list(lines) for score, lines in templates.items()} for rater in raters}
    said: defaultdict[int, set[str]] = defaultdict(set)
    for each in played:
        name = f"{each.session.stage}, {each.appearance.name}"
        lines = [line for line in each.appearance.program if line.second is not None]
        piece_ids = tuple(dict.fromkeys(line.piece.id for line in lines))
        here = said[each.appearance.participant_id]
        for rater, pk in raters.items():
            if not was_there(rater, name):
                continue
            words = {score: [line for line in mine if line not in here] for score, mine in left[rater].items()}
            found = opinion(rater, name, piece_ids, words)
            for mine in left[rater].values():
                if found.comment in mine:
                    mine.remove(found.comment)
            new = [line for line in lines_about([found.comment], each.appearance) if line not in here]
            comment = new[int(chance("about", rater, name) * len(new))]
            here.add(comment)
            moments = {line.piece.id: _moment(rater, each, line, now) for line in lines}
            yield _GivenOpinion(pk, each, moments, replace(found, comment=comment))


def _moment(rater: str, session_appearance: SessionAppearance, line: ProgramLine, now: datetime) -> datetime:
    """Return when a listener rated a piece: mostly soon after it was played, always before `now`."""
    what = (rater, session_appearance.session.stage, session_appearance.appearance.name, line.order_number)
    heard = session_appearance.session.starts_at + timedelta(seconds=line.second or 0)
    at = heard + _SOON + _LATE * chance("late", *what) ** 6
    return at if at < now else now - _SOON * (0.1 + 8 * chance("now", *what))


def _pieces(given: _GivenOpinion) -> list[PieceRating]:
    """Return the rows of an opinion's marks."""
    appearance_id, is_approved = given.session_appearance.appearance.id, given.opinion.approved
    return [
        mark_row(given.rater_id, appearance_id, piece_id, score, given.moments[piece_id], is_approved=is_approved)
        for piece_id, score in given.opinion.pieces.items()
    ]


def _performance_rating(given: _GivenOpinion) -> PerformanceRating:
    """Return the row of an opinion about the whole performance."""
    return PerformanceRating(
        user_id=given.rater_id,
        appearance_id=given.session_appearance.appearance.id,
        score=given.opinion.score,
        comment=given.opinion.comment,
        quick_rating=given.opinion.quick_rating,
        approved=given.opinion.approved,
        created_at=given.at,
        updated_at=given.at,
    )


def _recommendation(given: _GivenOpinion) -> AdvanceRecommendation:
    """Return the row of an opinion about the next stage."""
    return AdvanceRecommendation(
        user_id=given.rater_id,
        appearance_id=given.session_appearance.appearance.id,
        recommendation=given.opinion.advance,
        created_at=given.at,
        updated_at=given.at,
    )


# A sheet has only the marks of the pieces: fields without a time are those of the rating.
_SHEETS = """
WITH sheet AS (
    INSERT INTO rating_drafts (user_id, session_participant_id)
    SELECT user_id, session_participant_id FROM rating_submissions WHERE user_id = ANY(%s)
    RETURNING id, user_id, session_participant_id
)
INSERT INTO draft_marks (draft_id, piece_id, score, struck_at, blind)
SELECT sheet.id, mark.piece_id, mark.score, mark.created_at, true
FROM sheet JOIN piece_ratings AS mark USING (user_id, session_participant_id)
"""


def _sheets_load(people: dict[str, int]) -> None:
    """Store which marks of these listeners were made blind, and the choice of those who see the figures first."""
    blind = [pk for name, pk in people.items() if ears_first(name)]
    with connection.cursor() as cursor:
        cursor.execute(_SHEETS, [blind])
    others = (CoveringChoice(user_id=pk, ears_first=False) for pk in people.values() if pk not in blind)
    CoveringChoice.objects.bulk_create(others)


def _announce(given: list[_GivenOpinion]) -> None:
    """Publish the ratings and recommendations."""
    users = {each.rater_id for each in given}
    appearances = {each.session_appearance.appearance.id for each in given}
    ratings_announce(users, appearances, public=True, waiting=True)
    recommendations_announce(users, appearances)
