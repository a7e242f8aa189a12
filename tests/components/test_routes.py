"""The table of routes: the page or redirect of each address for each kind of viewer, menus, and access."""

import inspect
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.limits import ADDRESS_LENGTH
from components.routes import Access, Menu, Route, Target, address, closed_paths, find, menu, table
from components.runtime.page import Page, PageInvalid, PageRequest, Redirect
from tests.offenders import check_each

FAN, ADMIN = Viewer(1, "fan"), Viewer(2, "admin", is_admin=True)
# Access and menus of the specification's table and layout, and of pages added since.
OPEN = ("/", "/participants", "/participants/{id}", "/sessions", "/sessions/{id}", "/news", "/news/{id}", "/community")
OPEN += ("/schedule", "/contact", "/privacy", "/stages", "/stages/{id}", "/stages/method", "/pieces", "/pieces/{id}")
HIDDEN = ("/search", "/pieces/{id}/compare")  # from search engines
LEADING = ("/ranking",)  # to another page
SIGNING_IN = ("/login", "/register", "/forgot-password", "/reset-password", "/auth/callback")
SIGNING_IN += ("/verify-email", "/reauthenticate", "/two-factor")
OWN = ("/following", "/profile", "/profile/two-factor", "/profile/passkeys", "/community/report")
ADMINS = ("/admin", "/admin/blog", "/admin/programs", "/admin/program-import", "/admin/import", "/admin/participants")
ADMINS += ("/admin/sessions", "/admin/pieces", "/admin/pianos", "/admin/stages", "/admin/stage-program")
ADMINS += ("/admin/people",)
ADMINS += ("/admin/jury", "/admin/prepare", "/admin/tonight", "/admin/records", "/admin/contact")
MENUS = {
    Menu.MAIN: {"/": "Home", "/participants": "Participants", "/sessions": "Sessions", "/ranking": "Ranking",
        "/community": "Community"},
    Menu.PHONE: {"/pieces": "Pieces", "/schedule": "Schedule", "/news": "News"},
    Menu.SIGN_IN: {"/login": "Log in", "/register": "Register"},
    Menu.ACCOUNT: {"/following": "Following", "/profile": "Profile"},
    Menu.FOOTER: {
        "/participants": "Participants", "/sessions": "Sessions", "/pieces": "Pieces", "/schedule": "Schedule",
        "/ranking": "Ranking", "/news": "News",
        "/community": "Community", "/contact": "Contact", "/privacy": "Privacy",
    },
}  # fmt: skip
PATHS = {route.pattern: route.pattern.replace("{id}", "7") for route in table()}
SPECIFIED = dict.fromkeys(OPEN + HIDDEN + LEADING + SIGNING_IN, Access.PUBLIC) | dict.fromkeys(OWN, Access.SIGNED_IN)
SPECIFIED |= dict.fromkeys(ADMINS, Access.ADMIN)
ADDED = tuple(route for route in table() if route.pattern not in SPECIFIED)  # by apps that were added later
FOLDERS = {"public": Access.PUBLIC, "account": Access.SIGNED_IN, "admin": Access.ADMIN}  # of components/pages
OTHER_FOLDERS = {*SIGNING_IN, "/community/report"}


def test_pages_and_their_folders_are_those_of_the_specification() -> None:
    access = {route.pattern: route.access for route in table()}
    assert {pattern: access.get(pattern) for pattern in SPECIFIED} == SPECIFIED
    plain = {route.pattern for route in table() if route.plain}
    assert {route.pattern for route in table() if route.redirects} == set(LEADING)
    assert plain == {*SIGNING_IN, "/profile/two-factor", "/profile/passkeys"}
    routes = [route for route in table() if not route.only_with]
    folders = {route.pattern: FOLDERS[route.load.__module__.split(".")[2]] for route in routes}
    assert {route.pattern for route in routes if route.access is not folders[route.pattern]} == OTHER_FOLDERS
    for route in table():
        assert (route.access is Access.ADMIN) == (route.pattern.startswith("/admin") or bool(route.only_with))
    parameters = {route.pattern: list(inspect.signature(route.load).parameters) for route in table()}
    assert {pattern for pattern, names in parameters.items() if names != ["request"]} == set()


def test_menus_follow_from_the_table() -> None:
    added_for_admins = {route.pattern for route in ADDED if route.access is Access.ADMIN}
    for kind, is_admin in product(Menu, (False, True)):
        links = dict(menu(kind, is_admin=is_admin, language="en"))
        expected = MENUS[kind] | ({"/admin": "Admin"} if kind is Menu.MAIN else {})
        specified = [(to, words) for to, words in links.items() if to in SPECIFIED]
        assert specified == [(to, words) for to, words in expected.items() if is_admin or to not in ADMINS], kind
        assert is_admin or links.keys() & added_for_admins == set(), kind


