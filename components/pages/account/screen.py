"""The declaration of an account screen, the component that renders it, and the fields that several screens share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from apps.accounts.limits import PASSWORD_SHORTEST
from apps.core.texts import Texts, texts
from components.runtime import Component, Form, Markup, Page, VdomDict, component, html
from components.ui import forms
from components.ui.frames import ticket
from components.ui.posted_forms import Entry, answers, entries, plain_form, submit

USERNAME = "[A-Za-z][A-Za-z0-9_\\-]{2,19}"


@component
def account_screen(page: "AccountScreen") -> VdomDict:
    """Render the ticket: answers, description, what is above the form, the form, what is below it, and the stub."""
    t = texts(page.language)
    look = {"class": "lead"} if page.description_as == "lead" else {}
    inputs = entries(page.form, page.fields, t)
    return ticket(
        page.title,
        *(answers(page.form, t) if page.has_answers else ()),
        html.p(look, page.description) if page.description_as != "head" else None,
        *page.above,
        plain_form(page.form, *inputs, submit(page.submit), action=page.action) if page.submit else None,
        *page.below,
        foot=page.foot,
        t=t,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountScreen(Page):
    """One screen of an account: a page with a ticket, and on it a form if the screen has one."""

    component: Callable[[Any], Component] = account_screen
    form: Form
    description_as: Literal["head", "text", "lead"] = "text"  # in the document's head only, or also above the form
    has_answers: bool = True  # shows the form's messages and the errors of the form as a whole
    above: Sequence[Markup] = ()
    fields: Sequence[Entry | Markup] = ()
    submit: str = ""  # the label of the form's button; a screen without it has no form
    action: str = ""  # the address that the form is posted to; the page's own when empty
    below: Sequence[Markup] = ()
    foot: str  # the words on the ticket's stub


def email(t: Texts, name: str = "email", autocomplete: str = "email") -> Entry:
    """Return the field for an e-mail address; `autocomplete` is "username" where the address is the login."""
    return Entry(name, t("E-mail"), "email", autocomplete)


def password(t: Texts) -> Entry:
    """Return the field for the current password."""
    return Entry("password", t("Password"), "password", "current-password")


def new_password(t: Texts, label: str) -> Entry:
    """Return the field for a new password, with the shortest allowed length."""
    hint = t("At least 6 characters. 15 or more are much harder to guess.")
    return Entry("password1", label, "password", "new-password", hint, {"minLength": PASSWORD_SHORTEST})


def again(t: Texts) -> Entry:
    """Return the field that repeats the new password."""
    return Entry("password2", t("Confirm password"), "password", "new-password")


def username(t: Texts) -> Entry:
    """Return the field for the public username, which is not the login."""
    hint = t("3 to 20 letters, digits, underscores or hyphens; a letter comes first. Everybody sees it.")
    return Entry("username", t("Username"), "text", "nickname", hint, {"pattern": USERNAME})


def whose(form: Form, t: Texts) -> list[VdomDict]:
    """Return a read-only field with the account's address for password managers; empty if the address is unknown."""
    address = form.extra.get("email", "")
    known: dict[str, Any] = {"type": "email", "autoComplete": "username", "readOnly": True}
    return [forms.field(t("E-mail"), "email", value=address, **known)] if address else []


def code(t: Texts, hint: str = "") -> Entry:
    """Return the field for a code from an authenticator app or a recovery code."""
    return Entry("code", t("Code"), "text", "one-time-code", hint, {"inputMode": "numeric"})
