"""Error pages: a closed account, a form without a valid token, a form of another account, a rate limit."""

from apps.core.texts import texts
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button, button_link, link
from components.ui.empty_states import message
from components.ui.frames import aside, ticket


def inactive(request: PageRequest) -> Page:
    """Return the page for the owner of a closed account, with status 403."""
    t = request.t
    description = t("This account is closed. If you think that this is a mistake, write to us.")
    return Page(
        title=t("Account closed"), description=description, component=inactive_page, data=request.form, status=403
    )


@component
def inactive_page(page: Page) -> VdomDict:
    """Render the explanation and a link to the contact page."""
    t = texts(page.language)
    words = html.p({"class": "lead"}, page.description)
    return ticket(page.title, words, button_link("/contact", t("Contact")), foot=t("Not valid"), t=t)


def forged(request: PageRequest) -> Page:
    """Return the page for a form without a valid CSRF token, with status 403."""
    t = request.t
    description = t("This form was not sent, and nothing was changed.")
    return Page(
        title=t("Please try again"), description=description, component=forged_page, data=request.form, status=403
    )


@component
def forged_page(page: Page) -> VdomDict:
    """Render the explanation and a link to the form's page, `extra["back"]`."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        html.p({"class": "lead"}, page.description),
        html.p(t("The page was open for long, you have signed in or out meanwhile, or your browser takes no cookies.")),
        button_link(form.extra.get("back", "/"), t("Back to the form")),
        aside(t("Or begin again at the entrance:"), " ", link("/", t("Home"))),
        foot=t("Not valid"),
        t=t,
    )


def other_account(request: PageRequest) -> Page:
    """Return the page for a form that one account typed and another one posted, with status 403."""
    t = request.t
    description = t("This form was typed from another account than the one that is signed in now.")
    title = t("Another account is signed in")
    return Page(title=title, description=description, component=other_account_page, data=request.form, status=403)


@component
def other_account_page(page: Page) -> VdomDict:
    """Render the explanation, and a button that signs out and leads via the sign-in to the form (`extra["back"]`).

    Neither the typed text nor its account is shown.
    """
    form: Form = page.data
    t = texts(page.language)
    kept = t(
        "Nothing was sent or changed. What was typed is kept for the account that typed it, for one day: sign in as "
        "that account, and it is in its form again."
    )
    return ticket(
        page.title,
        html.p({"class": "lead"}, page.description),
        html.p(kept),
        html.form(
            {"class": "ticket__fields", "method": "post", "action": "/sign-out"},
            html.input({"type": "hidden", "name": "next", "value": form.extra.get("back", "/")}),
            button(t("Sign out and sign in as that account"), type="submit"),
        ),
        aside(t("Or stay signed in:"), " ", link("/", t("Home"))),
        foot=t("Not valid"),
        t=t,
    )


def too_many(request: PageRequest) -> Page:
    """Return the page at a rate limit, with status 429; errors of the form replace its general text."""
    t = request.t
    description = t("Too many attempts. Please try again later.")
    return Page(title=t("Please wait"), description=description, component=too_many_page, data=request.form, status=429)


@component
def too_many_page(page: Page) -> VdomDict:
    """Render the errors and links to other pages."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *(message(words, good=False) for words in form.errors.get("") or (page.description,)),
        html.p(t("Nothing was changed. Meanwhile all that is public is open to you.")),
        button_link("/sessions", t("Sessions"), "plain"),
        aside(t("Forgot your password?"), " ", link("/forgot-password", t("Have a link sent"))),
        foot=t("Full house"),
        t=t,
    )
