"""The table of routes: the page or redirect of each address for each kind of viewer, menus, and access."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.limits import ADDRESS_LENGTH
from components.routes import Access, Menu, Route, Target, address, closed_paths, find, menu, table
from components.runtime.page import Page, PageInvalid, PageRequest, Redirect

FAN, ADMIN = Viewer(1, "fan"), Viewer(2, "admin", is_admin=True)
# Access and menus: of the specification's table and layout, and of pages added since.
OPEN = ("/", "/participants", "/participants/{id}", "/sessions", "/sessions/{id}", "/news", "/news/{id}", "/community")
OPEN += ("/schedule", "/contact", "/privacy", "/stages", "/stages/{id}", "/stages/method", "/pieces", "/pieces/{id}")
HIDDEN = ("/search", "/pieces/{id}/compare")  # from search engines
LEADING = ("/ranking",)  # to another page
SIGNING_IN = ("/login", "/register", "/forgot-password", "/reset-password", "/auth/callback")
SIGNING_IN += ("/verify-email", "/reauthenticate", "/two-factor")
OWN = ("/following", "/profile", "/profile/two-factor", "/profile/passkeys", "/community/report")
ADMINS = ("/admin", "/admin/blog", "/admin/programs", "/admin/program-import", "/admin/import", "/admin/participants")
ADMINS += ("/admin/sessions", "/admin/pieces", "/admin/stages", "/admin/people")
ADMINS += ("/admin/jury", "/admin/prepare", "/admin/tonight", "/admin/records", "/admin/contact")
MENUS = {
    Menu.MAIN: {"/": "Home", "/participants": "Participants", "/sessions": "Sessions", "/ranking": "Ranking",
        "/community": "Community"},
    Menu.SIGN_IN: {"/login": "Log in", "/register": "Register"},
    Menu.ACCOUNT: {"/following": "Following", "/profile": "Profile"},
    Menu.FOOTER: {
        "/participants": "Participants", "/sessions": "Sessions", "/pieces": "Pieces", "/schedule": "Schedule",
        "/ranking": "Ranking", "/news": "News",
        "/community": "Community", "/contact": "Contact", "/privacy": "Privacy",
    },
}  # fmt: skip
PATHS = [route.pattern.replace("{id}", "7") for route in table()]


SPECIFIED = dict.fromkeys(OPEN + HIDDEN + LEADING + SIGNING_IN, Access.PUBLIC) | dict.fromkeys(OWN, Access.SIGNED_IN)
SPECIFIED |= dict.fromkeys(ADMINS, Access.ADMIN)
ADDED = tuple(route for route in table() if route.pattern not in SPECIFIED)  # by apps that were added later
FOLDERS = {"public": Access.PUBLIC, "account": Access.SIGNED_IN, "admin": Access.ADMIN}  # of components/pages
OTHER_FOLDERS = {*SIGNING_IN, "/community/report"}


def test_the_table_has_every_page_of_the_specification() -> None:
    access = {route.pattern: route.access for route in table()}
    assert {pattern: access.get(pattern) for pattern in SPECIFIED} == SPECIFIED
    plain = {route.pattern for route in table() if route.plain}
    assert {route.pattern for route in table() if route.redirects} == set(LEADING)
    assert plain == {*SIGNING_IN, "/profile/two-factor", "/profile/passkeys"}


def test_every_page_is_in_the_folder_of_those_who_may_see_it() -> None:
    routes = [route for route in table() if not route.only_with]
    folders = {route.pattern: FOLDERS[route.load.__module__.split(".")[2]] for route in routes}
    wrong = {route.pattern for route in routes if route.access is not folders[route.pattern]}
    assert wrong == OTHER_FOLDERS


@pytest.mark.parametrize("wanted", Menu)
def test_menus_follow_from_the_table(wanted: Menu) -> None:
    for is_admin in (False, True):
        links = dict(menu(wanted, is_admin=is_admin, language="en"))
        expected = MENUS[wanted] | ({"/admin": "Admin"} if wanted is Menu.MAIN else {})
        specified = [(to, words) for to, words in links.items() if to in SPECIFIED]
        assert specified == [(to, words) for to, words in expected.items() if is_admin or to not in ADMINS]
        of_admins = {route.pattern for route in ADDED if route.access is Access.ADMIN}
        assert is_admin or links.keys() & of_admins == set()


def test_search_engines_are_shown_what_is_open_and_has_no_form() -> None:
    shown = {*OPEN, *(route.pattern for route in ADDED if route.access is Access.PUBLIC and not route.plain)}
    assert {route.pattern for route in table() if route.is_indexed} == shown
    assert {route.pattern for route in table() if route.ids} == {path for path in shown if "{id}" in path}
    added = {route.pattern for route in ADDED if route.access is not Access.PUBLIC}
    assert set(closed_paths()) - added == {
        "/admin",
        "/community/report",
        "/following",
        "/profile",
        "/search",
        "/pieces/*/compare",
    }
    below = tuple(f"{path}/" for path in closed_paths())
    assert {path for path in added if path not in closed_paths() and not path.startswith(below)} == set()


@pytest.mark.parametrize(("own", "title"), [("", "News"), ("Own", "Own")])
def test_a_page_without_a_title_of_its_own_has_the_tables(own: str, title: str) -> None:
    def load(_: PageRequest) -> Page:
        return Page("A test.", lambda _: None, title=own)  # type: ignore[arg-type, return-value]

    page = Target(Route("/news", load, name=lambda t: t("News")), {}, {}, "/news", "/news").load(FAN, "en")
    assert page.title == title


@pytest.mark.parametrize("path", PATHS)
def test_each_page_is_found_by_its_own_address_and_by_no_other(path: str) -> None:
    found = find(path, ADMIN)
    assert isinstance(found, Target)
    assert (found.address, found.path) == (path, path)
    assert [route for route in table() if route.match(path) is not None and not route.only_with] == [found.route]


CLOSED = [
    route.pattern.replace("{id}", "7") for route in table() if route.access is not Access.PUBLIC and not route.only_with
]


@pytest.mark.parametrize("path", CLOSED)
def test_closed_pages_are_closed(path: str) -> None:
    assert isinstance(find(path, ANONYMOUS), Redirect)
    assert find(path, ANONYMOUS) == Redirect(f"/login?next={path.replace('/', '%2F')}")
    if path.startswith("/admin"):
        assert find(path, FAN) == Redirect("/")


def test_every_administrators_address_is_closed() -> None:
    for route in table():
        assert (route.access is Access.ADMIN) == (route.pattern.startswith("/admin") or bool(route.only_with))


def test_a_preview_is_found_by_administrators_only() -> None:
    found = {viewer: find("/news/7?preview=1", viewer) for viewer in (ANONYMOUS, FAN, ADMIN)}
    assert [target.route.only_with for target in found.values() if isinstance(target, Target)] == ["", "", "preview"]
    other = find("/news/7?preview=2", ADMIN)
    assert isinstance(other, Target)
    assert other.route.access is Access.PUBLIC


def test_public_pages_never_learn_who_looks() -> None:
    seen: list[Any] = []

    def load(request: PageRequest) -> Page:
        seen.append(request.viewer)
        return Page("A test.", lambda _: None)  # type: ignore[arg-type, return-value]

    Target(Route("/profile", load, Access.SIGNED_IN), {}, {}, "/profile", "/profile").load(FAN, "en")
    assert seen == [FAN]
    with pytest.raises(PageInvalid, match=r"the page /news: viewers share the page .* cannot read the viewer"):
        Target(Route("/news", load), {}, {}, "/news", "/news").load(FAN, "en")
    assert seen == [FAN]


def test_every_page_is_loaded_the_same_way() -> None:
    for route in table():
        assert list(inspect.signature(route.load).parameters) == ["request"], route.pattern


@given(text=st.text(), viewer=st.sampled_from([ANONYMOUS, FAN, ADMIN]))
def test_any_text_leads_to_a_page_or_to_a_appearance_of_ours(text: str, viewer: Viewer) -> None:
    for asked in (text, "/" + text, f"/sessions/{text}", f"/sessions?{text}", f"//{text}"):
        found = find(asked, viewer)
        if isinstance(found, Redirect):
            assert found.to.startswith("/")
            assert not found.to.startswith(("//", "/\\"))
        else:
            assert found.path in asked[:ADDRESS_LENGTH] or found.path == "/"
            assert all("\0" not in value for value in found.query.values())


def test_an_address_holds_the_fields_that_hold_something() -> None:
    found = address("/participants", query="Łęcka & Kos", country="")
    assert found == "/participants?query=%C5%81%C4%99cka+%26+Kos"
    assert address("/sessions", when="") == "/sessions"
    target = find(address("/participants", query="a=b&c?d#e"), ANONYMOUS)
    assert isinstance(target, Target)
    assert target.query == {"query": "a=b&c?d#e"}
