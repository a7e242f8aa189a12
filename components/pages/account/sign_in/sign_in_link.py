"""Pages that request a mailed sign-in link and use it."""

from apps.core.texts import texts
from components.pages.account.fields import email
from components.pages.account.sign_in.mailed_link import mailed_link
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button_link, link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, entries, onward, plain_form, submit

ASK = "/login/link"


def screen(request: PageRequest) -> Page:
    """Return the page with the form for the e-mail address."""
    t = request.t
    description = t("A link with which you log in comes by e-mail.")
    return Page(title=t("Log in by mail"), description=description, component=ask_page, data=request.form)


@component
def ask_page(page: Page) -> VdomDict:
    """Render the form with one field."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(t("We send a link to your address. With it you log in without your password.")),
        plain_form(form, *entries(form, [email(t, autocomplete="username")], t), submit(t("Send me a link"))),
        aside(t("Remembered?"), " ", link(onward("/login", form), t("Log in"))),
        foot=t("Admit one"),
        t=t,
    )


def sent(request: PageRequest) -> Page:
    """Return the page after a request for a link."""
    t = request.t
    return mailed_link(request.form, request.language, again=ASK, foot=t("Nearly there"))


def use(request: PageRequest) -> Page:
    """Return the page with the button that signs in."""
    t = request.t
    description = t("You were sent a link to log in.")
    return Page(title=t("Log in"), description=description, component=link_use_page, data=request.form)


@component
def link_use_page(page: Page) -> VdomDict:
    """Render the username and a button, because mail programs may open links by themselves."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        html.p(html.strong(form.extra.get("username", ""))),
        plain_form(form, submit(t("Log in"))),
        aside(t("Not yours? Then close this page, and nothing happens.")),
        foot=t("Admit one"),
        t=t,
    )


def unusable(request: PageRequest) -> Page:
    """Return the page for an unusable link."""
    t = request.t
    description = t("This link has been used, or it is older than an hour.")
    return Page(title=t("Log in"), description=description, component=unusable_page, data=request.form)


@component
def unusable_page(page: Page) -> VdomDict:
    """Render the explanation and a link that requests another mail."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        button_link(ASK, t("Send me a link")),
        aside(t("You have your password?"), " ", link("/login", t("Log in"))),
        foot=t("Not valid"),
        t=t,
    )
