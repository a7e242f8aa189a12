"""Test account deletion in the community: the exported data, and what stays of a deleted account."""

import json

import pytest

from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete, account_export
from apps.community.models import DecidedCase, Post, PostComment, PostReactionRow, Report, ReportCase, ReportDecision
from apps.community.selectors.posts import community_own, post_comments, posts_read
from apps.community.selectors.reports import reports_own
from apps.community.services.posts import community_forget
from apps.community.services.report_moderation import reports_decide
from tests.apps.community.reporting import KINDS, POST, POST_COMMENT, case_of, is_hidden, report, seen, text_of
from tests.apps.live.conftest import member
from tests.factories import PASSWORD, AdminFactory, PostCommentFactory, PostFactory, PostReactionFactory


def write_and_react(author):
    """Post, comment and react; return the user's own post and the other one."""
    own_post = PostFactory(user_id=author.id, content=f"By {author.username}", image_url="https://x.example/a.webp")
    other = PostFactory()
    PostCommentFactory(post=other, user_id=author.id, content="Bravo", is_hidden=True)
    PostReactionFactory(post=other, user_id=author.id)
    return own_post, other


def test_export_contains_only_own_texts_and_hidden_ones(fan):
    own_post, other = write_and_react(fan)
    Post.objects.filter(pk=own_post.pk).update(is_hidden=True)
    write_and_react(member())
    own = community_own(user_id=fan.id)
    assert json.loads(json.dumps(own)) == own
    [post], [comment], [reaction] = own["posts"], own["post_comments"], own["post_reactions"]
    assert (post["id"], post["content"], post["is_hidden"]) == (own_post.pk, "By una_corda", True)
    assert post["image_url"] == "https://x.example/a.webp"
    assert (comment["post_id"], comment["content"], comment["is_hidden"]) == (other.pk, "Bravo", True)
    assert reaction == {"post_id": other.pk, "type": "applause"}
    assert post["created_at"].startswith(Post.objects.get(pk=own_post.pk).created_at.isoformat())
    assert community_own(user_id=member().id) == {"posts": [], "post_comments": [], "post_reactions": []}


@pytest.mark.django_db(transaction=True)
def test_deleted_account_keeps_its_texts_without_author_and_loses_reactions(listener):
    fan, other_fan = member(username="una_corda"), member()
    own_post, other = write_and_react(fan)
    write_and_react(other_fan)
    PostCommentFactory(post=own_post, user_id=fan.id, content="And more")
    listener.heard()
    community_forget(user_id=fan.id)
    assert listener.heard() == {"community", f"community_post.{own_post.pk}", f"community_post.{other.pk}"}
    cards = posts_read(ids=[own_post.pk, other.pk])
    assert (cards[own_post.pk].author_id, cards[own_post.pk].author, cards[own_post.pk].avatar_url) == (None, "", "")
    assert (cards[other.pk].applause, cards[own_post.pk].content) == (0, "By una_corda")
    [comment] = post_comments(post_id=own_post.pk).newest
    assert (comment.author_id, comment.author, comment.content) == (None, "", "And more")
    assert list(PostReactionRow.objects.values_list("user_id", flat=True)) == [other_fan.id]
    community_forget(user_id=fan.id)
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_account_delete_and_export_include_the_community():
    fan = member(username="una_corda")
    own_post, _ = write_and_react(fan)
    exported = account_export(actor=fan)
    assert [row["id"] for row in exported["posts"]] == [own_post.pk]
    assert {"posts", "post_comments", "post_reactions"} <= set(exported)
    account_delete(actor=fan, password=PASSWORD)
    assert not User.objects.filter(pk=fan.id).exists()
    assert Post.objects.get(pk=own_post.pk).user_id is None
    assert PostComment.objects.count() == 1
    assert not PostReactionRow.objects.exists()


@KINDS
@pytest.mark.django_db
def test_export_contains_only_own_reports(kind, fan):
    text = text_of(kind)
    report(kind, text, by=fan, reason="other", words="Rude")
    report(kind, text)
    own = reports_own(user_id=fan.id)
    assert json.loads(json.dumps(own)) == own
    moment = Report.objects.get(user_id=fan.id).created_at.isoformat()
    assert own["reports"] == [{"kind": kind, "id": text.pk, "reason": "other", "words": "Rude", "created_at": moment}]
    assert reports_own(user_id=member().id) == {"reports": []}


@pytest.mark.django_db(transaction=True)
def test_account_delete_removes_reports_and_keeps_the_case():
    fan, post = member(), PostFactory()
    report(POST, post, by=fan, words="Rude")
    assert account_export(actor=fan)["reports"][0]["words"] == "Rude"
    account_delete(actor=fan, password=PASSWORD)
    assert not Report.objects.exists()
    assert ReportCase.objects.get().state == "open"


@pytest.mark.django_db(transaction=True)
def test_decisions_of_a_deleted_administrator_have_no_author(admin):
    AdminFactory()  # an administrator has to remain
    post, comment = text_of(POST), text_of(POST_COMMENT)
    for kind, text in ((POST, post), (POST_COMMENT, comment)):
        report(kind, text)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, post), case_of(POST_COMMENT, comment)))
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    assert DecidedCase.objects.filter(decided_by_id=admin.id).exists()
    account_delete(actor=admin, password=PASSWORD)
    assert not User.objects.filter(pk=admin.id).exists()
    for table, column in ((ReportCase, "decided_by_id"), (ReportDecision, "user_id"), (DecidedCase, "decided_by_id")):
        assert set(table.objects.values_list(column, flat=True)) == {None}
    assert is_hidden(comment)


@pytest.mark.django_db(transaction=True)
def test_reported_text_stays_hidden_when_its_author_is_deleted():
    fan = member()
    post = text_of(POST, user_id=fan.id)
    report(POST, post, times=3)
    account_delete(actor=fan, password=PASSWORD)
    assert is_hidden(post)
    assert case_of(POST, post).is_hidden_by_audience
