"""The page Forgot password, and what follows it."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Page, Params, Query
from components.pages.account.fields import email
from components.pages.account.mailed_link import mailed_link
from components.ui.auth_card import aside, ticket
from components.ui.blocks import link
from components.ui.plain_forms import answers, entries, onward, posted, submit


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the screen before anything was typed."""
    return screen(Form(), viewer, language)


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the question for the address."""
    _ = texts(language)
    description = _("A link to choose a new password comes by e-mail.")
    return Page(title=_("Forgot password"), description=description, component=forgot_password_page, data=form)


@component
def forgot_password_page(page: Page) -> VdomDict:
    """One field."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        _("Forgot password"),
        *answers(form, _),
        html.p(_("We send a link to your address. With it you choose a new password.")),
        posted(form, *entries(form, [email(_, autocomplete="username")], _), submit(_("Send the link"))),
        aside(_("Remembered?"), " ", link(onward("/login", form), _("Log in"))),
        foot=_("Lost and found"),
        _=_,
    )


def sent(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return what everybody reads who asked."""
    _ = texts(language)
    return mailed_link(form, language, again="/forgot-password", foot=_("Lost and found"))
