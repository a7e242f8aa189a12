"""The table of pages: path, load function, access, and links."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from django.conf import settings

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.competition.selectors.public.participants import participant_ids
from apps.competition.selectors.public.pieces import piece_ids
from apps.competition.selectors.public.sessions import session_ids
from apps.competition.selectors.public.stages import stage_ids
from apps.core.addresses import spellings
from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import storable
from apps.core.texts import Texts, texts
from apps.news.selectors import post_ids
from components.pages.account import (
    following,
    passkeys,
    password_reset,
    profile,
    reauthentication,
    registration,
    second_factors,
    sign_in,
)
from components.pages.admin import contact as contact_admin
from components.pages.admin import dashboard, people, prepare, programs, records, stage_program, tonight
from components.pages.admin import news as news_admin
from components.pages.admin import participants as participants_admin
from components.pages.admin import pianos as pianos_admin
from components.pages.admin import pieces as pieces_admin
from components.pages.admin import sessions as sessions_admin
from components.pages.admin import stages as stages_admin
from components.pages.admin.imports import participants as participant_import
from components.pages.admin.imports import programs as program_import
from components.pages.admin.jury import page as jury_admin
from components.pages.public import (
    article,
    community,
    comparison,
    contact,
    home,
    news,
    participant,
    participants,
    piece,
    pieces,
    privacy,
    ranking_method,
    report,
    schedule,
    search,
    session,
    sessions,
    stage,
    stages,
    styleguide,
)
from components.parts.live import cue_bar, live_mark
from components.parts.notifications import notification_slots
from components.runtime import Page, PageInvalid, PageRequest, Params, Parts, Query, Redirect
from components.ui.areas import PREPARE, RECORDS, STAGE_PROGRAM, TONIGHT
from components.ui.blocks import Links

Load = Callable[[PageRequest], Page]
Name = Callable[[Texts], str]
FIELDS_LIMIT = 50  # the form of a rule of the jury has 47
FACTORS = "/profile/two-factor"  # where administrators set up a second factor
NUMBER = "0|[1-9][0-9]{0,17}"  # every number has one spelling, and PostgreSQL's bigint holds it
ID = f"(?P<id>{NUMBER})"
HOME_STYLES, LIST_STYLES, VIDEO_STYLES = "home", "lists", "video"
SESSION_STYLES, STAGE_STYLES, COMMUNITY_STYLES, PIECE_STYLES = "session", "stages", "community", "pieces"
SLOT_STYLES = "slots"  # of the page of a stage's program
BACKSTAGE_STYLES = "backstage"  # of administration, the viewer's own pages and plain pages
LIVE_MARK, CUE_BAR = "live_mark", "cue_bar"  # the names of the frame's parts


class Access(Enum):
    """Who may see a page."""

    PUBLIC = "public"
    SIGNED_IN = "signed in"
    ADMIN = "admin"


class Menu(Enum):
    """The menus that link to pages, in the table's order."""

    MAIN = "beside the site's name"
    PHONE = "after those of MAIN, where the bar is a menu"
    SIGN_IN = "at its end, for anonymous visitors"
    ACCOUNT = "at its end, for signed-in users"
    FOOTER = "below every page"


@dataclass(frozen=True, slots=True)
class Route:
    """One page of the table.

    The `load` of a public page cannot read the viewer, because its result is shared. A plain page is HTML only, without
    a socket. `name` is the text of links, and the title unless `load` returns another. `ids`: those of its pages, where
    the pattern has one. Search engines see the public pages that are not plain. `development`: with DEBUG only.
    `outcome`: the page shows how something ended, as the parts do that are declared so. `redirects`: the page may lead
    to another one (`Page.redirect`), and search engines see that one. `sheets`: style sheets of some pages only that it
    needs (`components/static/css`). `only_with`: an administrators' page at an address whose query has this field with
    the value 1. Other viewers get the public page of the same pattern. `is_hidden`: search engines do not index it.
    """

    pattern: str
    load: Load
    access: Access = Access.PUBLIC
    plain: bool = False
    name: Name | None = None
    menus: tuple[Menu, ...] = ()
    ids: Callable[[], Iterable[int]] | None = None
    development: bool = False
    outcome: bool = False
    redirects: bool = False
    sheets: tuple[str, ...] = ()
    only_with: str = ""
    is_hidden: bool = False

    @property
    def is_indexed(self) -> bool:
        """Whether search engines may index it."""
        return self.access is Access.PUBLIC and not (self.plain or self.development or self.redirects or self.is_hidden)

    @property
    def styles(self) -> tuple[str, ...]:
        """The style sheets that its pages need besides that of every page, in this order."""
        is_public = self.access is Access.PUBLIC and not self.plain
        return self.sheets if is_public else (*self.sheets, BACKSTAGE_STYLES)

    def match(self, path: str) -> Params | None:
        """Return the parameters in `path`, or None when it does not match."""
        found = _regex(self.pattern).fullmatch(path)
        return found.groupdict() if found else None


