"""The page where the way back from Google ends."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Onward, Page, Params, Query
from components.ui.auth_card import ticket
from components.ui.blocks import button_link
from components.ui.empty_states import message

READ_FOR = 3  # seconds that an error stands before the page goes on to where one signs in


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the screen before anything was typed."""
    return screen(Form(), viewer, language)


def screen(form: Form, viewer: Viewer, language: str) -> Page:
    """Return what stands there while the sign-in ends; it goes on at once.

    `extra["onward"]` is where it is finished; without an answer of Google's the way leads home, or to the entrance.
    """
    _ = texts(language)
    otherwise = "/" if viewer.is_signed_in else "/login"
    return Page(
        title=_("Finalizing login..."),
        description=_("Your sign-in with Google is being finished."),
        component=auth_callback_page,
        data=form,
        onward=Onward(form.extra.get("onward", otherwise), 0),
    )


@component
def auth_callback_page(page: Page) -> VdomDict:
    """The words, and the way on for a browser that does not go by itself."""
    _ = texts(page.language)
    onward = page.onward.to if page.onward else "/login"
    words = {"/login": _("Return to login"), "/": _("Home")}.get(onward, _("Go on"))
    lead = html.p({"class": "lead"}, page.description)
    return ticket(page.title, lead, button_link(onward, words), foot=_("Admit one"), _=_)


def failed(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return why the sign-in did not end well; after three seconds the browser goes back to where one signs in."""
    _ = texts(language)
    return Page(
        title=_("Log in"),
        description=_("Signing in with Google did not work."),
        component=failed_page,
        data=form,
        onward=Onward("/login", READ_FOR),
    )


@component
def failed_page(page: Page) -> VdomDict:
    """The error, and the way for those who do not wait."""
    form: Form = page.data
    _ = texts(page.language)
    wrong = form.errors.get("") or (_("Error during login. Please try again."),)
    return ticket(
        page.title,
        *(message(_(words), good=False) for words in wrong),
        button_link("/login", _("Return to login")),
        foot=_("Not valid"),
        _=_,
    )
