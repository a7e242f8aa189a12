"""Writes of the community: posts, comments and reactions, and what is reported of all texts."""

from apps.community.services.hiding import post_comments_hide, post_comments_lock, posts_hide, posts_lock
from apps.community.services.report_decisions import (
    ReportDecisionResult,
    ReportSeen,
    reports_decide,
    reports_decide_matching,
)
from apps.community.services.report_expiry import reports_show_again
from apps.community.services.report_undo import ReportsUndone, report_decision_undo, report_decisions_prune
from apps.community.services.reports import REPORT_ADDED, report_add

from .comments import COMMENT_ADDED, COMMENT_DELETED, post_comment_add, post_comment_delete
from .posts import POST_ADDED, POST_DELETED, post_add, post_delete
from .reactions import post_reaction_set

__all__ = [
    "COMMENT_ADDED",
    "COMMENT_DELETED",
    "POST_ADDED",
    "POST_DELETED",
    "REPORT_ADDED",
    "ReportDecisionResult",
    "ReportSeen",
    "ReportsUndone",
    "post_add",
    "post_comment_add",
    "post_comment_delete",
    "post_comments_hide",
    "post_comments_lock",
    "post_delete",
    "post_reaction_set",
    "posts_hide",
    "posts_lock",
    "report_add",
    "report_decision_undo",
    "report_decisions_prune",
    "reports_decide",
    "reports_decide_matching",
    "reports_show_again",
]
