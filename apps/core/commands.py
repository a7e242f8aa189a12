"""The registry of commands, by name: docs/howto/add-a-command.md.

    @command(Access.MEMBER)
    def comment_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
        services.comment_add(actor=actor, session_id=given.id(), content=given.text("content", COMMENT_LENGTH))
        return Answer(t("Comment added successfully"), empty=True)

Each app registers its commands in its module `commands`, above its services, and in modules such as `piano_commands`
that it imports. Django imports `commands` at start.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from secrets import token_hex
from typing import Any, NoReturn
from uuid import UUID

from django.core.exceptions import NON_FIELD_ERRORS, ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models.functions import Now

from apps.core.database.fields import DATABASE_AWAY
from apps.core.edits import ConfirmationNeeded, EditConflict
from apps.core.limits import ID_DIGITS
from apps.core.models import CommandAnswer
from apps.core.rate_limits import TooMany
from apps.core.text_rules import UNSTORABLE, is_storable
from apps.core.texts import Texts

log = logging.getLogger(__name__)
ERROR_ID_BYTES = 4
DATA_BYTES = 16_384  # of an answer's data as JSON, which is stored and must fit into one frame
LINE = "\n"  # between changes and between losses; the style sheet keeps the line breaks
Frame = dict[str, Any]  # an answer as it is stored and sent
Work = Callable[..., "Answer"]
REGISTERED: dict[str, "Command"] = {}
SIGN_IN, REGISTER = "/login", "/register"  # the doors of visitors


class Access(StrEnum):
    """What a command requires of the account and of its session. The services authorise."""

    MEMBER = "member"
    ADMINISTRATOR = "administrator"
    FRESH_ADMINISTRATOR = "administrator who signed in within the last ten minutes"


@dataclass(frozen=True, slots=True)
class Answer:
    """The successful answer of a command; `text` is its sentence in the page's language.

    `go` is the address of the next page. `undo` is the command that reverts this one, and its argument. `empty` clears
    the form. `kept_fields` are the labels of fields that another user changed concurrently (`Saved`). `data` is an
    object for the page's script.
    """

    text: str
    go: str = ""
    undo: tuple[str, str | int] | None = None
    empty: bool = False
    kept_fields: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None

    def frame(self, t: Texts) -> Frame:
        """Return the answer as JSON, without empty fields. Raises ValueError for more than DATA_BYTES of data."""
        if self.data and len(json.dumps(self.data)) > DATA_BYTES:
            raise ValueError(f"an answer holds at most {DATA_BYTES} bytes of data")
        more = {"go": self.go, "undo": list(self.undo or ()), "empty": self.empty, "data": dict(self.data or {})}
        return {"ok": True, "text": self.text + self._kept_sentence(t)} | {
            name: value for name, value in more.items() if value
        }

    def _kept_sentence(self, t: Texts) -> str:
        if not self.kept_fields:
            return ""
        return f"{LINE}{t('Somebody else changed this meanwhile, and it is kept:')} {', '.join(self.kept_fields)}."


@dataclass(frozen=True, slots=True)
class Command:
    """A registered command: the function that reads its arguments, calls its service and returns the Answer.

    `door` is the path of the page to which a visitor is sent who is not signed in. `waits` is whether a press of the
    visitor is carried out after the sign-in, with the field `wish`: only a command that is undone as easily, and whose
    argument says all of it.
    """

    name: str
    work: Work
    access: Access
    failed: str  # the specification's sentence for an unexpected error, if it has one
    confirm: str  # the question to confirm, for pages without a script that asks it
    door: str = SIGN_IN
    waits: bool = False

    def answer(self, actor: Any, given: Any, t: Texts) -> Frame:
        """Run the command and return the answer as it is stored and sent. Raises what the services raise."""
        return self.work(actor, given, t).frame(t)


def command(
    access: Access, *, failed: str = "", confirm: str = "", door: str = SIGN_IN, waits: bool = False
) -> Callable[[Work], Work]:
    """Register the decorated function as a command under its own name. Raises ValueError for a duplicate name.

    The server asks an administrator for a new sign-in first where `access` requires it.

    The function takes the actor, the `Arguments` and the texts of the page's language. It may raise what services
    raise.
    """

    def register(work: Work) -> Work:
        if work.__name__ in REGISTERED:
            raise ValueError(f"two commands are called {work.__name__}")
        REGISTERED[work.__name__] = Command(work.__name__, work, access, failed, confirm, door, waits)
        return work

    return register


def refusal(text: str, **more: Any) -> Frame:
    """Return the answer of a refused command; `text` is the sentence with the reason."""
    return {"ok": False, "text": text, **more}


def refusal_of(error: Exception, command: Command, t: Texts) -> Frame:
    """Return the answer to a command that raised `error`.

    `again` marks a refusal that the same command may overcome later, at a rate limit or without the database. An
    unexpected error is logged under the number in the answer.
    """
    match error:
        case TooMany():
            return _invalid(error, t) | {"again": True}  # nothing was written, so the same message may be sent again
        case ValidationError():
            return _invalid(error, t)
        case PermissionDenied():
            return refusal(t(str(error)) or t("You may not do this."))
        case ObjectDoesNotExist():
            return refusal(t("This is no longer there."))
        case _ if isinstance(error, DATABASE_AWAY):
            log.warning("%s: the database did not answer: %s", command.name, error)
            return refusal(t("Please try again in a moment."), again=True)
    number = token_hex(ERROR_ID_BYTES)
    log.error("%s failed (error %s)", command.name, number, exc_info=error)
    wrong = t("Something went wrong. Please try again. (Error %(number)s)") % {"number": number}
    return refusal(t(command.failed) or wrong)


def _invalid(error: ValidationError, t: Texts) -> Frame:
    """Return all sentences of the error, the first field with an error, and the values that the next attempt sends."""
    by_field = error.error_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.error_list}
    sentences = list(dict.fromkeys(_sentence(item, t) for errors in by_field.values() for item in errors))
    field = next((name for name in by_field if name != NON_FIELD_ERRORS), "")
    match error:
        case EditConflict():
            sentences.append(t("Save again to keep what you wrote."))
            return refusal(LINE.join(sentences), version=error.version, field=field)
        case ConfirmationNeeded():
            return refusal(LINE.join(sentences), ask=True)
        case _:
            return refusal(" ".join(sentences), **_at_fields(by_field, t))


def _at_fields(by_field: Mapping[Any, Sequence[ValidationError]], t: Texts) -> dict[str, Any]:
    """Return the first field with an error. If all errors have a field, return the sentences of each field too."""
    fields = [name for name in by_field if name != NON_FIELD_ERRORS]
    if not fields:
        return {}
    sentences = {name: " ".join(_sentence(item, t) for item in by_field[name]) for name in fields}
    return {"field": fields[0]} | ({"errors": sentences} if len(fields) == len(by_field) else {})


def _sentence(error: ValidationError, t: Texts) -> str:
    """Return one error in this language. Messages are gettext sources; their parameters are filled in afterwards."""
    sentence = t(str(error.message))
    return sentence % error.params if error.params else sentence


NUMBER_LENGTH = 20  # characters of a typed number
PATH_LENGTH = 2048  # characters of an address with its query
OWN_PATH = re.compile(r"/(?![/\\])[!-~]*", re.ASCII)
UNREADABLE = "This page and the server no longer understand each other. Please reload the page."


@dataclass(frozen=True, slots=True)
class Arguments:
    """The argument in the markup and the fields of the form. All values are untrusted.

    Every method raises ValidationError: with the field's name if the user can correct the value, without it if the
    client of this site never sends such a value.
    """

    argument: str
    fields: Mapping[str, Any]

    def id(self, part: int = 0) -> int:
        """Return the id in a part of the argument, such as 17 in "17:up"."""
        word = self._part(part)
        if not (word.isascii() and word.isdigit() and 0 < len(word) <= ID_DIGITS and int(word)):
            _unreadable()
        return int(word)

    def word(self, part: int, choices: Sequence[str]) -> str:
        """Return the word in a part of the argument, which must be one of `choices`."""
        word = self._part(part)
        if word not in choices:
            _unreadable()
        return word

    def text(self, name: str, longest: int) -> str:
        """Return a field's text, stripped, at most `longest` characters; empty when the field is missing."""
        value = self.fields.get(name, "")
        if not isinstance(value, str):
            _unreadable()
        if not is_storable(value):
            raise ValidationError({name: UNSTORABLE})
        text = value.replace("\r\n", "\n").strip()
        if len(text) > longest:
            message = ValidationError("Please write at most %(longest)d characters.", params={"longest": longest})
            raise ValidationError({name: message})
        return text

    def texts(self, lengths: Mapping[str, int]) -> dict[str, str]:
        """Return the texts of the fields in `lengths`, each at most so many characters long."""
        return {name: self.text(name, longest) for name, longest in lengths.items()}

    def number(
        self, name: str, least: int, most: int, sentence: str = "Please give a whole number from %(least)d to %(most)d."
    ) -> int | None:
        """Return a whole number from `least` to `most`, or None for an empty field.

        `sentence` is the error text for any other value.
        """
        text = self.text(name, NUMBER_LENGTH)
        if not text:
            return None
        digits = text.removeprefix("-")
        value = int(text) if digits.isascii() and digits.isdigit() else None
        if value is None or not least <= value <= most:
            message = ValidationError(sentence, params={"least": least, "most": most})
            raise ValidationError({name: message})
        return value

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return one of `choices`, or an empty text without a selection."""
        value = self.fields.get(name, "")
        if value != "" and value not in choices:
            _unreadable()
        return str(value)

    def several(self, name: str, most: int) -> tuple[str, ...]:
        """Return the values of a repeated field, such as check boxes: at most `most` values."""
        value = self.fields.get(name, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or len(values) > most or not all(isinstance(item, str) for item in values):
            _unreadable()
        if not is_storable(values):
            _unreadable()
        return tuple(values)

    def path(self, name: str) -> str:
        """Return a field's path on this site, with its query; empty for any other value."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) and is_own_path(value) else ""

    def flag(self, name: str) -> bool:
        """Return whether a check box is ticked."""
        return name in self.fields

    def _part(self, part: int) -> str:
        words = self.argument.split(":")
        return words[part] if part < len(words) else ""


