"""Apply a decision to many marks in bounded statements, each mark once, also under concurrent decisions."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.competition.selectors.admin.participants import participant_options
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.models import DecidedRating, Decision, PerformanceRating, PieceRating
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.strikes import drafts_keep

AT_ONCE = 1000  # rows in one statement
_NAMES_MOST = 100  # marks that an audit entry names
_PARTICIPANTS_MOST = 5  # participants that an audit entry names
TABLES: Mapping[RatingKind, type[PieceRating | PerformanceRating]] = {
    RatingKind.PIECE: PieceRating,
    RatingKind.PERFORMANCE: PerformanceRating,
}
_SAME = ("id", "user_id", "appearance_id", "score", "created_at", "updated_at")
_OWN = {RatingKind.PIECE: ("piece_id",), RatingKind.PERFORMANCE: ("comment", "quick_rating")}
Row = PieceRating | PerformanceRating


@dataclass(slots=True)
class Verdicts:
    """A decision in progress, with the marks, ratings and appearances that are decided so far."""

    actor: Actor
    verdict: Verdict
    decision: Decision
    ratings: set[tuple[int, int]]  # people and appearances
    appearances: dict[int, int]  # participants by appearance
    counts: dict[RatingKind, int]  # marks
    names: list[str]

    @classmethod
    def begin(cls, actor: Actor, verdict: Verdict) -> "Verdicts":
        """Store and return a decision without marks."""
        stored = Decision.objects.create(user_id=account_of(actor), approved=verdict == Verdict.APPROVE)
        return cls(actor, verdict, stored, set(), {}, dict.fromkeys(TABLES, 0), [])

    def decide(self, kind: RatingKind, rows: Sequence[Row]) -> None:
        """Decide about these waiting and locked rows, at most AT_ONCE."""
        table, ids = TABLES[kind], [row.pk for row in rows]
        undo_rows = [_undo_row(self.decision, kind, row, all_columns=self.verdict == Verdict.REJECT) for row in rows]
        DecidedRating.objects.bulk_create(undo_rows)
        if self.verdict == Verdict.APPROVE:
            table.objects.filter(pk__in=ids).update(approved=True)
        else:
            drafts_keep(rows, are_rejected=True)
            table.objects.filter(pk__in=ids).delete()
        self.counts[kind] += len(rows)
        self.ratings |= {(row.user_id, row.appearance_id) for row in rows}
        self.appearances |= {row.appearance_id: row.appearance.participant_id for row in rows}
        self.names += [f"{kind}-{pk}" for pk in ids[: _NAMES_MOST - len(self.names)]]

    def end(self) -> None:
        """Record and publish the decision, or delete it if no mark was decided."""
        if not self.ratings:
            self.decision.delete()
            return
        self.decision.submissions = len(self.ratings)
        self.decision.save(update_fields=["submissions"])
        change_note(
            actor=self.actor,
            action=f"ratings.{self.verdict}",
            subject_id=self.decision.pk,
            name=names_of(set(self.appearances.values())),
            count=len(self.ratings),
            pieces=self.counts[RatingKind.PIECE],
            performances=self.counts[RatingKind.PERFORMANCE],
            marks=self.names,
        )
        users = {user_id for user_id, _ in self.ratings}
        ratings_announce(users, self.appearances, public=self.verdict == Verdict.APPROVE, waiting=True)


def names_of(participant_ids: AbstractSet[int]) -> str:
    """Return the names of the first of these participants for the audit entry."""
    names = [each.name for each in participant_options(chosen=sorted(participant_ids)[:_PARTICIPANTS_MOST], limit=0)]
    return ", ".join([*names, "…"] if len(participant_ids) > len(names) else names)


def marks_lock(kind: RatingKind, which: Q) -> list[Row]:
    """Lock and return at most AT_ONCE marks that match `which`, ordered by id, with their appearances."""
    found = TABLES[kind].objects.select_for_update(of=("self",)).select_related("appearance")
    rows: list[Row] = list(found.filter(which).order_by("pk")[:AT_ONCE])
    return rows


def _undo_row(decision: Decision, kind: RatingKind, row: Row, *, all_columns: bool) -> DecidedRating:
    """Return the row that stores a mark for the undo."""
    columns = {name: _plain(getattr(row, name)) for name in (*_SAME, *_OWN[kind])} if all_columns else None
    return DecidedRating(
        decision=decision,
        user_id=row.user_id,
        kind=kind,
        rating_id=row.pk,
        changed_at=row.updated_at,
        row=columns,
    )


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
