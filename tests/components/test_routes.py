"""The table of pages: where an address leads whom."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import STRANGER, Viewer
from components.page import Redirect
from components.routes import ADDRESS_LIMIT, Access, Target, address, find, table

FAN, ADMIN = Viewer(1, "fan"), Viewer(2, "admin", is_admin=True)
PATHS = [route.pattern.replace("{id}", "7") for route in table()]


@pytest.mark.parametrize("path", PATHS)
def test_each_page_is_found_by_its_own_address_and_by_no_other(path: str) -> None:
    found = find(path, ADMIN)
    assert isinstance(found, Target)
    assert (found.address, found.path) == (path, path)
    assert [route for route in table() if route.match(path) is not None] == [found.route]


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith(("/admin", "/profile"))])
def test_closed_pages_are_closed(path: str) -> None:
    assert isinstance(find(path, STRANGER), Redirect)
    assert find(path, STRANGER) == Redirect(f"/login?next={path.replace('/', '%2F')}")
    if path.startswith("/admin"):
        assert find(path, FAN) == Redirect("/")


def test_every_administrators_address_is_closed() -> None:
    for route in table():
        assert (route.access is Access.ADMIN) == route.pattern.startswith("/admin")


def test_public_pages_never_learn_who_looks() -> None:
    seen: list[Any] = []

    def load(viewer: Viewer, *_: Any) -> Any:
        seen.append(viewer)
        raise LookupError

    for path, expected in (("/", STRANGER), ("/profile", FAN)):
        found = find(path, FAN)
        assert isinstance(found, Target)
        route = type(found.route)(found.route.pattern, load, found.route.access)
        with pytest.raises(LookupError):
            Target(route, {}, {}, path, path).load(FAN, "en")
        assert seen.pop() is expected


def test_every_page_is_loaded_the_same_way() -> None:
    for route in table():
        names = list(inspect.signature(route.load).parameters)
        assert names == ["viewer", "params", "query", "language"], route.pattern


@given(text=st.text(), viewer=st.sampled_from([STRANGER, FAN, ADMIN]))
def test_any_text_leads_to_a_page_or_to_a_appearance_of_ours(text: str, viewer: Viewer) -> None:
    for asked in (text, "/" + text, f"/sessions/{text}", f"/sessions?{text}", f"//{text}"):
        found = find(asked, viewer)
        if isinstance(found, Redirect):
            assert found.to.startswith("/")
            assert not found.to.startswith(("//", "/\\"))
        else:
            assert found.path in asked[:ADDRESS_LIMIT] or found.path == "/"
            assert all("\0" not in value for value in found.query.values())


def test_an_address_holds_the_fields_that_hold_something() -> None:
    found = address("/participants", query="Łęcka & Kos", country="")
    assert found == "/participants?query=%C5%81%C4%99cka+%26+Kos"
    assert address("/sessions", when="") == "/sessions"
    target = find(address("/participants", query="a=b&c?d#e"), STRANGER)
    assert isinstance(target, Target)
    assert target.query == {"query": "a=b&c?d#e"}
