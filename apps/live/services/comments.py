"""Comments on a session."""

from datetime import timedelta

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, Viewer, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.account_status import member_for
from apps.competition.selectors import session_get
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules.text_cleaning import text_clean
from apps.live.events import CommentsChanged
from apps.live.limits import COMMENT_LENGTH, MEMBER, NEW_FOR, NEWCOMER
from apps.live.models import SessionComment
from apps.live.permissions import can_delete_comment

ADDED, DELETED = "Comment added successfully", "Comment deleted successfully"
AGAIN_AFTER = timedelta(minutes=5)  # until the same person may repeat a comment


@transaction.atomic
def comment_add(*, actor: Actor, session_id: int, content: str) -> SessionComment:
    """Add a comment on a session and return it.

    Raises PermissionDenied for strangers, ValidationError for an empty, overlong or repeated text, for somebody who is
    too fast, and for a session that is not there.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    membership = member_for(user_id=user_id)
    if user_id is None or membership is None:
        raise PermissionDenied("Please sign in to comment.")
    text = _content_clean(content)
    if session_get(session_id=session_id) is None:
        raise ValidationError("Session not found.")
    rate_limit_take(NEWCOMER if membership < NEW_FOR else MEMBER, account_id=user_id)
    if _is_repeated(user_id, text):
        raise ValidationError("You have just said the same. Please wait five minutes before you say it again.")
    comment = SessionComment.objects.create(session_id=session_id, user_id=user_id, content=text)
    publish(CommentsChanged(session_ids=(session_id,)))
    return comment


@transaction.atomic
def comment_delete(*, actor: Actor, comment_id: int) -> None:
    """Delete one's own comment, or any as an administrator, which is audited.

    The audit does not contain its text. Raises PermissionDenied, SessionComment.DoesNotExist.
    """
    comment = SessionComment.objects.select_for_update().get(pk=comment_id)
    require(can_delete_comment(actor, comment.user_id), "You can delete your own comments only.")
    comment.delete()
    if account_of(actor) != comment.user_id:
        session = session_get(session_id=comment.session_id)
        before = {"session": session.title if session else "", "author": comment.user_id}
        change_note(actor=actor, action="comment.delete", subject_id=comment_id, before=before)
    publish(CommentsChanged(session_ids=(comment.session_id,)))


def _content_clean(content: str) -> str:
    """Return the text as it is stored; raises ValidationError when it is empty or too long."""
    text = text_clean(content)
    if not text:
        raise ValidationError("Please write something first.")
    if len(text) > COMMENT_LENGTH:
        raise ValidationError("A comment has at most 500 characters.")
    return text


def _is_repeated(user_id: int, text: str) -> bool:
    """Whether this person wrote the same text in the last minutes."""
    lately = SessionComment.objects.filter(user_id=user_id, created_at__gt=Now() - Value(AGAIN_AFTER))
    return lately.filter(content=text).exists()
