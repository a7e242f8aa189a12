"""The table of articles."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.core.database.fields import at_most, is_not_blank, is_picture
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import picture_address
from apps.news.limits import CONTENT_LENGTH, EXCERPT_LENGTH, TITLE_LENGTH


class BlogPost(models.Model):
    """An article, draft or published. Published articles have a publication time, drafts have none.

    A draft may have a time at which it is to be published, `publish_at`.
    """

    title = models.CharField(max_length=TITLE_LENGTH)
    excerpt = models.CharField(max_length=EXCERPT_LENGTH)
    content = models.TextField()
    image_url = models.CharField(max_length=ADDRESS_LENGTH, blank=True, validators=[*picture_address])
    is_published = models.BooleanField(default=False)
    published_at = models.DateTimeField(null=True, blank=True)
    publish_at = models.DateTimeField(null=True, blank=True)
    # null for a former member
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="blog_posts"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        db_table = "blog_posts"
        indexes = (
            models.Index(fields=["-published_at", "-id"], name="post_newest", condition=Q(is_published=True)),
            models.Index(fields=["publish_at"], name="post_planned", condition=Q(publish_at__isnull=False)),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(is_published=True, published_at__isnull=False)
                | Q(is_published=False, published_at__isnull=True),
                name="post_published_with_time",
            ),
            models.CheckConstraint(
                condition=Q(is_published=False) | Q(publish_at__isnull=True), name="post_planned_is_draft"
            ),
            is_not_blank("title", name="post_title_written"),
            is_not_blank("excerpt", name="post_excerpt_written"),
            is_not_blank("content", name="post_content_written"),
            at_most("content", CONTENT_LENGTH, name="post_content_length"),
            is_picture("image_url", name="post_image_is_picture"),
        )

    def __str__(self) -> str:
        return self.title
