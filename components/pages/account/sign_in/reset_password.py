"""The page "Reset password", the target of a mailed link."""

from apps.core.texts import texts
from components.pages.account.fields import again, new_password, whose
from components.runtime import Form, Page, PageRequest, Refresh, VdomDict, component, html
from components.ui.blocks import button_link, link
from components.ui.empty_states import message
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, onward, plain_form, submit

READ_FOR = 2  # seconds before the browser goes on to the sign-in


def screen(request: PageRequest) -> Page:
    """Return the page with the form for a new password."""
    t = request.t
    description = t("Choose a new password.")
    return Page(title=t("Reset password"), description=description, component=reset_password_page, data=request.form)


@component
def reset_password_page(page: Page) -> VdomDict:
    """Render the fields for the new password and its repetition."""
    form: Form = page.data
    t = texts(page.language)
    inputs = [new_password(t, t("New password")), again(t)]
    return ticket(
        page.title,
        *answers(form, t),
        plain_form(form, *whose(form, t), *entries(form, inputs, t), submit(t("Reset password"))),
        aside(t("You are signed out everywhere else when it is changed.")),
        foot=t("Reissued"),
        t=t,
    )


def unusable(request: PageRequest) -> Page:
    """Return the page for an unusable link."""
    t = request.t
    description = t("This link cannot be used.")
    return Page(title=t("Reset password"), description=description, component=unusable_page, data=request.form)


@component
def unusable_page(page: Page) -> VdomDict:
    """Render the error and a link that requests another mail."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(t("A link works once, within one hour. Only the newest one works.")),
        button_link("/forgot-password", t("Request a new link")),
        aside(t("Remembered?"), " ", link("/login", t("Log in"))),
        foot=t("Not valid"),
        t=t,
    )


def done(request: PageRequest) -> Page:
    """Return the page after the reset; after two seconds the browser continues to the sign-in."""
    t = request.t
    return Page(
        title=t("Reset password"),
        description=t("Password updated successfully! Please log in with your new password."),
        component=done_page,
        data=request.form,
        refresh=Refresh(onward("/login", request.form), READ_FOR),
    )


@component
def done_page(page: Page) -> VdomDict:
    """Render the confirmation, and a link that skips the wait."""
    t = texts(page.language)
    return ticket(
        page.title,
        message(page.description, good=True),
        button_link(onward("/login", page.data), t("Log in")),
        foot=t("Reissued"),
        t=t,
    )
