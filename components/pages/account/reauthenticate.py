"""The page that asks for the password again, before what matters most."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Page
from components.pages.account.fields import password, whose
from components.ui.posted import answers, entries, posted, submit
from components.ui.ticket import ticket


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the question for the password."""
    _ = texts(language)
    description = _("Please enter your password once more before you go on.")
    return Page(title=_("Confirm that it is you"), description=description, component=reauthenticate_page, data=form)


@component
def reauthenticate_page(page: Page) -> VdomDict:
    """One field."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p(page.description),
        posted(form, *whose(form, _), *entries(form, [password(_)], _), submit(_("Confirm"))),
        foot=_("Ticket, please"),
        _=_,
    )
