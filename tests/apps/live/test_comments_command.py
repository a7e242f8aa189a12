"""Test `manage.py comments`: an operator deletes comments from a terminal."""

import io

import pytest
from django.core.management import CommandError, call_command

from apps.live.models import SessionComment


def comments(*arguments):
    out = io.StringIO()
    call_command("comments", *map(str, arguments), stdout=out)
    return out.getvalue().strip()


def test_comments_command_deletes_by_id(fan, session):
    comment = SessionComment.objects.create(session_id=session.pk, user_id=fan.id, content="Bravo")
    assert comments("delete", comment.pk) == f"Comment {comment.pk} is deleted."
    with pytest.raises(CommandError, match=f"no comment {comment.pk}"):
        comments("delete", comment.pk)
