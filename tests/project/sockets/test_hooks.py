"""Every hook that reactpy-django documents works in this site's pages, or is refused with its replacement named."""

from contextlib import suppress

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from reactpy_django import hooks as documented

from apps.accounts.models import User
from apps.core.threads import in_thread
from components.routes import Route
from components.runtime import hooks
from components.runtime.hooks import (
    HookRefused,
    use_connection,
    use_location,
    use_mutation,
    use_query,
    use_scope,
    use_user,
    use_viewer,
)
from components.runtime.markup import Markup, component, html
from components.runtime.page import Page, PageRequest
from tests.components.runtime.rendering.mounting import mounted, settled, target
from tests.factories import UserFactory
from tests.owner import as_owner
from tests.project.conftest import Table
from tests.screen import open_page

OWN = {"use_live_query", "use_viewer"}  # this site's own hooks
REFUSED = {
    "use_auth": "allauth's pages",
    "use_channel_layer": "publish a topic",
    "use_origin": "settings.PUBLIC_URL",
    "use_rerender": "publish a topic",
    "use_root_id": "the component's own",
    "use_user_data": "a model of its app",
}


@component
def asking() -> Markup:
    """Render what the hooks return."""
    now, scope, location, user = use_connection(), use_scope(), use_location(), use_user()
    assert user is now.carrier.viewer
    assert user == use_viewer()
    assert scope["user"] is user
    assert now.location == location
    link = html.a({"href": "/list?page=2"}, "More")
    return html.p(f"[{scope['type']} {user.username or 'nobody'} {location.path} {location.query_string}]", link)


@component
def asking_page(page: Page) -> Markup:
    """A page with `asking`."""
    return html.main(html.h1(page.title), asking())


def route(pattern: str) -> Route:
    """Return a route with `asking_page` at this address."""

    def load(_: PageRequest) -> Page:
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
        getattr(hooks, name)(lambda: 1)
    assert str(refused.value).startswith(f"{name} ")
    assert REFUSED[name] in str(refused.value)


@component
def counting_people(page: Page) -> Markup:
    """The result of a query, and a button whose mutation changes it."""
    query = use_query(people, {"beginning": "Ha"}, postprocessor=None)
    mutation = use_mutation(person_add, refetch=people)
    said = "reading" if query.loading else f"failed {query.error}" if query.error else ", ".join(query.data or ())
    add = html.button({"onClick": lambda _event: mutation("Hanna")}, "Add")
    return html.main(html.h1(page.title), html.p(f"[{said}]"), add)


def people(beginning: str) -> list[str]:
    """Return the usernames with this beginning."""
    return [each.username for each in User.objects.filter(username__startswith=beginning).order_by("username")]


def person_add(name: str) -> None:
    """Add a user."""
    UserFactory(username=name)


@pytest.mark.django_db(transaction=True)
async def test_a_query_is_read_and_a_mutation_has_it_read_again(table: Table) -> None:
    def load(_: PageRequest) -> Page:
        return Page(title="People", description="A test.", component=counting_people)

    table(Route("/", load))
    user = await in_thread(lambda: UserFactory(username="Halina"))
    # Signed in, for a layout of its own: upstream loses a refetch that runs beside a read.
    async with open_page("/", user=user) as screen:
        assert "[reading]" in screen.html
        await screen.until("[Halina]")
        await screen.press("Add")
        await screen.until("[Halina, Hanna]")


@pytest.mark.django_db(transaction=True)
async def test_a_query_leaves_no_connection_behind_and_survives_a_lost_one() -> None:
    """Queries run in one thread of the process; no other code would return that thread's connection."""

    @component
    def page() -> Markup:
        query = use_query(backend, postprocessor=None)
        return html.p(str(query.data), html.button({"onClick": lambda _event: query.refetch()}))

    seen: list[int] = []

    def backend() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        seen.append(pid)
        return len(seen)

    async with mounted(page()) as shown:
        await settled(lambda: "'1'" in str(shown.updates[-1]))
        await in_thread(lambda: terminate(seen[0]))
        await shown.event(target(shown.updates[-1]["model"], "button"), {})
        await settled(lambda: "'2'" in str(shown.updates[-1]))


def terminate(pid: int) -> None:
    """Terminate this PostgreSQL backend, as a restart would. It may be the backend of this connection."""
    with suppress(OperationalError), as_owner() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])


def test_every_hook_that_upstream_documents_works_or_is_refused_with_a_sentence() -> None:
    offered = {name for name in hooks.__all__ if name.startswith("use_")} - OWN
    assert offered == {
        name
        for name, value in vars(documented).items()
        if name.startswith("use_") and getattr(value, "__module__", "") == documented.__name__
    }
    assert {name for name in offered if getattr(hooks, name) is not getattr(documented, name)} == REFUSED.keys()


@pytest.mark.parametrize("name", sorted({*hooks.__all__[1:]} - OWN))
def test_the_table_of_the_decision_has_every_hook(name: str) -> None:
    table = (settings.ROOT / "docs" / "adr" / "0002-reactpy-beneath.md").read_text()
    rows = table.partition("**reactpy-django: hooks**")[2].splitlines()
    [row] = [line for line in rows if line.startswith("|") and f"`{name}`" in line.split("|")[1]]
    assert ("refused" in row.split("|")[2]) is (name in REFUSED)
