"""The masthead and the footer of every page."""

from apps.accounts.actors import ANONYMOUS, Viewer
from components.routes import Menu, menu
from components.ui.frames import footer, masthead
from tests.components.seen import attributes, every, name, one, text, tree

FAN = Viewer(id=1, username="una_corda")
ADMIN = Viewer(id=2, username="halina_k", is_admin=True)


def bar_of(viewer, path="/"):
    """Return the names of the navigation links, and the masthead."""
    account_pages = menu(Menu.ACCOUNT if viewer.is_signed_in else Menu.SIGN_IN, is_admin=False, language="en")
    pages = menu(Menu.MAIN, is_admin=viewer.is_admin, language="en")
    bar = tree(
        masthead(path=path, pages=pages, account_pages=account_pages, is_signed_in=viewer.is_signed_in, language="en")
    )
    return [name(link) for link in every(one(bar, "nav"), "a")], bar


def test_masthead_has_links_by_role():
    names, bar = bar_of(ANONYMOUS)
    assert names == ["Home", "Participants", "Sessions", "Ranking", "Community", "Log in", "Register"]
    assert [attributes(form)["action"] for form in every(bar, "form")] == ["/search"]
    names, bar = bar_of(FAN)
    assert names == ["Home", "Participants", "Sessions", "Ranking", "Community", "Following", "Profile"]
    form = one(bar, "form", method="post", action="/sign-out")
    assert text(one(form, "button", type="submit")) == "Sign out"
    assert bar_of(ADMIN)[0][5] == "Admin"


def test_masthead_marks_the_page_and_the_section():
    def marked(path):
        return {
            attributes(link)["href"]: attributes(link)["aria-current"]
            for link in every(bar_of(ANONYMOUS, path)[1], "a")
            if "aria-current" in attributes(link)
        }

    assert marked("/") == {"/": "page"}
    assert marked("/sessions") == {"/sessions": "page"}
    assert marked("/sessions/7") == {"/sessions": "true"}
    assert marked("/news") == {}
    assert marked("/ranking") == {"/ranking": "page"}
    for path in ("/stages", "/stages/7", "/stages/method"):
        assert marked(path) == {"/ranking": "true"}
    assert marked("/stagesx") == {}


def test_menu_button_controls_the_navigation():
    bar = bar_of(ANONYMOUS)[1]
    menu = one(bar, "button", look="menu", aria_expanded="false")
    assert one(bar, "nav", id=attributes(menu)["aria-controls"])
    assert text(menu) == "Menu"
    assert attributes(every(bar, "a")[0])["href"] == "#main", "the first link leads to the content"


def test_footer_names_the_site_unofficial_and_links_public_pages():
    foot = tree(footer(pages=menu(Menu.FOOTER, is_admin=False, language="en"), language="en"))
    assert "Parterre is unofficial and not affiliated with the competition." in text(foot)
    names = [name(link) for link in every(foot, "a")]
    assert names[:5] == ["Participants", "Sessions", "Pieces", "Schedule", "Ranking"]
    assert names[5:] == ["News", "Community", "Contact", "Privacy"]
