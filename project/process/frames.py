"""Parse the frames of browsers: every frame is validated before it is used."""

import json
import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from apps.core.commands import UNREADABLE
from apps.core.text_rules import UNSTORABLE, is_storable
from project.process.commands import KEYS, TOO_MUCH, CommandRequest

DATA_ITEMS, DEPTH = 4, 6
TARGET_LIMIT = 500  # characters of a handler's key path
KEY_LIMIT = 36  # characters of a UUID
LAST_SEQ = 1 << 31
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # the escape of a surrogate; orjson refuses an unpaired one
NUL = r"\u0000"


class BadFrame(ValueError):
    """A frame that the site's client never sends. The socket is closed."""


class DroppedEvent(ValueError):
    """A frame of the site's client that is too large, or holds text that cannot be stored.

    `str` is the sentence for the user, a source of gettext. `key` is the key of the command that waits for an answer.
    """

    def __init__(self, sentence: str, key: str = "") -> None:
        super().__init__(sentence)
        self.key = key


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat of the browser."""


@dataclass(frozen=True, slots=True)
class PartRequest:
    """A request for a whole part: the browser lacks the version from which the part's change starts."""

    key: str


@dataclass(frozen=True, slots=True)
class LayoutEvent:
    """An event of an element with a handler; `message` has the form that ReactPy expects."""

    target: str
    message: dict[str, Any]


PING = Ping()


def frame_parse(text: str | None) -> Ping | PartRequest | LayoutEvent | CommandRequest:
    """Return the parsed frame.

    Raises DroppedEvent for a frame that is refused with a sentence, BadFrame for an invalid one.
    """
    if text == '{"type":"ping"}':
        return PING
    frame, has_storable_texts = _json_parse(text or "")
    match frame:
        case {"type": "part-request", "key": str(key)} if len(key) <= TARGET_LIMIT and has_storable_texts:
            return PartRequest(key)
        case {"type": "layout-event", "target": str(target), "data": list(data)} if len(target) <= TARGET_LIMIT:
            event = LayoutEvent(target, _event(frame, data))
            if has_storable_texts:
                return event
            if is_storable(target):
                raise DroppedEvent(UNSTORABLE)
        case {"type": "command"}:
            return _command(frame, has_storable_texts=has_storable_texts)
    raise BadFrame("not a frame of ours")


def _json_parse(text: str) -> tuple[Any, bool]:
    """Return the value of a JSON text, and whether all of its strings can be stored.

    Raises BadFrame if it is not JSON.
    """
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if not SURROGATE.search(text):
            raise BadFrame("not JSON") from error
    else:
        return frame, NUL not in text or is_storable(frame)
    try:
        return json.loads(text, parse_constant=_no_constant), False
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error


def _no_constant(name: str) -> None:
    """Refuse NaN and infinity, which are not valid JSON."""
    raise ValueError(name)


def _command(frame: dict[str, Any], *, has_storable_texts: bool) -> CommandRequest:
    """Return the command in a frame. Raises DroppedEvent, with the command's key if it has one, if it is refused."""
    key = _key(frame.get("key"))
    match frame:
        case {"name": str(name), "argument": str(argument), "fields": dict(fields)} if key:
            if not has_storable_texts:
                raise DroppedEvent(UNSTORABLE, key)
            if not _is_bounded(fields, DEPTH):
                raise DroppedEvent(TOO_MUCH, key)
            return CommandRequest(name, key, argument, fields)
    raise DroppedEvent(UNREADABLE, key)


def _key(key: Any) -> str:
    """Return the key if it is a UUID, else an empty string."""
    try:
        return str(key) if len(key) <= KEY_LIMIT and UUID(key) else ""
    except (TypeError, ValueError, AttributeError):
        return ""


def _event(frame: dict[str, Any], data: list[Any]) -> dict[str, Any]:
    if len(data) > DATA_ITEMS or not all(_is_bounded(item, DEPTH) for item in data):
        raise DroppedEvent(TOO_MUCH)
    message = {"type": "layout-event", "target": frame["target"], "data": data}
    if "seq" in frame:
        seq = frame["seq"]
        if type(seq) is not int or not 0 <= seq < LAST_SEQ:
            raise BadFrame("bad number")
        message["seq"] = seq
    return message


def _is_bounded(value: Any, depth: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    if depth == 0 or len(value) > KEYS:
        return False
    return all(_is_bounded(item, depth - 1) for item in (value.values() if isinstance(value, dict) else value))
