"""Test comments on posts: what the services store and refuse, and who may delete a comment."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.community.models import PostComment
from apps.community.selectors.posts import posts_read
from apps.community.services.posts import post_comment_add, post_comment_delete, post_delete
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PostCommentFactory, PostFactory, UserFactory, viewer_of


@pytest.fixture
def post(db):
    return PostFactory()


def test_post_comment_add_cleans_and_counts_the_comment(fan, post):
    comment = post_comment_add(actor=fan, post_id=post.pk, content="  Did you?\u202e ")
    stored = PostComment.objects.get()
    assert (stored.pk, stored.content, stored.post_id, stored.user_id) == (comment.pk, "Did you?", post.pk, fan.id)
    assert posts_read(ids=[post.pk])[post.pk].comments == 1


def test_empty_or_too_long_comment_is_refused_at_its_field(fan, post):
    empty = "Please write something first."
    for content, message in (("", empty), (" \u200b", empty), ("x" * 2001, "at most 2,000")):
        with pytest.raises(ValidationError) as refused:
            post_comment_add(actor=fan, post_id=post.pk, content=content)
        assert message in refused.value.message_dict["content"][0]
    assert not PostComment.objects.exists()


def test_comment_on_a_deleted_or_hidden_post_is_refused_at_its_field(fan):
    for post_id in (987_654, PostFactory(is_hidden=True).pk):
        with pytest.raises(ValidationError) as refused:
            post_comment_add(actor=fan, post_id=post_id, content="Hello?")
        assert refused.value.message_dict == {"content": ["This post is no longer there."]}
    assert not PostComment.objects.exists()


def test_post_comment_add_requires_an_active_account(post):
    for actor in (ANONYMOUS, viewer_of(UserFactory(is_active=False)), OPERATOR):
        with pytest.raises(PermissionDenied, match=r"Please sign in to comment\."):
            post_comment_add(actor=actor, post_id=post.pk, content="Bravo")


def test_comment_is_deleted_only_by_its_author(fan, post):
    author_of_post = viewer_of(post.user)
    comment = PostCommentFactory(post=post, user_id=fan.id)
    for other in (member(), author_of_post, ANONYMOUS):
        with pytest.raises(PermissionDenied, match="your own comments only"):
            post_comment_delete(actor=other, comment_id=comment.pk)
    post_comment_delete(actor=fan, comment_id=comment.pk)
    assert not PostComment.objects.exists()
    assert audit_list() == ()
    with pytest.raises(PostComment.DoesNotExist):
        post_comment_delete(actor=fan, comment_id=comment.pk)


def test_administrators_and_operator_delete_any_comment_and_the_audit_omits_its_text(admin, post):
    for actor in (admin, OPERATOR):
        comment = PostCommentFactory(post=post, content="Somebody's words")
        post_comment_delete(actor=actor, comment_id=comment.pk)
        entry = audit_list()[0]
        assert (entry.action, entry.subject, entry.subject_id) == ("post_comment.delete", "post_comment", comment.pk)
        assert entry.details == {"before": {"author": comment.user_id, "post": post.pk}}


def test_comment_is_not_deleted_by_other_or_former_accounts(unprivileged, post):
    comment = PostCommentFactory(post=post)
    with pytest.raises(PermissionDenied):
        post_comment_delete(actor=unprivileged, comment_id=comment.pk)


@pytest.mark.django_db(transaction=True)
def test_comments_publish_the_topic_of_their_post(listener):
    fan, post = member(), PostFactory()
    listener.heard()
    comment = post_comment_add(actor=fan, post_id=post.pk, content="Bravo")
    assert listener.heard() == {f"community_post.{post.pk}", f"account.{fan.id}.words"}
    post_comment_delete(actor=fan, comment_id=comment.pk)
    assert listener.heard() == {f"community_post.{post.pk}"}


@pytest.mark.django_db(transaction=True)
def test_post_deleted_while_it_is_commented_leaves_no_comments():
    author, fans = member(), [member() for _ in range(5)]
    for round_number in range(3):
        post = PostFactory(user_id=author.id)
        results = run_together(
            lambda post=post: post_delete(actor=author, post_id=post.pk),
            *(
                lambda fan=fan, post=post: post_comment_add(actor=fan, post_id=post.pk, content=f"Bravo {post.pk}")
                for fan in fans[round_number : round_number + 2]
            ),
        )
        assert results[0] is None
        assert all(isinstance(result, PostComment | ValidationError) for result in results[1:]), results
        assert not PostComment.objects.exists()


def test_database_refuses_invalid_comments(post):
    for content in ("", " Bravo", "x" * 2001):
        with pytest.raises(DatabaseError, match="post_comment"), transaction.atomic():
            PostCommentFactory(post=post, content=content)
