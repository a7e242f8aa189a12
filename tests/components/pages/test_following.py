"""Following on several screens and without scripts, on Home by slots, and its number of queries."""

from collections import Counter

from django.conf import settings

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set
from apps.core.threads import in_thread
from apps.following.selectors import calendar_secret
from apps.following.services import calendar_key_make, follow_set
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, name, opened
from tests.factories import AppearanceFactory, ParticipantFactory, PostFactory, UserFactory, viewer_of
from tests.screen import open_page


def follow(user, performer):
    return follow_set(actor=viewer_of(user), participant_id=performer, is_wanted=True)


async def test_follower_count_is_public_and_the_list_private(fan):
    performer = await in_thread(ParticipantFactory)
    page, label = f"/participants/{performer.pk}", f"Follow {performer.name}, "
    async with open_page(page, user=fan) as own, open_page(page) as other, open_page("/following", user=fan) as listed:
        assert other.button(f"{label}0 followers")
        asked = [await command(own, "follow_set", f"{performer.pk}:on", wish="1") for _ in range(2)]
        assert [answer["text"] for answer in asked] == ["You follow this performer"] * 2
        assert [answer.get("undo") for answer in asked] == [["follow_set", f"{performer.pk}:off"], None]
        for screen in (own, other):
            await screen._until(lambda shown=screen: shown.button(f"{label}1 follower"), "not counted")
        await listed.until("Not in a session yet")
        await own._until(lambda: is_pressed(own, label), "not pressed")
        assert not is_pressed(other, label)
        await own.press(f"{label}1 follower")
        await other._until(lambda: other.button(f"{label}0 followers"), "still counted")
        await listed.until("You do not follow a performer yet.")


def is_pressed(screen, label):
    return attributes(screen.button(f"{label}1 follower"))["aria-pressed"] == "true"


async def test_followers_see_when_their_performer_is_next_or_on_stage(fan):
    busy = await in_thread(lambda: busy_session_with(3))
    other = await in_thread(UserFactory)
    first, second, third = busy.appearances
    await in_thread(lambda: [follow(fan, appearance.participant_id) for appearance in (second, third)])
    async with (
        open_page("/", user=fan) as home,
        open_page("/", user=other) as others,
        open_page("/") as anonymous,
        open_page("/following", user=fan) as listed,
    ):
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=first.pk))
        await home.until("You follow this performer")
        await listed.until(f"next in {busy.session.title}")
        assert "3rd, live now, in" in listed.text
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=second.pk))
        await listed.until("On stage now")
        await home._until(lambda: home.text.count("You follow this performer") == 2, "one is not named")
        for screen in (others, anonymous):
            await screen.until(second.participant.name)
            assert "You follow this performer" not in screen.text


async def test_participants_and_running_order_have_follow_buttons(fan):
    busy = await in_thread(lambda: busy_session_with(2))
    performer = busy.appearances[0].participant
    await in_thread(lambda: follow(fan, performer.pk))
    order = f"/sessions/{busy.session.pk}?open={busy.appearances[0].pk}"
    async with open_page("/participants", user=fan) as listed, open_page(order, user=fan) as session:
        assert listed.button(f"Follow {performer.name}, 1 follower")["attributes"]["aria-pressed"] == "true"
        assert session.button("Follow this performer, 1 follower")["attributes"]["aria-pressed"] == "true"
        unfollowed = busy.appearances[1].participant
        assert listed.button(f"Follow {unfollowed.name}, 0 followers")["attributes"]["aria-pressed"] == "false"


def test_presses_of_anonymous_visitors_are_carried_out_after_the_sign_in(busy_session):
    """The client keeps those in `data-wish`. Applause and hearts of a session are sent by `reactions.js`."""
    performing, post = busy_session.appearances[1], PostFactory()
    pages = ("/participants", f"/participants/{performing.participant_id}", f"/sessions/{busy_session.session.pk}")
    toggles = {"follow_set", "post_reaction_set", "recommendation_set"}
    pressed = Counter()
    for address in (*pages, f"/community?post={post.pk}"):
        main = opened(address).main
        kept = [id(button) for wish in every(main, **{"data-wish": ""}) for button in every(wish, "button")]
        for button in every(main, "button", **{"aria-pressed": "false"}):
            command_name = attributes(button).get("data-command")
            assert id(button) in kept or command_name in {None, "reaction_add"}, (address, name(button))
            pressed[command_name] += 1
    assert toggles <= set(pressed)


def test_query_count_is_independent_of_followed_performers(db, django_assert_num_queries):
    count = 12
    fan = UserFactory()
    for _ in range(count):
        follow(fan, AppearanceFactory().participant_id)
    viewer = viewer_of(fan)
    with django_assert_num_queries(3):
        loaded("/following", viewer)


async def test_private_calendar_changes_on_all_open_pages(fan):
    async with open_page("/following", user=fan) as page, open_page("/following", user=fan) as second:
        await page.press("Private calendar")
        for screen in (page, second):
            await screen.until("New address")
        first = await in_thread(lambda: calendar_secret(user_id=fan.pk))
        assert f"{settings.PUBLIC_URL}/calendars/{first}.ics" in second.text
        assert (await command(page, "calendar_key_renew"))["text"].startswith("Your private calendar has a new address")
        for screen in (page, second):
            await screen.until_gone(first)
        renewed = await in_thread(lambda: calendar_secret(user_id=fan.pk))
        assert f"{settings.PUBLIC_URL}/calendars/{renewed}.ics" in second.text
        assert (await command(page, "calendar_key_end"))["text"].startswith("Your private calendar has ended")
        for screen in (page, second):
            await screen.until_gone(renewed)


def test_private_calendar_has_both_links(db):
    fan = viewer_of(UserFactory())
    calendar_key_make(actor=fan)
    path = f"/calendars/{calendar_secret(user_id=fan.id)}.ics"
    links = {name(link): attributes(link)["href"] for link in every(opened("/following", fan).main, "a")}
    host = settings.PUBLIC_URL.partition("://")[2]
    assert links["Add to calendar"] == f"webcal://{host}{path}"
    assert links["Calendar file (.ics)"] == path
