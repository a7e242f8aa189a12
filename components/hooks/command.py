"""The one way in which a signed-in person changes something: docs/howto/add-an-action.md."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import NON_FIELD_ERRORS, ObjectDoesNotExist, PermissionDenied, ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.selectors import viewer_get
from apps.core.commands import act_once
from apps.core.confirmation import ConfirmationNeeded
from apps.core.database_errors import DATABASE_AWAY
from apps.core.edit_merge import EditConflict, Saved
from apps.core.texts import Texts, texts
from components.hooks.arguments import UNREADABLE, Asked
from components.hooks.connection import PageConnection, use_page_connection
from components.hooks.long_texts import whole

__all__ = ["Asked", "use_action"]

log = logging.getLogger(__name__)
Answer = dict[str, Any]
Back = tuple[str, str | int]  # the act, and its argument, that takes something back
ERROR_ID_BYTES = 4
LINE = "\n"  # between changes and between losses: the style sheet shows it


@dataclass(frozen=True, slots=True)
class _Action:
    """A service as the page offers it."""

    service: Callable[..., Any]
    read: Callable[[Asked], Mapping[str, Any]]
    said: str | Callable[[Any], str]
    failed: str
    go: str
    undo: Callable[[Any], Back | None]

    @property
    def name(self) -> str:
        """What the acts and the log call it."""
        return self.service.__name__

    def done(self, viewer: Viewer, asked: Asked, t: Texts) -> Answer:
        """Do it as `viewer` and return the answer; raises what the service raises."""
        result, kept = self.service(actor=viewer, **self.read(asked)), ""
        match result:
            case Saved(row=row, kept=labels):
                result, kept = row, _kept(labels, t)
        answer = {"ok": True, "text": (self.said(result) if callable(self.said) else self.said) + kept}
        back = self.undo(result)
        return answer | ({"go": self.go} if self.go else {}) | ({"undo": list(back)} if back else {})


def use_action(
    service: Callable[..., Any],
    *,
    read: Callable[[Asked], Mapping[str, Any]],
    said: str | Callable[[Any], str] = "",
    failed: str = "",
    go: str = "",
    undo: Callable[[Any], Back | None] = lambda _: None,
) -> Callable[[Any], Awaitable[None]]:
    """A handler for `acts`: runs `service(actor=…, **read(asked))` once for each key, and answers the browser.

    `read` makes the service's arguments of what was sent; `said` is the sentence of success in the page's language, or
    returns it for the service's result (the row of a `Saved`); `failed` is that of a fault of ours, where the
    specification words one. `go` is where the browser goes afterwards, such as a form's list; `undo` returns, for the
    service's result, the act and its argument that take it back.
    """
    connection = use_page_connection()
    action = _Action(service, read, said, failed, go, undo)

    async def on_act(data: Any) -> None:
        match data:
            case {"argument": str(argument), "fields": dict(fields), "key": str(text)} if key := _key(text):
                asked = Asked(argument, fields)
                connection.act(text, lambda: _answer(action, connection, key, asked))
            case _:  # no client of ours; whoever waits for an answer has one
                connection.act(_name(data), lambda: _refused(texts(connection.language)(UNREADABLE)))

    return on_act


def _name(data: Any) -> str:
    """The key that an answer repeats, where what was sent has one."""
    match data:
        case {"key": str(text)} if _key(text):
            return text
    return ""


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _answer(action: _Action, connection: PageConnection, key: UUID, asked: Asked) -> Answer:
    """What the browser is told, whatever happens; in a worker thread."""
    t = texts(connection.language)
    try:
        return _done(action, connection, key, asked)
    except ValidationError as error:
        return _invalid(error, t)
    except PermissionDenied as error:
        return _refused(t(str(error)) or t("You may not do this."))
    except ObjectDoesNotExist:
        return _refused(t("This is no longer there."))
    except DATABASE_AWAY as error:
        log.warning("%s: the database did not answer: %s", action.name, error)
        return _refused(t("Please try again in a moment."), again=True)
    except Exception:
        number = token_hex(ERROR_ID_BYTES)
        log.exception("%s failed (error %s)", action.name, number)
        return _refused(
            action.failed or t("Something went wrong. Please try again. (Error %(number)s)") % {"number": number}
        )


def _done(action: _Action, connection: PageConnection, key: UUID, asked: Asked) -> Answer:
    # as the account and the session are now, not as they were when the socket opened
    viewer = viewer_get(user_id=connection.viewer.id, session=connection.viewer.session)
    if viewer.id is None:
        return _refused("", leave="/login?" + urlencode({"next": connection.page.address}))
    told, t = whole(asked, user_id=viewer.id), texts(connection.language)
    return act_once(user_id=viewer.id, key=key, name=action.name, work=lambda: action.done(viewer, told, t))


def _kept(labels: tuple[str, ...], t: Texts) -> str:
    """What is said besides when somebody else had changed something meanwhile, which stays."""
    return f"{LINE}{t('Somebody else changed this meanwhile, and it is kept:')} {', '.join(labels)}." if labels else ""


def _refused(text: str, **more: Any) -> Answer:
    return {"ok": False, "text": text, **more}


def _invalid(error: ValidationError, t: Texts) -> Answer:
    """All of the error's sentences, the first field that is to blame, and what the next try may need."""
    by_field = error.error_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.error_list}
    sentences = list(dict.fromkeys(_sentence(each, t) for errors in by_field.values() for each in errors))
    field = next((name for name in by_field if name != NON_FIELD_ERRORS), "")
    match error:
        case EditConflict():
            sentences.append(t("Save again to keep what you wrote."))
            return _refused(LINE.join(sentences), seen=error.seen, field=field)
        case ConfirmationNeeded():
            return _refused(LINE.join(sentences), ask=True)
        case _:
            return _refused(" ".join(sentences), **({"field": field} if field else {}))


def _sentence(error: ValidationError, t: Texts) -> str:
    """A single error in this language; Django's own and ours are sources of gettext, filled in afterwards."""
    sentence = t(str(error.message))
    return sentence % error.params if error.params else sentence
