"""Write of who runs the site."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.accounts.events import SiteContactChanged
from apps.accounts.models import SiteContact
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.site_contact import SiteContactShown, site_contact
from apps.core.edits import FieldErrors, Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import name_clean

SAVED = "Contact updated successfully"
_LABELS = {"name": "Name", "email": "E-mail address"}


@transaction.atomic
def site_contact_set(*, actor: Actor, name: str, email: str, version: str | None = None) -> Saved[str]:
    """Store who runs the site and return the sentence to show. What the environment sets is not stored.

    `version` is the `SiteContactShown.version` of the form. Raises PermissionDenied, EditConflict, and ValidationError
    at a field that is empty, too long or no e-mail address.
    """
    require(is_administrator(actor), "Only administrators say who runs the site.")
    SiteContact.objects.bulk_create([SiteContact(name="", email="")], ignore_conflicts=True)
    row = SiteContact.objects.select_for_update().get()
    shown = site_contact()
    before = {"name": shown.name, "email": shown.email}
    given = {"name": shown.name if shown.is_name_fixed else name_clean(name)}
    given["email"] = shown.email if shown.is_email_fixed else email.strip()
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS)
    _store(row, shown, after)
    change_note(actor=actor, action="contact.set", subject_id=None, before=before, after=after)
    publish(SiteContactChanged())
    return Saved(SAVED, kept_fields)


def _store(row: SiteContact, shown: SiteContactShown, after: dict[str, str]) -> None:
    """Store the texts that the environment does not set. Raises ValidationError by field."""
    fixed = {"name": shown.is_name_fixed, "email": shown.is_email_fixed}
    own = {field: text for field, text in after.items() if not fixed[field]}
    for field, text in own.items():
        setattr(row, field, text)
    refused = {field: [ValidationError(f"{_LABELS[field]} is required.")] for field, text in own.items() if not text}
    email = own.get("email", "")
    if email and (" " in email or email.count("@") != 1):  # Django accepts both in quotes
        refused["email"] = [ValidationError("Enter a valid email address.")]
    errors = FieldErrors(refused)
    errors.checked(lambda: row_validate(row, labels=_LABELS, exclude=refused), None)
    errors.require_none()
    row.save()
