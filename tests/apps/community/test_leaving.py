"""Test account deletion in the community: the exported data, and what stays of a deleted account."""

import json

import pytest

from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete, account_export
from apps.community.models import Post, PostComment, PostReactionRow
from apps.community.selectors.posts import community_own, post_comments, posts_read
from apps.community.services.posts import community_forget
from tests.apps.live.conftest import member
from tests.factories import PASSWORD, PostCommentFactory, PostFactory, PostReactionFactory


def act(who):
    """Post, comment and react; return the user's own post and the other one."""
    mine = PostFactory(user_id=who.id, content=f"By {who.username}", image_url="https://x.example/a.webp")
    other = PostFactory()
    PostCommentFactory(post=other, user_id=who.id, content="Said", is_hidden=True)
    PostReactionFactory(post=other, user_id=who.id)
    return mine, other


def test_export_holds_ones_own_what_is_hidden_too_and_nobody_elses(fan):
    mine, other = act(fan)
    Post.objects.filter(pk=mine.pk).update(is_hidden=True)
    act(member())
    own = community_own(user_id=fan.id)
    assert json.loads(json.dumps(own)) == own
    [post], [comment], [reaction] = own["posts"], own["post_comments"], own["post_reactions"]
    assert (post["id"], post["content"], post["is_hidden"]) == (mine.pk, "By una_corda", True)
    assert post["image_url"] == "https://x.example/a.webp"
    assert (comment["post_id"], comment["content"], comment["is_hidden"]) == (other.pk, "Said", True)
    assert reaction == {"post_id": other.pk, "type": "applause"}
    assert post["created_at"].startswith(mine.__class__.objects.get(pk=mine.pk).created_at.isoformat())
    assert community_own(user_id=member().id) == {"posts": [], "post_comments": [], "post_reactions": []}


@pytest.mark.django_db(transaction=True)
def test_words_stay_as_a_former_members_and_reactions_go(listener):
    fan, stays = member(username="una_corda"), member()
    mine, other = act(fan)
    act(stays)
    PostCommentFactory(post=mine, user_id=fan.id, content="And more")
    listener.heard()
    community_forget(user_id=fan.id)
    assert listener.heard() == {"community", f"community_post.{mine.pk}", f"community_post.{other.pk}"}
    cards = posts_read(ids=[mine.pk, other.pk])
    assert (cards[mine.pk].author_id, cards[mine.pk].author, cards[mine.pk].avatar_url) == (None, "", "")
    assert (cards[other.pk].applause, cards[mine.pk].content) == (0, "By una_corda")
    [said] = post_comments(post_id=mine.pk).newest
    assert (said.author_id, said.author, said.content) == (None, "", "And more")
    assert list(PostReactionRow.objects.values_list("user_id", flat=True)) == [stays.id]
    community_forget(user_id=fan.id)
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_deleting_the_account_does_it_and_the_download_has_it():
    fan = member(username="una_corda")
    mine, _ = act(fan)
    exported = account_export(actor=fan)
    assert [row["id"] for row in exported["posts"]] == [mine.pk]
    assert {"posts", "post_comments", "post_reactions"} <= set(exported)
    account_delete(actor=fan, password=PASSWORD)
    assert not User.objects.filter(pk=fan.id).exists()
    assert Post.objects.get(pk=mine.pk).user_id is None
    assert PostComment.objects.count() == 1
    assert not PostReactionRow.objects.exists()
    assert any("posts.user_id" in each.columns for each in account_data())
