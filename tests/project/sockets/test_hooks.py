"""Each hook that reactpy-django documents works in this site's pages, or is refused and names its replacement."""

import re

import pytest
from django.conf import settings
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
from tests.factories import UserFactory
from tests.offenders import check_each
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
    return html.p(f"[{scope['type']} {user.username or 'anonymous'} {location.path} {location.query_string}]", link)


@component
def asking_page(page: Page) -> Markup:
    return html.main(html.h1(page.title), asking())


def route(pattern: str) -> Route:
    """Return a route with `asking_page` at this address."""

    def load(_: PageRequest) -> Page:
        return Page(title=f"Page {pattern}", description="A test.", component=asking_page)

    return Route(pattern, load)


@pytest.mark.django_db(transaction=True)
async def test_viewer_and_location_are_known_in_html_and_on_the_socket(table: Table) -> None:
    table(route("/"), route("/list"))
    user = await in_thread(lambda: UserFactory(username="Halina"))
    async with open_page("/?from=mail") as anonymous, open_page("/", user=user) as member:
        assert "[http anonymous / ?from=mail]" in anonymous.html
        await anonymous.until("[websocket anonymous / ?from=mail]")
        assert "[http Halina / ]" in member.html
        await member.follow("More")
        await member.until("[websocket Halina /list ?page=2]")
        await member.go("/list?page=3")
        await member.until("[websocket Halina /list ?page=3]")


def test_refused_hook_names_its_replacement() -> None:
    for name, replacement in REFUSED.items():
        with pytest.raises(HookRefused, match=rf"^{name} .*{re.escape(replacement)}"):
            getattr(hooks, name)(lambda: 1)


@component
def counting_people(page: Page) -> Markup:
    """The result of a query, and a button with a mutation that changes it."""
    query = use_query(people, {"beginning": "Ha"}, postprocessor=None)
    mutation = use_mutation(person_add, refetch=people)
    text = "reading" if query.loading else f"failed {query.error}" if query.error else ", ".join(query.data or ())
    add = html.button({"onClick": lambda _event: mutation("Hanna")}, "Add")
    return html.main(html.h1(page.title), html.p(f"[{text}]"), add)


def people(beginning: str) -> list[str]:
    return [each.username for each in User.objects.filter(username__startswith=beginning).order_by("username")]


def person_add(name: str) -> None:
    UserFactory(username=name)


@pytest.mark.django_db(transaction=True)
async def test_mutation_repeats_a_query(table: Table) -> None:
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


def test_all_hooks_of_upstream_work_or_are_refused() -> None:
    offered = {name for name in hooks.__all__ if name.startswith("use_")} - OWN
    assert offered == {
        name
        for name, value in vars(documented).items()
        if name.startswith("use_") and getattr(value, "__module__", "") == documented.__name__
    }
    assert {name for name in offered if getattr(hooks, name) is not getattr(documented, name)} == REFUSED.keys()


def test_decision_record_lists_each_hook() -> None:
    table = (settings.ROOT / "docs" / "adr" / "0002-reactpy-beneath.md").read_text()
    rows = [line.split("|") for line in table.partition("**reactpy-django: hooks**")[2].splitlines() if "|" in line]

    def check(name: str) -> None:
        states = ["refused" in row[2] for row in rows if row[0] == "" and f"`{name}`" in row[1]]
        assert states == [name in REFUSED]

    check_each({*hooks.__all__[1:]} - OWN, check)
