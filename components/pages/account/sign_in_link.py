"""Signing in with a mailed link or code: requesting it, and using it."""

from collections.abc import Sequence

from components.pages.account.screen import AccountScreen, code, email
from components.runtime import Markup, PageRequest, html
from components.ui.blocks import button_link, link
from components.ui.forms import check
from components.ui.frames import aside
from components.ui.posted_forms import Entry, onward

ASK = "/login/link"


def ask(request: PageRequest) -> AccountScreen:
    """Return the page with the form for the e-mail address."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Log in by e-mail"),
        description=t("A link and a code with which you log in come by e-mail."),
        description_as="head",
        above=[html.p(t("We send a link and a code to your address. With either you log in without your password."))],
        fields=[email(t, autocomplete="username")],
        submit=t("Send me a link"),
        below=[aside(t("Remembered?"), " ", link(onward("/login", form), t("Log in")))],
        foot=t("Admit one"),
    )


def sent(request: PageRequest) -> AccountScreen:
    """Return the page after a request for a link and a code, with the form for the code."""
    t, form = request.t, request.form
    hint = t("Eight digits. It works for ten minutes after the mail was sent, and only in this browser.")
    remembered = check(t("Remember me"), "remember", defaultChecked=bool(form.values.get("remember")))
    return link_sent(request, again=ASK, foot=t("Nearly there"), fields=[code(t, hint), remembered], submit=t("Log in"))


def link_sent(
    request: PageRequest, *, again: str, foot: str, fields: Sequence[Entry | Markup] = (), submit: str = ""
) -> AccountScreen:
    """Return the page after a request for a mailed link, identical for known and unknown addresses.

    `again` is the address of the request form. The page has a form if there are `fields`.
    """
    t = request.t
    return AccountScreen(
        form=request.form,
        title=t("Check your mail"),
        description=t("If this address has an account, the link is on its way to it."),
        description_as="lead",
        above=[
            html.p(t("It works once, within one hour. If nothing comes, look among the unwanted mail, or ask again.")),
            None if fields else button_link("/login", t("Log in")),
        ],
        fields=fields,
        submit=submit,
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
