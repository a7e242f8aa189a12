"""What becomes of what somebody wrote when the account is deleted: it stays, by a former member."""

from django.db import transaction

from apps.community.events import PostChanged, PostsChanged
from apps.community.models import Post, PostComment, PostReactionRow
from apps.core.events import publish


@transaction.atomic
def community_forget(*, user_id: int) -> None:
    """Leave a person's posts and comments to a former member, delete the reactions, and tell who shows them."""
    posts, comments = Post.objects.filter(user_id=user_id), PostComment.objects.filter(user_id=user_id)
    reactions = PostReactionRow.objects.filter(user_id=user_id)
    # in the order of their ids, as who decides about reports locks them
    concerned = {
        *posts.select_for_update().order_by("pk").values_list("pk", flat=True),
        *comments.select_for_update().order_by("pk").values_list("post_id", flat=True),
        *reactions.values_list("post_id", flat=True),
    }
    posts.update(user=None)
    comments.update(user=None)
    reactions.delete()
    if concerned:
        publish(PostsChanged())
        publish(PostChanged(tuple(sorted(concerned))))