def _public() -> tuple[Route, ...]:
    return (
        Route("/", home.load, name=lambda t: t("Home"), menus=(Menu.MAIN,), outcome=True, sheets=(HOME_STYLES,)),
        Route(
            "/participants",
            participants.load,
            name=lambda t: t("Participants"),
            menus=(Menu.MAIN, Menu.FOOTER),
            sheets=(LIST_STYLES,),
        ),
        Route("/participants/{id}", participant.load, ids=participant_ids, sheets=(VIDEO_STYLES,)),
        Route(
            "/sessions",
            sessions.load,
            name=lambda t: t("Sessions"),
            menus=(Menu.MAIN, Menu.FOOTER),
            sheets=(LIST_STYLES,),
        ),
        Route(
            "/sessions/{id}",
            session.load,
            ids=session_ids,
            outcome=True,
            sheets=(VIDEO_STYLES, SESSION_STYLES),
        ),
        Route(
            "/pieces",
            pieces.load,
            name=lambda t: t("Pieces"),
            menus=(Menu.PHONE, Menu.FOOTER),
            sheets=(PIECE_STYLES,),
        ),
        Route("/pieces/{id}", piece.load, ids=piece_ids, sheets=(VIDEO_STYLES, PIECE_STYLES)),
        Route(
            "/pieces/{id}/compare",
            comparison.load,
            ids=piece_ids,
            is_hidden=True,
            sheets=(VIDEO_STYLES, PIECE_STYLES),
        ),
        Route(
            "/schedule",
            schedule.load,
            name=lambda t: t("Schedule"),
            menus=(Menu.PHONE, Menu.FOOTER),
            sheets=(LIST_STYLES,),
        ),
        Route("/ranking", stages.ranking, name=lambda t: t("Ranking"), menus=(Menu.MAIN, Menu.FOOTER), redirects=True),
        Route("/stages", stages.load, name=lambda t: t("Stages"), outcome=True, sheets=(LIST_STYLES,)),
        Route("/stages/{id}", stage.load, ids=stage_ids, outcome=True, sheets=(STAGE_STYLES,)),
        Route(
            "/stages/method",
            ranking_method.load,
            name=lambda t: t("How the ranking is counted"),
            sheets=(STAGE_STYLES,),
        ),
        Route("/news", news.load, name=lambda t: t("News"), menus=(Menu.PHONE, Menu.FOOTER), sheets=(LIST_STYLES,)),
        Route("/news/{id}", article.load, ids=post_ids, sheets=(LIST_STYLES,)),
        Route(
            "/community",
            community.load,
            name=lambda t: t("Community"),
            menus=(Menu.MAIN, Menu.FOOTER),
            sheets=(COMMUNITY_STYLES,),
        ),
        Route("/search", search.load, name=lambda t: t("Search"), is_hidden=True, sheets=(LIST_STYLES,)),
        Route("/contact", contact.load, name=lambda t: t("Contact"), menus=(Menu.FOOTER,)),
        Route("/privacy", privacy.load, name=lambda t: t("Privacy"), menus=(Menu.FOOTER,), sheets=(LIST_STYLES,)),
        Route(
            "/styleguide",
            styleguide.load,
            name=lambda t: t("Styleguide"),
            sheets=(
                HOME_STYLES,
                LIST_STYLES,
                VIDEO_STYLES,
                SESSION_STYLES,
                STAGE_STYLES,
                COMMUNITY_STYLES,
                PIECE_STYLES,
                BACKSTAGE_STYLES,
            ),
            development=True,
        ),
    )


