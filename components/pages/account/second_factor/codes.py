"""Pages that show the unused recovery codes and replace them."""

from apps.core.texts import texts
from components.pages.account.second_factor.factors import CODES, PATH
from components.runtime import Form, Page, PageRequest, VdomDict, component, html
from components.ui.blocks import button_link, link
from components.ui.frames import aside, ticket
from components.ui.posted_forms import answers, plain_form, submit


def screen(request: PageRequest) -> Page:
    """Return the page with the unused codes, which are in `extra["unused_codes"]`."""
    t = request.t
    description = t("Each of these lets you in once when your phone or your passkey is not at hand.")
    return Page(title=t("Recovery codes"), description=description, component=codes_page, data=request.form)


@component
def codes_page(page: Page) -> VdomDict:
    """Render the codes, with links to download and replace them."""
    form: Form = page.data
    t = texts(page.language)
    left = form.extra.get("unused_codes", ())
    listed = html.ul({"class": "codes"}, *(html.li({"key": each}, html.code(each)) for each in left))
    keep = button_link(f"{CODES}/download", t("Download")) if left else None
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        listed if left else html.p(t("You have used all of them.")),
        html.p(t("Keep them where you keep what matters, not on the phone that they replace.")) if left else None,
        keep,
        button_link(f"{CODES}/new", t("Make new ones"), "plain"),
        aside(link(PATH, t("Back to signing in safely"))),
        foot=t("Spare keys"),
        t=t,
    )


def renew(request: PageRequest) -> Page:
    """Return the page that asks for confirmation to replace the codes."""
    t = request.t
    description = t("The codes that you have now will no longer work.")
    return Page(title=t("Make new recovery codes?"), description=description, component=renew_page, data=request.form)


@component
def renew_page(page: Page) -> VdomDict:
    """Render the question with a button and a link back."""
    form: Form = page.data
    t = texts(page.language)
    return ticket(
        page.title,
        *answers(form, t),
        html.p(page.description),
        plain_form(form, submit(t("Make new ones"))),
        aside(link(PATH, t("Leave it as it is"))),
        foot=t("Spare keys"),
        t=t,
    )
