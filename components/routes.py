"""The one table of pages: address, load function, who may see it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from urllib.parse import parse_qsl, quote, urlencode

from django.conf import settings

from apps.accounts.actors import STRANGER, Viewer
from apps.core.characters import storable
from apps.core.limits import ADDRESS_LENGTH
from components.form import Form
from components.page import Page, Params, Query, Redirect
from components.pages.account import (
    auth_callback,
    factors,
    forgot_password,
    login,
    passkeys,
    profile,
    reauthenticate,
    register,
    reset_password,
    two_factor,
    verify_email,
)
from components.pages.admin import dashboard, pieces, placeholder, programs
from components.pages.admin import news as news_admin
from components.pages.admin import participants as participants_admin
from components.pages.admin import sessions as sessions_admin
from components.pages.public import (
    community,
    contact,
    home,
    news,
    participant,
    participants,
    privacy,
    session,
    sessions,
    styleguide,
)
from components.pages.public.news import article

Load = Callable[[Viewer, Params, Query, str], Page]
Screen = Callable[[Form, Viewer, str], Page]
FIELDS_LIMIT = 20
FACTORS = "/profile/two-factor"  # where an administrator gets what is asked of administrators
ID = r"(?P<id>0|[1-9][0-9]{0,17})"  # every number has one spelling, and PostgreSQL's bigint holds it


class Access(Enum):
    """Who may see a page."""

    PUBLIC = "public"
    SIGNED_IN = "signed in"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Route:
    """One line of the table.

    A public page's `load` never learns who looks: its result is shared. A plain page is HTML only, without a socket.
    """

    pattern: str
    load: Load
    access: Access = Access.PUBLIC
    plain: bool = False

    def match(self, path: str) -> Params | None:
        """The parameters in `path`, or None when this is another page's."""
        found = _compiled(self.pattern).fullmatch(path)
        return found.groupdict() if found else None


def _unfilled(screen: Screen) -> Load:
    """The load of a screen: as it is before anything was typed (project/http/account_pages.py shows it filled in)."""

    def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
        return screen(Form(), viewer, language)

    return load


def _table() -> tuple[Route, ...]:
    admin = [
        Route(path, load, Access.ADMIN)
        for path, load in (
            ("/admin", dashboard.load),
            ("/admin/blog", news_admin.load),
            ("/admin/programs", programs.load),
            ("/admin/program-import", placeholder.load_program_import),
            ("/admin/import", placeholder.load_import),
            ("/admin/participants", participants_admin.load),
            ("/admin/sessions", sessions_admin.load),
            ("/admin/pieces", pieces.load),
        )
    ]
    plain = [
        Route(path, _unfilled(screen), plain=True)
        for path, screen in (
            ("/login", login.screen),
            ("/register", register.screen),
            ("/forgot-password", forgot_password.screen),
            ("/reset-password", reset_password.screen),
            ("/verify-email", verify_email.screen),
            ("/reauthenticate", reauthenticate.screen),
            ("/auth/callback", auth_callback.screen),
            ("/two-factor", two_factor.screen),
        )
    ]
    own = [
        Route(path, _unfilled(screen), Access.SIGNED_IN, plain=True)
        for path, screen in ((FACTORS, factors.screen), ("/profile/passkeys", passkeys.screen))
    ]
    public = [
        Route(path, load)
        for path, load in (
            ("/", home.load),
            ("/participants", participants.load),
            ("/participants/{id}", participant.load),
            ("/sessions", sessions.load),
            ("/sessions/{id}", session.load),
            ("/news", news.load),
            ("/news/{id}", article.load),
            ("/community", community.load),
            ("/contact", contact.load),
            ("/privacy", privacy.load),
        )
    ]
    development = [Route("/styleguide", styleguide.load)] if settings.DEBUG else []
    return (*public, *plain, Route("/profile", profile.load, Access.SIGNED_IN), *own, *admin, *development)


@cache
def table() -> tuple[Route, ...]:
    """Every page of the site."""
    return _table()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{id}", ID))


@dataclass(frozen=True, slots=True)
class Target:
    """Where an address leads: a page's route with its parameters, as the address bar shows it."""

    route: Route
    params: Params
    query: Query
    path: str
    place: str

    def load(self, viewer: Viewer, language: str) -> Page:
        """The page as `viewer` may see it."""
        known = STRANGER if self.route.access is Access.PUBLIC else viewer
        page = self.route.load(known, self.params, self.query, language)
        return replace(page, path=self.path, place=self.place, language=language)


def find(address: str, viewer: Viewer) -> Target | Redirect:
    """Where `address` (path and query) leads this viewer; unknown paths lead home, closed ones to the door."""
    path, _, query = address[:ADDRESS_LENGTH].partition("?")
    place = "/" + path.strip("/")
    shown = place + (f"?{query}" if query else "")
    for route in table():
        params = route.match(place)
        if params is None:
            continue
        if route.access is not Access.PUBLIC and not viewer.is_signed_in:
            return Redirect("/login?" + urlencode({"next": shown}))
        if route.access is Access.ADMIN and not viewer.is_admin:
            return Redirect(FACTORS if viewer.lacks_factor else "/")
        if path != place:
            return Redirect(shown)
        return Target(route, params, _fields(query), shown, place)
    return Redirect("/")


def is_search(address: str) -> bool:
    """Whether this address asks for what a text finds: `q` is what every page calls it."""
    _, _, query = address[:ADDRESS_LENGTH].partition("?")
    return "q" in query and bool(_fields(query).get("q", "").strip())


def home_target() -> Target:
    """The home page, which is for everybody."""
    home = find("/", STRANGER)
    if isinstance(home, Redirect):
        raise TypeError("the table has no page for everybody at /")
    return home


def _fields(query: str) -> Query:
    """The query's fields as they can be stored; none when they are more than any page has."""
    try:
        pairs = parse_qsl(query, max_num_fields=FIELDS_LIMIT)
    except ValueError:
        return {}
    return {name: storable(value) for name, value in pairs}


def address(place: str, **query: str) -> str:
    """`place` with the query's fields that hold something."""
    kept = {name: value for name, value in query.items() if value}
    return quote(place) + (f"?{urlencode(kept)}" if kept else "")
