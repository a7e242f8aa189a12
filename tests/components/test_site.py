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


async def test_a_navigation_changes_address_title_and_the_mark_in_the_menu() -> None:
    async with open_page("/") as screen:
        assert (navigation(screen)["path"], current(screen)) == ("/", {"/"})
        await screen.follow("Sessions")
        assert (navigation(screen)["path"], current(screen)) == ("/sessions", {"/sessions"})
        target = find("/sessions", ANONYMOUS)
        assert isinstance(target, Target)
        page = await in_thread(lambda: target.load(ANONYMOUS, "en"))
        assert navigation(screen)["title"] == full_title(page)


async def test_a_page_names_the_style_sheets_that_only_some_pages_have() -> None:
    admin = await in_thread(AdminFactory)
    async with open_page("/", user=admin) as screen:
        [address] = navigation(screen)["styles"]
        assert address.endswith("home.css")
        await screen.go("/admin/stages")
        [address] = navigation(screen)["styles"]
        assert address.endswith("backstage.css")
        await screen.go("/contact")
        assert "styles" not in navigation(screen)


async def test_each_request_is_answered_by_its_number() -> None:
    async with open_page("/") as screen:
        for number, path in enumerate(("/news", "/contact", "/contact", "/"), start=1):
            await screen.go(path)
            assert (navigation(screen)["number"], navigation(screen)["path"]) == (number, path)
            assert "leave" not in navigation(screen)


async def test_a_page_of_forms_is_loaded_whole() -> None:
    async with open_page("/") as screen:
        frames = screen.frames
        await screen.follow("Log in")
        assert screen.path == "/login"
        assert screen.frames is frames, "no socket was opened for it"
        assert "leave" in str(frames[-1]["model"])


async def test_only_the_page_is_new_the_frame_stays() -> None:
    """The key of the page changes, so React replaces the page and keeps the frame."""
    async with open_page("/news") as screen:
        keys = {node["attributes"]["key"] for node in walk(screen.model) if "key" in node.get("attributes", {})}
        assert "page:/news" in keys
        await screen.go("/contact")
        keys = {node["attributes"]["key"] for node in walk(screen.model) if "key" in node.get("attributes", {})}
        assert "page:/contact" in keys
        assert "page:/news" not in keys


async def test_the_masthead_knows_who_looks() -> None:
    fan = await in_thread(UserFactory)
    async with open_page("/") as stranger, open_page("/", user=fan) as known:
        assert stranger.link("Log in")
        assert not stranger.button("Sign out")
        assert known.button("Sign out")
        assert not known.link("Log in")
        assert not known.link("Admin")
