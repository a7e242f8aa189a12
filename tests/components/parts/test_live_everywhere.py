"""A live session shows on every open page: navigation, lists, the performer's page, the administrators' cue bar."""

from contextlib import AsyncExitStack

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Session
from apps.competition.selectors.public.sessions import live_session
from apps.competition.services.live import performer_clear, performer_next, performer_set, session_end, session_set_live
from apps.core.threads import in_thread
from components.parts import live as parts_live
from components.parts.live import cue_bar, live_mark
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, opened, read_part, text
from tests.factories import AdminFactory, SessionFactory, UserFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
PAGES = "/ /participants /sessions /stages /news /community /contact /privacy /login /register".split()


def perform(appearance):
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)


def has_badge(screen):
    """Return whether the navigation bar shows the live badge."""
    return "hidden" not in attributes(one(screen.tree, look="nav__live"))


@pytest.mark.django_db
def test_navigation_of_every_page_has_the_live_badge(django_assert_num_queries):
    session = SessionFactory()
    assert attributes(one(opened("/news").model, look="nav__live"))["hidden"] is True
    with django_assert_num_queries(1):
        live_mark.markup(language="en")
    session_set_live(actor=OPERATOR, session_id=session.pk)
    badges = {address: one(opened(address).model, look="nav__live") for address in PAGES}
    texts = {address: (text(badge), attributes(badge)) for address, badge in badges.items()}
    assert texts == {address: ("Live", {"class": "nav__live"}) for address in PAGES}


@live
async def test_live_badge_reaches_every_screen_with_one_read(monkeypatch):
    session = await in_thread(SessionFactory)
    admin = await in_thread(AdminFactory)
    async with open_page("/contact") as anonymous, open_page("/admin/blog", user=admin) as backstage:
        assert not has_badge(anonymous)
        reads = []
        monkeypatch.setattr(parts_live, "live_session", lambda: [reads.append(1), live_session()][1])
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.pk))
        for screen in (anonymous, backstage):
            await screen.until("Sessions Live")
        assert len(reads) == 1, "one for both"
        async with open_page("/news") as later:
            assert has_badge(later), "the page cache is current"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=session.pk))
        for screen in (anonymous, backstage):
            await screen.until_gone("Sessions Live")
        async with open_page("/news") as later:
            assert not has_badge(later)


@live
async def test_live_session_is_first_on_every_tab_with_its_performer():
    busy_session = await in_thread(lambda: busy_session_with(2))
    async with AsyncExitStack() as stack:
        addresses = ("/sessions", "/sessions?show=past", "/sessions?show=all", "/sessions")
        screens = [await stack.enter_async_context(open_page(address)) for address in addresses]
        for screen in screens:
            assert "Nobody is on stage." in screen.text
        await in_thread(lambda: perform(busy_session.appearances[1]))
        for screen in screens:
            await screen.until("Now Performing Zofia Wróblewska-Łęcka")
            assert text(every(screen.tree, "h2")[0]) == "Stage I, evening session"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=busy_session.session.pk))
        for screen in screens:
            await screen.until_gone("Now Performing")


@live
async def test_performer_is_marked_on_their_page_and_in_the_list():
    busy_session = await in_thread(lambda: busy_session_with(2))
    first, second = busy_session.appearances
    async with (
        open_page(f"/participants/{first.participant_id}") as own,
        open_page(f"/participants/{second.participant_id}") as others,
        open_page("/participants") as all_participants,
    ):
        await in_thread(lambda: perform(first))
        await own.until("On stage now Watch")
        await all_participants.until("On stage")
        assert "On stage now" not in others.text
        await in_thread(lambda: perform(second))
        await others.until("On stage now Watch")
        await own.until_gone("On stage now")
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=busy_session.session.pk))
        for screen in (others, all_participants):
            await screen.until_gone("On stage")


ADMINISTRATION = "/admin /admin?tab=audit /admin/blog /admin/pieces /admin/stages /admin/programs /admin/import".split()


def bar():
    return read_part(cue_bar)


@pytest.mark.django_db
def test_bar_names_the_next_performer_until_the_end(django_assert_num_queries):
    busy_session = busy_session_with(2)
    session, (first, second) = busy_session.session.pk, busy_session.appearances
    Appearance.objects.update(is_performing=False)
    with django_assert_num_queries(2):
        before = bar()
    assert "Interval" in text(before)
    button = one(before, "button")
    assert text(button) == f"Begin with 1 {first.participant.name}"
    assert attributes(button)["data-argument"] == str(session)
    assert (attributes(button)["data-live-only"], attributes(button)["data-away"]) == ("", "No connection")
    performer_next(actor=OPERATOR, session_id=session, after=None)
    button = one(bar(), "button")
    assert text(button) == f"Next 2 {second.participant.name}"
    assert attributes(button)["data-argument"] == f"{session}:{first.pk}"
    performer_next(actor=OPERATOR, session_id=session, after=first.pk)
    button = one(bar(), "button")
    assert (text(button), attributes(button)["data-command"]) == (
        "The last performance End Live Session",
        "session_end",
    )
    Session.objects.update(is_live=False)
    assert attributes(bar()) == {"class": "cuebar", "hidden": True}


@pytest.mark.django_db(transaction=True)
async def test_bar_is_on_every_administration_page_and_follows_a_press():
    busy_session = await in_thread(lambda: busy_session_with(3))
    await in_thread(lambda: Appearance.objects.update(is_performing=False))
    names = [appearance.participant.name for appearance in busy_session.appearances]
    user, fan = await in_thread(AdminFactory), await in_thread(UserFactory)
    async with open_page("/admin/pieces", user=user) as phone:
        for page in ADMINISTRATION:
            await phone.go(page)
            assert f"Begin with 1 {names[0]}" in phone.text, page
        async with open_page("/admin/blog", user=user) as desk:
            answer = await command(phone, "performer_next", busy_session.session.pk)
            assert (answer["ok"], answer["undo"][0]) == (True, "live_restore")
            for screen in (phone, desk):
                await screen.until(f"Next 2 {names[1]}")
            assert (await command(desk, *answer["undo"]))["ok"]
            await phone.until(f"Begin with 1 {names[0]}")
    async with open_page("/", user=fan) as outside:
        assert not every(outside.tree, "aside", "cuebar")
        assert not (await command(outside, "performer_next", busy_session.session.pk))["ok"]
