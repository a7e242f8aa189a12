"""A community action that runs in two processes at the same time (`tests/apps/processes.py`)."""

from apps.accounts.selectors.sessions import viewer_get
from apps.community.enums import PostReaction
from apps.community.services.posts import post_add, post_comment_add, post_reaction_set


def react_and_write(number: int, post: int, user: int) -> None:
    """As one user, applaud and boo a post in turn; then post and comment in turn, with a different text each time."""
    actor = viewer_get(user_id=user)
    post_reaction_set(actor=actor, post_id=post, reaction=list(PostReaction)[number // 2 % 2])
    if number % 2:
        post_comment_add(actor=actor, post_id=post, content=f"Comment {number}")
    else:
        post_add(actor=actor, content=f"Post {number}")
