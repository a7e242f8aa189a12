"""Reauthentication: by the password, a passkey or Google, or by a code."""

from collections.abc import Mapping
from typing import Any

from apps.core.texts import Texts
from components.pages.account.screen import AccountScreen, code, password, whose
from components.pages.account.sign_in import passkey_way
from components.runtime import Form, Markup, PageRequest
from components.ui.blocks import link
from components.ui.frames import aside
from components.ui.posted_forms import PASSKEY_SCRIPTS, onward, plain_form, submit

PASSWORD_ONLY: Mapping[str, Any] = {"password": True, "code": False, "google": ""}


def ask(request: PageRequest) -> AccountScreen:
    """Return the page that requests the password or another factor; `extra["ways"]` are the account's methods."""
    t, form = request.t, request.form
    methods = form.extra.get("ways", PASSWORD_ONLY)
    by_password = t("Please enter your password once more before you go on.")
    return AccountScreen(
        form=form,
        title=t("Confirm that it is you"),
        description=by_password if methods["password"] else t("Please sign in once more before you go on."),
        fields=[*whose(form, t), password(t)],
        submit=t("Confirm") if methods["password"] else "",
        below=_others(form, methods, t),
        foot=t("Ticket, please"),
        scripts=PASSKEY_SCRIPTS,
    )


def _others(form: Form, methods: Mapping[str, Any], t: Texts) -> list[Markup]:
    """Return the passkey button, Google if there is no password, and the link to a code.

    An account without any method gets a link to set a password.
    """
    has_password = methods["password"]
    buttons: list[Markup] = [
        *passkey_way(form, t("Use a passkey"), action="/reauthenticate/passkey", after=has_password, t=t)
    ]
    if methods["google"] and not has_password:
        buttons.append(plain_form(form, submit(t("Sign in with Google"), "plain"), action=methods["google"]))
    if methods["code"]:
        buttons.append(aside(link(onward("/reauthenticate/code", form), t("Use a code instead"))))
    if not (buttons or has_password):
        words = t("Your account has no password yet.")
        buttons.append(aside(words, " ", link("/forgot-password", t("Have a link sent"))))
    return buttons


def by_code(request: PageRequest) -> AccountScreen:
    """Return the page that requests a code."""
    t, form = request.t, request.form
    return AccountScreen(
        form=form,
        title=t("Confirm that it is you"),
        description=t("Please enter a code from your authenticator app, or a recovery code."),
        fields=[code(t)],
        submit=t("Confirm"),
        below=[aside(link(onward("/reauthenticate", form), t("Another way")))],
        foot=t("Ticket, please"),
    )
