"""What a browser may send: every frame is checked before anything acts on it."""

from dataclasses import dataclass
from typing import Any

import orjson

DATA_ITEMS, DEPTH, KEYS = 4, 6, 64
TARGET_LIMIT = 500  # characters of a handler's key path
KEY_LIMIT = 36  # characters of a UUID
LAST_SEQ = 1 << 31


class BadFrame(ValueError):
    """A frame that no client of ours sends."""


@dataclass(frozen=True, slots=True)
class Ping:
    """The browser asks whether somebody is there."""


@dataclass(frozen=True, slots=True)
class Want:
    """The browser lacks the version that a part's change starts from."""

    key: str


@dataclass(frozen=True, slots=True)
class LayoutEvent:
    """Something happened to an element that has a handler; `message` is as ReactPy takes it."""

    target: str
    message: dict[str, Any]

    @property
    def key(self) -> str:
        """The key of an act, which waits for an answer (docs/howto/add-an-action.md); empty for all else."""
        match self.message["data"]:
            case [{"argument": str(), "key": str(key)}] if len(key) <= KEY_LIMIT:
                return key
        return ""


PING = Ping()


def parsed(text: str | None) -> Ping | Want | LayoutEvent:
    """The frame's meaning; raises BadFrame for anything else."""
    if text == '{"type":"ping"}':
        return PING
    try:
        frame = orjson.loads(text or "")
    except orjson.JSONDecodeError as error:
        raise BadFrame("not JSON") from error
    match frame:
        case {"type": "part-want", "key": str(key)} if len(key) <= TARGET_LIMIT:
            return Want(key)
        case {"type": "layout-event", "target": str(target), "data": list(data)} if len(target) <= TARGET_LIMIT:
            return LayoutEvent(target, _event(frame, data))
    raise BadFrame("not a frame of ours")


def _event(frame: dict[str, Any], data: list[Any]) -> dict[str, Any]:
    if len(data) > DATA_ITEMS:
        raise BadFrame("too many arguments")
    for item in data:
        _bounded(item, DEPTH)
    message = {"type": "layout-event", "target": frame["target"], "data": data}
    if "seq" in frame:
        seq = frame["seq"]
        if type(seq) is not int or not 0 <= seq < LAST_SEQ:
            raise BadFrame("bad number")
        message["seq"] = seq
    return message


def _bounded(value: Any, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth == 0 or len(value) > KEYS:
            raise BadFrame("too deep or too many")
        for item in value.values() if isinstance(value, dict) else value:
            _bounded(item, depth - 1)
