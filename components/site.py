"""The root component: the frame around every page, and navigation."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import Viewer
from apps.core.texts import texts
from components.parts.notifications import notification_frame
from components.routes import CUE_BAR, LIVE_MARK, Menu, menu
from components.runtime.hooks import use_live_fills, use_page_connection
from components.runtime.markup import Markup, Vdom, component, html, key, use_state
from components.runtime.page import Page, Redirect
from components.runtime.rendering.document import full_title, style_addresses
from components.runtime.rendering.page_slots import SlotQuery, query_slots
from components.runtime.rendering.slots import Fills
from components.ui.frames import backstage_foot, footer, masthead
from components.ui.posted_forms import posted_answer, without_answer

PAGE_NAVIGATION = Vdom("page-navigation")


@component
def site() -> Markup:
    """The page that was loaded first, and every page after it."""
    connection = use_page_connection()
    viewer = connection.viewer
    page, set_page = use_state(connection.page)
    leave, set_leave = use_state("")
    number, set_number = use_state(0)  # of the browser's requests, the last one that was answered

    async def on_navigate(request: dict[str, Any]) -> None:
        versions, asked = versions_and_number(request)
        target = await connection.navigate(str(request.get("path")), versions)
        if isinstance(target, Redirect):
            set_leave(target.to)
        else:
            set_number(asked)
            set_page(target)

    connection.on_page(set_page)  # no effect: pages of anonymous visitors have none
    account_menu = Menu.ACCOUNT if viewer.is_signed_in else Menu.SIGN_IN
    # without an answer, so that a reload does not repeat it
    heading = {
        "path": without_answer(page.address),
        "title": full_title(page),
        "number": number,
        "onNavigate": on_navigate,
    }
    if styles := style_addresses(page):
        heading["styles"] = styles
    return html.div(
        {"class": "site"},
        PAGE_NAVIGATION(heading | ({"leave": leave} if leave else {})),
        masthead(
            path=page.path,
            pages=menu(Menu.MAIN, is_admin=viewer.is_admin, language=page.language),
            phone_pages=menu(Menu.PHONE, is_admin=False, language=page.language),
            account_pages=menu(account_menu, is_admin=False, language=page.language),
            is_signed_in=viewer.is_signed_in,
            mark=page.frame_parts.get(LIVE_MARK),
            language=page.language,
        ),
        _posted_answer(page),
        key(f"page:{page.path}", page.component(page)),
        footer(pages=menu(Menu.FOOTER, is_admin=False, language=page.language), language=page.language),
        notification_frame(language=page.language) if viewer.is_signed_in and page.slots else None,
        backstage_foot(page.frame_parts[CUE_BAR], texts(page.language)) if CUE_BAR in page.frame_parts else None,
        *_slots(page, viewer),
    )


def versions_and_number(request: Mapping[str, Any]) -> tuple[Mapping[str, str], int]:
    """Return the part versions in the browser and the number of a navigation request, with defaults if missing."""
    versions, number = request.get("versions"), request.get("number")
    return versions if isinstance(versions, dict) else {}, number if isinstance(number, int) else 0


def navigated(model: dict[str, Any], **answer: Any) -> dict[str, Any]:
    """Return the site's model with this answer to one window's navigation: `number` or `leave`."""
    if model["tagName"] == "page-navigation":
        return {**model, "attributes": {**model["attributes"], **answer}}
    first, *others = model["children"]
    return {**model, "children": [navigated(first, **answer), *others]}


def _slots(page: Page, viewer: Viewer) -> list[Markup]:
    """Return a node for each slot query of a page of a signed-in viewer; a component only where topics change it."""
    if not viewer.is_signed_in:
        return []
    return [
        live_slots(query, fills, viewer) if query.topics else query_slots(fills)
        for query, fills in zip(page.slots, page.fills, strict=True)
    ]


@component
def live_slots(query: SlotQuery, initial: Fills, viewer: Viewer) -> Markup:
    """The fills of one slot query, kept current."""
    return query_slots(use_live_fills(query, viewer, initial))


def _posted_answer(page: Page) -> Markup:
    posted = use_page_connection().posted
    if posted is None or f"answer={posted['id']}" not in page.address:
        return None  # this is another page by now
    return posted_answer(posted, without_answer(page.address), page.language)
