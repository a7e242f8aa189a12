"""Page after a request for a mailed link, identical for known and unknown addresses."""

from apps.core.texts import texts
from components.runtime import Form, Page, VdomDict, component, html
from components.ui.blocks import button_link, link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers


def mailed_link(form: Form, language: str, *, again: str, foot: str) -> Page:
    """Return the page; `again` is the address of the request form, `foot` the text at the bottom of the card."""
    t = texts(language)
    return Page(
        title=t("Check your mail"),
        description=t("If this address has an account, the link is on its way to it."),
        component=mailed_link_page,
        data=(form, again, foot),
    )


@component
def mailed_link_page(page: Page) -> VdomDict:
    """Render what to expect, how long the link works, and what to do if no mail arrives."""
    form, again, foot = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        html.p(t("It works once, within one hour. If nothing comes, look among the unwanted mail, or ask again.")),
        button_link("/login", t("Log in")),
        aside(t("Nothing came?"), " ", link(again, t("Ask again"))),
        foot=foot,
        t=t,
    )
