"""Test two processes of the site on a real PostgreSQL: counters and rate limits hold across both."""

import pytest
from django.db.models import Sum

from apps.community.models import (
    Post,
    PostComment,
    PostCommentCount,
    PostReactionRow,
    Report,
    ReportCase,
    ReportCaseCount,
)
from apps.community.selectors.posts import posts_read
from apps.community.services.posts import post_reaction_set
from tests.apps.community.reporting import POST, POST_COMMENT, case_of, report
from tests.apps.live.conftest import member
from tests.apps.processes import run_in_processes
from tests.factories import AdminFactory, PostCommentFactory, PostFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long(reason="starts two processes")]
TIMES = 10  # in each process
PACE = ("one post in 15 seconds", "one comment in 5 seconds")


def test_reactions_in_two_processes_leave_one_row():
    fan, other, post = member(), member(), PostFactory()
    post_reaction_set(actor=other, post_id=post.pk, reaction="boo")
    answers = run_in_processes("tests.apps.community.concurrent_commands:react", post.pk, fan.id, times=TIMES)
    assert answers == [None] * 2 * TIMES
    row = PostReactionRow.objects.get(user_id=fan.id)
    card = posts_read(ids=[post.pk])[post.pk]
    assert (card.applause, card.boo) == ((1, 1) if row.type == "applause" else (0, 2))


def test_rate_limit_holds_for_two_processes():
    fan, post = member(), PostFactory()
    answers = run_in_processes("tests.apps.community.concurrent_commands:write", post.pk, fan.id, times=TIMES)
    for kind, refusal in enumerate(PACE):
        refused = [answer for answer in answers[kind::2] if answer is not None]
        assert len(refused) == TIMES - 1
        assert all(refusal in sentence for (sentence,) in refused), refused
    assert Post.objects.filter(user_id=fan.id).count() == PostComment.objects.count() == 1


def test_posts_hidden_and_deleted_in_two_processes_are_deleted():
    admin, author = AdminFactory(), member()
    posts = PostFactory.create_batch(TIMES, user_id=author.id)
    for post in posts:
        report(POST_COMMENT, PostCommentFactory(post=post))
        report(POST, post)
    answers = run_in_processes(
        "tests.apps.community.concurrent_commands:hide_and_delete",
        [post.pk for post in posts],
        [case_of(POST, post).updated_at.isoformat() for post in posts],
        admin.pk,
        author.id,
        times=TIMES,
    )
    assert answers[TIMES:] == [None] * TIMES, "all were deleted"
    hidden, too_late = answers[:TIMES].count(None), [answer for answer in answers[:TIMES] if answer is not None]
    assert hidden + len(too_late) == TIMES
    assert all(answer == ["This has been decided already."] for answer in too_late), too_late
    for table in (Post, PostComment, Report, ReportCase):
        assert not table.objects.exists(), table
    for counts in (PostCommentCount, ReportCaseCount):
        assert not counts.objects.aggregate(all=Sum("count"))["all"], counts