def _forms() -> tuple[Route, ...]:
    """Return the pages of forms, which are empty here; project/http/account_pages.py shows the posted ones."""

    def plain(path: str, screen: Load, access: Access = Access.PUBLIC, **more: Any) -> Route:
        return Route(path, screen, access, plain=True, **more)

    return (
        plain("/login", sign_in.login, name=lambda t: t("Log in"), menus=(Menu.SIGN_IN,)),
        plain("/register", registration.register, name=lambda t: t("Register"), menus=(Menu.SIGN_IN,)),
        plain("/forgot-password", password_reset.forgot),
        plain("/reset-password", password_reset.reset),
        plain("/verify-email", registration.verify),
        plain("/reauthenticate", reauthentication.ask),
        plain("/auth/callback", sign_in.callback),
        plain("/two-factor", sign_in.two_factor),
        plain(FACTORS, second_factors.overview, Access.SIGNED_IN),
        plain("/profile/passkeys", passkeys.overview, Access.SIGNED_IN),
    )


def _admin() -> tuple[Route, ...]:
    def row(path: str, load: Load, name: Name, *menus: Menu, **more: Any) -> Route:
        return Route(path, load, Access.ADMIN, name=name, menus=menus, **more)

    return (
        row("/admin", dashboard.load, lambda t: t("Admin"), Menu.MAIN),
        row(PREPARE, prepare.load, lambda t: t("Prepare")),
        row(TONIGHT, tonight.load, lambda t: t("Tonight")),
        row(RECORDS, records.load, lambda t: t("People and records")),
        row("/admin/blog", news_admin.load, lambda t: t("Blog"), sheets=(LIST_STYLES,)),
        row("/admin/pieces", pieces_admin.load, lambda t: t("Pieces")),
        row("/admin/pianos", pianos_admin.load, lambda t: t("Pianos")),
        row("/admin/participants", participants_admin.load, lambda t: t("Participants")),
        row("/admin/stages", stages_admin.load, lambda t: t("Stages")),
        row("/admin/sessions", sessions_admin.load, lambda t: t("Sessions")),
        row("/admin/programs", programs.load, lambda t: t("Programs")),
        row(STAGE_PROGRAM, stage_program.load, lambda t: t("Program of a stage"), sheets=(SLOT_STYLES,)),
        row("/admin/people", people.load, lambda t: t("People")),
        row(contact_admin.PATH, contact_admin.load, lambda t: t("Who runs the site")),
        row("/admin/program-import", program_import.load, lambda t: t("Import Programs")),
        row("/admin/import", participant_import.load, lambda t: t("Import")),
        row("/admin/jury", jury_admin.load, lambda t: t("Jury")),
    )


@cache
def table() -> tuple[Route, ...]:
    """Return every page of the site."""
    own = (
        Route(
            following.PATH,
            following.load,
            Access.SIGNED_IN,
            name=lambda t: t("Following"),
            menus=(Menu.ACCOUNT,),
            sheets=(LIST_STYLES,),
        ),
        Route("/profile", profile.load, Access.SIGNED_IN, name=lambda t: t("Profile"), menus=(Menu.ACCOUNT,)),
        Route(
            "/community/report",
            report.load,
            Access.SIGNED_IN,
            name=lambda t: t("Report"),
            sheets=(COMMUNITY_STYLES,),
        ),
    )
    preview = Route("/news/{id}", article.load_preview, Access.ADMIN, sheets=(LIST_STYLES,), only_with=article.PREVIEW)
    every = (preview, *_public(), *_forms(), *own, *_admin())
    return tuple(route for route in every if settings.DEBUG or not route.development)


def menu(wanted: Menu, *, is_admin: bool, language: str) -> Links:
    """Return address and text of a menu's links; only administrators get those to administrators' pages."""
    t = texts(language)
    return tuple(
        (route.pattern, route.name(t))
        for route in table()
        if wanted in route.menus and route.name and (is_admin or route.access is not Access.ADMIN)
    )


def frame_parts(language: str, *, is_backstage: bool = False) -> Parts:
    """Return the shared parts of the frame around every page, and of that around administrators' pages."""
    everywhere = {LIVE_MARK: live_mark(language=language)}
    return everywhere | {CUE_BAR: cue_bar(language=language)} if is_backstage else everywhere


