"""The area People and records: links to accounts, default pictures, the audit and the error log."""

from components.runtime import Page, PageRequest, VdomDict, component
from components.ui.frames import area_list, backstage


def load(request: PageRequest) -> Page:
    """Return the page of the area."""
    return Page(request.t("Accounts, default pictures, the audit and the error log."), records_page)


@component
def records_page(page: Page) -> VdomDict:
    """Render the links."""
    return backstage(page.title, area_list(page), page=page)
