"""An account's own ratings: for the rating form, a stage, and the comparison with the audience."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from apps.core.rounding import rounded
from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import DraftMark, RatingDraft, RatingSubmission

OWN_RATINGS = """
WITH appearances AS (
    SELECT id FROM session_participants
    WHERE session_id = %(session)s OR participant_id = %(participant)s
        OR session_id IN (SELECT id FROM sessions WHERE stage_id = %(stage)s)
        OR id = ANY(%(appearances)s)
)
SELECT session_participant_id, 'piece', piece_id, id, score, approved, '', '', false, false, true, true, true
FROM piece_ratings WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT session_participant_id, 'whole', NULL, id, score, approved, comment, quick_rating, is_comment_hidden, false,
    true, true, true
FROM performance_ratings WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT session_participant_id, 'advance', NULL, id, NULL, NULL, recommendation, '', false, false, true, true, true
FROM advance_recommendations WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT session_participant_id, 'sheet', NULL, id, score, NOT is_rejected, comment, quick_rating, shown_at IS NOT NULL,
    was_submitted, score_at IS NOT NULL, comment_at IS NOT NULL, quick_at IS NOT NULL
FROM rating_drafts WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT sheet.session_participant_id, CASE WHEN EXISTS (
        SELECT FROM session_participant_pieces AS entry
        WHERE entry.session_participant_id = sheet.session_participant_id AND entry.piece_id = mark.piece_id
    ) THEN 'struck' ELSE 'removed' END, mark.piece_id, mark.id, mark.score, NOT mark.is_rejected, '', '', false,
    false, true, true, true
FROM rating_drafts AS sheet JOIN draft_marks AS mark ON mark.draft_id = sheet.id
WHERE sheet.user_id = %(user)s AND sheet.session_participant_id IN (SELECT id FROM appearances)
ORDER BY 1, 3
"""


@dataclass(frozen=True, slots=True)
class OwnPiece:
    """The viewer's submitted mark for a piece."""

    id: int
    score: int
    approved: bool


@dataclass(frozen=True, slots=True)
class OwnPerformance:
    """The viewer's submitted mark for a whole performance, with its comment."""

    id: int
    score: int
    approved: bool
    comment: str
    quick_rating: str
    is_comment_hidden: bool = False


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """What the viewer has struck, submitted or not (`RatingDraft`).

    None is a field that was not struck, so that the submitted one holds. The mark 0 was removed.
    """

    pieces: Mapping[int, int] = field(default_factory=dict)
    score: int | None = None
    comment: str | None = None
    quick_rating: str | None = None
    rejected_pieces: frozenset[int] = frozenset()  # a moderator has removed these marks from the rating
    is_rejected: bool = False  # the same for the mark of the whole performance
    is_shown: bool = False  # the viewer has asked for the audience's figures
    was_submitted: bool = False  # the rating was submitted once; it may be gone


