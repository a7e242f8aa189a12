"""Signing in with a mailed link: requesting it, and using it."""

from components.pages.account.screen import AccountScreen, email
from components.runtime import PageRequest, html
from components.ui.blocks import button_link, link
from components.ui.frames import aside
from components.ui.posted_forms import onward

ASK = "/login/link"


def ask(request: PageRequest) -> AccountScreen:
    """Return the page with the form for the e-mail address."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Log in by mail"),
        description=t("A link with which you log in comes by e-mail."),
        description_as="head",
        above=[html.p(t("We send a link to your address. With it you log in without your password."))],
        fields=[email(t, autocomplete="username")],
        submit=t("Send me a link"),
        below=[aside(t("Remembered?"), " ", link(onward("/login", form), t("Log in")))],
        foot=t("Admit one"),
    )


def sent(request: PageRequest) -> AccountScreen:
    """Return the page after a request for a link."""
    return link_sent(request, again=ASK, foot=request.t("Nearly there"))


def link_sent(request: PageRequest, *, again: str, foot: str) -> AccountScreen:
    """Return the page after a request for a mailed link, identical for known and unknown addresses.

    `again` is the address of the request form.
    """
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Check your mail"),
        description=t("If this address has an account, the link is on its way to it."),
        description_as="lead",
        above=[
            html.p(t("It works once, within one hour. If nothing comes, look among the unwanted mail, or ask again.")),
            button_link("/login", t("Log in")),
        ],
        below=[aside(t("Nothing came?"), " ", link(again, t("Ask again")))],
        foot=foot,
    )


def use(request: PageRequest) -> AccountScreen:
    """Return the page with the username and the button that signs in, because mail programs may open links."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Log in"),
        description=t("You were sent a link to log in."),
        description_as="lead",
        above=[html.p(html.strong(form.extra.get("username", "")))],
        submit=t("Log in"),
        below=[aside(t("Not yours? Then close this page, and nothing happens."))],
        foot=t("Admit one"),
    )


def unusable(request: PageRequest) -> AccountScreen:
    """Return the page for an unusable link."""
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Log in"),
        description=t("This link has been used, or it is older than an hour."),
        description_as="lead",
        above=[button_link(ASK, t("Send me a link"))],
        below=[aside(t("You have your password?"), " ", link("/login", t("Log in")))],
        foot=t("Not valid"),
    )
