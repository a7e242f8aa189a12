"""Posts in the community feed."""

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.services.account_lock import account_lock
from apps.community.events import PostChanged, PostsChanged
from apps.community.limits import NEW_POST_DAY, POST_DAY, POST_LENGTH, POST_PACE
from apps.community.models import Post, PostComment
from apps.community.permissions import can_delete
from apps.community.services.authors import author_require, text_limits_take, text_require
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules.text_cleaning import text_clean
from apps.core.text_rules.validators import SECURE_PICTURE, is_secure_picture_address

POST_ADDED, POST_DELETED = "Post added successfully!", "Post deleted successfully!"
NO_POST = "This post is no longer there."
_SHARE = "SELECT 1 FROM posts WHERE id = %s AND NOT is_hidden FOR SHARE"


@transaction.atomic
def post_add(*, actor: Actor, content: str, image_url: str = "") -> Post:
    """Post something to everybody and return the post.

    Raises PermissionDenied for strangers, ValidationError for an empty, overlong or repeated text, for an address that
    is no picture's on another site, and for somebody who is too fast or new and writes too many links.
    """
    author = author_require(actor, "Please sign in to post.")
    text = text_require(content, longest=POST_LENGTH, too_long="A post has at most 5,000 characters.")
    picture = _picture(image_url)
    text_limits_take(author, text, (POST_PACE, NEW_POST_DAY if author.is_new else POST_DAY))
    post = Post.objects.create(user_id=author.id, content=text, image_url=picture)
    publish(PostsChanged())
    return post


@transaction.atomic
def post_delete(*, actor: Actor, post_id: int) -> None:
    """Delete one's own post, or any as an administrator, which is noted; its comments and reactions go along.

    What was said is not noted: it goes for good. Raises PermissionDenied, Post.DoesNotExist.
    """
    account_lock(user_id=account_of(actor))
    post = Post.objects.select_for_update().get(pk=post_id)
    require(can_delete(actor, post.user_id), "You can delete your own posts only.")
    # in the order of their ids, as who decides about reports locks them
    list(PostComment.objects.select_for_update().filter(post=post).order_by("pk").values_list("pk"))
    post.delete()
    if account_of(actor) != post.user_id:
        change_note(actor=actor, action="community_post.delete", subject_id=post_id, before={"author": post.user_id})
    publish(PostsChanged())
    publish(PostChanged((post_id,)))


def post_share(post_id: int) -> bool:
    """Let nobody hide or delete a post until the transaction ends; returns whether it is there and not hidden."""
    with connection.cursor() as cursor:
        cursor.execute(_SHARE, [post_id])
        return cursor.fetchone() is not None


def _picture(image_url: str) -> str:
    """Return a picture's address as it is stored; raises ValidationError for one that is none."""
    address = image_url.strip()
    if address and (address != text_clean(address) or not is_secure_picture_address(address)):
        raise ValidationError({"image_url": SECURE_PICTURE})
    return address
