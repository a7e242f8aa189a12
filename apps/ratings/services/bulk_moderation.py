"""Decisions about marks of a selection of ratings, or of all that match a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from apps.accounts.actors import Actor
from apps.core.permissions import require
from apps.core.texts import texts
from apps.ratings.enums import ApprovalFilter, RatingKind, Verdict
from apps.ratings.limits import MATCHED
from apps.ratings.permissions import can_moderate
from apps.ratings.selectors.moderation_queue import QueueFilter, matching
from apps.ratings.services.moderation_undo import decisions_prune
from apps.ratings.services.submission import ratings_of_marks_lock
from apps.ratings.services.verdicts import AT_ONCE, TABLES, Verdicts, marks_lock

NOT_ALLOWED = "Only administrators decide about ratings."
DECIDED = "This rating has been decided already."
CHANGED = "This rating has changed since. Please read it again."
SELECTED = 1000  # marks of one selection
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
_OTHERS = ("%(n)d mark had been decided already.", "%(n)d marks had been decided already.")
_CHANGED = ("%(n)d mark changed since and still waits.", "%(n)d marks changed since and still wait.")


@dataclass(frozen=True, slots=True)
class MarkSeen:
    """A mark as a moderator read it; `seen_at` is its `updated_at` then, None accepts any."""

    kind: RatingKind
    id: int
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a decision: its id for the undo, of how many ratings marks were decided, and which were not."""

    id: int
    verdict: Verdict
    decided: int  # ratings
    others: int = 0  # marks decided by somebody else, or deleted
    changed: int = 0  # marks changed by their authors
    kind: RatingKind | None = None  # of the marks of a single rating, when all of them are of one kind

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the moderator."""
        t = texts(language)
        if self.kind is not None and not (self.others or self.changed):
            return t(SENTENCES[self.kind, self.verdict])
        counts = ((_MANY[self.verdict], self.decided), (_OTHERS, self.others), (_CHANGED, self.changed))
        return " ".join(t.plural(*forms, n) for forms, n in counts if n)


@transaction.atomic
def ratings_decide(*, actor: Actor, decision: str, marks: Sequence[MarkSeen]) -> DecisionResult:
    """Approve or reject these marks, at most SELECTED; each is decided once, whoever else decides meanwhile.

    Raises PermissionDenied, ValidationError when nothing was left to decide, or nothing is as it was read.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    if not 0 < len(marks) <= SELECTED:
        raise ValidationError("Select ratings first, at most 1,000 of them.")
    decisions_prune()
    verdicts = Verdicts.begin(actor, _verdict(decision))
    asked = {kind: {each.id: each.seen_at for each in marks if each.kind == kind} for kind in TABLES}
    ratings_of_marks_lock(asked)
    others = changed = 0
    for kind, seen in asked.items():
        waiting = marks_lock(kind, Q(pk__in=seen, approved=False)) if seen else []
        fit = [row for row in waiting if seen[row.pk] in {None, row.updated_at}]
        verdicts.decide(kind, fit)
        others += len(seen) - len(waiting)
        changed += len(waiting) - len(fit)
    verdicts.end()
    if not verdicts.ratings:
        raise ValidationError(CHANGED if changed else DECIDED)
    return DecisionResult(
        verdicts.decision.pk, verdicts.verdict, len(verdicts.ratings), others, changed, verdicts.single_kind
    )


@transaction.atomic
def ratings_decide_matching(*, actor: Actor, decision: str, filters: QueueFilter, until: datetime) -> DecisionResult:
    """Approve or reject what waits in all ratings that match and changed no later than `until`, at most MATCHED.

    `until` is when the moderator's list was read, so that nothing is decided that was not in it. Raises
    PermissionDenied, ValidationError when there is nothing.
    """
    require(can_moderate(actor), NOT_ALLOWED)
    decisions_prune()
    verdicts = Verdicts.begin(actor, _verdict(decision))
    found = _marks_matching(replace(filters, show=ApprovalFilter.WAITING, until=until), until)
    ratings_of_marks_lock(found)
    for kind, ids in found.items():
        for start in range(0, len(ids), AT_ONCE):
            batch = Q(pk__in=ids[start : start + AT_ONCE], approved=False, updated_at__lte=until)
            verdicts.decide(kind, marks_lock(kind, batch))
    verdicts.end()
    if not verdicts.ratings:
        raise ValidationError("Nothing that waits matches any more.")
    return DecisionResult(verdicts.decision.pk, verdicts.verdict, len(verdicts.ratings))


def _marks_matching(filters: QueueFilter, until: datetime) -> Mapping[RatingKind, Sequence[int]]:
    """Return the ids of the marks that wait in the ratings that match, of each kind that is decided."""
    rows = matching(filters)
    found = rows.order_by(f"-{filters.moment}", "-pk").values("pk")[:MATCHED]
    same = {"user": OuterRef("user"), "session_participant": OuterRef("session_participant")}
    within = Exists(rows.model.objects.filter(pk__in=found, **same))
    return {
        kind: tuple(
            TABLES[kind]
            .objects.filter(within, approved=False, updated_at__lte=until)
            .order_by("pk")
            .values_list("pk", flat=True)
        )
        for kind in TABLES
        if kind in filters.decided
    }


def _verdict(word: str) -> Verdict:
    """Return the verdict of that name. Raises ValidationError."""
    if word not in set(Verdict):
        raise ValidationError("A rating is approved or rejected.")
    return Verdict(word)
