"""What a moderator decides together in the queue of ratings, and what other moderators have decided meanwhile."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from apps.core.moderation import OthersDecision, decided_since
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.models import ApprovalSetting, DecidedRating, DecidingChoice

Item = tuple[str, int]  # the kind and the id of a mark


@dataclass(frozen=True, slots=True)
class Deciding:
    """Whether a moderator decides the whole performance with the pieces, and the pieces with the whole performance."""

    whole_too: bool = True
    pieces_too: bool = True

    def both(self, kind: RatingKind) -> bool:
        """Return whether decisions in the queue of `kind` include marks of the other kind."""
        return self.whole_too if kind == RatingKind.PIECE else self.pieces_too


def deciding_get(*, user_id: int) -> Deciding:
    """Return what this account decides together; both without a choice. One query."""
    found = DecidingChoice.objects.filter(user_id=user_id).values_list("whole_too", "pieces_too").first()
    return Deciding(*found) if found else Deciding()


def pieces_at_once() -> bool:
    """Return whether piece ratings of proven accounts are approved without a moderator. One query."""
    return ApprovalSetting.objects.filter(pieces_at_once=True).exists()


def marks_decided_by_others(
    *, user_id: int, author_ids: Collection[int], marks: Collection[Item], after: int
) -> Mapping[Item, OthersDecision]:
    """Return who decided about these marks and how, without the decisions of `user_id`. One query.

    Only decisions that can still be undone, and with an id above `after`. `author_ids` are the authors of the marks.
    """
    found = DecidedRating.objects.filter(
        user__in=author_ids,
        rating_id__in=[pk for _, pk in marks],
        decision__gt=after,
        decision__created_at__gt=decided_since(),
    ).exclude(decision__user=user_id)
    columns = ("kind", "rating_id", "decision__approved", "decision__user__username")
    rows = found.order_by("decision").values_list(*columns)
    return {
        (kind, pk): OthersDecision(Verdict.APPROVE if approved else Verdict.REJECT, name or "")
        for kind, pk, approved, name in rows
        if (kind, pk) in marks
    }
