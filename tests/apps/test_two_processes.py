"""Test two processes on a real PostgreSQL: counters, rate limits and idempotency keys hold across both."""

from uuid import uuid4

import pytest

from apps.community.models import Post, PostComment, PostReactionRow
from apps.community.selectors.posts import posts_read
from apps.community.services.posts import post_reaction_set
from apps.core.models import ErrorLog
from tests.apps.live.conftest import member
from tests.apps.processes import run_in_processes
from tests.factories import PostFactory

TIMES = 8  # in each process
PACE = ("one post in 15 seconds", "one comment in 5 seconds")


@pytest.mark.django_db(transaction=True)
@pytest.mark.long(reason="starts two processes")
def test_two_processes_share_counters_rate_limits_and_idempotency_keys():
    fan, other, post = member(), member(), PostFactory()
    post_reaction_set(actor=other, post_id=post.pk, reaction="boo")
    work = "tests.apps.concurrent_commands:act"
    answers = run_in_processes(work, post.pk, fan.id, uuid4().hex, times=TIMES)
    row = PostReactionRow.objects.get(user_id=fan.id)
    card = posts_read(ids=[post.pk])[post.pk]
    assert (card.applause, card.boo) == ((1, 1) if row.type == "applause" else (0, 2))
    for kind, refusal in enumerate(PACE):
        refused = [answer["refusal"] for answer in answers[kind::2] if answer["refusal"]]
        assert len(refused) == TIMES - 1
        assert all(refusal in sentence for (sentence,) in refused), refused
    assert Post.objects.filter(user_id=fan.id).count() == PostComment.objects.count() == 1
    assert [row.pk for row in ErrorLog.objects.all()] == [*{answer["row"] for answer in answers}]
