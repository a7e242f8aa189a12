"""The page Reset password: what the link in the mail leads to."""

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.form import Form
from components.markup import VdomDict, component, html
from components.page import Onward, Page, Params, Query
from components.pages.account.fields import again, new_password, whose
from components.ui.auth_card import aside, ticket
from components.ui.blocks import button_link, link
from components.ui.empty_states import message
from components.ui.plain_forms import answers, entries, posted, submit

READ_FOR = 2  # seconds that the sentence stands before the page goes on to where one signs in


def load(viewer: Viewer, params: Params, query: Query, language: str) -> Page:  # noqa: ARG001 - every page's signature
    """Return the screen before anything was typed."""
    return screen(Form(), viewer, language)


def screen(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the choice of a new password."""
    _ = texts(language)
    description = _("Choose a new password.")
    return Page(title=_("Reset password"), description=description, component=reset_password_page, data=form)


@component
def reset_password_page(page: Page) -> VdomDict:
    """The new password, twice."""
    form: Form = page.data
    _ = texts(page.language)
    wanted = [new_password(_, _("New password")), again(_)]
    return ticket(
        page.title,
        *answers(form, _),
        posted(form, *whose(form, _), *entries(form, wanted, _), submit(_("Reset password"))),
        aside(_("You are signed out everywhere else when it is changed.")),
        foot=_("Reissued"),
        _=_,
    )


def unusable(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return what is wrong with the link, and the way to a new one."""
    _ = texts(language)
    description = _("This link cannot be used.")
    return Page(title=_("Reset password"), description=description, component=unusable_page, data=form)


@component
def unusable_page(page: Page) -> VdomDict:
    """The error, and where to ask again."""
    form: Form = page.data
    _ = texts(page.language)
    return ticket(
        page.title,
        *answers(form, _),
        html.p(_("A link works once, within one hour. Only the newest one works.")),
        button_link("/forgot-password", _("Request a new link")),
        aside(_("Remembered?"), " ", link("/login", _("Log in"))),
        foot=_("Not valid"),
        _=_,
    )


def done(form: Form, viewer: Viewer, language: str) -> Page:  # noqa: ARG001 - every screen's signature
    """Return the good news; after two seconds the browser goes on to where one signs in."""
    _ = texts(language)
    return Page(
        title=_("Reset password"),
        description=_("Password updated successfully! Please log in with your new password."),
        component=done_page,
        data=form,
        onward=Onward("/login", READ_FOR),
    )


@component
def done_page(page: Page) -> VdomDict:
    """The sentence, and the way for those who do not wait."""
    _ = texts(page.language)
    return ticket(
        page.title,
        message(page.description, good=True),
        button_link("/login", _("Log in")),
        foot=_("Reissued"),
        _=_,
    )
