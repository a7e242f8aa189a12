"""Test posts: what the services store and refuse, and who may delete a post."""

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


def test_a_post_is_stored_clean_with_its_picture(fan):
    post = post_add(actor=fan, content="  e\u0301tude\u202e\n\n\n\nTwice. ", image_url=f" {PICTURE} ")
    stored = Post.objects.get()
    assert (stored.pk, stored.content, stored.image_url) == (post.pk, "étude\n\nTwice.", PICTURE)
    assert (stored.user_id, stored.is_hidden) == (fan.id, False)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "Please write something first."),
        (" \n\u200b ", "Please write something first."),
        ("x" * 5001, "at most 5,000"),
    ],
)
def test_a_text_that_says_nothing_or_too_much_is_refused_at_its_field(fan, content, sentence):
    with pytest.raises(ValidationError) as refused:
        post_add(actor=fan, content=content)
    assert sentence in refused.value.message_dict["content"][0]
    assert not Post.objects.exists()


def test_a_post_takes_5000_characters(fan):
    assert len(post_add(actor=fan, content="ł" * 5000).content) == 5000


@pytest.mark.parametrize(
    "address",
    [
        "http://pictures.example/foyer.webp",
        "/static/picture.webp",
        "//pictures.example/foyer.webp",
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "https://",
        "https://testserver/static/picture.webp",
        "https://pictures.example/a b",
        "https://pictures.example/\u202efoyer.webp",
        "https://pictures.example/\0",
        f"https://pictures.example/{'a' * 2048}",
    ],
)
def test_a_picture_is_https_on_another_site(fan, settings, address):
    settings.ALLOWED_HOSTS = ["testserver"]
    with pytest.raises(ValidationError) as refused:
        post_add(actor=fan, content="Look", image_url=address)
    assert list(refused.value.message_dict) == ["image_url"]
    assert not Post.objects.exists()


@pytest.mark.parametrize("who", ["stranger", "deactivated", "operator"])
def test_posting_is_for_people_with_an_account(db, who):
    gone = viewer_of(UserFactory())
    User.objects.filter(pk=gone.id).update(is_active=False)
    with pytest.raises(PermissionDenied, match=r"Please sign in to post\."):
        post_add(actor={"stranger": ANONYMOUS, "deactivated": gone, "operator": OPERATOR}[who], content="Bravo")
    assert not Post.objects.exists()


def test_own_posts_are_deletable_with_all_that_hangs_on_them_and_others_are_not(fan):
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


def test_administrators_and_the_operator_delete_any_and_the_audit_has_nobodys_words(admin):
    for actor in (admin, OPERATOR):
        post = PostFactory(content="Words of somebody")
        post_delete(actor=actor, post_id=post.pk)
        noted = audit_list()[0]
        assert (noted.action, noted.subject, noted.subject_id) == ("community_post.delete", "community_post", post.pk)
        assert noted.details == {"before": {"author": post.user_id}}
    assert not Post.objects.exists()


def test_what_a_former_member_wrote_is_the_administrators_to_delete(fan, admin):
    post = PostFactory(user=None)
    for nobody in (fan, ANONYMOUS):
        with pytest.raises(PermissionDenied):
            post_delete(actor=nobody, post_id=post.pk)
    post_delete(actor=admin, post_id=post.pk)


def test_lost_rights_are_lost_at_once(nobody):
    post = PostFactory()
    with pytest.raises(PermissionDenied):
        post_delete(actor=nobody, post_id=post.pk)


def test_a_deactivated_author_deletes_nothing(fan):
    post = PostFactory(user_id=fan.id)
    User.objects.filter(pk=fan.id).update(is_active=False)
    with pytest.raises(PermissionDenied):
        post_delete(actor=fan, post_id=post.pk)


@pytest.mark.django_db(transaction=True)
def test_topics_of_posts(listener):
    fan = member()
    post = post_add(actor=fan, content="Bravo")
    assert listener.heard() == {"community"}
    post_delete(actor=fan, post_id=post.pk)
    assert listener.heard() == {"community", f"community_post.{post.pk}"}


@pytest.mark.django_db(transaction=True)
def test_of_two_who_delete_one_does():
    fan, post = member(), None
    post = PostFactory(user_id=fan.id)
    results = run_together(*[lambda: post_delete(actor=fan, post_id=post.pk)] * 2)
    assert sorted(type(each).__name__ for each in results) == ["DoesNotExist", "NoneType"]


@pytest.mark.django_db(transaction=True)
def test_a_post_that_is_hidden_while_it_is_deleted_is_gone_and_nothing_waits_for_ever():
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


@pytest.mark.parametrize(
    "columns",
    [
        {"content": ""},
        {"content": " Bravo"},
        {"content": "x" * 5001},
        {"image_url": "http://pictures.example/a.webp"},
        {"image_url": "/static/picture.webp"},
    ],
)
def test_the_database_refuses_what_no_service_writes(db, columns):
    with pytest.raises(DatabaseError, match="community_post"), transaction.atomic():
        PostFactory(**columns)
