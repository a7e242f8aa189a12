"""The registry of commands, by name: docs/howto/add-a-command.md.

    @command()
    def comment_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
        services.comment_add(actor=actor, session_id=given.id(), content=given.text("content", COMMENT_LENGTH))
        return Answer(t("Comment added successfully"), empty=True)

Each app registers its own in its module `commands`, above its services; Django's start imports them all.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ObjectDoesNotExist, PermissionDenied, ValidationError

from apps.core.database.errors import DATABASE_AWAY
from apps.core.edits.confirmation import ConfirmationNeeded
from apps.core.edits.edit_merge import EditConflict
from apps.core.texts import Texts

log = logging.getLogger(__name__)
ERROR_ID_BYTES = 4
DATA_BYTES = 16_384  # of an answer's data as JSON: it is stored, and has to fit into one frame
LINE = "\n"  # between changes and between losses: the style sheet shows it
Frame = dict[str, Any]  # an answer as it is stored and sent
Work = Callable[..., "Answer"]
REGISTERED: dict[str, "Command"] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command answers when it is done; `text` is the sentence, in the page's language.

    `go` is the address of the page that follows, `undo` the command and the argument that take it back, `empty` whether
    the form is emptied, `kept_fields` the labels of what somebody else had changed meanwhile (`Saved`), and `data` an
    object for the page's own script.
    """

    text: str
    go: str = ""
    undo: tuple[str, str | int] | None = None
    empty: bool = False
    kept_fields: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None

    def frame(self, t: Texts) -> Frame:
        """Return the answer as JSON, without empty fields; raises ValueError for more data than one frame holds."""
        if self.data and len(json.dumps(self.data)) > DATA_BYTES:
            raise ValueError(f"an answer holds at most {DATA_BYTES} bytes of data")
        more = {"go": self.go, "undo": list(self.undo or ()), "empty": self.empty, "data": dict(self.data or {})}
        return {"ok": True, "text": self.text + self._kept_sentence(t)} | {
            name: each for name, each in more.items() if each
        }

    def _kept_sentence(self, t: Texts) -> str:
        if not self.kept_fields:
            return ""
        return f"{LINE}{t('Somebody else changed this meanwhile, and it is kept:')} {', '.join(self.kept_fields)}."


@dataclass(frozen=True, slots=True)
class Command:
    """A registered command: the function that reads its arguments, calls its service and returns the Answer."""

    name: str
    work: Work
    failed: str  # the sentence for a fault of ours, where the specification has one
    confirm: str  # the question that is asked first where no script asks it

    def answer(self, actor: Any, given: Any, t: Texts) -> Frame:
        """Do it, and return the answer as it is stored and sent; raises what the services raise."""
        return self.work(actor, given, t).frame(t)


def command(*, failed: str = "", confirm: str = "") -> Callable[[Work], Work]:
    """Register a function under its own name; raises ValueError where the name is taken.

    It takes who acts, the `Arguments` and the texts of the page's language, and may raise what services raise.
    """

    def register(work: Work) -> Work:
        if work.__name__ in REGISTERED:
            raise ValueError(f"two commands are called {work.__name__}")
        REGISTERED[work.__name__] = Command(work.__name__, work, failed, confirm)
        return work

    return register


def refusal(text: str, **more: Any) -> Frame:
    """Return the answer that nothing was done, with the sentence that says why."""
    return {"ok": False, "text": text, **more}


def refusal_of(error: Exception, command: Command, t: Texts) -> Frame:
    """Return the answer to a command that raised `error`; a fault of ours is logged under the number it names."""
    match error:
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
    """Return all of the error's sentences, the first field with an error, and what the next try needs."""
    by_field = error.error_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.error_list}
    sentences = list(dict.fromkeys(_sentence(each, t) for errors in by_field.values() for each in errors))
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
    """Return the first field with an error, and where all errors have a field, the sentences of each."""
    fields = [name for name in by_field if name != NON_FIELD_ERRORS]
    if not fields:
        return {}
    said = {name: " ".join(_sentence(each, t) for each in by_field[name]) for name in fields}
    return {"field": fields[0]} | ({"errors": said} if len(fields) == len(by_field) else {})


def _sentence(error: ValidationError, t: Texts) -> str:
    """Return one error in this language; messages are sources of gettext, and parameters are filled in afterwards."""
    sentence = t(str(error.message))
    return sentence % error.params if error.params else sentence
