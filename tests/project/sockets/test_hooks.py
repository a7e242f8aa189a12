"""The hooks that reactpy-django documents: right inside our pages, or refused with a sentence that says what to use."""

import pytest
from reactpy_django import hooks as documented

from apps.accounts.actors import Viewer
from apps.core.threads import in_thread
from components.hooks import upstream
from components.hooks.connection import use_viewer
from components.hooks.upstream import HookRefused, use_connection, use_location, use_scope, use_user
from components.markup import Markup, component, html
from components.page import Page
from components.routes import Route
from tests.components.rendering.mounting import mounted
from tests.factories import UserFactory
from tests.project.conftest import Table
from tests.screen import open_page

REFUSED = {
    "use_query": "use_live_query (components/hooks/live_query.py)",
    "use_mutation": "a command (docs/howto/add-a-command.md)",
    "use_channel_layer": "publish a topic",
}


@component
def asking() -> Markup:
    """A component inside a page that says what its hooks say."""
    connection, scope, location, user = use_connection(), use_scope(), use_location(), use_user()
    assert user is connection.carrier.viewer
    assert user == use_viewer()
    assert scope["user"] is user
    assert connection.location == location
    link = html.a({"href": "/list?page=2"}, "More")
    return html.p(f"[{scope['type']} {user.username or 'nobody'} {location.path} {location.query_string}]", link)


@component
def asking_page(page: Page) -> Markup:
    """A page around it."""
    return html.main(html.h1(page.title), asking())


def route(pattern: str) -> Route:
    """Such a page at this address."""

    def load(viewer: Viewer, *_: object) -> Page:
        return Page(title=f"Page {pattern}", description="A test.", component=asking_page)

    return Route(pattern, load)


@pytest.mark.django_db(transaction=True)
async def test_who_looks_and_where_are_known_in_the_first_html_on_the_socket_and_after_a_navigation(
    table: Table,
) -> None:
    table(route("/"), route("/list"))
    user = await in_thread(lambda: UserFactory(username="Halina"))
    async with open_page("/?from=mail") as stranger, open_page("/", user=user) as member:
        assert "[http nobody / ?from=mail]" in stranger.html
        await stranger.until("[websocket nobody / ?from=mail]")
        assert "[http Halina / ]" in member.html
        await member.follow("More")
        await member.until("[websocket Halina /list ?page=2]")
        await member.go("/list?page=3")
        await member.until("[websocket Halina /list ?page=3]")


@pytest.mark.parametrize("name", REFUSED)
def test_a_hook_that_is_refused_says_what_stands_for_it(name: str) -> None:
    with pytest.raises(HookRefused) as refused:
        getattr(upstream, name)(lambda: 1)
    assert str(refused.value).startswith(f"{name} ")
    assert REFUSED[name] in str(refused.value)


async def test_a_hook_that_waits_is_refused_even_if_it_is_taken_from_upstream(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @component
    def page() -> Markup:
        documented.use_query(len, {"obj": "text"})
        return html.p("never shown as read")

    async with mounted(page()) as shown:
        assert shown.failures == 1
    [failure] = [each for each in caplog.records if each.message == "a render failed"]
    assert "use_live_query (components/hooks/live_query.py)" in str(failure.exc_info)


def test_every_hook_of_the_door_is_one_that_upstream_documents() -> None:
    offered = {name for name in upstream.__all__ if name.startswith("use_")}
    assert all(hasattr(documented, name) for name in offered)
    assert offered == REFUSED.keys() | {"use_connection", "use_location", "use_scope", "use_user"}
