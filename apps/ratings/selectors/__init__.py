"""Reads of ratings; unapproved ones only in selectors of moderation and of one's own ratings."""

from apps.ratings.selectors.moderation_queue import (
    COUNTED,
    NEW_ACCOUNT,
    MatchCount,
    QueueFilter,
    matching,
    ratings_match_count,
    ratings_queue,
)
from apps.ratings.selectors.statistics import (
    Figures,
    ParticipantFigures,
    PerformanceFigures,
    participant_figures,
    performance_figures,
)

from .comments import rating_comments_hidden, rating_comments_reported
from .counts import (
    AppearanceCounts,
    RecommendationCounts,
    pieces_rated_of,
    ratings_of_appearances,
    recommendation_counts,
    waiting_counts,
)
from .day import DayMarks, day_marks
from .decisions import LastDecision, decided_since, decision_last
from .lists import cursor_of, ratings_latest, ratings_own_list, ratings_public, ratings_words
from .own import OwnPerformance, OwnPiece, OwnRatings, own_stage_marks, ratings_own
from .own_summary import BesideHall, MarkedPieces, own_beside_hall, own_marked
from .results import Mark, PieceMark, RatingShown, WholeMark
from .stage_marks import StageMark, pieces_marked, stage_marks

__all__ = [
    "COUNTED",
    "NEW_ACCOUNT",
    "AppearanceCounts",
    "BesideHall",
    "DayMarks",
    "Figures",
    "LastDecision",
    "Mark",
    "MarkedPieces",
    "MatchCount",
    "OwnPerformance",
    "OwnPiece",
    "OwnRatings",
    "ParticipantFigures",
    "PerformanceFigures",
    "PieceMark",
    "QueueFilter",
    "RatingShown",
    "RecommendationCounts",
    "StageMark",
    "WholeMark",
    "cursor_of",
    "day_marks",
    "decided_since",
    "decision_last",
    "matching",
    "own_beside_hall",
    "own_marked",
    "own_stage_marks",
    "participant_figures",
    "performance_figures",
    "pieces_marked",
    "pieces_rated_of",
    "rating_comments_hidden",
    "rating_comments_reported",
    "ratings_latest",
    "ratings_match_count",
    "ratings_of_appearances",
    "ratings_own",
    "ratings_own_list",
    "ratings_public",
    "ratings_queue",
    "ratings_words",
    "recommendation_counts",
    "stage_marks",
    "waiting_counts",
]
