"""The community feed on two open pages: live changes reach both, opened comments and own reactions only one."""

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.community.limits import POSTS_SHOWN
from apps.community.models import Post, PostComment
from apps.community.services.posts import post_add, post_comment_add, post_delete
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.checked_commands import succeed
from tests.components.posts import posts
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, AppearanceFactory, PostCommentFactory, PostFactory, UserFactory, viewer_of
from tests.screen import open_page


def member(factory=UserFactory, **named):
    """Return a user who registered a month ago."""
    user = factory(**named)
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - timedelta(days=30))
    return viewer_of(user)


def shown(screen, look):
    """Return the elements with this class."""
    return every(screen.tree, look=look)


def seen_posts(screen):
    return [text(node) for node in shown(screen, "post__text")]


def panel(screen, post_id):
    return one(screen.tree, id=f"comments-{post_id}")


async def test_posts_and_deletions_appear_in_all_windows():
    fan, admin = await in_thread(lambda: (member(username="una_corda"), member(AdminFactory)))
    async with open_page("/community", user=fan) as own, open_page("/community") as other:
        assert "No posts yet. Be the first to share something!" in other.text
        answer = await command(own, "post_add", content="  Three different pieces.  ", image_url="")
        assert (answer["ok"], answer["text"], answer["empty"]) == (True, "Post added successfully!", True)
        for screen in (own, other):
            await screen.until("Three different pieces.")
            assert "No posts yet." not in screen.text
        [post_id] = await in_thread(lambda: list(Post.objects.values_list("pk", flat=True)))
        async with open_page("/community", user=admin) as third:
            assert own.button("Delete “Three different pieces.”")
            assert third.button("Delete “Three different pieces.”")
            assert other.button("Delete “Three different pieces.”")["attributes"]["hidden"]
            await succeed(third, "community_post_delete", post_id, "Post deleted successfully!")
            for screen in (own, other, third):
                await screen.until_gone("Three different pieces.")


async def test_reaction_is_counted_for_all_and_pressed_for_its_member():
    fan, post = await in_thread(lambda: (member(), PostFactory()))

    def pressed(screen):
        buttons = [node for node in shown(screen, "act") if "aria-pressed" in attributes(node)]
        return [(text(button), attributes(button)["aria-pressed"]) for button in buttons]

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


async def test_reaction_kept_over_a_sign_in_can_be_undone():
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    async with open_page("/community", user=fan) as own:
        applause = await command(own, "post_reaction_set", f"{post.pk}:applause", wish="1")
        assert applause["text"] == "Your applause was added."
        assert applause["undo"] == ["post_reaction_set", f"{post.pk}:none"]
        again = await command(own, "post_reaction_set", f"{post.pk}:applause", wish="1")
        assert (again["text"], again.get("undo")) == ("", None), "it was there already"
        boo = await command(own, "post_reaction_set", f"{post.pk}:boo", wish="1")
        assert (boo["text"], boo["undo"]) == ("Your boo was added.", ["post_reaction_set", f"{post.pk}:applause"])


async def test_comments_open_in_one_window_and_are_counted_in_all():
    fan, other_fan, post = await in_thread(lambda: (member(), member(), PostFactory()))
    async with open_page("/community", user=fan) as own, open_page("/community", user=other_fan) as other:
        assert panel(own, post.pk)["attributes"]["hidden"]
        await own.press("Comments 0")
        await own.until("Nobody has said anything yet.")
        assert not panel(own, post.pk)["attributes"]["hidden"]
        assert panel(other, post.pk)["attributes"]["hidden"], "the other member's panel stays closed"
        await succeed(other, "post_comment_add", post.pk, "Comment added successfully!", content="From the first row.")
        await own.until("From the first row.")
        await other.until("Comments 1")
        assert "From the first row" not in other.text
        answer = await command(own, "post_comment_add", post.pk, content="Yes. That is it.")
        assert answer["ok"]
        await own.until("Yes. That is it.")
        comments = [text(node) for node in shown(own, "says__text")]
        assert comments == ["From the first row.", "Yes. That is it."]
        await own.until("Comments 2")
        await own.press("Comments 2")
        await own.until_gone("From the first row.")
        comment = await in_thread(lambda: PostComment.objects.get(content="Yes. That is it.").pk)
        await succeed(own, "post_comment_delete", comment, "Comment deleted successfully!")
        await other.until("Comments 1")


async def test_earlier_comments_are_loaded_on_request():
    fan, post = await in_thread(lambda: (member(), PostFactory()))
    await in_thread(lambda: [PostCommentFactory(post=post, content=f"Comment {n:03d}") for n in range(70)])

    def comments(screen):
        return [int(text(node)[-3:]) for node in shown(screen, "says__text") if "Comment" in text(node)]

    async with open_page("/community") as screen:
        await screen.press("Comments 70")
        await screen._until(lambda: comments(screen) == list(range(40, 70)), "not the newest")
        await in_thread(lambda: post_comment_add(actor=fan, post_id=post.pk, content="Comment 070"))
        await screen._until(lambda: comments(screen) == list(range(40, 71)), "what was shown has gone")
        await screen.press("Show earlier comments")
        await screen._until(lambda: comments(screen) == list(range(10, 71)), "no earlier ones")
        await screen.press("Show earlier comments")
        await screen._until(lambda: comments(screen) == list(range(71)), "not all")
        assert screen.link("Show earlier comments") is None


