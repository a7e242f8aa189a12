"""Parts of the community: posts with links, pictures and authors; hidden rows; the number of queries."""

from apps.accounts.actors import ANONYMOUS
from apps.community.limits import POSTS_SHOWN
from apps.community.models import Post, PostComment, PostReactionRow
from components.pages.public.community import first_shown
from components.parts.community import (
    cards_read,
    community_comments,
    community_comments_earlier,
    community_feed,
    community_post,
)
from components.routes import find
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import read_ahead, shared_reads
from tests.components.posts import posts
from tests.components.seen import attributes, every, one, read_part, text, tree
from tests.factories import PostCommentFactory, PostFactory, PostReactionFactory, UserFactory
from tests.rendering import renew_all

COMMENTS = 50  # of each post: more than a panel shows at once


def lively(count):
    """Create `count` posts with `COMMENTS` comments and a reaction each. Return their ids, newest first."""
    ids, author = posts(count), UserFactory()
    PostComment.objects.bulk_create(
        PostComment(post_id=pk, user=author, content=f"Comment {n}") for pk in ids for n in range(COMMENTS)
    )
    for pk in ids:
        PostReactionFactory(post_id=pk)
    return ids


def test_picture_is_lazy_and_post_of_a_former_member_has_no_author(db):
    post = PostFactory(image_url="https://example.org/stalls.jpg")
    seen = read_part(community_post, post.pk)
    image = attributes(one(seen, "p", "framed")["children"][1])
    assert (image["loading"], image["referrerPolicy"]) == ("lazy", "no-referrer")
    assert attributes(one(seen, "p", "framed")["children"][0])["href"] == "https://example.org/stalls.jpg"
    seen = read_part(community_post, PostFactory(user=None, content="Still here.").pk)
    assert text(one(seen, "strong")) == "former member"
    assert not every(one(seen, "strong"), "a")
    assert attributes(one(seen, "button", "link"))["data-slot"] == "author:0"


def test_page_of_posts_costs_as_many_queries_as_one(db, django_assert_num_queries):
    count = POSTS_SHOWN
    lively(count)
    refs = [community_post(pk, language="en") for pk in Post.objects.values_list("pk", flat=True)]
    with django_assert_num_queries(3), shared_reads():  # the list, its posts, the default avatar
        read_part(community_feed, "", 0, 0, 0)
        read_ahead(refs)
        for ref in refs:
            read_part(community_post, *ref.parameters)


def test_open_panels_cost_five_queries_each(db, django_assert_num_queries):
    """For the newest comments, their count, and if there are earlier ones; for those between, and if there are more."""
    ids = lively(3)
    panels = [
        (
            community_comments.of_sight(pk, "", language="en"),
            community_comments_earlier.of_sight(pk, first_shown(post_id=pk), "", language="en"),
        )
        for pk in ids
    ]
    for shown_panels in (panels[:1], panels):
        with django_assert_num_queries(1 + 5 * len(shown_panels)), shared_reads():  # the default avatar once
            for ref in (ref for refs in shown_panels for ref in refs):
                tree(ref.part.markup(*ref.parameters, language="en"))


def test_open_post_costs_the_same_beside_any_number_of_posts(db, django_assert_num_queries):
    count = POSTS_SHOWN
    newest, *_ = lively(count)
    with django_assert_num_queries(3):  # the post, the newest comments, their count
        page = find(f"/community?post={newest}", ANONYMOUS).load(ANONYMOUS, "en")
    assert page.data.panels
    with django_assert_num_queries(8):  # an open panel and the post, and the default picture in both rounds
        outer = [LivePart(ref) for ref in page.parts.values()]
        assert all(isinstance(result, bytes) for result in renew_all(outer))
        inner = [LivePart(ref) for each in outer for ref in each.inner_refs]
        assert all(renew_all(inner))
        assert all(renew_all([LivePart(ref) for each in inner for ref in each.inner_refs]))


def test_hidden_posts_and_comments_are_not_listed(db):
    hidden, visible = PostFactory(is_hidden=True), PostFactory()
    PostCommentFactory(post=visible, is_hidden=True, content="Bad.")
    PostReactionFactory(post=visible)
    assert list(cards_read((hidden.pk, visible.pk))) == [visible.pk]
    assert cards_read((visible.pk,))[visible.pk].comments == 0
    assert "Bad." not in text(read_part(community_comments, visible.pk))
    assert attributes(read_part(community_post, hidden.pk)) == {"hidden": True}
    assert PostReactionRow.objects.count() == 1
