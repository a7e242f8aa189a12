"""Field for a picture's address, with a preview."""

from collections.abc import Callable
from typing import Any

from apps.core.limits import ADDRESS_LENGTH
from apps.core.text_rules import is_picture_address
from apps.core.texts import texts
from components.runtime import Markup, VdomDict, component, html, use_state
from components.ui.forms import field


@component
def picture_field(label: str, name: str, stored: str, preview: Callable[[str], Markup], language: str) -> VdomDict:
    """Render the field and the preview of the typed address; `preview` gets "" for an invalid address."""
    t, (address_shown, set_address_shown) = texts(language), use_state(stored)

    async def on_left(event: dict[str, Any]) -> None:
        match event:
            case {"target": {"value": str(typed)}}:
                address = typed.strip()
                set_address_shown(address if is_picture_address(address) else "")

    own: dict[str, Any] = {"inputMode": "url", "maxLength": ADDRESS_LENGTH, "autoComplete": "off", "onBlur": on_left}
    hint = t("An address that begins with https://, or a static file of this site.")
    return html.div({"class": "pictured"}, field(label, name, value=stored, hint=hint, **own), preview(address_shown))