def is_own_path(address: str) -> bool:
    """Return whether `address` is a path of this site with its query, which browsers cannot read as another site."""
    return len(address) <= PATH_LENGTH and "\\" not in address and OWN_PATH.fullmatch(address) is not None


def _unreadable() -> NoReturn:
    raise ValidationError(UNREADABLE)


LIFETIME = timedelta(days=7)
KEY_OF_ANOTHER = "This key was used for another command."
# A concurrent insert of the same key waits here until the first transaction commits (no row is inserted) or fails.
CLAIM = "INSERT INTO acts (user_id, key, name, answer) VALUES (%s, %s, %s, '{}') ON CONFLICT (user_id, key) DO NOTHING"


@transaction.atomic
def command_once(*, user_id: int, key: UUID, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the answer of `work`, or the stored answer if this account has used the idempotency key before.

    The answer is stored in the transaction in which `work` writes. An error in `work` rolls both back. Raises
    ValidationError for a key that was used for another command.
    """
    mine = CommandAnswer.objects.filter(user_id=user_id, key=key)
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [user_id, key, name])
        is_first = cursor.rowcount == 1
    if not is_first:
        first: dict[str, Any]
        command_name, first = mine.values_list("name", "answer").get()
        if command_name != name:
            raise ValidationError(KEY_OF_ANOTHER)
        return first
    answer = work()
    mine.update(answer=answer)
    return answer


def command_answers_prune() -> int:
    """Delete answers older than LIFETIME, which no browser waits for; return their number."""
    count, _ = CommandAnswer.objects.filter(created_at__lt=Now() - LIFETIME).delete()
    return count


BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def moment_number(at: datetime) -> int:
    """Return a moment as whole microseconds since 1970."""
    return (at - BEGINNING) // MICROSECOND


def moment_read(number: int) -> datetime:
    """Return the moment of a number from `moment_number`. Raises ValidationError for a number out of range."""
    try:
        return BEGINNING + number * MICROSECOND
    except OverflowError as error:
        raise ValidationError(UNREADABLE) from error
