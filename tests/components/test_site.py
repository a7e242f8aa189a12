"""The frame around every page: a navigation changes the page, the title and the menu, and keeps the rest."""

from typing import Any

import pytest

from apps.accounts.actors import ANONYMOUS
from apps.core.threads import in_thread
from components.routes import Target, find
from components.runtime.rendering.document import full_title
from tests.factories import AdminFactory, UserFactory
from tests.reading import walk
from tests.screen import Screen, open_page

pytestmark = pytest.mark.django_db(transaction=True)


def navigation(screen: Screen) -> dict[str, Any]:
    """Return the attributes of the page's navigation element: path, title, number."""
    [node] = [node for node in walk(screen.model) if node["tagName"] == "page-navigation"]
    return dict(node["attributes"])


def current(screen: Screen) -> set[str]:
    """Return the addresses of the links that are marked as the current page."""
    return {
        node["attributes"]["href"]
        for node in walk(screen.model)
        if node.get("attributes", {}).get("aria-current") == "page"
    }


def keys(screen: Screen) -> set[str]:
    """Return the keys of the page's elements."""
    return {node["attributes"]["key"] for node in walk(screen.model) if "key" in node.get("attributes", {})}


async def test_navigation_changes_page_address_title_and_current_link() -> None:
    """The key of the page changes, so React replaces the page and keeps the frame."""
    async with open_page("/") as screen:
        assert "page:/" in keys(screen)
        assert (navigation(screen)["path"], current(screen)) == ("/", {"/"})
        await screen.follow("Sessions")
        assert (navigation(screen)["path"], current(screen)) == ("/sessions", {"/sessions"})
        target = find("/sessions", ANONYMOUS)
        assert isinstance(target, Target)
        page = await in_thread(lambda: target.load(ANONYMOUS, "en"))
        assert navigation(screen)["title"] == full_title(page)
        assert "page:/sessions" in keys(screen)
        assert "page:/" not in keys(screen)


async def test_pages_name_their_own_style_sheets() -> None:
    admin = await in_thread(AdminFactory)
    async with open_page("/", user=admin) as screen:
        [address] = navigation(screen)["styles"]
        assert address.endswith("home.css")
        await screen.go("/admin/stages")
        [address] = navigation(screen)["styles"]
        assert address.endswith("backstage.css")
        await screen.go("/contact")
        assert "styles" not in navigation(screen)


async def test_navigations_are_answered_with_their_number() -> None:
    async with open_page("/") as screen:
        for number, path in enumerate(("/news", "/contact", "/contact", "/"), start=1):
            await screen.go(path)
            assert (navigation(screen)["number"], navigation(screen)["path"]) == (number, path)
            assert "leave" not in navigation(screen)


async def test_plain_page_is_loaded_without_a_socket() -> None:
    async with open_page("/") as screen:
        frames = screen.frames
        await screen.follow("Log in")
        assert screen.path == "/login"
        assert screen.frames is frames, "no socket was opened for it"
        assert "leave" in str(frames[-1]["model"])


async def test_masthead_follows_the_viewer() -> None:
    fan = await in_thread(UserFactory)
    async with open_page("/") as anonymous, open_page("/", user=fan) as member:
        assert anonymous.link("Log in")
        assert not anonymous.button("Sign out")
        assert member.button("Sign out")
        assert not member.link("Log in")
        assert not member.link("Admin")
