"""Applause and boos: one for each person and post."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.community.enums import NO_REACTION, PostReaction
from apps.community.events import ReactionChanged
from apps.community.limits import REACTIONS
from apps.community.models import PostReactionRow
from apps.community.services.authors import author_require
from apps.community.services.posts import NO_POST, post_share
from apps.core.events import publish
from apps.core.rate_limits import rate_limit_take


@transaction.atomic
def post_reaction_set(*, actor: Actor, post_id: int, reaction: str) -> str:
    """Store an account's reaction to a post and return the one before: both of `enums.REACTION_WISHES`.

    It replaces what they thought before; the same again changes nothing. Raises PermissionDenied for strangers,
    ValidationError for a post that is gone or hidden and for somebody who is too fast, ValueError for another word.
    """
    author = author_require(actor, "Please sign in to react.")
    if not post_share(post_id):
        raise ValidationError(NO_POST)
    rate_limit_take(REACTIONS, account_id=author.id)
    mine = PostReactionRow.objects.filter(user_id=author.id, post_id=post_id)
    before = mine.values_list("type", flat=True).first() or NO_REACTION
    if reaction == before:
        return before
    if reaction == NO_REACTION:
        mine.delete()
    else:
        _save(PostReactionRow(user_id=author.id, post_id=post_id, type=PostReaction(reaction)))
    publish(ReactionChanged(post_id, author.id))
    return before


def _save(new: PostReactionRow) -> None:
    """Store a reaction in place of another one of this person to this post."""
    PostReactionRow.objects.bulk_create(
        [new], update_conflicts=True, unique_fields=["user", "post"], update_fields=["type"]
    )
