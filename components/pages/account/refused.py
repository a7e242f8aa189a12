"""Error pages: a closed account, a form without a valid token, a form of another account, a rate limit."""

from components.pages.account.screen import AccountScreen
from components.runtime import PageRequest, html
from components.ui.blocks import button, button_link, link
from components.ui.empty_states import message
from components.ui.frames import aside


def inactive(request: PageRequest) -> AccountScreen:
    """Return the page for the owner of a closed account, with status 403."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Account closed"),
        description=t("This account is closed. If you think that this is a mistake, write to us."),
        description_as="lead",
        has_answers=False,
        above=[button_link("/contact", t("Contact"))],
        foot=t("Not valid"),
        status=403,
    )


def forged(request: PageRequest) -> AccountScreen:
    """Return the page for a form without a valid CSRF token, with status 403; `extra["back"]` is the form's page."""
    t, form = request.t, request.form
    why = t("The page was open for long, you have signed in or out meanwhile, or your browser takes no cookies.")
    return AccountScreen(
        form=form,
        title=t("Please try again"),
        description=t("This form was not sent, and nothing was changed."),
        description_as="lead",
        has_answers=False,
        above=[html.p(why), button_link(form.extra.get("back", "/"), t("Back to the form"))],
        below=[aside(t("Or begin again at the entrance:"), " ", link("/", t("Home")))],
        foot=t("Not valid"),
        status=403,
    )


def other_account(request: PageRequest) -> AccountScreen:
    """Return the page for a form that one account typed and another one posted, with status 403.

    A button signs out and leads via the sign-in to the form (`extra["back"]`). Neither the typed text nor its account
    is shown.
    """
    t, form = request.t, request.form
    kept = t(
        "Nothing was sent or changed. What was typed is kept for the account that typed it, for one day: sign in as "
        "that account, and it is in its form again."
    )
    sign_out = html.form(
        {"class": "ticket__fields", "method": "post", "action": "/sign-out"},
        html.input({"type": "hidden", "name": "next", "value": form.extra.get("back", "/")}),
        button(t("Sign out and sign in as that account"), type="submit"),
    )
    return AccountScreen(
        form=form,
        title=t("Another account is signed in"),
        description=t("This form was typed from another account than the one that is signed in now."),
        description_as="lead",
        has_answers=False,
        above=[html.p(kept), sign_out],
        below=[aside(t("Or stay signed in:"), " ", link("/", t("Home")))],
        foot=t("Not valid"),
        status=403,
    )


def too_many(request: PageRequest) -> AccountScreen:
    """Return the page at a rate limit, with status 429; errors of the form replace its general text."""
    t = request.t
    description = t("Too many attempts. Please try again later.")
    return AccountScreen(
        form=request.form,
        title=t("Please wait"),
        description=description,
        description_as="head",
        has_answers=False,
        above=[
            *(message(words, good=False) for words in request.form.errors.get("") or (description,)),
            html.p(t("Nothing was changed. Meanwhile all that is public is open to you.")),
            button_link("/sessions", t("Sessions"), "plain"),
        ],
        below=[aside(t("Forgot your password?"), " ", link("/forgot-password", t("Have a link sent")))],
        foot=t("Full house"),
        status=429,
    )
