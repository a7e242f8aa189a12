"""Undo of a decision: rejected marks are restored, approved ones wait again."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.accounts.services.accounts import accounts_hold, accounts_lock
from apps.competition.selectors.public.programs import appearance_places
from apps.competition.services.programs import programs_hold
from apps.core.permissions import require
from apps.core.texts import texts
from apps.ratings.enums import RatingKind
from apps.ratings.models import DecidedRating, Decision
from apps.ratings.permissions import can_moderate
from apps.ratings.selectors.decisions import decided_since
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.submission import ratings_of_decision_lock
from apps.ratings.services.verdicts import AT_ONCE, TABLES, Row, marks_lock, names_of

_BACK = ("%(n)d rating waits again.", "%(n)d ratings wait again.")
_LEFT = (
    "%(n)d mark stays as it is: it was changed or deleted since.",
    "%(n)d marks stay as they are: they were changed or deleted since.",
)


@dataclass(frozen=True, slots=True)
class Undone:
    """The result of an undo: of how many ratings marks wait again, and how many marks had changed since."""

    back: int
    left: int

    def sentence_in(self, language: str) -> str:
        """Return the sentence for the moderator."""
        t = texts(language)
        return " ".join(t.plural(*forms, n) for forms, n in ((_BACK, self.back), (_LEFT, self.left)) if n)


@transaction.atomic
def decision_undo(*, actor: Actor, decision_id: int) -> Undone:
    """Let the decision's marks wait again, except those changed, deleted or rated anew since.

    Raises PermissionDenied, ValidationError when the decision is too old or was taken back already.
    """
    require(can_moderate(actor), "Only administrators decide about ratings.")
    _accounts_take(decision_id)
    decision = Decision.objects.select_for_update().filter(pk=decision_id, created_at__gt=decided_since()).first()
    if decision is None:
        raise ValidationError("This can no longer be taken back.")
    program = _programs_take(decision)
    ratings_of_decision_lock(decision_id)
    ratings: set[tuple[int, int]] = set()
    participants: set[int] = set()
    marks = 0
    for kind, batch in _batches(decision):
        rows = _unapprove(kind, batch) if decision.approved else _restore(kind, batch, program)
        marks += len(rows)
        ratings |= {(row.user_id, row.session_participant_id) for row in rows}
        participants |= {row.session_participant.participant_id for row in rows}
    undone = Undone(len(ratings), decision.ratings.count() - marks)
    decision.delete()
    name = names_of(participants)
    change_note(actor=actor, action="ratings.undo", subject_id=decision_id, name=name, count=len(ratings))
    people, appearances = {user_id for user_id, _ in ratings}, {appearance_id for _, appearance_id in ratings}
    ratings_announce(people, appearances, public=decision.approved, waiting=True)
    return undone


@transaction.atomic
def decisions_prune() -> int:
    """Delete decisions that can no longer be undone, with their rejected marks; returns how many rows."""
    count, _ = Decision.objects.filter(created_at__lte=decided_since()).delete()
    return count


def _accounts_take(decision_id: int) -> None:
    """Lock the accounts whose rejected marks are stored again; hold those whose approved marks wait again."""
    decided = DecidedRating.objects.filter(decision_id=decision_id)
    user_ids = tuple(decided.values_list("user_id", flat=True).distinct())
    if decided.filter(row__isnull=False).exists():
        accounts_lock(user_ids=user_ids)
    else:
        accounts_hold(user_ids=user_ids)


def _programs_take(decision: Decision) -> AbstractSet[tuple[int, int]]:
    """Keep the programs of rejected marks as they are, and return their pairs of appearance and piece."""
    rejected = decision.ratings.filter(row__isnull=False)
    return programs_hold(appearance_ids=set(rejected.values_list("row__session_participant_id", flat=True)))


def _batches(decision: Decision) -> Iterable[tuple[RatingKind, list[DecidedRating]]]:
    """Yield what was decided, AT_ONCE by AT_ONCE, of each kind in the order of locking."""
    for kind in TABLES:
        last = 0
        while batch := list(decision.ratings.filter(kind=kind, rating_id__gt=last).order_by("rating_id")[:AT_ONCE]):
            yield kind, batch
            last = batch[-1].rating_id


def _unapprove(kind: RatingKind, batch: Sequence[DecidedRating]) -> list[Row]:
    """Let approved marks wait again and return them: those that are as they were approved."""
    changed_at = {each.rating_id: each.changed_at for each in batch}
    rows = [
        row for row in marks_lock(kind, Q(pk__in=changed_at, approved=True)) if row.updated_at == changed_at[row.pk]
    ]
    TABLES[kind].objects.filter(pk__in=[row.pk for row in rows]).update(approved=False)
    return rows


def _restore(kind: RatingKind, batch: Sequence[DecidedRating], program: AbstractSet[tuple[int, int]]) -> list[Row]:
    """Store rejected marks again and return them: those whose piece is in the program and that were not given again."""
    table = TABLES[kind]
    rejected = [_read(each.row or {}) for each in batch]
    appearances = appearance_places(appearance_ids={row["session_participant_id"] for row in rejected})
    restorable = [
        row
        for row in rejected
        if row["session_participant_id"] in appearances
        and ("piece_id" not in row or (row["session_participant_id"], row["piece_id"]) in program)
    ]
    table.objects.bulk_create([table(**row) for row in restorable], ignore_conflicts=True)  # type: ignore[misc]
    return list(table.objects.filter(pk__in=[row["id"] for row in restorable]))


def _read(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a rejected mark, its times read."""
    return {name: datetime.fromisoformat(value) if name.endswith("_at") else value for name, value in row.items()}
