"""The page "Register"."""

from apps.core.texts import texts
from components.pages.account.fields import email, new_password, username
from components.pages.account.sign_in.google import google
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, onward, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the registration page."""
    t = request.t
    description = t("Take a seat of your own: rate what you hear, comment, and react while it is played.")
    return Page(title=t("Register"), description=description, component=register_page, data=request.form)


@component
def register_page(page: Page) -> VdomDict:
    """Render the fields for e-mail, password and username, and the Google button."""
    form: Form = page.data
    t = texts(page.language)
    inputs = [email(t, autocomplete="username"), new_password(t, t("Password")), username(t)]
    privacy = (t("What we keep and for how long:"), " ", link("/privacy", t("Privacy")))
    return ticket(
        t("Register"),
        *answers(form, t),
        *google(form, t("Sign up with Google"), t),
        plain_form(form, *entries(form, inputs, t), submit(t("Register"))),
        html.div(aside(t("Have a seat already?"), " ", link(onward("/login", form), t("Log in"))), aside(*privacy)),
        foot=t("Yours"),
        t=t,
    )


def closed(request: PageRequest) -> Page:
    """Return the page shown while registration is closed."""
    t = request.t
    description = t("At the moment no new accounts are made.")
    return Page(title=t("Register"), description=description, component=closed_page, data=request.form)


@component
def closed_page(page: Page) -> VdomDict:
    """Render the explanation and a link to the sign-in."""
    t = texts(page.language)
    words = html.p({"class": "lead"}, page.description)
    return ticket(t("Register"), words, html.p(link("/login", t("Log in"))), foot=t("Full house"), t=t)
