"""`manage.py first_steps`: list the setup steps of a fresh installation."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.selectors.people import administrators
from apps.competition.selectors.admin.live import first_steps_get

_INSTRUCTIONS: Mapping[str, tuple[str, str]] = {
    "administrator": ("an administrator", "register at /register, then: manage.py admin grant ACCOUNT"),
    "contact": ("who runs the site", "manage.py contact NAME EMAIL, or /admin/contact"),
    "stages": ("the stages", "manage.py stages add NAME, or /admin/stages"),
    "participants": ("the participants", "manage.py import_participants FILE, or /admin/participants"),
    "pieces": ("the pieces", "manage.py catalogue, or /admin/pieces"),
    "session": ("the first session", "/admin/sessions?mode=create"),
    "program": ("a program", "manage.py import_program, or /admin/programs"),
    "live": ("going live", "manage.py live set SESSION, or /admin?tab=live"),
}


class Command(BaseCommand):
    """List the steps from an empty database to the first session, as the dashboard does."""

    help = "Say what a fresh installation still lacks, and how it comes to it."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print each step, done or with instructions."""
        steps = (("administrator", bool(administrators())), *first_steps_get().all)
        for name, is_done in steps:
            what, how = _INSTRUCTIONS[name]
            self.stdout.write(f"done     {what}" if is_done else f"missing  {what}: {how}")
        if all(is_done for _, is_done in steps):
            self.stdout.write("All of it is done.")
