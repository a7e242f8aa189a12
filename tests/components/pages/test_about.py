"""Posts and comments about performances on open pages, with and without scripts; hidden texts are nowhere."""

from django.utils import timezone

from apps.community.services.posts import post_add, posts_hide
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.participants import participant_update
from apps.competition.services.sessions import session_delete
from apps.core.threads import in_thread
from apps.live.services import comment_add, comments_hide
from tests.apps.live.conftest import member
from tests.commanding import command
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, AppearanceFactory, PostFactory, viewer_of
from tests.screen import open_page


def choices(screen):
    """Return the options of the composer by session, and the chosen value; None without a choice."""
    if not every(screen.tree, "select", id="about"):
        return None
    select = one(screen.tree, "select", id="about")
    groups = {
        attributes(group)["label"]: [text(option) for option in group["children"]]
        for group in every(select, "optgroup")
    }
    return text(every(select, "option")[0]), groups, attributes(select)["defaultValue"]


def names(*appearances):
    return {appearances[0].session.title: [appearance.participant.name for appearance in appearances]}


async def test_composer_offers_performers_and_follows_the_live_session():
    def create():
        last = AppearanceFactory()
        coming = AppearanceFactory(session__starts_at=timezone.now() + timezone.timedelta(hours=1))
        return last, coming, AppearanceFactory(session=coming.session), member(), viewer_of(AdminFactory())

    async with open_page("/community", user=await in_thread(member)) as own:
        assert choices(own) is None
    last, coming, second, fan, admin = await in_thread(create)
    async with open_page("/community", user=fan) as own:
        assert choices(own) == ("No performer", names(last), "")
        await in_thread(lambda: session_set_live(actor=admin, session_id=coming.session_id))
        offered = ("No performer", names(last) | names(coming, second), "")
        await own._until(lambda: choices(own) == offered, "what was offered does not stay, or nothing is added")
        answer = await command(own, "post_add", content="Which of the two?", about=str(second.pk))
        assert answer["ok"]
        await own.until(f"About {second.participant.name}, {second.session.title}")


async def test_address_selects_the_performance_of_a_post():
    def create():
        return AppearanceFactory(), AppearanceFactory(session__starts_at=timezone.now()), member()

    earlier, last, fan = await in_thread(create)
    async with open_page(f"/community?about={earlier.pk}", user=fan) as own:
        assert choices(own) == ("No performer", names(earlier) | names(last), str(earlier.pk))
        await own.go("/community?about=999999")
        await own.until("This performance is no longer in the program.")
        assert choices(own) == ("No performer", names(last), "")
    async with open_page(f"/community?about={earlier.pk}") as anonymous:
        assert choices(anonymous) is None
        href = anonymous.link("Sign in to post, react and comment")["attributes"]["href"]
        assert href == f"/login?next=%2Fcommunity%3Fabout%3D{earlier.pk}"


async def test_subject_of_a_post_follows_its_performance():
    def create():
        played = AppearanceFactory()
        PostFactory()
        return played, PostFactory(appearance=played), viewer_of(AdminFactory())

    played, post, admin = await in_thread(create)
    about = f"About {played.participant.name}, {played.session.title}"
    async with open_page("/community") as feed, open_page(f"/community?post={post.pk}") as alone:
        for screen in (feed, alone):
            assert about in screen.text
            href = screen.link(f"{played.participant.name}, {played.session.title}")["attributes"]["href"]
            assert href == f"/participants/{played.participant_id}?open={played.pk}#performance-{played.pk}"
        person = played.participant
        name = {"first_name": "Łucja", "second_name": "Żak"}
        kept = {
            "country": person.country,
            "biography": "Plays.",
            "birth_year": None,
            "avatar_url": "",
            "featured": False,
        }
        await in_thread(lambda: participant_update(actor=admin, participant_id=person.pk, **name, **kept))
        for screen in (feed, alone):
            await screen.until("About Łucja Żak, ")
        await in_thread(lambda: session_delete(actor=admin, session_id=played.session_id, confirmed=True))
        for screen in (feed, alone):
            await screen.until("About a performance that was taken out of the program")
            await screen.until_gone("About Łucja Żak")
            assert post.content in screen.text
    async with open_page("/community") as later:
        assert "About a performance that was taken out of the program" in later.text
        assert later.text.count("About a performance") == 1, "the other post is about none"


async def test_performers_page_shows_texts_until_they_are_hidden():
    coming = await in_thread(lambda: AppearanceFactory(session__starts_at=timezone.now() + timezone.timedelta(hours=1)))
    async with open_page(f"/participants/{coming.participant_id}") as page:
        assert "Nothing has been written" not in page.text
        assert page.link("Write about this performance") is None

    def create():
        played = AppearanceFactory(session__is_live=True)
        admin = viewer_of(AdminFactory())
        performer_set(actor=admin, appearance_id=played.pk)
        return played, member(username="una_corda"), member(username="pedal-point")

    played, fan, other = await in_thread(create)
    path = f"/participants/{played.participant_id}"
    async with open_page(path) as page:
        assert "Nothing has been written about these performances yet." in page.text
        write = page.link("Write about this performance")
        assert write["attributes"]["href"] == f"/community?about={played.pk}"
        comment = await in_thread(
            lambda: comment_add(actor=fan, session_id=played.session_id, content="The left hand!")
        )
        await page.until("The left hand!")
        assert f"during {played.session.title}" in page.text
        post = await in_thread(lambda: post_add(actor=other, content="Rubato as breathing.", about=played.pk))
        await page.until("Rubato as breathing.")
        assert f"about {played.session.title}" in page.text
        await in_thread(lambda: comments_hide(ids=[comment.pk], hidden=True))
        await page.until_gone("The left hand!")
        await in_thread(lambda: posts_hide(ids=[post.pk], hidden=True))
        await page.until_gone("Rubato as breathing.")
        async with open_page(path, user=fan) as own:
            assert "The left hand!" not in own.text, "hidden from its author too"
        for tab in ("biography", "ratings"):
            async with open_page(f"{path}?tab={tab}") as another:
                assert "Nothing has been written" not in another.text
