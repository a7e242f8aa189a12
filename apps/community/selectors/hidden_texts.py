"""Reads of hidden or reported posts and their comments, and of all hidden texts of one author."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.limits import HIDDEN_SHOWN
from apps.community.models import Post, PostComment, Report, ReportCase
from apps.core.hideable_texts import HideableText
from apps.live.selectors import comments_hidden
from apps.ratings.selectors.lists import rating_comments_hidden

_COLUMNS = ("user_id", Coalesce("user__username", Value("")), "content", "created_at", "is_hidden")


@dataclass(frozen=True, slots=True)
class OwnHidden:
    """A hidden text for its author, with the reasons of its reports, the most frequent first.

    It contains no words of reporters, because the author might recognise the reporter.
    """

    kind: ReportKind
    text: HideableText
    reasons: tuple[ReportReason, ...]
    by_audience: bool  # until an administrator decides


def own_hidden(*, user_id: int) -> tuple[OwnHidden, ...]:
    """Return an account's hidden texts, newest first, at most HIDDEN_SHOWN of each kind. At most six queries."""
    found = {
        ReportKind.POST: posts_hidden(user_id=user_id, limit=HIDDEN_SHOWN),
        ReportKind.POST_COMMENT: post_comments_hidden(user_id=user_id, limit=HIDDEN_SHOWN),
        ReportKind.SESSION_COMMENT: comments_hidden(user_id=user_id, limit=HIDDEN_SHOWN),
        ReportKind.RATING_COMMENT: rating_comments_hidden(user_id=user_id, limit=HIDDEN_SHOWN),
    }
    texts = [(kind, text) for kind, each in found.items() for text in each]
    if not texts:
        return ()
    which = Q()
    for kind, each in found.items():
        which |= Q(kind=kind, subject_id__in=[text.id for text in each])
    cases = {
        (kind, subject_id): (case_id, state)
        for case_id, kind, subject_id, state in ReportCase.objects.filter(which).values_list(
            "id", "kind", "subject_id", "state"
        )
    }
    reasons = _reasons([case_id for case_id, _ in cases.values()])
    hidden = []
    for kind, text in texts:
        case_id, state = cases.get((kind.value, text.id), (0, ReportState.HIDDEN))
        hidden.append(OwnHidden(kind, text, reasons.get(case_id, ()), state == ReportState.OPEN))
    return tuple(sorted(hidden, key=lambda each: each.text.created_at, reverse=True))


def posts_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return these posts, hidden or not, by id. One query."""
    return {post.id: post for post in _post_texts(Post.objects.filter(id__in=ids))}


def posts_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return an account's hidden posts, newest first. One query."""
    return _post_texts(Post.objects.filter(user_id=user_id, is_hidden=True).order_by("-id")[:limit])


def post_comments_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return these comments on posts, hidden or not, by id. One query."""
    return {comment.id: comment for comment in _comment_texts(PostComment.objects.filter(id__in=ids))}


def post_comments_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return an account's hidden comments on posts, newest first. One query."""
    return _comment_texts(PostComment.objects.filter(user_id=user_id, is_hidden=True).order_by("-id")[:limit])


def _post_texts(found: "QuerySet[Post]") -> tuple[HideableText, ...]:
    performance = ("appearance__participant__name", "appearance__session__title")
    rows = found.values_list(*performance, "image_url", "id", *_COLUMNS)
    return tuple(
        HideableText(*(*row, not row[-1], _path(row[0]), image_url, f"{performer}, {title}" if performer else ""))
        for performer, title, image_url, *row in rows
    )


def _comment_texts(found: "QuerySet[PostComment]") -> tuple[HideableText, ...]:
    rows = found.values_list("post_id", "post__is_hidden", "id", *_COLUMNS)
    return tuple(HideableText(*(*row, not (of_hidden or row[-1]), _path(post_id))) for post_id, of_hidden, *row in rows)


def _path(post_id: int) -> str:
    return f"/community?post={post_id}"


def _reasons(case_ids: Collection[int]) -> Mapping[int, tuple[ReportReason, ...]]:
    """Return the reasons of the reports of these cases, the most frequent first, by case id."""
    found: dict[int, tuple[ReportReason, ...]] = {}
    counted = Report.objects.filter(case_id__in=case_ids).values_list("case_id", "reason").annotate(times=Count("id"))
    for case_id, reason, _ in counted.order_by(F("times").desc(), "reason"):
        found[case_id] = (*found.get(case_id, ()), ReportReason(reason))
    return found
