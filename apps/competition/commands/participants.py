"""Commands of participants."""

from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.limits import BIOGRAPHY_LENGTH, NAME_LENGTH, YEAR_MOST
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.edits.field_errors import FieldErrors
from apps.core.limits import ADDRESS_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts

LIST = "/admin/participants"
BIRTH_YEAR = "Please write the birth year in digits, such as 1999."


@command()
def participant_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a participant."""
    errors = FieldErrors()
    fields = _participant(given, errors)
    name = f"{fields['second_name']} {fields['first_name']}" if given.flag("family_first") else ""
    confirmed = given.flag("confirmed")
    create = partial(services.participant_create, actor=actor, name=name, confirmed=confirmed, **fields)
    errors.checked(create, None)
    errors.require_none()
    return Answer(t("Participant created successfully"), go=LIST)


@command()
def participant_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the participant in the argument."""
    more: dict[str, Any] = {
        "family_first": given.flag("family_first"),
        "version": given.text("version", VERSION_LENGTH),
    }
    errors = FieldErrors()
    fields = _participant(given, errors)
    update = partial(services.participant_update, actor=actor, participant_id=given.id(), **fields, **more)
    saved = errors.checked(update, None)
    errors.require_none()
    return Answer(t("Participant updated successfully"), go=LIST, kept_fields=saved.kept_fields if saved else ())


@command(confirm="Delete this participant?")
def participant_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the participant in the argument."""
    services.participant_delete(actor=actor, participant_id=given.id())
    return Answer(t("Participant deleted successfully"))


def _participant(given: Arguments, errors: FieldErrors) -> dict[str, Any]:
    return {
        "first_name": given.text("first_name", NAME_LENGTH),
        "second_name": given.text("second_name", NAME_LENGTH),
        "country": given.text("country", NAME_LENGTH),
        "biography": given.text("biography", BIOGRAPHY_LENGTH),
        "birth_year": errors.checked(lambda: given.number("birth_year", 0, YEAR_MOST, BIRTH_YEAR), None),
        "avatar_url": given.text("avatar_url", ADDRESS_LENGTH),
        "featured": given.flag("featured"),
    }
