"""The page "Who runs the site": name and e-mail address for the pages Contact and Privacy."""

from typing import Any

from apps.accounts.limits import CONTACT_TEXTS
from apps.accounts.selectors.site_contact import site_contact
from apps.core.texts import Texts, texts
from components.runtime import Page, PageRequest, VdomDict, command_form, component, html
from components.ui.areas import RECORDS
from components.ui.blocks import link
from components.ui.forms import field
from components.ui.frames import backstage, form_page

PATH = "/admin/contact"


def load(request: PageRequest) -> Page:
    """Return the form. It has no topics, so that no change replaces what is typed."""
    return Page(request.t("Who runs this site, and where to write."), contact_page, data=site_contact())


@component
def contact_page(page: Page) -> VdomDict:
    """Render the two fields, and where they are shown."""
    t, contact = texts(page.language), page.data
    ways = (link("/contact", t("Contact")), " ", t("and"), " ", link("/privacy", t("Privacy")))
    where = html.p(t("Shown on the pages"), " ", *ways)
    name = "OPERATOR_NAME" if contact.is_name_fixed else ""
    email = "CONTACT_EMAIL" if contact.is_email_fixed else ""
    example = t("A person or an organisation, with the postal address if the law of your country asks for it.")
    fields = (
        where,
        _field(t("Name"), "name", contact.name, name, t, hint=example),
        _field(t("E-mail address"), "email", contact.email, email, t, type="email", autoComplete="off"),
    )
    if name and email:
        return backstage(page.title, html.div({"class": "form-page stack"}, *fields), page=page)
    form = form_page(
        command_form("site_contact_set", draft="site-contact"),
        *fields,
        save=t("Save"),
        cancel=RECORDS,
        version=contact.version,
        language=page.language,
    )
    return backstage(page.title, html.div({"data-answers": ""}, form), page=page)


def _field(label: str, name: str, value: str, variable: str, t: Texts, *, hint: str = "", **more: Any) -> VdomDict:
    """Return a field; `variable` is the environment's that overrides it, so that it cannot be changed here."""
    if variable:
        hint = t("Set by {variable} of the environment, which overrides what is stored.").format(variable=variable)
        more["readOnly"] = True
    return field(label, name, value=value, hint=hint, maxLength=CONTACT_TEXTS[name], **more)
