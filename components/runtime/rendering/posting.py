"""Hidden inputs with which a browser posts forms and buttons of commands without script: docs/howto/add-a-command.md.

Neither the model nor any part contains them, so that no cache holds a viewer's token. React does not remove additional
hidden inputs from a form's HTML.
"""

from collections.abc import Mapping
from html import escape
from typing import Any
from uuid import uuid4

from apps.accounts.actors import TYPED_BY, form_owner_sign
from components.runtime.commands import BUTTONS, POSTED

TOKEN, KEY, FROM = "csrfmiddlewaretoken", "key", "from"
FIELDS = (TOKEN, KEY, FROM, TYPED_BY)  # not passed to commands


def is_posted(tag: str, attributes: Mapping[str, Any]) -> bool:
    """Return whether this element is a form of a command."""
    return tag == "form" and str(attributes.get("action", "")).startswith(POSTED)


def posting(address: str, token: str, account: int | None = None) -> str:
    """Return the hidden inputs of each form of the page at `address`, made for this account.

    All forms have one key. An anonymous page has neither key nor token.
    """
    values = {FROM: address} | ({TOKEN: token, KEY: uuid4().hex} if token else {})
    if account is not None:
        values[TYPED_BY] = form_owner_sign(account)
    return "".join(f'<input type="hidden" name="{name}" value="{escape(values[name])}">' for name in values)


def buttons_form(inputs: str) -> str:
    """Return the form of the page's buttons, which is outside the tree that the client hydrates."""
    return f'<form id="{BUTTONS}" method="post" hidden data-once>{inputs}</form>'
