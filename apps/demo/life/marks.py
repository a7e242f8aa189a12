"""Marks of the audience, and their approval by the demo's moderator."""

from collections.abc import Iterator
from dataclasses import replace

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import AppearanceDetail
from apps.core.moderation import Seen
from apps.demo.audience.lines import lines_about
from apps.demo.audience.opinions import Opinion, comments, opinion
from apps.demo.enums import Act
from apps.demo.life.hall import Hall
from apps.demo.limits import APPROVED_AT_ONCE, AUDIENCE_WAITS, HEARD, ON_STAGE_FIRST, PERSON_WAITS, RATERS_MOST
from apps.demo.texts import live_texts
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, RatingSubmission
from apps.ratings.services.rating_moderation import ratings_decide
from apps.ratings.services.submission import ratings_submit, recommendation_set

_DECISIONS = ("ratings.approve", "ratings.reject", "ratings.undo")
# Marks that waited before the demo lived are left to administrators.
_WAITING = """
SELECT kind, id, updated_at, user_id, session_participant_id FROM (
    SELECT 'piece' AS kind, id, updated_at, user_id, session_participant_id FROM piece_ratings WHERE NOT approved
    UNION ALL
    SELECT 'performance', id, updated_at, user_id, session_participant_id FROM performance_ratings WHERE NOT approved
) AS waiting
WHERE updated_at > %(present)s AND updated_at <= statement_timestamp() - make_interval(secs => CASE
    WHEN user_id = ANY(%(people)s) THEN %(audience)s ELSE %(person)s
END)
ORDER BY updated_at, user_id, session_participant_id LIMIT 100
"""


def mark(hall: Hall) -> Act | None:
    """Mark a performance of this evening: the pieces that have ended of the one on stage, or one that is over.

    Who marked a performance on stage completes the rating when it is over.
    """
    for appearance in _to_mark(hall):
        begun = _raters(appearance) & hall.people.keys()
        listener = hall.listener(begun - _done(appearance))
        if listener is None and len(begun) < RATERS_MOST:
            listener = hall.listener(hall.people.keys() - begun)
        if listener is None:
            continue
        given = _opinion(hall, listener, appearance)
        ratings_submit(
            actor=listener,
            appearance_id=appearance.id,
            pieces=given.pieces,
            score=given.score,
            comment=given.comment,
            quick_rating=given.quick_rating,
        )
        return Act.MARKED
    return None


def recommend(hall: Hall) -> Act | None:
    """Recommend, or not, a performer whom the listener has marked."""
    for appearance in _to_mark(hall):
        if appearance.is_performing:
            continue
        done = AdvanceRecommendation.objects.filter(appearance=appearance.id).values_list("user_id", flat=True)
        listener = hall.listener((_raters(appearance) & hall.people.keys()) - {*done})
        if listener is not None:
            wish = _opinion(hall, listener, appearance).advance
            recommendation_set(actor=listener, appearance_id=appearance.id, recommendation=wish)
            return Act.RECOMMENDED
    return None


def approve(hall: Hall) -> Act | None:
    """Approve the ratings that have waited the longest, unless a person is deciding."""
    if hall.moderator is None or hall.is_left_to_persons(_DECISIONS):
        return None
    with connection.cursor() as cursor:
        waits = {"audience": AUDIENCE_WAITS.total_seconds(), "person": PERSON_WAITS.total_seconds()}
        cursor.execute(_WAITING, {"people": list(hall.people), "present": hall.demo.present_at, **waits})
        rows = cursor.fetchall()
    ratings = list(dict.fromkeys(tuple(row[3:]) for row in rows))[:APPROVED_AT_ONCE]
    if not ratings:
        return None
    seen = [Seen(RatingKind(kind), pk, at) for kind, pk, at, *rating in rows if tuple(rating) in ratings]
    ratings_decide(actor=hall.moderator, decision=Verdict.APPROVE, seen=seen)
    return Act.APPROVED


def _to_mark(hall: Hall) -> Iterator[AppearanceDetail]:
    """Yield the performances that the audience marks, in a random order, mostly the one on stage first."""
    found = [each for each in hall.recent if _pieces(each)]
    hall.random.shuffle(found)
    if hall.random.random() < ON_STAGE_FIRST:
        found.sort(key=lambda each: not each.is_performing)
    yield from found


def _pieces(appearance: AppearanceDetail) -> tuple[int, ...]:
    """Return the pieces that have been played to their end, by id; on stage none before HEARD of them."""
    pieces = [line.piece.id for line in appearance.program]
    if appearance.is_performing:
        pieces = [line.piece.id for line in appearance.program if line.second is not None][:-1]
        pieces = pieces if len(pieces) >= HEARD else []
    return tuple(dict.fromkeys(pieces))


def _raters(appearance: AppearanceDetail) -> set[int]:
    """Return the accounts that have marked a performance since it began."""
    found = PerformanceRating.objects.filter(appearance=appearance.id, updated_at__gte=appearance.came_at)
    return set(found.values_list("user_id", flat=True))


def _done(appearance: AppearanceDetail) -> set[int]:
    """Return the accounts whose rating of a performance since it began is complete, or of after its end."""
    found = PerformanceRating.objects.filter(appearance=appearance.id, updated_at__gte=appearance.came_at)
    if appearance.left_at is not None:
        sheets = RatingSubmission.objects.filter(appearance=appearance.id, user=OuterRef("user"))
        half = sheets.alias(marked=2 * (F("waiting_pieces") + F("approved_pieces")))
        is_half = Exists(half.filter(marked__gte=len(_pieces(appearance))))
        found = found.filter(Q(updated_at__gte=appearance.left_at) | is_half)
    return set(found.values_list("user_id", flat=True))


def _opinion(hall: Hall, listener: Viewer, appearance: AppearanceDetail) -> Opinion:
    """Return a listener's opinion, always the same for one evening.

    Its words were not written about the performance nor by the listener before, but those of this evening's stay.
    """
    stage = hall.session.stage if hall.session else ""
    found = PerformanceRating.objects.filter(Q(appearance=appearance.id) | Q(user=listener.id))
    written = set(found.values_list("comment", flat=True))
    mine = found.filter(user=listener.id, appearance=appearance.id, updated_at__gte=appearance.came_at)
    words = {
        score: [line for line in (*lines, *lines_about(more, appearance)) if line not in written]
        for (score, lines), more in zip(sorted(comments().items()), _by_score(), strict=True)
    }
    rater = f"{listener.username} {appearance.came_at:%Y-%m-%d %H:%M}"
    given = opinion(rater, f"{stage}, {appearance.name}", _pieces(appearance), words)
    own = mine.values_list("comment", flat=True).first()
    return replace(given, comment=own) if own else given


def _by_score() -> list[list[str]]:
    """Return the templates of comments, from the lowest score."""
    return [lines for _, lines in sorted(live_texts().marks.items())]
