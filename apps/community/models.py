"""Posts, reactions and comments as they are stored."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.community.enums import PostReaction
from apps.community.limits import COMMENT_LENGTH, POST_LENGTH
from apps.core.database.constraints import at_most, is_not_blank, is_secure_picture
from apps.core.database.row_counts import RowCount
from apps.core.limits import ADDRESS_LENGTH


class Post(models.Model):
    """What somebody wrote to everybody; hidden, only the author and administrators see it."""

    # nobody any more: a former member
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_index=False,
        related_name="+",
    )
    content = models.TextField()
    image_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "posts"
        indexes = (
            models.Index(fields=["-created_at", "-id"], name="community_post_newest", condition=Q(is_hidden=False)),
            models.Index(fields=["user", "-created_at", "-id"], name="community_post_of_user"),
        )
        constraints = (
            is_not_blank("content", name="community_post_written"),
            at_most("content", POST_LENGTH, name="community_post_length"),
            is_secure_picture("image_url", name="community_post_image_is_picture"),
        )

    def __str__(self) -> str:
        return self.content[:40]


class PostReactionRow(models.Model):
    """What one person thinks of one post."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, db_index=False, related_name="+")
    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=10, choices=PostReaction)

    class Meta:
        db_table = "post_reactions"
        constraints = (
            models.CheckConstraint(condition=Q(type__in=PostReaction.values), name="post_reaction_type_known"),
            models.UniqueConstraint(fields=["user", "post"], name="post_reaction_once"),
        )

    def __str__(self) -> str:
        return f"{self.post_id}: {self.type}"


class PostReactionCount(RowCount):
    """How many reactions of one type a post has."""

    post = models.ForeignKey(Post, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    type = models.CharField(max_length=10, choices=PostReaction)

    class Meta:
        db_table = "post_reaction_counts"
        indexes = (models.Index(fields=["post", "type"], name="post_reaction_count_of_post"),)

    def __str__(self) -> str:
        return f"{self.post_id}: {self.type} {self.count}"


class PostComment(models.Model):
    """What somebody said to a post; hidden, only the author and administrators see it."""

    post = models.ForeignKey(Post, on_delete=models.CASCADE, db_index=False, related_name="+")
    # nobody any more: a former member
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    content = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "post_comments"
        indexes = (models.Index(fields=["post", "-id"], name="post_comment_newest"),)
        constraints = (
            is_not_blank("content", name="post_comment_written"),
            at_most("content", COMMENT_LENGTH, name="post_comment_length"),
        )

    def __str__(self) -> str:
        return f"{self.post_id}: {self.content[:40]}"


class PostCommentCount(RowCount):
    """How many comments that are not hidden a post has."""

    post = models.ForeignKey(Post, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)

    class Meta:
        db_table = "post_comment_counts"
        indexes = (models.Index(fields=["post"], name="post_comment_count_of_post"),)

    def __str__(self) -> str:
        return f"{self.post_id}: {self.count}"
