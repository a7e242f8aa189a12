"""Name and address of who runs the site, for the pages Contact and Privacy."""

from urllib.parse import quote

from apps.accounts.selectors.site_contact import SiteContactShown
from apps.core.texts import texts
from components.runtime import VdomDict, html
from components.ui.blocks import link

TOPICS = ("site_contact",)  # of pages that show it


def operator_words(contact: SiteContactShown, language: str) -> list[VdomDict]:
    """Return paragraphs with the name and e-mail address, or a note if neither is known."""
    t, name, address = texts(language), contact.name, contact.email
    unofficial = html.p(t("Parterre is unofficial and not affiliated with the competition."))
    if not name and not address:
        return [html.p(t("Whoever runs this copy of Parterre has not said who they are.")), unofficial]
    who = html.p(t("This copy of Parterre is run by {name}.").format(name=name)) if name else None
    where = html.p(t("Write to"), " ", link(f"mailto:{quote(address, safe='@')}", address)) if address else None
    return [each for each in (who, where, unofficial) if each]
