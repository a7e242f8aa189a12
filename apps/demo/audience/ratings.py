"""Load the demo's ratings once, without the services, because those date a rating with the present moment."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.selectors.sessions import account_id_get
from apps.accounts.services.accounts import account_create
from apps.competition.limits import ORDER_MOST
from apps.competition.selectors.public.participants import ProgramLine, SessionAppearance, participant_list
from apps.competition.selectors.public.sessions import participant_appearances
from apps.core.database.long_transactions import ENDLESS
from apps.demo.audience.opinions import Opinion, chance, comments, opinion, rater_names, was_there
from apps.demo.audience.ranked_stage import mark_row, stalls_marks, stalls_names
from apps.demo.moments import joined_at
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
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
    raters = {name: _rater_id(name) for name in (*_LISTENERS, *rater_names())}
    given = [
        each for card in participant_list(size=ORDER_MOST).rows for each in _of_participant(card.id, raters, today)
    ]
    given.sort(key=lambda each: each.at)
    stalls = [_rater_id(name) for name in stalls_names()]
    marks = [*(row for each in given for row in _pieces(each)), *stalls_marks(stalls, now=today)]
    PieceRating.objects.bulk_create(sorted(marks, key=lambda row: row.created_at))
    PerformanceRating.objects.bulk_create(_performance_rating(each) for each in given)
    AdvanceRecommendation.objects.bulk_create(_recommendation(each) for each in given)
    _announce(given)
    return True


def _first_to_load() -> bool:
    """Take the advisory lock of this load until the transaction ends; return False while another process holds it."""
    with connection.cursor() as cursor:
        cursor.execute(ENDLESS)  # may take longer than a page's limits on a slow machine
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext('parterre demo ratings'))")
        return bool(cursor.fetchone()[0])


def _rater_id(username: str) -> int:
    """Return the id of a listener's account, created without a password unless it exists."""
    found = account_id_get(username=username)
    if found is not None:
        return found
    address = f"{username.lower()}@example.org"
    joined = joined_at(username, timezone.now())
    return account_create(email=address, password=None, username=username, created_at=joined).pk


def _of_participant(participant_id: int, raters: dict[str, int], now: datetime) -> list[_GivenOpinion]:
    """Return the listeners' opinions of a participant, each with a different comment."""
    words = comments()
    given = []
    for session_appearance in participant_appearances(participant_id=participant_id):
        name = f"{session_appearance.session.stage}, {session_appearance.appearance.name}"
        played = [line for line in session_appearance.appearance.program if line.second is not None]
        piece_ids = tuple(dict.fromkeys(line.piece.id for line in played))
        for rater, pk in raters.items():
            if played and was_there(rater, name):
                moments = {line.piece.id: _moment(rater, session_appearance, line, now) for line in played}
                given.append(_GivenOpinion(pk, session_appearance, moments, opinion(rater, name, piece_ids, words)))
    return given


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
        session_participant_id=given.session_appearance.appearance.id,
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
        session_participant_id=given.session_appearance.appearance.id,
        recommendation=given.opinion.advance,
        created_at=given.at,
        updated_at=given.at,
    )


def _announce(given: list[_GivenOpinion]) -> None:
    """Publish the ratings and recommendations."""
    users = {each.rater_id for each in given}
    appearances = {each.session_appearance.appearance.id for each in given}
    ratings_announce(users, appearances, public=True, waiting=True)
    recommendations_announce(users, appearances)
