"""Comments on a post."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.services.account_lock import account_lock
from apps.community.events import PostChanged
from apps.community.limits import COMMENT_LENGTH, COMMENT_PACE, NEW_COMMENT_DAY
from apps.community.models import PostComment
from apps.community.permissions import can_delete
from apps.community.services.authors import author_require, text_limits_take, text_require
from apps.community.services.posts import NO_POST, post_share
from apps.core.events import publish
from apps.core.permissions import require

COMMENT_ADDED, COMMENT_DELETED = "Comment added successfully!", "Comment deleted successfully!"


@transaction.atomic
def post_comment_add(*, actor: Actor, post_id: int, content: str) -> PostComment:
    """Say something to a post and return the comment.

    Raises PermissionDenied for strangers, ValidationError for an empty, overlong or repeated text, for a post that is
    gone or hidden, and for somebody who is too fast or new and writes too many links.
    """
    author = author_require(actor, "Please sign in to comment.")
    text = text_require(content, longest=COMMENT_LENGTH, too_long="A comment has at most 2,000 characters.")
    if not post_share(post_id):
        raise ValidationError({"content": NO_POST})
    text_limits_take(author, text, (COMMENT_PACE, *([NEW_COMMENT_DAY] if author.is_new else [])))
    comment = PostComment.objects.create(post_id=post_id, user_id=author.id, content=text)
    publish(PostChanged((post_id,)))
    return comment


@transaction.atomic
def post_comment_delete(*, actor: Actor, comment_id: int) -> None:
    """Delete one's own comment, or any as an administrator, which is noted.

    What was said is not noted: it goes for good. Raises PermissionDenied, PostComment.DoesNotExist.
    """
    account_lock(user_id=account_of(actor))
    comment = PostComment.objects.select_for_update().get(pk=comment_id)
    require(can_delete(actor, comment.user_id), "You can delete your own comments only.")
    comment.delete()
    if account_of(actor) != comment.user_id:
        before = {"post": comment.post_id, "author": comment.user_id}
        change_note(actor=actor, action="post_comment.delete", subject_id=comment_id, before=before)
    publish(PostChanged((comment.post_id,)))