def indexed_paths() -> list[str]:
    """Return the paths of all pages that search engines may index, with the ids that the database contains now."""
    return [
        path
        for route in table()
        if route.is_indexed
        for path in (
            [route.pattern] if route.ids is None else (route.pattern.replace("{id}", str(pk)) for pk in route.ids())
        )
    ]


def closed_paths() -> list[str]:
    """Return the paths below which no page is for search engines, without paths below each other."""
    closed = sorted(
        route.pattern.replace("{id}", "*")
        for route in table()
        if (route.access is not Access.PUBLIC and not route.only_with) or route.is_hidden
    )
    return [path for path in closed if not any(path.startswith(f"{above}/") for above in closed)]


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{id}", ID))


@dataclass(frozen=True, slots=True)
class Target:
    """The page at an address: its route with parameters; `address` is path and query as the address bar shows them."""

    route: Route
    params: Params
    query: Query
    address: str
    path: str

    def load(self, viewer: Viewer, language: str) -> Page:
        """Return the page for `viewer`, whom the load of a public page cannot read.

        Raises PageInvalid for a page that contradicts itself.
        """
        known_viewer = None if self.route.access is Access.PUBLIC else viewer
        request = PageRequest(self.params, self.query, language, known_viewer=known_viewer)
        try:
            page, name = self.route.load(request), self.route.name
        except PageInvalid as error:
            raise PageInvalid(f"the page {self.path}: {error}") from error
        is_backstage = self.route.access is Access.ADMIN
        if not self.route.plain:
            page = replace(page, slots=(*page.slots, notification_slots(language=language)))
        return replace(
            page.at(self.path),
            title=page.title or (name(request.t) if name else ""),
            frame_parts=frame_parts(language, is_backstage=is_backstage),
            styles=self.route.styles,
            address=self.address,
            language=language,
        )


def find(address: str, viewer: Viewer) -> Target | Redirect:
    """Return the page at `address` (path and query) for this viewer, or a redirect.

    A redirect leads to the sign-in, to the page's path without slashes at its end, or for an unknown path home. An
    unknown path in an unusual spelling leads to itself: `project/http/misspelled.py` looks for the page that it means.
    """
    requested, _, query = address[:ADDRESS_LENGTH].partition("?")
    path = "/" + requested.strip("/")
    full_address = path + (f"?{query}" if query else "")
    for route in table():
        params = route.match(path)
        if params is None or (route.only_with and not _is_chosen(route, query, viewer)):
            continue
        if route.access is not Access.PUBLIC and not viewer.is_signed_in:
            return Redirect("/login?" + urlencode({"next": full_address}))
        if route.access is Access.ADMIN and not viewer.is_admin:
            return Redirect(FACTORS if viewer.lacks_factor else "/")
        if requested != path:
            return Redirect(full_address)
        return Target(route, params, _fields(query), full_address, path)
    here = quote(path, errors="replace") + full_address.removeprefix(path)
    return Redirect(here if spellings(requested) else "/", is_unknown=True)


def _is_chosen(route: Route, query: str, viewer: Viewer) -> bool:
    return viewer.is_admin and _fields(query).get(route.only_with) == "1"


def is_search(address: str) -> bool:
    """Return whether this address contains a search, which every page reads from the field `q`."""
    _, _, query = address[:ADDRESS_LENGTH].partition("?")
    return "q" in query and bool(_fields(query).get("q", "").strip())


def home_target() -> Target:
    """Return the home page."""
    home = find("/", ANONYMOUS)
    if isinstance(home, Redirect):
        raise TypeError("the table has no page for everybody at /")
    return home


def _fields(query: str) -> Query:
    """Return the query's fields as PostgreSQL can store them; none when they are more than FIELDS_LIMIT."""
    try:
        pairs = parse_qsl(query, max_num_fields=FIELDS_LIMIT)
    except ValueError:
        return {}
    return {name: storable(value) for name, value in pairs}


def address(path: str, **query: str) -> str:
    """Return `path` with the query's non-empty fields."""
    fields = {name: value for name, value in query.items() if value}
    return quote(path) + (f"?{urlencode(fields)}" if fields else "")
