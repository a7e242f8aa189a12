"""Moderation of marks of ratings: approval, rejection and the undo of both."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.accounts.services.accounts import accounts_hold, accounts_lock
from apps.competition.selectors.public.programs import appearance_places
from apps.competition.services.programs import programs_hold
from apps.core.moderation import DecisionResult, Moderation, Seen, Sentences, Undone
from apps.ratings.enums import ApprovalFilter, RatingKind, Verdict
from apps.ratings.limits import MATCHED, QUEUE_ROWS
from apps.ratings.models import DecidedRating, Decision
from apps.ratings.permissions import can_moderate
from apps.ratings.queue_address import fields_of, filters_of
from apps.ratings.selectors.moderation_queue import QueueFilter, matching
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.strikes import rejections_forget
from apps.ratings.services.submission import ratings_of_decision_lock, ratings_of_marks_lock
from apps.ratings.services.verdicts import AT_ONCE, TABLES, Row, Verdicts, marks_lock, names_of

MARK_SENTENCES = {
    (RatingKind.PIECE, Verdict.APPROVE): "Piece rating approved successfully",
    (RatingKind.PIECE, Verdict.REJECT): "Piece rating rejected successfully",
    (RatingKind.PERFORMANCE, Verdict.APPROVE): "Performance rating approved successfully",
    (RatingKind.PERFORMANCE, Verdict.REJECT): "Performance rating rejected successfully",
}


ALSO = {
    RatingKind.PIECE: ("And %(n)d piece.", "And %(n)d pieces."),
    RatingKind.PERFORMANCE: ("And the whole performance.", "And the whole performance."),
}


class RatingModeration(Moderation[RatingKind, Verdict, QueueFilter]):
    """Moderation with marks as items; the counts are of ratings (a person's marks of a performance)."""

    kinds, verdicts, decisions = RatingKind, Verdict, Decision
    field, page_size, undo_command = "rating", QUEUE_ROWS, "decision_undo"
    can_moderate = staticmethod(can_moderate)
    fields_of, filters_of = staticmethod(fields_of), staticmethod(filters_of)
    sentences = Sentences(
        not_allowed="Only administrators decide about ratings.",
        select_first="Select ratings first, at most 1,000 of them.",
        unknown_verdict="A rating is approved or rejected.",
        decided="This rating has been decided already.",
        changed="This rating has changed since. Please read it again.",
        decided_counts={
            Verdict.APPROVE: ("%(n)d rating approved.", "%(n)d ratings approved."),
            Verdict.REJECT: ("%(n)d rating rejected.", "%(n)d ratings rejected."),
        },
        others_count=("%(n)d mark had been decided already.", "%(n)d marks had been decided already."),
        changed_count=("%(n)d mark changed since and still waits.", "%(n)d marks changed since and still wait."),
        undone_count=("%(n)d rating waits again.", "%(n)d ratings wait again."),
        left_count=(
            "%(n)d mark stays as it is: it was changed or deleted since.",
            "%(n)d marks stay as they are: they were changed or deleted since.",
        ),
    )

    def decide_seen(self, actor: Actor, verdict: Verdict, seen: Sequence[Seen[RatingKind]]) -> DecisionResult:
        """Decide about the waiting marks that have not changed since they were read."""
        self.prune()
        verdicts = Verdicts.begin(actor, verdict)
        requested = {kind: {each.id: each.seen_at for each in seen if each.kind == kind} for kind in TABLES}
        ratings_of_marks_lock(requested)
        others = changed = 0
        for kind, seen_at in requested.items():
            waiting = marks_lock(kind, Q(pk__in=seen_at, approved=False)) if seen_at else []
            fit = [row for row in waiting if seen_at[row.pk] in {None, row.updated_at}]
            verdicts.decide(kind, fit)
            others += len(seen_at) - len(waiting)
            changed += len(waiting) - len(fit)
        return self._end(verdicts, others, changed, first=seen[0].kind)

    def decide_matches(self, actor: Actor, verdict: Verdict, filters: QueueFilter, until: datetime) -> DecisionResult:
        """Decide about the waiting marks of at most MATCHED ratings, in statements of AT_ONCE marks."""
        self.prune()
        verdicts = Verdicts.begin(actor, verdict)
        found = _marks_matching(replace(filters, show=ApprovalFilter.WAITING, until=until), until)
        ratings_of_marks_lock(found)
        for kind, ids in found.items():
            for start in range(0, len(ids), AT_ONCE):
                batch = Q(pk__in=ids[start : start + AT_ONCE], approved=False, updated_at__lte=until)
                verdicts.decide(kind, marks_lock(kind, batch))
        return self._end(verdicts)

    def _end(
        self, verdicts: Verdicts, others: int = 0, changed: int = 0, first: RatingKind | None = None
    ) -> DecisionResult:
        """Store the decision; `first` is the kind of the queue whose sentence is shown if one rating was decided."""
        decision_id, count = verdicts.decision.pk, len(verdicts.ratings)
        verdicts.end()
        sentences = {"single": "", "also": None} if first is None or count != 1 else _of_one(verdicts, first)
        return DecisionResult(decision_id, verdicts.verdict, self.sentences, count, others, changed, **sentences)

    def lock_before_undo(self, decision_id: int) -> None:
        """Lock the authors' accounts if rejected marks are to be stored again, else take a shared lock on them."""
        decided = DecidedRating.objects.filter(decision_id=decision_id)
        user_ids = tuple(decided.values_list("user_id", flat=True).distinct())
        if decided.filter(row__isnull=False).exists():
            accounts_lock(user_ids=user_ids)
        else:
            accounts_hold(user_ids=user_ids)

    def restore(self, actor: Actor, decision: Decision) -> Undone:
        """Set the decision's marks back to waiting, except those changed, deleted or given again since."""
        program = _programs_take(decision)
        ratings_of_decision_lock(decision.pk)
        ratings: set[tuple[int, int]] = set()
        participants: set[int] = set()
        marks = 0
        for kind, batch in _batches(decision):
            rows = _unapprove(kind, batch) if decision.approved else _restore(kind, batch, program)
            marks += len(rows)
            ratings |= {(row.user_id, row.appearance_id) for row in rows}
            participants |= {row.appearance.participant_id for row in rows}
        name = names_of(participants)
        change_note(actor=actor, action="ratings.undo", subject_id=decision.pk, name=name, count=len(ratings))
        people, appearances = {user_id for user_id, _ in ratings}, {appearance_id for _, appearance_id in ratings}
        ratings_announce(people, appearances, public=decision.approved, waiting=True)
        return Undone(self.sentences, len(ratings), decision.ratings.count() - marks)


RATING_MODERATION = RatingModeration()
ratings_decide, ratings_decide_matching = RATING_MODERATION.decide, RATING_MODERATION.decide_matching
decision_undo, decisions_prune = RATING_MODERATION.undo, RATING_MODERATION.prune


def _of_one(verdicts: Verdicts, first: RatingKind) -> dict[str, Any]:
    """Return the sentence of a decision about one rating in the queue of the kind `first`, and what it includes."""
    counts = verdicts.counts
    (kind, *others) = sorted((kind for kind, count in counts.items() if count), key=lambda kind: kind != first)
    also = (ALSO[others[0]], counts[others[0]]) if others else None
    return {"single": MARK_SENTENCES[kind, verdicts.verdict], "also": also}


def _marks_matching(filters: QueueFilter, until: datetime) -> Mapping[RatingKind, Sequence[int]]:
    """Return the ids of the waiting marks of the matching ratings, for each kind that is decided."""
    rows = matching(filters)
    found = rows.order_by(f"-{filters.moment}", "-pk").values("pk")[:MATCHED]
    same = {"user": OuterRef("user"), "appearance": OuterRef("appearance")}
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


def _programs_take(decision: Decision) -> AbstractSet[tuple[int, int]]:
    """Lock the programs of rejected marks against changes, and return their pairs of appearance and piece."""
    rejected = decision.ratings.filter(row__isnull=False)
    return programs_hold(appearance_ids=set(rejected.values_list("row__session_participant_id", flat=True)))


def _batches(decision: Decision) -> Iterable[tuple[RatingKind, list[DecidedRating]]]:
    """Yield the decided marks in batches of AT_ONCE, by kind in the order of locking."""
    for kind in TABLES:
        last = 0
        while batch := list(decision.ratings.filter(kind=kind, rating_id__gt=last).order_by("rating_id")[:AT_ONCE]):
            yield kind, batch
            last = batch[-1].rating_id


def _unapprove(kind: RatingKind, batch: Sequence[DecidedRating]) -> list[Row]:
    """Set approved marks that have not changed since back to waiting, and return them."""
    changed_at = {each.rating_id: each.changed_at for each in batch}
    rows = [
        row for row in marks_lock(kind, Q(pk__in=changed_at, approved=True)) if row.updated_at == changed_at[row.pk]
    ]
    TABLES[kind].objects.filter(pk__in=[row.pk for row in rows]).update(approved=False)
    return rows


def _restore(kind: RatingKind, batch: Sequence[DecidedRating], program: AbstractSet[tuple[int, int]]) -> list[Row]:
    """Store rejected marks again and return them, except those given again or of pieces that left the program."""
    table = TABLES[kind]
    rejected = [_read(each.row or {}) for each in batch]
    appearances = appearance_places(appearance_ids={row["appearance_id"] for row in rejected})
    restorable = [
        row
        for row in rejected
        if row["appearance_id"] in appearances
        and ("piece_id" not in row or (row["appearance_id"], row["piece_id"]) in program)
    ]
    table.objects.bulk_create([table(**row) for row in restorable], ignore_conflicts=True)  # type: ignore[misc]
    restored: list[Row] = list(table.objects.filter(pk__in=[row["id"] for row in restorable]))
    rejections_forget(restored)
    return restored


def _read(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a rejected mark with parsed times."""
    return {name: datetime.fromisoformat(value) if name.endswith("_at") else value for name, value in row.items()}