async def test_address_of_a_post_shows_its_comments():
    fan = await in_thread(lambda: member(username="una_corda"))
    post = await in_thread(lambda: PostFactory(user_id=fan.id, content="The storm."))
    await in_thread(lambda: PostFactory(content="Another."))
    await in_thread(lambda: PostCommentFactory(post=post, content="Twice."))
    async with open_page(f"/community?post={post.pk}") as screen:
        assert screen.status == 200
        assert screen.title == "Post by una_corda – Parterre"
        assert "The storm." in screen.html
        assert "Twice." in screen.html, "in the first HTML"
        assert "Another." not in screen.text
        assert 'content="The storm."' in screen.html
        await in_thread(lambda: post_delete(actor=fan, post_id=post.pk))
        await screen.until("This post is no longer there.")
        assert "Another." in screen.text


async def test_address_of_a_missing_post_shows_the_first_page():
    hidden, deleted = await in_thread(
        lambda: (PostFactory(is_hidden=True, content="Bad."), PostFactory(), PostFactory(content="Here."))[:2]
    )
    deleted_id = deleted.pk
    await in_thread(deleted.delete)
    async with open_page("/community") as screen:
        for address in (hidden.pk, deleted_id, deleted_id + 9, "0", "x", "9" * 30):
            await screen.load(f"/community?post={address}")
            assert screen.status == 404, address
            assert "This post is no longer there." in screen.text, address
            assert "Here." in screen.text, address
            assert "Bad." not in screen.html, address


async def test_unknown_queries_show_the_first_page():
    await in_thread(lambda: PostFactory(content="Here."))
    async with open_page("/community") as screen:
        for query in ("before=x", "before=2027-10-12", "by=nobody", "by=", "page=2", "earlier=3"):
            await screen.load(f"/community?{query}")
            shown_page = (screen.status, seen_posts(screen), screen.title)
            assert shown_page == (200, ["Here."], "Community – Parterre"), query


async def test_older_posts_are_on_linked_pages_of_ten():
    await in_thread(lambda: posts(45))
    pages = []
    async with open_page("/community") as screen:
        pages.append(seen_posts(screen))
        while screen.link("Show older"):
            await screen.follow("Show older")
            pages.append(seen_posts(screen))
        assert "The newest" in screen.text
    assert [len(page) for page in pages] == [POSTS_SHOWN] * 4 + [5] == [10, 10, 10, 10, 5]
    assert [post for page in pages for post in page] == [f"Post {n:03d}" for n in range(45)]


async def test_address_filters_posts_by_performer_and_stage():
    def create():
        played, other = AppearanceFactory(), AppearanceFactory()
        PostFactory(appearance=played, content="The storm.")
        PostFactory(appearance=other, content="The rain.")
        PostFactory(content="About none.")
        return played, other

    played, other = await in_thread(create)
    performer, stage = f"performer={played.participant_id}", f"stage={other.session.stage_id}"
    async with open_page("/community") as screen:
        for query, shown_posts in (
            (performer, ["The storm."]),
            (stage, ["The rain."]),
            (f"{performer}&{stage}", []),
            ("performer=999999&stage=x", ["About none.", "The rain.", "The storm."]),
        ):
            await screen.load(f"/community?{query}")
            assert seen_posts(screen) == shown_posts, query
        await screen.load(f"/community?{performer}&{stage}")
        assert "No post is about these performances yet." in screen.text
        summary = one(one(screen.tree, "form", look="feed-filter"), "summary")
        assert text(summary) == f"Posts about {played.participant.name} · {other.session.stage.name}"


async def test_mentions_link_to_the_posts_of_a_member():
    fan, other = await in_thread(lambda: (member(username="una_corda"), member(username="halina_k")))
    await in_thread(lambda: PostFactory(user_id=fan.id, content="Hear, @HALINA_K and @nobody"))
    await in_thread(lambda: PostFactory(user_id=other.id, content="Another."))
    async with open_page("/community") as screen:
        links = [
            attributes(link)["href"] for link in every(screen.tree, "a") if "by=" in attributes(link).get("href", "")
        ]
        assert "/community?by=HALINA_K" in links
        assert not [link for link in links if "nobody" in link]
        await screen.go("/community?by=Una_Corda")
        assert seen_posts(screen) == ["Hear, @HALINA_K and @nobody"]
        await in_thread(lambda: post_add(actor=fan, content="One more."))
        await screen.until("One more.")
