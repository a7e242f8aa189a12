"""The profile's section about signing in safely."""

from apps.accounts.selectors import Factors
from apps.core.texts import texts
from components.markup import VdomDict, html
from components.pages.account.factors import rows
from components.ui.sheet import section
from components.ui.states import message


def second_factor_section(factors: Factors, language: str, *, lacks: bool = False) -> VdomDict:
    """Return what stands beside one's password, with the ways to change it.

    `lacks` says that this is an administrator who may do nothing as one without.
    """
    _ = texts(language)
    asked = message(_("Administrators need one of these before they can run the site."), good=False) if lacks else None
    words = html.p(_("A passkey, or a code from an app: whoever learns your password still stays outside."))
    body = html.div({"class": "body stack profile__body"}, asked, words, html.ul({"class": "seats"}, *rows(factors, _)))
    return section(_("Signing in safely"), body, name="factors")
