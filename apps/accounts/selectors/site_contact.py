"""Who runs the site: the environment's OPERATOR_NAME and CONTACT_EMAIL, or what administrators have stored."""

from dataclasses import dataclass

from django.conf import settings

from apps.accounts.models import SiteContact
from apps.core.edits import version_of


@dataclass(frozen=True, slots=True)
class SiteContactShown:
    """Name and e-mail address of who runs the site, empty if unknown.

    `is_name_fixed` and `is_email_fixed`: the environment sets it, so that the stored one is not used.
    """

    name: str
    email: str
    is_name_fixed: bool = False
    is_email_fixed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether both are known."""
        return bool(self.name and self.email)

    @property
    def version(self) -> str:
        """The version that the form sends back."""
        return version_of({"name": self.name, "email": self.email})


def site_contact() -> SiteContactShown:
    """Return who runs the site. One query, none if the environment sets both."""
    name, email = settings.OPERATOR_NAME, settings.CONTACT_EMAIL
    if name and email:
        return SiteContactShown(name, email, is_name_fixed=True, is_email_fixed=True)
    stored = site_contact_stored()
    return SiteContactShown(name or stored.name, email or stored.email, bool(name), bool(email))


def site_contact_stored() -> SiteContactShown:
    """Return what administrators have stored. One query."""
    row = SiteContact.objects.values_list("name", "email").first()
    return SiteContactShown(*row) if row else SiteContactShown("", "")
