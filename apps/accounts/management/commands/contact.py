"""`manage.py contact`: show or store who runs the site."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actors import OPERATOR
from apps.accounts.selectors.site_contact import site_contact
from apps.accounts.services.site_contact import site_contact_set

_USAGE = """
  manage.py contact                  show who runs the site, as the pages Contact and Privacy do
  manage.py contact NAME EMAIL       store it; OPERATOR_NAME and CONTACT_EMAIL of the environment override it
"""


class Command(BaseCommand):
    """Shows or stores who runs the site. Open pages update at once, and the audit records it."""

    help = "Say who runs this site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the name and the e-mail address."""
        parser.usage = _USAGE
        parser.add_argument("name", nargs="?", default="")
        parser.add_argument("email", nargs="?", default="")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Store name and address, if given, and print both. Raises CommandError with the reason for a refusal."""
        if options["name"]:
            try:
                site_contact_set(actor=OPERATOR, name=options["name"], email=options["email"])
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from error
        shown = site_contact()
        self._print("name", shown.name, "OPERATOR_NAME" if shown.is_name_fixed else "")
        self._print("e-mail address", shown.email, "CONTACT_EMAIL" if shown.is_email_fixed else "")

    def _print(self, label: str, text: str, variable: str) -> None:
        """Print a line; `variable` is that of the environment which sets it."""
        self.stdout.write(f"{label}: {text or 'missing'}" + (f" ({variable} of the environment)" if variable else ""))
