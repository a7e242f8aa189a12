"""What forms and buttons of commands bring when a browser posts them by itself: docs/howto/add-a-command.md.

The client never sees it: the model and all parts are without it, so no cache holds a viewer's token. React leaves
hidden inputs alone that a form's HTML has besides its own.
"""

from collections.abc import Mapping
from html import escape
from typing import Any
from uuid import uuid4

from apps.accounts.form_owner import TYPED_BY, form_owner_sign
from components.ui.forms import BUTTONS, POSTED

TOKEN, KEY, FROM = "csrfmiddlewaretoken", "key", "from"
FIELDS = (TOKEN, KEY, FROM, TYPED_BY)  # which no command sees


def is_posted(tag: str, attributes: Mapping[str, Any]) -> bool:
    """Whether this element is a form of a command."""
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
    """Return the form that the page's buttons belong to; it stands outside of what the client takes over."""
    return f'<form id="{BUTTONS}" method="post" hidden data-once>{inputs}</form>'
