"""A live session shows on every open page: in the navigation, in lists, and on the performer's page."""

from contextlib import AsyncExitStack

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.sessions import live_session
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.core.threads import in_thread
from components.parts import live as parts_live
from components.parts.live import live_mark
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, SessionFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
PAGES = "/ /participants /sessions /stages /news /community /contact /privacy /login /register".split()


def perform(appearance):
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)


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


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_live_session_costs_lists_no_more_queries_for_many_performers(count, django_assert_num_queries):
    busy_session_with(count)
    for address, queries in {"/sessions": 3, "/participants": 7}.items():
        with django_assert_num_queries(queries):
            loaded(address)
