"""Pages of reauthentication."""

from collections.abc import Mapping
from typing import Any

from apps.core.texts import Texts, texts
from components.pages.account.fields import code, password, whose
from components.pages.account.second_factor.two_factor import passkey_way
from components.runtime import Form, Markup, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import PASSKEY_SCRIPTS, answers, entries, onward, plain_form, submit

PASSWORD_ONLY: Mapping[str, Any] = {"password": True, "code": False, "google": ""}


def screen(request: PageRequest) -> Page:
    """Return the page that requests the password or another factor; `extra["ways"]` are the account's methods."""
    t = request.t
    description = t("Please enter your password once more before you go on.")
    methods = request.form.extra.get("ways", PASSWORD_ONLY)
    if not methods["password"]:
        description = t("Please sign in once more before you go on.")
    return Page(
        title=t("Confirm that it is you"),
        description=description,
        component=reauthenticate_page,
        data=request.form,
        scripts=PASSKEY_SCRIPTS,
    )


@component
def reauthenticate_page(page: Page) -> VdomDict:
    """Render the password field and the buttons of other methods."""
    form: Form = page.data
    t = texts(page.language)
    methods = form.extra.get("ways", PASSWORD_ONLY)
    typed: list[Markup] = []
    if methods["password"]:
        typed = [plain_form(form, *whose(form, t), *entries(form, [password(t)], t), submit(t("Confirm")))]
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        *typed,
        *_others(form, methods, page.language, after=bool(typed)),
        foot=t("Ticket, please"),
        t=t,
    )


def _others(form: Form, methods: Mapping[str, Any], language: str, *, after: bool) -> list[Markup]:
    """Return the passkey button, Google if there is no password, and the link to a code.

    An account without any method gets a link to set a password.
    """
    t = texts(language)
    buttons: list[Markup] = [
        *passkey_way(form, t("Use a passkey"), action="/reauthenticate/passkey", after=after, language=language)
    ]
    if methods["google"] and not methods["password"]:
        buttons.append(plain_form(form, submit(t("Sign in with Google"), "plain"), action=methods["google"]))
    if methods["code"]:
        buttons.append(aside(link(onward("/reauthenticate/code", form), t("Use a code instead"))))
    if not (buttons or after):
        buttons.append(aside(_without(t), " ", link("/forgot-password", t("Have a link sent"))))
    return buttons


def _without(t: Texts) -> str:
    return t("Your account has no password yet.")


def by_code(request: PageRequest) -> Page:
    """Return the page that requests a code."""
    t = request.t
    description = t("Please enter a code from your authenticator app, or a recovery code.")
    return Page(title=t("Confirm that it is you"), description=description, component=by_code_page, data=request.form)


@component
def by_code_page(page: Page) -> VdomDict:
    """Render the form with one field."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        plain_form(form, *entries(form, [code(t)], t), submit(t("Confirm"))),
        aside(link(onward("/reauthenticate", form), t("Another way"))),
        foot=t("Ticket, please"),
        t=t,
    )
