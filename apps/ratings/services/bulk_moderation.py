"""Decisions about a selection of ratings, or all that match a filter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.core.permissions import require
from apps.core.texts import texts
from apps.ratings.enums import ApprovalFilter, RatingKind, Verdict
from apps.ratings.permissions import can_moderate
from apps.ratings.selectors import QueueFilter, matching
from apps.ratings.services.moderation_undo import decisions_prune
from apps.ratings.services.verdicts import TABLES, Row, Verdicts, ratings_lock

NOT_ALLOWED = "Only administrators decide about ratings."
DECIDED = "This rating has been decided already."
CHANGED = "This rating has changed since. Please read it again."
SELECTED = 1000  # ratings of one selection
MATCHED = 20_000  # ratings of one "all that match"
SENTENCES = {
    (RatingKind.PIECE, Verdict.APPROVE): "Piece rating approved successfully",
    (RatingKind.PIECE, Verdict.REJECT): "Piece rating rejected successfully",
    (RatingKind.PERFORMANCE, Verdict.APPROVE): "Performance rating approved successfully",
    (RatingKind.PERFORMANCE, Verdict.REJECT): "Performance rating rejected successfully",
}
_MANY = {
    Verdict.APPROVE: ("%(n)d rating approved.", "%(n)d ratings approved."),
    Verdict.REJECT: ("%(n)d rating rejected.", "%(n)d ratings rejected."),
}
_OTHERS = ("%(n)d had been decided already.", "%(n)d had been decided already.")
_CHANGED = ("%(n)d changed since and still waits.", "%(n)d changed since and still wait.")


@dataclass(frozen=True, slots=True)
class RatingSeen:
    """A rating as a moderator read it; `seen_at` is its `updated_at` then, None accepts any."""

    kind: RatingKind
    id: int
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a decision: its id for the undo, how many were decided, and how many were not."""

    id: int
    verdict: Verdict
    decided: int
    others: int = 0  # decided by somebody else, or deleted
    changed: int = 0  # changed by their authors
    kind: RatingKind | None = None  # of a single rating

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the moderator."""
        t = texts(language)
        if self.kind is not None:
            return t(SENTENCES[self.kind, self.verdict])
        counts = ((_MANY[self.verdict], self.decided), (_OTHERS, self.others), (_CHANGED, self.changed))
        return " ".join(t.plural(*forms, n) for forms, n in counts if n)


@transaction.atomic
def ratings_decide(*, actor: Actor, decision: str, ratings: Sequence[RatingSeen]) -> DecisionResult:
    """Approve or reject these ratings, at most SELECTED; each is decided once, whoever else decides meanwhile.

    Raises PermissionDenied, ValidationError when nothing was left to decide, or a rating is not as it was read.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    if not 0 < len(ratings) <= SELECTED:
        raise ValidationError("Select ratings first, at most 1,000 of them.")
    decisions_prune()
    verdicts = Verdicts.begin(actor, _verdict(decision))
    others = changed = 0
    for kind in TABLES:
        seen = {each.id: each.seen_at for each in ratings if each.kind == kind}
        waiting = ratings_lock(kind, Q(pk__in=seen, approved=False)) if seen else []
        fit = [row for row in waiting if seen[row.pk] in {None, row.updated_at}]
        verdicts.decide(kind, fit)
        others += len(seen) - len(waiting)
        changed += len(waiting) - len(fit)
    verdicts.end()
    if not verdicts.count:
        raise ValidationError(CHANGED if changed else DECIDED)
    single = ratings[0].kind if len(ratings) == 1 else None
    return DecisionResult(verdicts.decision.pk, verdicts.verdict, verdicts.count, others, changed, single)


@transaction.atomic
def ratings_decide_matching(*, actor: Actor, decision: str, filters: QueueFilter, until: datetime) -> DecisionResult:
    """Approve or reject everything that waits, matches and was changed no later than `until`, at most MATCHED.

    `until` is when the moderator's list was read, so that nothing is decided that was not in it. Raises
    PermissionDenied, ValidationError when there is nothing.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    decisions_prune()
    verdicts = Verdicts.begin(actor, _verdict(decision))
    waiting = matching(replace(filters, show=ApprovalFilter.WAITING))
    for kind, rows in _batches(waiting, Q(updated_at__lte=until)):
        verdicts.decide(kind, rows[: MATCHED - verdicts.count])
        if verdicts.count >= MATCHED:
            break
    verdicts.end()
    if not verdicts.count:
        raise ValidationError("Nothing that waits matches any more.")
    return DecisionResult(verdicts.decision.pk, verdicts.verdict, verdicts.count)


def _batches(which: Mapping[RatingKind, Q], more: Q) -> Iterable[tuple[RatingKind, list[Row]]]:
    """Yield what matches, AT_ONCE by AT_ONCE, of each kind in the order of locking."""
    for kind in TABLES:
        if kind not in which:
            continue
        last = 0
        while rows := ratings_lock(kind, which[kind] & more & Q(pk__gt=last)):
            yield kind, rows
            last = rows[-1].pk


def _verdict(word: str) -> Verdict:
    """Return the verdict of that name. Raises ValidationError."""
    if word not in set(Verdict):
        raise ValidationError("A rating is approved or rejected.")
    return Verdict(word)
