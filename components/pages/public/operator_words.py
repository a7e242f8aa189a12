"""Name and address of the site's operator, from the environment."""

from django.conf import settings

from apps.core.texts import texts
from components.runtime import VdomDict, html
from components.ui.blocks import link


def operator_words(language: str) -> list[VdomDict]:
    """Return paragraphs with the operator's name and e-mail address, or a note if neither is configured."""
    t, name, address = texts(language), settings.OPERATOR_NAME, settings.CONTACT_EMAIL
    unofficial = html.p(t("Parterre is unofficial and not affiliated with the competition."))
    if not name and not address:
        return [html.p(t("Whoever runs this copy of Parterre has not said who they are.")), unofficial]
    who = html.p(t("This copy of Parterre is run by {name}.").format(name=name)) if name else None
    where = html.p(t("Write to"), " ", link(f"mailto:{address}", address)) if address else None
    return [each for each in (who, where, unofficial) if each]
