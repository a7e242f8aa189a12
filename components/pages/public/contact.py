"""The page "Contact": the operator of the site, and links for common requests."""

from apps.accounts.selectors.site_contact import SiteContactShown, site_contact
from apps.core.texts import texts
from components.pages.public.operator_words import TOPICS, operator_words
from components.runtime import Page, PageRequest, VdomDict, cached_markup, component, html
from components.ui.blocks import link
from components.ui.frames import first_section, main


def load(request: PageRequest) -> Page:
    """Return the contact page."""
    words = request.t("Who runs this site, and where to write.")
    return Page(description=words, component=contact_page, data=site_contact(), topics=TOPICS)


@component
def contact_page(page: Page) -> VdomDict:
    """Render the operator's address, and the links that make a mail unnecessary."""
    return _contact(page.title, page.data, page.language)


@cached_markup
def _contact(title: str, contact: SiteContactShown, language: str) -> VdomDict:
    t = texts(language)
    return main(
        first_section(
            title,
            html.div(
                {"class": "prose"},
                *operator_words(contact, language),
                html.p(t("A text that should not stand here: press Report beside it, administrators decide about it.")),
                html.p(t("Your account, and all that is stored about you:"), " ", link("/profile", t("Your profile"))),
                html.p(t("What is kept, and for how long:"), " ", link("/privacy", t("Privacy"))),
            ),
        )
    )
