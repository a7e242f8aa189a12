"""Test posts: what the services store and refuse, and who may delete a post."""

from itertools import product

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.models import User
from apps.community.models import Post, PostComment, PostCommentCount, PostReactionCount, PostReactionRow
from apps.community.services.posts import post_add, post_delete
from apps.core.audit import audit_list
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PostCommentFactory, PostFactory, PostReactionFactory, UserFactory, viewer_of

PICTURE = "https://pictures.example/foyer.webp"


def test_post_add_cleans_its_text_and_picture(fan):
    post = post_add(actor=fan, content="  e\u0301tude\u202e\n\n\n\nTwice. ", image_url=f" {PICTURE} ")
    stored = Post.objects.get()
    assert (stored.pk, stored.content, stored.image_url) == (post.pk, "étude\n\nTwice.", PICTURE)
    assert (stored.user_id, stored.is_hidden) == (fan.id, False)


def test_empty_or_too_long_post_is_refused_at_its_field(fan):
    empty = "Please write something first."
    for content, message in (("", empty), (" \n\u200b ", empty), ("x" * 5001, "at most 5,000")):
        with pytest.raises(ValidationError) as refused:
            post_add(actor=fan, content=content)
        assert message in refused.value.message_dict["content"][0]
    assert not Post.objects.exists()
    assert len(post_add(actor=fan, content="ł" * 5000).content) == 5000


def test_picture_must_be_https_on_another_site(fan, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    for address in (
        *("http://pictures.example/foyer.webp", "/static/picture.webp", "https://testserver/static/picture.webp"),
        *("https://pictures.example/\u202efoyer.webp", f"https://pictures.example/{'a' * 2048}"),
    ):
        with pytest.raises(ValidationError) as refused:
            post_add(actor=fan, content="Look", image_url=address)
        assert list(refused.value.message_dict) == ["image_url"]
    assert not Post.objects.exists()


def test_post_add_requires_an_active_account(db):
    for actor in (ANONYMOUS, viewer_of(UserFactory(is_active=False)), OPERATOR):
        with pytest.raises(PermissionDenied, match=r"Please sign in to post\."):
            post_add(actor=actor, content="Bravo")
    assert not Post.objects.exists()


def test_post_is_deleted_by_its_author_with_comments_and_reactions(fan):
    post = PostFactory(user_id=fan.id)
    PostCommentFactory(post=post)
    PostReactionFactory(post=post)
    PostFactory()
    for other in (member(), ANONYMOUS):
        with pytest.raises(PermissionDenied, match="your own posts only"):
            post_delete(actor=other, post_id=post.pk)
    post_delete(actor=fan, post_id=post.pk)
    assert Post.objects.count() == 1
    for model in (PostComment, PostReactionRow, PostCommentCount, PostReactionCount):
        assert not model.objects.exists(), model
    assert audit_list() == ()
    with pytest.raises(Post.DoesNotExist):
        post_delete(actor=fan, post_id=post.pk)


def test_administrators_and_operator_delete_any_post_and_the_audit_omits_its_text(admin):
    for actor, author in ((admin, UserFactory()), (OPERATOR, UserFactory()), (admin, None)):
        post = PostFactory(content="Somebody's words", user=author)
        post_delete(actor=actor, post_id=post.pk)
        entry = audit_list()[0]
        assert (entry.action, entry.subject, entry.subject_id) == ("community_post.delete", "community_post", post.pk)
        assert entry.details == {"before": {"author": post.user_id}}
    assert not Post.objects.exists()


def test_post_is_not_deleted_by_other_or_former_accounts(unprivileged, fan):
    post, own, of_deleted_account = PostFactory(), PostFactory(user_id=fan.id), PostFactory(user=None)
    User.objects.filter(pk=fan.id).update(is_active=False)
    for actor, refused in product((unprivileged, fan, ANONYMOUS), (post, own, of_deleted_account)):
        with pytest.raises(PermissionDenied):
            post_delete(actor=actor, post_id=refused.pk)


@pytest.mark.django_db(transaction=True)
def test_posts_publish_topics(listener):
    fan = member()
    post = post_add(actor=fan, content="Bravo")
    assert listener.heard() == {"community", f"account.{fan.id}.words"}
    post_delete(actor=fan, post_id=post.pk)
    assert listener.heard() == {"community", f"community_post.{post.pk}"}


@pytest.mark.django_db(transaction=True)
def test_concurrent_deletions_delete_once():
    fan = member()
    post = PostFactory(user_id=fan.id)
    results = run_together(*[lambda: post_delete(actor=fan, post_id=post.pk)] * 2)
    assert sorted(type(result).__name__ for result in results) == ["DoesNotExist", "NoneType"]


@pytest.mark.django_db(transaction=True)
def test_post_hidden_while_it_is_deleted_causes_no_deadlock():
    fan = member()
    for _ in range(5):
        post = PostFactory(user_id=fan.id)
        comment = PostCommentFactory(post=post)
        results = run_together(
            lambda post=post: post_delete(actor=fan, post_id=post.pk),
            lambda post=post: Post.objects.filter(pk=post.pk).update(is_hidden=True),
            lambda comment=comment: PostComment.objects.filter(pk=comment.pk).update(is_hidden=True),
        )
        assert results[0] is None
        assert set(results[1:]) <= {0, 1}
        assert not Post.objects.exists()
        assert not PostCommentCount.objects.filter(count__lt=0).exists()


def test_database_refuses_invalid_posts(db):
    texts = ({"content": ""}, {"content": " Bravo"}, {"content": "x" * 5001})
    pictures = ({"image_url": "http://pictures.example/a.webp"}, {"image_url": "/static/picture.webp"})
    for columns in (*texts, *pictures):
        with pytest.raises(DatabaseError, match="community_post"), transaction.atomic():
            PostFactory(**columns)
