"""The first render of a page, in a page view or an answer to a poll."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import Viewer
from components.runtime.hooks import PageViewConnection
from components.runtime.page import Page
from components.runtime.rendering.layout import HookConnection, first_model
from components.site import site
from project.observability.metrics import numbers


async def first_view(
    page: Page, viewer: Viewer, token: str = "", posted: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the first model of the whole page for `viewer`; `token` is the CSRF token of its plain forms.

    `posted` is the answer to a command that was posted without the client script.
    """
    connection = HookConnection({"type": "http"}, PageViewConnection(page, viewer, token, posted))
    with numbers.render.measure():
        return await first_model(site(), connection)
