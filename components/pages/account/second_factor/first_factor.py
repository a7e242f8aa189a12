"""Page of the mailed link that allows an administrator to set up the first second factor."""

from apps.core.texts import texts
from components.pages.account.second_factor.factors import PATH
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button_link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the page with the button that allows a first second factor in this browser."""
    t = request.t
    description = t("Set up your first second factor in this browser.")
    return Page(title=t("Your second factor"), description=description, component=first_factor_page, data=request.form)


@component
def first_factor_page(page: Page) -> VdomDict:
    """Render a form with a button, because mail programs may open links by themselves."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        plain_form(form, submit(t("Go on"))),
        aside(t("You did not ask for it? Then close this page, and choose a new password.")),
        foot=t("Yours"),
        t=t,
    )


def unusable(request: PageRequest) -> Page:
    """Return the page for an unusable link."""
    t = request.t
    description = t("This link has been used, it is older than an hour, or it is for another account.")
    return Page(title=t("Your second factor"), description=description, component=unusable_page, data=request.form)


@component
def unusable_page(page: Page) -> VdomDict:
    """Render the explanation and a link back to the second factors."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p({"class": "lead"}, page.description),
        button_link(PATH, t("Back to signing in safely")),
        foot=t("Not valid"),
        t=t,
    )
