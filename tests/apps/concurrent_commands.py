"""Commands that run in two processes at the same time (`tests/apps/processes.py`)."""

from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError

from apps.accounts.selectors.sessions import viewer_get
from apps.community.enums import PostReaction
from apps.community.services.posts import post_add, post_comment_add, post_reaction_set
from apps.core.commands import command_once
from apps.core.models import ErrorLog


def act(number: int, post: int, user: int, key: str) -> dict[str, Any]:
    """React and write, then run a command with this idempotency key. Return the refusal and the command's row."""
    refusal = []
    try:
        react_and_write(number, post, user)
    except ValidationError as error:
        refusal = error.messages
    work = lambda: {"row": ErrorLog.objects.create(message="once").pk}  # noqa: E731
    return {"refusal": refusal, **command_once(user_id=user, key=UUID(key), name="note", work=work)}


def react_and_write(number: int, post: int, user: int) -> None:
    """As one user, applaud and boo a post in turn; then post and comment in turn, with a different text each time."""
    actor = viewer_get(user_id=user)
    post_reaction_set(actor=actor, post_id=post, reaction=list(PostReaction)[number // 2 % 2])
    if number % 2:
        post_comment_add(actor=actor, post_id=post, content=f"Comment {number}")
    else:
        post_add(actor=actor, content=f"Post {number}")
