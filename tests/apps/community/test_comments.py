"""Test comments on posts: what the services store and refuse, and who may delete a comment."""

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.models import User
from apps.community.models import Post, PostComment
from apps.community.selectors.posts import posts_read
from apps.community.services.posts import post_comment_add, post_comment_delete, post_delete
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PostCommentFactory, PostFactory, UserFactory, viewer_of


@pytest.fixture
def post(db):
    return PostFactory()


def test_a_comment_is_stored_clean_and_counted(fan, post):
    comment = post_comment_add(actor=fan, post_id=post.pk, content="  Did you?\u202e ")
    stored = PostComment.objects.get()
    assert (stored.pk, stored.content, stored.post_id, stored.user_id) == (comment.pk, "Did you?", post.pk, fan.id)
    assert posts_read(ids=[post.pk])[post.pk].comments == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "Please write something first."),
        (" \u200b", "Please write something first."),
        ("x" * 2001, "at most 2,000"),
    ],
)
def test_a_text_that_says_nothing_or_too_much_is_refused_at_its_field(fan, post, content, sentence):
    with pytest.raises(ValidationError) as refused:
        post_comment_add(actor=fan, post_id=post.pk, content=content)
    assert sentence in refused.value.message_dict["content"][0]
    assert not PostComment.objects.exists()


@pytest.mark.parametrize("what", ["gone", "hidden"])
def test_a_comment_on_a_post_that_is_gone_or_hidden_is_refused_at_its_field(fan, post, what):
    if what == "hidden":
        Post.objects.update(is_hidden=True)
    with pytest.raises(ValidationError) as refused:
        post_comment_add(actor=fan, post_id=post.pk if what == "hidden" else 987_654, content="Hello?")
    assert refused.value.message_dict == {"content": ["This post is no longer there."]}
    assert not PostComment.objects.exists()


@pytest.mark.parametrize("who", ["stranger", "deactivated", "operator"])
def test_commenting_is_for_people_with_an_account(post, who):
    gone = viewer_of(UserFactory())
    User.objects.filter(pk=gone.id).update(is_active=False)
    actor = {"stranger": ANONYMOUS, "deactivated": gone, "operator": OPERATOR}[who]
    with pytest.raises(PermissionDenied, match=r"Please sign in to comment\."):
        post_comment_add(actor=actor, post_id=post.pk, content="Bravo")


def test_own_comments_are_deletable_and_others_are_not(fan, post):
    comment = PostCommentFactory(post=post, user_id=fan.id)
    for other in (member(), ANONYMOUS):
        with pytest.raises(PermissionDenied, match="your own comments only"):
            post_comment_delete(actor=other, comment_id=comment.pk)
    post_comment_delete(actor=fan, comment_id=comment.pk)
    assert not PostComment.objects.exists()
    assert audit_list() == ()
    with pytest.raises(PostComment.DoesNotExist):
        post_comment_delete(actor=fan, comment_id=comment.pk)


def test_the_posts_author_deletes_no_comment_of_others(fan):
    comment = PostCommentFactory(post=PostFactory(user_id=fan.id))
    with pytest.raises(PermissionDenied):
        post_comment_delete(actor=fan, comment_id=comment.pk)


def test_administrators_and_the_operator_delete_any_and_the_audit_has_nobodys_words(admin, post):
    for actor in (admin, OPERATOR):
        comment = PostCommentFactory(post=post, content="Words of somebody")
        post_comment_delete(actor=actor, comment_id=comment.pk)
        noted = audit_list()[0]
        assert (noted.action, noted.subject, noted.subject_id) == ("post_comment.delete", "post_comment", comment.pk)
        assert noted.details == {"before": {"author": comment.user_id, "post": post.pk}}


def test_lost_rights_are_lost_at_once(nobody, post):
    comment = PostCommentFactory(post=post)
    with pytest.raises(PermissionDenied):
        post_comment_delete(actor=nobody, comment_id=comment.pk)


@pytest.mark.django_db(transaction=True)
def test_topics_of_comments(listener):
    fan, post = member(), PostFactory()
    listener.heard()
    comment = post_comment_add(actor=fan, post_id=post.pk, content="Bravo")
    assert listener.heard() == {f"community_post.{post.pk}"}
    post_comment_delete(actor=fan, comment_id=comment.pk)
    assert listener.heard() == {f"community_post.{post.pk}"}


@pytest.mark.django_db(transaction=True)
def test_a_post_that_is_deleted_while_many_comment_takes_all_of_it_along_or_refuses_it():
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
        assert all(isinstance(each, PostComment | ValidationError) for each in results[1:]), results
        assert not PostComment.objects.exists()


@pytest.mark.parametrize("content", ["", " Bravo", "x" * 2001])
def test_the_database_refuses_what_no_service_writes(post, content):
    with pytest.raises(DatabaseError, match="post_comment"), transaction.atomic():
        PostCommentFactory(post=post, content=content)
