"""Form fields that several account screens share."""

from typing import Any

from apps.accounts.limits import PASSWORD_SHORTEST
from apps.core.texts import Texts
from components.runtime import Form, VdomDict
from components.ui import forms
from components.ui.posted_forms import Entry

USERNAME = "[A-Za-z][A-Za-z0-9_\\-]{2,19}"


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
