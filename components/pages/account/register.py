"""The page Register."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.account.fields import email, new_password, username
from components.pages.account.google import google
from components.ui.auth_card import aside, ticket
from components.ui.blocks import link
from components.ui.plain_forms import answers, entries, onward, posted, submit


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the screen before anything was typed."""
    return screen(Form(), viewer, language)


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the place where a seat is taken."""
    _ = texts(language)
    description = _("Take a seat of your own: rate what you hear, comment, and react while it is played.")
    return Page(title=_("Register"), description=description, component=register_page, data=form)


@component
def register_page(page: Page) -> VdomDict:
    """E-mail, password, username; or Google."""
    form: Form = page.data
    _ = texts(page.language)
    wanted = [email(_, autocomplete="username"), new_password(_, _("Password")), username(_)]
    kept = (_("What we keep and for how long:"), " ", link("/privacy", _("Privacy")))
    return ticket(
        _("Register"),
        *answers(form, _),
        *google(form, _("Sign up with Google"), _),
        posted(form, *entries(form, wanted, _), submit(_("Register"))),
        html.div(aside(_("Have a seat already?"), " ", link(onward("/login", form), _("Log in"))), aside(*kept)),
        foot=_("Yours"),
        _=_,
    )


def closed(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return what is there while nobody new is taken in."""
    _ = texts(language)
    description = _("At the moment no new accounts are made.")
    return Page(title=_("Register"), description=description, component=closed_page, data=form)


@component
def closed_page(page: Page) -> VdomDict:
    """The sentence, and the way to those who have an account."""
    _ = texts(page.language)
    words = html.p({"class": "lead"}, page.description)
    return ticket(_("Register"), words, html.p(link("/login", _("Log in"))), foot=_("Full house"), _=_)