@dataclass(frozen=True, slots=True)
class OwnRatings:
    """The viewer's ratings of a performance; `pieces` by piece id, `recommendation` is "up", "down" or empty."""

    pieces: Mapping[int, OwnPiece] = field(default_factory=dict)
    overall: OwnPerformance | None = None
    recommendation: str = ""
    sheet: OwnSheet = field(default_factory=OwnSheet)
    removed: Mapping[int, int] = field(default_factory=dict)  # kept marks of pieces that have left the program

    @property
    def is_submitted(self) -> bool:
        """Whether a mark is submitted."""
        return bool(self.pieces or self.overall)

    @property
    def _approvals(self) -> tuple[bool, ...]:
        whole = (self.overall.approved,) if self.overall else ()
        return (*(each.approved for each in self.pieces.values()), *whole)

    @property
    def is_approved(self) -> bool:
        """Whether all submitted marks are approved; True without any."""
        return all(self._approvals)

    @property
    def is_partly_approved(self) -> bool:
        """Whether a submitted mark is approved."""
        return any(self._approvals)

    @property
    def marks(self) -> Mapping[int, int]:
        """The latest mark of each piece, submitted or not. For a removed mark the submitted one, if any, holds."""
        return {**self._submitted_marks, **{pk: n for pk, n in self.sheet.pieces.items() if n}}

    @property
    def mean(self) -> Decimal | None:
        """The mean of the latest marks of pieces to one decimal, half away from zero; None without any."""
        marks = self.marks.values()
        return rounded(Decimal(sum(marks)) / len(marks)) if marks else None

    @property
    def score(self) -> int:
        """The latest mark of the whole performance, submitted or not, 0 without one."""
        return self.sheet.score or (self.overall.score if self.overall else 0)

    @property
    def comment(self) -> str:
        """The latest comment, submitted or not."""
        return self.sheet.comment if self.sheet.comment is not None else self.overall.comment if self.overall else ""

    @property
    def quick_rating(self) -> str:
        """The latest quick rating, submitted or not."""
        kept = self.sheet.quick_rating
        return kept if kept is not None else self.overall.quick_rating if self.overall else ""

    @property
    def has_marks(self) -> bool:
        """Whether any piece or the whole performance has a mark, submitted or not."""
        return bool(self.marks or self.score)

    @property
    def rejected_pieces(self) -> frozenset[int]:
        """The pieces whose mark a moderator has removed, and which the viewer has neither changed nor sent again."""
        return self.sheet.rejected_pieces - self.pieces.keys()

    @property
    def is_rejected(self) -> bool:
        """Whether a moderator has removed a mark that the viewer has neither changed nor sent again."""
        return bool(self.rejected_pieces) or (self.sheet.is_rejected and self.overall is None)

    @property
    def is_changed(self) -> bool:
        """Whether something of a submitted rating differs from the latest marks, or a moderator has removed a mark."""
        if not self.is_submitted:
            return self.is_rejected
        whole = self.overall
        stored = (whole.score, whole.comment, whole.quick_rating) if whole else (0, "", "")
        return self._submitted_marks != self.marks or stored != (self.score, self.comment, self.quick_rating)

    @property
    def is_restorable(self) -> bool:
        """Whether the viewer can go back to the submitted rating (`rating_restore`): something was struck since."""
        whole = self.overall
        words = whole and (whole.score, whole.comment, whole.quick_rating)
        struck = {pk: n for pk, n in self.marks.items() if pk not in self.rejected_pieces}
        differs = words is not None and words != (self.score, self.comment, self.quick_rating)
        return self.is_submitted and (differs or struck != self._submitted_marks)

    @property
    def _submitted_marks(self) -> Mapping[int, int]:
        return {pk: each.score for pk, each in self.pieces.items()}


_Row = tuple[int, str, int | None, int, int | None, bool | None, str, str, bool, bool, bool, bool, bool]


