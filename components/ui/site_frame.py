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
    t = texts(language)
    return html.header(
        html.a({"class": "skip", "href": f"#{MAIN}"}, t("Skip to the content")),
        html.div(
            {"class": "sheet masthead"},
            html.div(
                {"class": "masthead__bar"},
                html.a({"class": "wordmark", "href": "/"}, "Parterre"),
                html.button(
                    {"class": "menu", "type": "button", "aria-expanded": "false", "aria-controls": "nav"}, t("Menu")
                ),
                html.nav(
                    {"class": "nav", "id": "nav", "aria-label": t("Main")}, *_ways(path, is_signed_in, is_admin, t)
                ),
            ),
        ),
        keyrule(),
    )


def _ways(path: str, is_signed_in: bool, is_admin: bool, t: Texts) -> list[VdomDict]:  # noqa: FBT001
    ways = [("/", t("Home")), ("/participants", t("Participants")), ("/sessions", t("Sessions"))]
    ways.append(("/community", t("Community")))
    if is_admin:
        ways.append(("/admin", t("Admin")))
    lights = html.button(
        {"class": "lights", "type": "button", "aria-pressed": "false", "key": "lights"}, t("Lights down")
    )
    account_links = _way_out(path, t) if is_signed_in else _way_in(path, t)
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


def _way_in(path: str, t: Texts) -> list[VdomDict]:
    return [_way(path, "/login", t("Log in")), _way(path, "/register", t("Register"))]


def _way_out(path: str, t: Texts) -> list[VdomDict]:
    leave = html.form(
        {"method": "post", "action": "/sign-out", "key": "/sign-out"}, html.button({"type": "submit"}, t("Sign out"))
    )
    return [_way(path, "/profile", t("Profile")), leave]


@still
def footer(*, language: str) -> VdomDict:
    """Return the footer: what this site is not, and where else one may go."""
    t = texts(language)
    ways = [
        ("/participants", t("Participants")),
        ("/sessions", t("Sessions")),
        ("/news", t("News")),
        ("/community", t("Community")),
        ("/contact", t("Contact")),
        ("/privacy", t("Privacy")),
    ]
    return html.footer(
        {"class": "sheet footer"},
        keyrule("full"),
        html.div(
            {"class": "footer__row"},
            html.p(t("Parterre is unofficial and not affiliated with the competition.")),
            html.nav(
                {"aria-label": t("Footer")},
                html.ul([html.li({"key": to}, html.a({"href": to}, name)) for to, name in ways]),
            ),
        ),
    )
