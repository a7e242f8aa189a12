"""Commands of the list of pianos, and of the pianos of a session's performances."""

from collections.abc import Mapping

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.limits import ORDER_LENGTH, ORDER_TEXT_LENGTH, PERFORMERS_MOST, PIANO_TEXTS
from apps.competition.services import pianos
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts

PIANOS, SESSIONS = "/admin/pianos", "/admin/sessions"


@command(Access.ADMINISTRATOR)
def piano_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a piano to the list."""
    pianos.piano_add(actor=actor, **given.texts(PIANO_TEXTS))
    return Answer(t("Piano added successfully"), empty=True)


@command(Access.ADMINISTRATOR)
def piano_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Rename the piano in the argument."""
    version = given.text("version", VERSION_LENGTH) or None
    saved = pianos.piano_update(actor=actor, piano_id=given.id(), version=version, **given.texts(PIANO_TEXTS))
    return Answer(t("Piano updated successfully"), go=PIANOS, kept_fields=saved.kept_fields)


@command(Access.ADMINISTRATOR, confirm="Remove this piano from the list?")
def piano_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Remove the piano in the argument from the list."""
    pianos.piano_delete(actor=actor, piano_id=given.id())
    return Answer(t("Piano removed successfully"))


@command(Access.ADMINISTRATOR)
def session_pianos_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the pianos that were chosen for the performances of the session in the argument; `read` are those before."""
    read = _pairs(given.text("read", ORDER_LENGTH))
    chosen = {pk: _id(given.text(f"piano-{pk}", ID_DIGITS)) for pk in read if f"piano-{pk}" in given.fields}
    pianos.session_pianos_set(actor=actor, session_id=given.id(), pianos=chosen, read=read)
    if given.flag("stay"):  # beside the program of one performer
        return Answer(t("The piano is saved."))
    return Answer(t("The pianos are saved."), go=SESSIONS)


@command(Access.ADMINISTRATOR)
def session_pianos_read(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the pianos in a pasted list of the session in the argument; unconfirmed, it asks about unknown pianos."""
    text, confirmed = given.text("piano_lines", ORDER_TEXT_LENGTH), given.flag("confirmed")
    count = pianos.session_pianos_read(actor=actor, session_id=given.id(), text=text, confirmed=confirmed)
    words = t.plural("The piano of %(n)d performer is saved.", "The pianos of %(n)d performers are saved.", count)
    return Answer(words, go=SESSIONS)


def _pairs(text: str) -> Mapping[int, int | None]:
    """Return ids of pianos by appearance, as the form sends them: "17.2,18.0". Raises ValidationError."""
    pairs = [word.partition(".") for word in text.split(",")[:PERFORMERS_MOST] if word]
    return {_id(appearance) or 0: _id(piano) for appearance, _, piano in pairs}


def _id(text: str) -> int | None:
    if text and not (text.isascii() and text.isdecimal() and len(text) <= ID_DIGITS):
        raise ValidationError(pianos.UNKNOWN)
    return int(text or 0) or None
