"""Every screen of accounts, with a form as the server would hand it over."""

from collections.abc import Callable

from apps.accounts.actors import ANONYMOUS, Viewer
from components.pages.account.second_factor import authenticator, codes, factors, passkeys, two_factor
from components.pages.account.sign_in import (
    auth_callback,
    forgot_password,
    login,
    reauthenticate,
    refused,
    register,
    reset_password,
    verify_email,
)
from components.runtime.form import Form
from components.runtime.page import Page, PageRequest
from tests.components.seen import Seen, attributes, every, name, one, shown

Screen = Callable[[PageRequest], Page]
TOKEN = "a1b2c3"
ASKING: dict[str, Screen] = {
    "login": login.screen,
    "register": register.screen,
    "forgot": forgot_password.screen,
    "reset": reset_password.screen,
    "verify": verify_email.screen,
    "verify expired": verify_email.expired,
    "verify sent": verify_email.sent,
    "reauthenticate": reauthenticate.screen,
    "reauthenticate by code": reauthenticate.by_code,
    "two factor": two_factor.screen,
    "app": authenticator.screen,
    "app off": authenticator.off,
    "codes new": codes.renew,
    "passkey name": passkeys.rename,
    "passkey remove": passkeys.remove,
}
TELLING: dict[str, Screen] = {
    "register closed": register.closed,
    "forgot sent": forgot_password.sent,
    "reset unusable": reset_password.unusable,
    "reset done": reset_password.done,
    "callback": auth_callback.screen,
    "callback failed": auth_callback.failed,
    "inactive": refused.inactive,
    "forged": refused.forged,
    "other account": refused.other_account,
    "too many": refused.too_many,
    "factors": factors.screen,
    "codes": codes.screen,
    "passkeys": passkeys.screen,
    "passkey add": passkeys.add,
}
EVERY = {**ASKING, **TELLING}


def look(screen: Screen, *, viewer: Viewer = ANONYMOUS, **given) -> Seen:
    """The screen as a person sees it; `given` are fields of the form."""
    return shown(screen(PageRequest(form=Form(**({"token": TOKEN} | given)), known_viewer=viewer)), {}, viewer)


def typed(seen: Seen) -> dict[str, dict[str, object]]:
    """The attributes of every field that a person fills in, by name, in their order."""
    fields = [attributes(node) for node in every(seen.main, "input")]
    return {str(field["name"]): field for field in fields if field["type"] != "hidden"}


def visually_hidden(form: dict[str, object]) -> dict[str, str]:
    """What a form sends without anybody typing it."""
    fields = map(attributes, every(form, "input", type="hidden"))
    return {str(field["name"]): str(field.get("value") or field.get("defaultValue", "")) for field in fields}


def links(seen: Seen) -> dict[str, str]:
    return {name(link): attributes(link)["href"] for link in every(seen.main, "a")}


def form_of(seen: Seen) -> dict[str, object]:
    """The screen's only form."""
    return one(seen.main, "form")
