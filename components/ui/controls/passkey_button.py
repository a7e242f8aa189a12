"""The button of a passkey: a form that a script shows and fills in."""

from typing import Any

from apps.core.texts import Texts
from components.form import Form
from components.markup import Markup, VdomDict, html
from components.ui.controls.plain_forms import plain_form, submit

PASSKEY_SCRIPTS = ("modules/passkeys.js",)  # what a page with this button names as its `scripts`


def passkey(form: Form, words: str, ceremony: str, *asked: Markup, action: str, look: str, t: Texts) -> VdomDict:
    """Return the form around the inputs `asked`, posted to `action` with the passkey.

    `ceremony` is "create" or "get"; the script gets the challenge from `action`, too.
    """
    failed = t("No passkey was used. You may try again, or take another way.")
    failure_attributes: dict[str, Any] = {
        "class": "message message--bad",
        "role": "alert",
        "hidden": True,
        "data-passkey-failed": "",
    }
    credential = html.input({"type": "hidden", "name": "credential", "defaultValue": ""})
    return html.div(
        {"hidden": True, "data-passkey": ceremony},
        plain_form(form, *asked, submit(words, look), html.p(failure_attributes, failed), credential, action=action),
    )
