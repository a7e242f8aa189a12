"""Lock, hide and restore the texts that can be reported, through the services of their apps.

Texts are locked before cases, in the order of `ReportKind` and of their ids. The deletion of texts and accounts locks
in the same order, so that no deadlock occurs.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from apps.community.enums import ReportKind
from apps.community.services.posts import post_comments_hide, post_comments_lock, posts_hide, posts_lock
from apps.core.hideable_texts import TextState
from apps.live.services import comments_hide, comments_lock
from apps.ratings.services.removal import rating_comments_hide, rating_comments_lock

Subject = tuple[ReportKind, int]  # a text: its kind and its id in the table of that kind


class _Lock(Protocol):
    def __call__(self, *, ids: Collection[int]) -> Mapping[int, TextState]: ...


class _Hide(Protocol):
    def __call__(self, *, ids: Collection[int], hidden: bool) -> None: ...


_LOCK: Mapping[ReportKind, _Lock] = {
    ReportKind.POST: posts_lock,
    ReportKind.POST_COMMENT: post_comments_lock,
    ReportKind.SESSION_COMMENT: comments_lock,
    ReportKind.RATING_COMMENT: rating_comments_lock,
}
_HIDE: Mapping[ReportKind, _Hide] = {
    ReportKind.POST: posts_hide,
    ReportKind.POST_COMMENT: post_comments_hide,
    ReportKind.SESSION_COMMENT: comments_hide,
    ReportKind.RATING_COMMENT: rating_comments_hide,
}


def texts_lock(subjects: Iterable[Subject]) -> Mapping[Subject, TextState]:
    """Lock these texts until the transaction ends and return those that exist."""
    ids = ids_by_kind(subjects)
    return {(kind, pk): state for kind in ReportKind if kind in ids for pk, state in _LOCK[kind](ids=ids[kind]).items()}


def texts_hide(subjects: Iterable[Subject], *, hidden: bool) -> None:
    """Hide these texts, or restore them."""
    for kind, ids in ids_by_kind(subjects).items():
        _HIDE[kind](ids=ids, hidden=hidden)


def ids_by_kind(subjects: Iterable[Subject]) -> Mapping[ReportKind, Collection[int]]:
    """Return the ids of these texts by their kinds."""
    ids: dict[ReportKind, list[int]] = {}
    for kind, pk in subjects:
        ids.setdefault(kind, []).append(pk)
    return ids
