"""Test account deletion in the live app: the exported data, and what stays of a deleted account."""

from uuid import uuid4

import pytest

from apps.live.enums import Reaction
from apps.live.models import SessionComment, SessionReaction
from apps.live.selectors import live_own, reactions_now
from apps.live.services import ReactionMessage, comment_add, live_forget, reactions_store
from tests.apps.live.conftest import member


def comment_and_react(user, session):
    comment_add(actor=user, session_id=session.pk, content=f"Bravo from {user.username}")
    reactions_store(messages=[ReactionMessage(session.pk, user.id, uuid4(), (Reaction.HEART, Reaction.THUMBS_UP))])


def test_export_contains_only_own_rows(fan, session):
    comment_and_react(fan, session)
    comment_and_react(member(), session)
    own = live_own(user_id=fan.id)
    assert [(row["session"], row["content"]) for row in own["session_comments"]] == [
        (session.title, "Bravo from una_corda")
    ]
    assert [row["type"] for row in own["session_reactions"]] == ["heart", "thumbsUp"]
    assert live_own(user_id=member().id) == {"session_comments": [], "session_reactions": []}


@pytest.mark.django_db(transaction=True)
def test_deleted_account_leaves_no_comments_or_reactions(listener, session):
    fan, other = member(), member()
    comment_and_react(fan, session)
    comment_and_react(other, session)
    listener.heard()
    live_forget(user_id=fan.id)
    for model in (SessionComment, SessionReaction):
        assert set(model.objects.values_list("user_id", flat=True)) == {other.id}
    assert listener.heard() == {f"session.{session.pk}.comments"}
    assert reactions_now(session_id=session.pk).totals[Reaction.HEART] == 2
    live_forget(user_id=fan.id)
    assert listener.heard() == set()
