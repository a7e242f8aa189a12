"""Community actions that run in two processes at the same time (`tests/apps/processes.py`)."""

from datetime import datetime

from apps.accounts.selectors.sessions import viewer_get
from apps.community.enums import PostReaction, ReportKind
from apps.community.services.posts import post_add, post_comment_add, post_delete, post_reaction_set
from apps.community.services.report_moderation import reports_decide
from apps.core.moderation import Seen


def react(number: int, post: int, user: int) -> None:
    """Applaud and boo a post in turn, as one user."""
    post_reaction_set(actor=viewer_get(user_id=user), post_id=post, reaction=list(PostReaction)[number % 2])


def write(number: int, post: int, user: int) -> None:
    """Post and comment in turn, as one user, with a different text each time."""
    actor = viewer_get(user_id=user)
    if number % 2:
        post_comment_add(actor=actor, post_id=post, content=f"Comment {number}")
    else:
        post_add(actor=actor, content=f"Post {number}")


def hide_and_delete(number: int, posts: list[int], moments: list[str], admin: int, author: int) -> None:
    """Hide each of these reported posts as an administrator, and delete each as its author."""
    which = number % len(posts)
    if number < len(posts):
        seen = Seen(ReportKind.POST, posts[which], datetime.fromisoformat(moments[which]))
        reports_decide(actor=viewer_get(user_id=admin), decision="hide", seen=[seen])
    else:
        post_delete(actor=viewer_get(user_id=author), post_id=posts[which])
