"""The frame of every page: the masthead with its menu, and the footer."""

from apps.core.texts import Texts, texts
from components.markup import Markup, VdomDict, cached_markup, html
from components.rendering.parts import Ref, shared_part
from components.ui.blocks import Links
from components.ui.keyboard import keyrule

MARKED = "/sessions"  # the address whose link says that something is live
MAIN = "main"  # the id of the landmark that the skip link leads to


@cached_markup
def masthead(
    *, path: str, pages: Links, account_pages: Links, is_signed_in: bool, mark: Ref | None = None, language: str
) -> VdomDict:
    """Return the top bar for the page at `path`, with links to `pages` and, at its end, the viewer's `account_pages`.

    `mark` is the part that stands in the link to MARKED. On phones the bar folds into a menu button.
    """
    t = texts(language)
    marks = {MARKED: shared_part(mark)} if mark else {}
    links = [
        *(_link(path, to, name, marks.get(to)) for to, name in pages),
        _end(path, account_pages, t, is_signed_in=is_signed_in),
    ]
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
                html.nav({"class": "nav", "id": "nav", "aria-label": t("Main")}, *links),
            ),
        ),
        keyrule(),
    )


def _end(path: str, account_pages: Links, t: Texts, *, is_signed_in: bool) -> VdomDict:
    lights = html.button(
        {"class": "lights", "type": "button", "aria-pressed": "false", "key": "lights"}, t("Lights down")
    )
    leave = html.form(
        {"method": "post", "action": "/sign-out", "key": "/sign-out"}, html.button({"type": "submit"}, t("Sign out"))
    )
    links = [_link(path, to, name) for to, name in account_pages]
    return html.div({"class": "nav__end", "key": "end"}, lights, *links, *([leave] if is_signed_in else []))


def _link(path: str, to: str, name: str, mark: Markup = None) -> VdomDict:
    attributes = {"href": to, "key": to}
    if path == to:
        attributes["aria-current"] = "page"
    elif to != "/" and path.startswith(f"{to}/"):
        attributes["aria-current"] = "true"
    return html.a(attributes, name, *([" ", mark] if mark else []))


@cached_markup
def footer(*, pages: Links, language: str) -> VdomDict:
    """Return the footer: what this site is not, and links to `pages`."""
    t = texts(language)
    return html.footer(
        {"class": "sheet footer"},
        keyrule("full"),
        html.div(
            {"class": "footer__row"},
            html.p(t("Parterre is unofficial and not affiliated with the competition.")),
            html.nav(
                {"aria-label": t("Footer")},
                html.ul([html.li({"key": to}, html.a({"href": to}, name)) for to, name in pages]),
            ),
        ),
    )
