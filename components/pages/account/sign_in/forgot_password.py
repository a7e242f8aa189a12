"""The page "Forgot password", and the page after its request."""

from apps.core.texts import texts
from components.pages.account.fields import email
from components.pages.account.sign_in.mailed_link import mailed_link
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, onward, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the page with the form for the e-mail address."""
    t = request.t
    description = t("A link to choose a new password comes by e-mail.")
    return Page(title=t("Forgot password"), description=description, component=forgot_password_page, data=request.form)


@component
def forgot_password_page(page: Page) -> VdomDict:
    """Render the form with one field."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        t("Forgot password"),
        *answers(form, t),
        html.p(t("We send a link to your address. With it you choose a new password.")),
        plain_form(form, *entries(form, [email(t, autocomplete="username")], t), submit(t("Send the link"))),
        aside(t("Remembered?"), " ", link(onward("/login", form), t("Log in"))),
        foot=t("Lost and found"),
        t=t,
    )


def sent(request: PageRequest) -> Page:
    """Return the page after a request for a link."""
    t = request.t
    return mailed_link(request.form, request.language, again="/forgot-password", foot=t("Lost and found"))
