"""What stands around every page: the masthead with its menu, and the footer."""

from typing import Protocol

from apps.core.texts import Texts, texts
from components.markup import VdomDict, html, still
from components.ui.keyboard import keyrule

MAIN = "main"  # the id of the landmark that the skip link leads to


class Visitor(Protocol):
    """What the masthead has to know about who looks."""

    @property
    def is_signed_in(self) -> bool:
        """Whether an account stands behind the visit."""

    @property
    def is_admin(self) -> bool:
        """Whether the way to the administration is shown."""


def masthead(*, path: str, viewer: Visitor, language: str) -> VdomDict:
    """Return the top bar for the page at `path`: on phones it folds into a menu button."""
    return _masthead(path, viewer.is_signed_in, viewer.is_admin, language)


@still
def _masthead(path: str, is_signed_in: bool, is_admin: bool, language: str) -> VdomDict:  # noqa: FBT001
    _ = texts(language)
    return html.header(
        html.a({"class": "skip", "href": f"#{MAIN}"}, _("Skip to the content")),
        html.div(
            {"class": "sheet masthead"},
            html.div(
                {"class": "masthead__bar"},
                html.a({"class": "wordmark", "href": "/"}, "Parterre"),
                html.button(
                    {"class": "menu", "type": "button", "aria-expanded": "false", "aria-controls": "nav"}, _("Menu")
                ),
                html.nav(
                    {"class": "nav", "id": "nav", "aria-label": _("Main")}, *_ways(path, is_signed_in, is_admin, _)
                ),
            ),
        ),
        keyrule(),
    )


def _ways(path: str, is_signed_in: bool, is_admin: bool, _: Texts) -> list[VdomDict]:  # noqa: FBT001
    ways = [("/", _("Home")), ("/participants", _("Participants")), ("/sessions", _("Sessions"))]
    ways.append(("/community", _("Community")))
    if is_admin:
        ways.append(("/admin", _("Admin")))
    lights = html.button(
        {"class": "lights", "type": "button", "aria-pressed": "false", "key": "lights"}, _("Lights down")
    )
    account_links = _way_out(path, _) if is_signed_in else _way_in(path, _)
    return [
        *(_way(path, to, name) for to, name in ways),
        html.span({"class": "nav__end", "key": "end"}, lights, *account_links),
    ]


def _way(path: str, to: str, name: str) -> VdomDict:
    attributes = {"href": to, "key": to}
    if path == to:
        attributes["aria-current"] = "page"
    elif to != "/" and path.startswith(f"{to}/"):
        attributes["aria-current"] = "true"
    return html.a(attributes, name)


def _way_in(path: str, _: Texts) -> list[VdomDict]:
    return [_way(path, "/login", _("Log in")), _way(path, "/register", _("Register"))]


def _way_out(path: str, _: Texts) -> list[VdomDict]:
    leave = html.form(
        {"method": "post", "action": "/sign-out", "key": "/sign-out"}, html.button({"type": "submit"}, _("Sign out"))
    )
    return [_way(path, "/profile", _("Profile")), leave]


@still
def footer(*, language: str) -> VdomDict:
    """Return the footer: what this site is not, and where else one may go."""
    _ = texts(language)
    ways = [
        ("/participants", _("Participants")),
        ("/sessions", _("Sessions")),
        ("/news", _("News")),
        ("/community", _("Community")),
        ("/contact", _("Contact")),
        ("/privacy", _("Privacy")),
    ]
    return html.footer(
        {"class": "sheet footer"},
        keyrule("full"),
        html.div(
            {"class": "footer__row"},
            html.p(_("Parterre is unofficial and not affiliated with the competition.")),
            html.nav(
                {"aria-label": _("Footer")},
                html.ul([html.li({"key": to}, html.a({"href": to}, name)) for to, name in ways]),
            ),
        ),
    )
