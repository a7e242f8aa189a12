"""All account screens by name, and helpers that render one with a form and find its fields."""

from collections.abc import Callable

from apps.accounts.actors import ANONYMOUS, Viewer
from components.pages.account import (
    passkeys,
    password_reset,
    reauthentication,
    refused,
    registration,
    second_factors,
    sign_in,
    unsubscribe,
)
from components.runtime.form import Form
from components.runtime.page import Page, PageRequest
from tests.components.seen import Seen, attributes, every, name, one, shown

Screen = Callable[[PageRequest], Page]
TOKEN = "a1b2c3"
ASKING: dict[str, Screen] = {
    "login": sign_in.login,
    "register": registration.register,
    "forgot": password_reset.forgot,
    "reset": password_reset.reset,
    "verify": registration.verify,
    "verify expired": registration.verify_expired,
    "verify sent": registration.verify_sent,
    "reauthenticate": reauthentication.ask,
    "reauthenticate by code": reauthentication.by_code,
    "two factor": sign_in.two_factor,
    "app": second_factors.app,
    "app off": second_factors.app_off,
    "codes new": second_factors.codes_new,
    "passkey name": passkeys.rename,
    "passkey remove": passkeys.remove,
    "unsubscribe": unsubscribe.ask,
}
TELLING: dict[str, Screen] = {
    "register closed": registration.closed,
    "registered": registration.registered,
    "forgot sent": password_reset.sent,
    "reset unusable": password_reset.unusable,
    "reset done": password_reset.done,
    "callback": sign_in.callback,
    "callback failed": sign_in.callback_failed,
    "inactive": refused.inactive,
    "forged": refused.forged,
    "other account": refused.other_account,
    "too many": refused.too_many,
    "factors": second_factors.overview,
    "codes": second_factors.codes,
    "passkeys": passkeys.overview,
    "passkey add": passkeys.add,
    "unsubscribe unusable": unsubscribe.unusable,
}
EVERY = {**ASKING, **TELLING}


def look(screen: Screen, *, viewer: Viewer = ANONYMOUS, **fields) -> Seen:
    """Render the screen for this viewer; `fields` are attributes of its `Form`."""
    return shown(screen(PageRequest(form=Form(**({"token": TOKEN} | fields)), known_viewer=viewer)), {}, viewer)


def typed(seen: Seen) -> dict[str, dict[str, object]]:
    """Return the attributes of the visible fields by name, in document order."""
    fields = [attributes(node) for node in every(seen.main, "input")]
    return {str(field["name"]): field for field in fields if field["type"] != "hidden"}


def visually_hidden(form: dict[str, object]) -> dict[str, str]:
    """Return the values of the form's hidden fields by name."""
    fields = map(attributes, every(form, "input", type="hidden"))
    return {str(field["name"]): str(field.get("value") or field.get("defaultValue", "")) for field in fields}


def links(seen: Seen) -> dict[str, str]:
    return {name(link): attributes(link)["href"] for link in every(seen.main, "a")}


def form_of(seen: Seen) -> dict[str, object]:
    """Return the screen's only form."""
    return one(seen.main, "form")
