"""Fills the order of playing in a session's form before it is saved. Nothing is written."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.core.exceptions import ValidationError

from apps.accounts.actors import Actor
from apps.competition.enums import OrderFill
from apps.competition.limits import ADVANCING_MOST, PERFORMERS_MOST
from apps.competition.models import Appearance, Stage
from apps.competition.order_drafts import OrderDraft
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.order_lines import (
    order_advancing,
    order_copied,
    order_lines_read,
    order_next,
)
from apps.competition.selectors.admin.sessions import order_of_version
from apps.core.id_orders import IdOrder
from apps.core.permissions import require

_CHOOSE_STAGE = "Choose a stage first."
_NONE_NEXT = "All who may play in this stage are in a session of it already."
_NONE_ADVANCE = "All who advance into this stage are in a session of it already, or it is not published who does."
_NONE_COPIED = "All performers of that session are in the list already."
_FULL = "A session has at most %(most)d participants, and this list would have %(n)d. Nothing was added."
_LONG = "%(n)d of %(all)d lines name no participant, the first is line %(line)d: “%(text)s”. Nothing was added."
_MANY = "At most %(most)d performers advance."
EMPTY_LIST = "Paste a list first, one performer in each line."
_SHOWN = 60  # characters of a line in a sentence


def order_fill(
    *,
    actor: Actor,
    session_id: int,
    playing: Sequence[int] | None,
    read: Callable[[Sequence[int]], OrderDraft],
    version: str = "",
) -> OrderDraft:
    """Return the order that `read` makes of the form's order `playing`; None is the stored order of the session.

    `version` is the form's: the draft keeps the order in it if another one is stored since.
    Raises PermissionDenied, and ValidationError for more than PERFORMERS_MOST and for too many lines without a name.
    """
    require(can_edit_competition(actor), "Only administrators edit sessions.")
    found = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    stored = IdOrder(found.values_list("participant_id", flat=True))
    draft, opened = read(stored if playing is None else playing), order_of_version(version)
    if opened != stored:
        draft = replace(draft, read=opened)
    if len(draft.participant_ids) > PERFORMERS_MOST:
        raise ValidationError(_FULL, params={"most": PERFORMERS_MOST, "n": len(draft.participant_ids)})
    _short_require(draft)
    return draft


def advancing_fill(*, actor: Actor, text: str) -> OrderDraft:
    """Return the participants whom the lines of a pasted list name, to be ticked in the form of who advances.

    Nothing is stored. Raises PermissionDenied, and ValidationError at `lines` for an empty list, for more than
    ADVANCING_MOST and for too many lines without a name.
    """
    require(can_edit_competition(actor), "Only administrators publish who advances.")
    draft = order_lines_read(text, ())
    if not draft.lines:
        raise ValidationError({"lines": EMPTY_LIST})
    if len(draft.participant_ids) > ADVANCING_MOST:
        raise ValidationError({"lines": ValidationError(_MANY, params={"most": ADVANCING_MOST})})
    _short_require(draft)
    return draft


def _short_require(draft: OrderDraft) -> None:
    """Raise ValidationError at `lines` if the open lines are too long for an address."""
    if draft.is_long:
        first = draft.open_lines[0]
        about = {"n": len(draft.open_lines), "all": draft.lines, "line": first.number, "text": first.text[:_SHOWN]}
        raise ValidationError({"lines": ValidationError(_LONG, params=about)})


def order_of_others(
    fill: OrderFill, playing: Sequence[int], *, stage_id: int | None, count: int, session_id: int | None
) -> OrderDraft:
    """Return the order with participants from elsewhere: the next ones, those of a session, or those who advance.

    Raises ValidationError at the field for a missing stage or session, and if there is none to add.
    """
    if fill == OrderFill.COPY:
        if session_id is None:
            raise ValidationError({"copied": "Choose a session first."})
        return _some(order_copied(session_id=session_id, playing=playing), {"copied": _NONE_COPIED})
    if stage_id is None and Stage.objects.exists():
        raise ValidationError({"stage": _CHOOSE_STAGE})
    stage_id = stage_id or 0  # the first session makes the first stage
    if fill == OrderFill.NEXT:
        return _some(order_next(stage_id=stage_id, count=count, playing=playing), {"next": _NONE_NEXT})
    return _some(order_advancing(stage_id=stage_id, playing=playing), {"next": _NONE_ADVANCE})


def _some(draft: OrderDraft, otherwise: dict[str, str]) -> OrderDraft:
    if not draft.added:
        raise ValidationError(otherwise)
    return draft
