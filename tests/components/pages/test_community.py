"""The community feed on two open pages: live changes reach both, opened comments and own reactions only one."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.community.limits import POSTS_SHOWN
from apps.community.models import Post, PostComment
from apps.community.services.posts import post_add, post_comment_add, post_delete
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.posts import posts
from tests.components.seen import text
from tests.factories import AdminFactory, PostCommentFactory, PostFactory, UserFactory, viewer_of
from tests.reading import walk
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
OLD = timedelta(days=30)


def member(**named):
    """Return a user who registered a month ago."""
    user = UserFactory(**named)
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - OLD)
    return viewer_of(user)


def admin():
    user = AdminFactory()
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - OLD)
    return viewer_of(user)


def shown(screen, name):
    """Return the visible elements with this class."""
    return [node for node in walk(screen.tree) if name in str(node.get("attributes", {}).get("class", "")).split()]


def seen_posts(screen):
    return [text(node) for node in shown(screen, "post__text")]


def panel(screen, post_id):
    (found,) = [node for node in walk(screen.tree) if node.get("attributes", {}).get("id") == f"comments-{post_id}"]
    return found


@live
async def test_a_post_reaches_everybody_and_its_deletion_too():
    fan, boss = await in_thread(lambda: (member(username="una_corda"), admin()))
    async with open_page("/community", user=fan) as own, open_page("/community") as other:
        assert "No posts yet. Be the first to share something!" in other.text
        answer = await command(own, "post_add", content="  Three different pieces.  ", image_url="")
        assert (answer["ok"], answer["text"], answer["empty"]) == (True, "Post added successfully!", True)
        for screen in (own, other):
            await screen.until("Three different pieces.")
            assert "No posts yet." not in screen.text
        [post_id] = await in_thread(lambda: list(Post.objects.values_list("pk", flat=True)))
        async with open_page("/community", user=boss) as third:
            assert own.button("Delete “Three different pieces.”")
            assert third.button("Delete “Three different pieces.”")
            assert other.button("Delete “Three different pieces.”")["attributes"]["hidden"]
            answer = await command(third, "community_post_delete", post_id)
            assert (answer["ok"], answer["text"]) == (True, "Post deleted successfully!")
            for screen in (own, other, third):
                await screen.until_gone("Three different pieces.")


@live
@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"content": " \n "}, "content", "Please write something first."),
        ({"content": "x", "image_url": "http://example.org/a.png"}, "image_url", "A picture needs an https:// address"),
    ],
)
async def test_what_is_wrong_is_said_at_its_field_and_nothing_is_stored(fields, field, sentence):
    fan = await in_thread(member)
    async with open_page("/community", user=fan) as screen:
        answer = await command(screen, "post_add", **fields)
    assert (answer["ok"], answer["field"]) == (False, field)
    assert sentence in answer["text"]
    assert not await in_thread(Post.objects.exists)


@live
async def test_a_reaction_is_counted_for_everybody_and_pressed_for_one():
    fan, post = await in_thread(lambda: (member(), PostFactory()))

    def pressed(screen):
        return [
            (text(node), node["attributes"]["aria-pressed"])
            for node in shown(screen, "act")
            if "aria-pressed" in node["attributes"]
        ]

    async with open_page("/community", user=fan) as own, open_page("/community") as other:
        assert pressed(own) == [("Applause 0", "false"), ("Boo 0", "false")]
        await command(own, "post_reaction_set", f"{post.pk}:applause")
        await other.until("Applause 1")
        await own._until(lambda: ("Applause 1", "true") in pressed(own), "it is not pressed")
        assert pressed(other) == [("Applause 1", "false"), ("Boo 0", "false")]
        button = next(node for node in shown(own, "act") if node["attributes"].get("aria-pressed") == "true")
        assert button["attributes"]["data-argument"] == f"{post.pk}:none", "the same again takes it back"
        assert button["attributes"]["formAction"] == f"/do/post_reaction_set?argument={post.pk}%3Anone"
        await command(own, "post_reaction_set", f"{post.pk}:boo")
        await other.until("Boo 1")
        await own._until(lambda: pressed(own) == [("Applause 0", "false"), ("Boo 1", "true")], "it is not replaced")
        await command(own, "post_reaction_set", f"{post.pk}:none")
        await own._until(lambda: pressed(own) == [("Applause 0", "false"), ("Boo 0", "false")], "it is not gone")


@live
async def test_what_was_wished_before_the_sign_in_is_said_and_leads_back_to_what_was_before():
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    async with open_page("/community", user=fan) as own:
        applause = await command(own, "post_reaction_set", f"{post.pk}:applause", wish="1")
        assert applause["text"] == "Your applause was added."
        assert applause["undo"] == ["post_reaction_set", f"{post.pk}:none"]
        again = await command(own, "post_reaction_set", f"{post.pk}:applause", wish="1")
        assert (again["text"], again.get("undo")) == ("", None), "it was there already"
        boo = await command(own, "post_reaction_set", f"{post.pk}:boo", wish="1")
        assert (boo["text"], boo["undo"]) == ("Your boo was added.", ["post_reaction_set", f"{post.pk}:applause"])


@live
async def test_comments_are_opened_by_one_grow_at_their_end_and_are_counted_for_all():
    fan, other_fan, post = await in_thread(lambda: (member(), member(), PostFactory()))
    async with open_page("/community", user=fan) as own, open_page("/community", user=other_fan) as other:
        assert panel(own, post.pk)["attributes"]["hidden"]
        await own.press("Comments 0")
        await own.until("Nobody has said anything yet.")
        assert not panel(own, post.pk)["attributes"]["hidden"]
        assert panel(other, post.pk)["attributes"]["hidden"], "nobody else's is opened"
        answer = await command(other, "post_comment_add", post.pk, content="From inside the house.")
        assert (answer["ok"], answer["text"]) == (True, "Comment added successfully!")
        await own.until("From inside the house.")
        await other.until("Comments 1")
        assert "From inside" not in other.text
        answer = await command(own, "post_comment_add", post.pk, content="Yes. That is it.")
        assert answer["ok"]
        await own.until("Yes. That is it.")
        said = [text(node) for node in shown(own, "says__text")]
        assert said == ["From inside the house.", "Yes. That is it."]
        await own.until("Comments 2")
        await own.press("Comments 2")
        await own.until_gone("From inside the house.")
        comment = await in_thread(lambda: PostComment.objects.get(content="Yes. That is it.").pk)
        answer = await command(own, "post_comment_delete", comment)
        assert (answer["ok"], answer["text"]) == (True, "Comment deleted successfully!")
        await other.until("Comments 1")


@live
async def test_earlier_comments_come_when_they_are_asked_for_and_nothing_that_was_shown_goes():
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    await in_thread(lambda: [PostCommentFactory(post=post, content=f"Comment {n:03d}") for n in range(70)])

    def said(screen):
        return [int(text(node)[-3:]) for node in shown(screen, "says__text") if "Comment" in text(node)]

    async with open_page("/community") as screen:
        await screen.press("Comments 70")
        await screen._until(lambda: said(screen) == list(range(40, 70)), "not the newest")
        await in_thread(lambda: post_comment_add(actor=fan, post_id=post.pk, content="Comment 070"))
        await screen._until(lambda: said(screen) == list(range(40, 71)), "what was shown has gone")
        await screen.press("Show earlier comments")
        await screen._until(lambda: said(screen) == list(range(10, 71)), "no earlier ones")
        await screen.press("Show earlier comments")
        await screen._until(lambda: said(screen) == list(range(71)), "not all")
        assert screen.link("Show earlier comments") is None


@live
async def test_a_post_has_an_address_with_its_comments_open():
    fan = await in_thread(lambda: member(username="una_corda"))
    post = await in_thread(lambda: PostFactory(user_id=fan.id, content="The storm."))
    await in_thread(lambda: PostFactory(content="Else."))
    await in_thread(lambda: PostCommentFactory(post=post, content="Twice."))
    async with open_page(f"/community?post={post.pk}") as screen:
        assert screen.status == 200
        assert screen.title == "Post by una_corda – Parterre"
        assert "The storm." in screen.html
        assert "Twice." in screen.html, "in the first HTML"
        assert "Else." not in screen.text
        assert 'content="The storm."' in screen.html
        await in_thread(lambda: post_delete(actor=fan, post_id=post.pk))
        await screen.until("This post is no longer there.")
        assert "Else." in screen.text


@live
@pytest.mark.parametrize("asked", ["gone", "hidden", "never", "0", "x", "9" * 30])
async def test_a_post_that_is_not_there_is_said_above_the_first_page(asked):
    there, hidden, gone = await in_thread(
        lambda: (PostFactory(content="Here."), PostFactory(is_hidden=True, content="Bad."), PostFactory())
    )
    pk = {"hidden": hidden.pk, "gone": gone.pk, "never": gone.pk + 1}.get(asked, asked)
    await in_thread(gone.delete)
    async with open_page(f"/community?post={pk}") as screen:
        assert screen.status == 404
        assert "This post is no longer there." in screen.text
        assert "Here." in screen.text
        assert "Bad." not in screen.html
    assert there.pk


@live
@pytest.mark.parametrize("query", ["before=x", "before=2027-10-12", "by=nobody", "by=", "page=2", "earlier=3"])
async def test_any_other_nonsense_shows_the_first_page(query):
    await in_thread(lambda: PostFactory(content="Here."))
    async with open_page(f"/community?{query}") as screen:
        assert (screen.status, seen_posts(screen), screen.title) == (200, ["Here."], "Community – Parterre")


@live
async def test_pages_are_twenty_posts_and_follow_each_other_by_a_link():
    ids = await in_thread(lambda: posts(45))
    seen = []
    async with open_page("/community") as screen:
        for count in (20, 20, 5):
            page = seen_posts(screen)
            assert len(page) == count
            seen += page
            if count == POSTS_SHOWN:
                await screen.follow("Show older")
        assert seen == [f"Post {n:03d}" for n in range(45)]
        assert "The newest" in screen.text
        assert not screen.link("Show older")
    assert len(ids) == 45


@live
async def test_somebodys_posts_have_an_address_and_mentions_lead_there():
    fan, other = await in_thread(lambda: (member(username="una_corda"), member(username="halina_k")))
    await in_thread(
        lambda: (
            PostFactory(user_id=fan.id, content="Hear, @HALINA_K and @nobody"),
            PostFactory(user_id=other.id, content="Else."),
        )
    )
    async with open_page("/community") as screen:
        hrefs = [
            node["attributes"]["href"]
            for node in walk(screen.tree)
            if node["tagName"] == "a" and "by=" in str(node["attributes"].get("href"))
        ]
        assert "/community?by=HALINA_K" in hrefs
        assert not [href for href in hrefs if "nobody" in href]
        await screen.go("/community?by=Una_Corda")
        assert seen_posts(screen) == ["Hear, @HALINA_K and @nobody"]
        await in_thread(lambda: post_add(actor=fan, content="One more."))
        await screen.until("One more.")