def test_search_engines_may_index_open_pages_without_forms() -> None:
    shown = {*OPEN, *(route.pattern for route in ADDED if route.access is Access.PUBLIC and not route.plain)}
    assert {route.pattern for route in table() if route.is_indexed} == shown
    with_id = {route.pattern for route in table() if "{id}" in route.pattern and not route.only_with}
    assert {route.pattern for route in table() if route.ids} == with_id
    added = {route.pattern for route in ADDED if route.access is not Access.PUBLIC}
    specified = {"/admin", "/community/report", "/following", "/profile", "/search", "/pieces/*/compare"}
    assert set(closed_paths()) - added == specified
    below = tuple(f"{path}/" for path in closed_paths())
    assert {path for path in added if path not in closed_paths() and not path.startswith(below)} == set()


def test_page_without_a_title_has_the_title_of_the_table() -> None:
    def title_of(own: str) -> str:
        page = Page("A test.", lambda _: None, title=own)  # type: ignore[arg-type, return-value]
        route = Route("/news", lambda _: page, name=lambda t: t("News"))
        return Target(route, {}, {}, "/news", "/news").load(FAN, "en").title

    assert (title_of(""), title_of("Own")) == ("News", "Own")


def test_pages_are_found_by_exactly_one_address() -> None:
    def is_unique(path: str) -> None:
        target = find(path, ADMIN)
        assert isinstance(target, Target)
        assert (target.address, target.path) == (path, path)
        assert [route for route in table() if route.match(path) is not None and not route.only_with] == [target.route]

    check_each(PATHS.values(), is_unique, at_least=len(SPECIFIED))


def test_unknown_path_in_an_unusual_spelling_leads_to_itself() -> None:
    """The page view looks for the page that it means (`tests/project/http/test_misspelled.py`)."""
    ends = (")", ".", ",", '"', "”).", "/)")
    unusual = [f"/sessions{end}" for end in ends] + ["/Sessions", "/PARTICIPANTS/7", "/participants//7", "/x%2E", "/)"]
    check_each(
        unusual,
        lambda path: find(f"{path}?q=A)", ANONYMOUS) == Redirect(f"{quote(path)}?q=A)", is_unknown=True),
        at_least=11,
    )
    for path in ("/nothing", "/sessions/07", "/sessions)x", "/participants/x7"):
        assert find(path, ANONYMOUS) == Redirect("/", is_unknown=True), path


def test_closed_pages_redirect_other_viewers() -> None:
    def is_closed(path: str) -> None:
        assert find(path, ANONYMOUS) == Redirect(f"/login?next={path.replace('/', '%2F')}")
        if path.startswith("/admin"):
            assert find(path, FAN) == Redirect("/")

    closed = [route for route in table() if route.access is not Access.PUBLIC and not route.only_with]
    check_each([PATHS[route.pattern] for route in closed], is_closed, at_least=len(OWN + ADMINS))


def test_preview_is_found_by_administrators_only() -> None:
    targets = [find("/news/7?preview=1", viewer) for viewer in (ANONYMOUS, FAN, ADMIN)]
    assert [target.route.only_with for target in targets if isinstance(target, Target)] == ["", "", "preview"]
    other = find("/news/7?preview=2", ADMIN)
    assert isinstance(other, Target)
    assert other.route.access is Access.PUBLIC


def test_public_pages_cannot_read_their_viewer() -> None:
    viewers: list[Any] = []

    def load(request: PageRequest) -> Page:
        viewers.append(request.viewer)
        return Page("A test.", lambda _: None)  # type: ignore[arg-type, return-value]

    Target(Route("/profile", load, Access.SIGNED_IN), {}, {}, "/profile", "/profile").load(FAN, "en")
    assert viewers == [FAN]
    with pytest.raises(PageInvalid, match=r"the page /news: viewers share the page .* cannot read the viewer"):
        Target(Route("/news", load), {}, {}, "/news", "/news").load(FAN, "en")
    assert viewers == [FAN]


@given(text=st.text(), viewer=st.sampled_from([ANONYMOUS, FAN, ADMIN]))
def test_any_text_leads_to_a_page_of_this_site(text: str, viewer: Viewer) -> None:
    for requested in (text, "/" + text, f"/sessions/{text}", f"/sessions?{text}", f"//{text}"):
        target = find(requested, viewer)
        if isinstance(target, Redirect):
            assert target.to.startswith("/")
            assert not target.to.startswith(("//", "/\\"))
        else:
            assert target.path in requested[:ADDRESS_LENGTH] or target.path == "/"
            assert all("\0" not in value for value in target.query.values())


def test_address_has_fields_with_values_only() -> None:
    assert address("/participants", query="Łęcka & Kos", country="") == "/participants?query=%C5%81%C4%99cka+%26+Kos"
    assert address("/sessions", when="") == "/sessions"
    target = find(address("/participants", query="a=b&c?d#e"), ANONYMOUS)
    assert isinstance(target, Target)
    assert target.query == {"query": "a=b&c?d#e"}
