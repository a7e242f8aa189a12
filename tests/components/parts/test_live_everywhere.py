"""A live session shows on every open page: in the navigation, in lists, and on the performer's page."""

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
PAGES = ("/", "/participants", "/sessions", "/stages", "/news", "/community", "/contact", "/privacy")


def on_stage(appearance):
    return lambda: performer_set(actor=OPERATOR, session_participant_id=appearance.pk)


def mark(screen):
    """Return whether the navigation bar shows the live badge."""
    [node] = every(screen.tree, look="nav__live")
    return "hidden" not in attributes(node)


@pytest.mark.django_db
@pytest.mark.parametrize("address", [*PAGES, "/login", "/register"])
def test_the_bar_of_every_page_says_that_a_session_is_live(address, busy_session):
    [said] = every(opened(address).model, look="nav__live")
    assert (text(said), attributes(said)) == ("Live", {"class": "nav__live"})


@pytest.mark.django_db
def test_nothing_is_live(django_assert_num_queries):
    SessionFactory()
    assert attributes(one(opened("/news").model, look="nav__live"))["hidden"] is True
    with django_assert_num_queries(1):
        live_mark.markup(language="en")


@live
async def test_a_session_goes_live_and_ends_on_every_screen(monkeypatch):
    session = await in_thread(SessionFactory)
    admin = await in_thread(AdminFactory)
    async with open_page("/contact") as stranger, open_page("/admin/blog", user=admin) as backstage:
        assert not mark(stranger)
        reads = []
        monkeypatch.setattr(parts_live, "live_session", lambda: [reads.append(1), live_session()][1])
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=session.pk))
        for screen in (stranger, backstage):
            await screen.until("Sessions Live")
        assert len(reads) == 1, "one for both"
        async with open_page("/news") as later:
            assert mark(later), "what strangers get from the page cache is as true"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=session.pk))
        for screen in (stranger, backstage):
            await screen.until_gone("Sessions Live")
        async with open_page("/news") as later:
            assert not mark(later)


@live
@pytest.mark.parametrize("show", ["", "?show=past", "?show=all"])
async def test_the_live_session_stands_first_on_every_tab_with_who_is_on_stage(show):
    busy_session = await in_thread(lambda: busy_session_with(2))
    async with open_page(f"/sessions{show}") as one_window, open_page("/sessions") as other:
        for screen in (one_window, other):
            assert "Nobody is on stage." in screen.text
        await in_thread(on_stage(busy_session.appearances[1]))
        for screen in (one_window, other):
            await screen.until("Now Performing Zofia Wróblewska-Łęcka")
            assert next(text(h) for h in every(screen.tree, "h2")) == "Stage I, evening session"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=busy_session.session.pk))
        for screen in (one_window, other):
            await screen.until_gone("Now Performing")


@live
async def test_whoever_comes_on_stage_is_marked_on_the_own_page_and_in_the_list():
    busy_session = await in_thread(lambda: busy_session_with(2))
    first, second = busy_session.appearances
    async with (
        open_page(f"/participants/{first.participant_id}") as own,
        open_page(f"/participants/{second.participant_id}") as others,
        open_page("/participants") as everybody,
    ):
        await in_thread(on_stage(first))
        await own.until("On stage now Watch")
        await everybody.until("On stage")
        assert "On stage now" not in others.text
        await in_thread(on_stage(second))
        await others.until("On stage now Watch")
        await own.until_gone("On stage now")
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=busy_session.session.pk))
        for screen in (others, everybody):
            await screen.until_gone("On stage")


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_what_is_live_costs_a_list_no_more_for_many(count, django_assert_num_queries):
    busy_session_with(count)
    for address, queries in {"/sessions": 3, "/participants": 7}.items():
        with django_assert_num_queries(queries):
            loaded(address)