def ratings_own(
    *,
    user_id: int,
    participant_id: int | None = None,
    session_id: int | None = None,
    stage_id: int | None = None,
    appearance_ids: Collection[int] = (),
) -> Mapping[int, OwnRatings]:
    """Return an account's ratings of the performances of a participant, session or stage, or of these, by appearance.

    Performances without any mark, comment or recommendation of the account are left out. One query.
    """
    wanted = {
        "user": user_id,
        "participant": participant_id,
        "session": session_id,
        "stage": stage_id,
        "appearances": list(appearance_ids),
    }
    with connection.cursor() as cursor:
        cursor.execute(OWN_RATINGS, wanted)
        rows: list[_Row] = cursor.fetchall()
    found: dict[int, list[_Row]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return {appearance_id: _own(given) for appearance_id, given in found.items()}


def _own(rows: Sequence[_Row]) -> OwnRatings:
    """Return the ratings of one performance from its rows."""
    pieces: dict[int, OwnPiece] = {}
    struck: dict[int, int] = {}
    removed: dict[int, int] = {}
    rejected: set[int] = set()
    overall, recommendation, sheet = None, "", OwnSheet()
    for _, kind, piece_id, pk, score, approved, comment, quick, hidden, was_submitted, *was_struck in rows:
        match kind:
            case "piece":
                pieces[piece_id or 0] = OwnPiece(pk, score or 0, bool(approved))
            case "whole":
                overall = OwnPerformance(pk, score or 0, bool(approved), comment, quick, hidden)
            case "advance":
                recommendation = comment
            case "struck":
                struck[piece_id or 0] = score or 0
                rejected |= set() if approved else {piece_id or 0}
            case "removed" if score:
                removed[piece_id or 0] = score
            case "sheet":
                has_score, has_comment, has_quick = was_struck
                sheet = OwnSheet(
                    score=score or 0 if has_score else None,
                    comment=comment if has_comment else None,
                    quick_rating=quick if has_quick else None,
                    is_rejected=not approved,
                    is_shown=hidden,
                    was_submitted=was_submitted,
                )
    return OwnRatings(
        pieces, overall, recommendation, replace(sheet, pieces=struck, rejected_pieces=frozenset(rejected)), removed
    )


RECENT = 100  # performances
# The audience's mean of each piece that the account has marked: every piece counts once on either side.
_SCORES = range(1, PIECE_HIGHEST + 1)
_BESIDE_AUDIENCE = f"""
SELECT count(*), count(audience.mean), avg(own.score) FILTER (WHERE audience.mean IS NOT NULL),
    round(avg(audience.mean), 12),  -- without the error of adding quotients, which have 16 digits
    ARRAY[{", ".join(f"count(*) FILTER (WHERE own.score = {n})" for n in _SCORES)}],
    ARRAY[{", ".join(f"coalesce(sum(times{n}), 0)" for n in _SCORES)}]::bigint[]
FROM piece_ratings AS own
LEFT JOIN LATERAL (
    SELECT sum(counts.score * counts.count) / nullif(sum(counts.count), 0) AS mean,
        {", ".join(f"sum(counts.count) FILTER (WHERE counts.score = {n}) AS times{n}" for n in _SCORES)}
    FROM piece_mark_counts AS counts
    WHERE counts.session_participant_id = own.session_participant_id AND counts.piece_id = own.piece_id
) AS audience ON true
WHERE own.user_id = %s
"""  # noqa: S608 - the only inserted values are the constants from 1 to 25


@dataclass(frozen=True, slots=True)
class BesideAudience:
    """The number of an account's marks of pieces, and two means over the pieces that the audience has marked too.

    The means have one decimal and are None without such a piece. The audience's is the mean of the pieces' means.
    `own_often` and `audience_often` are how often each mark was given to the account's pieces, from 1 up. Only pieces
    with a submitted mark of the account are read: their figures are never covered for it (`Covering.open_pieces`).
    """

    count: int
    shared: int
    own_mean: Decimal | None
    audience_mean: Decimal | None
    own_often: Sequence[int]
    audience_often: Sequence[int]


def own_recent(*, user_id: int) -> tuple[int, ...]:
    """Return the appearances that an account has rated or marked last, RECENT of each. Two queries."""
    rated = RatingSubmission.objects.filter(user_id=user_id).order_by("-given_at", "-id")
    marked = RatingDraft.objects.filter(user_id=user_id).order_by("-id")
    ids = (found.values_list("appearance_id", flat=True)[:RECENT] for found in (rated, marked))
    return tuple(dict.fromkeys(pk for found in ids for pk in found))


def own_marked(*, user_id: int) -> frozenset[int]:
    """Return all appearances of which an account has a mark, submitted or only kept. One query."""
    submitted = RatingSubmission.objects.filter(user_id=user_id).values_list("appearance_id")
    pieces = DraftMark.objects.filter(draft=OuterRef("pk"), score__isnull=False)
    kept = RatingDraft.objects.filter(Q(score__isnull=False) | Exists(pieces), user_id=user_id)
    return frozenset(pk for (pk,) in submitted.union(kept.values_list("appearance_id")))


def own_beside_audience(*, user_id: int) -> BesideAudience:
    """Return an account's mean mark of pieces beside the audience's. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE_AUDIENCE, [user_id])
        found = BesideAudience(*cursor.fetchone())
    if found.own_mean is None or found.audience_mean is None:
        return found
    return replace(found, own_mean=rounded(found.own_mean), audience_mean=rounded(found.audience_mean))
