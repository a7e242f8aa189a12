"""Frames from a browser: anything but a known frame raises BadFrame or DroppedEvent, and no other exception."""

import json
from typing import Any
from uuid import UUID

from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.core.text_rules import UNSTORABLE
from project.process.commands import TOO_MUCH, CommandRequest
from project.process.frames import PING, BadFrame, DroppedEvent, LayoutEvent, PartRequest, frame_parse
from tests.offenders import check_each

EVENT = {"type": "layout-event", "target": "/0:onClick", "data": []}


def event(**changes: Any) -> str:
    return json.dumps(EVENT | changes)


def nested(depth: int) -> Any:
    """Return lists nested this deep."""
    value: Any = "core"
    for _ in range(depth):
        value = [value]
    return value


def test_frames_of_the_client_are_parsed() -> None:
    assert frame_parse('{"type":"ping"}') is PING
    assert frame_parse('{"type":"part-request","key":"order:7:en"}') == PartRequest("order:7:en")
    command = {"type": "command", "name": "note_add", "argument": "7", "fields": {"text": "a"}, "key": KEY}
    assert frame_parse(json.dumps(command)) == CommandRequest("note_add", KEY, "7", {"text": "a"})
    odd = dict.fromkeys(["constructor", "toString", "__proto__", "__class__"], "a")  # names like all others
    assert frame_parse(json.dumps(command | {"fields": odd})) == CommandRequest("note_add", KEY, "7", odd)
    event = {"type": "layout-event", "target": "0:onSubmit", "data": [{"type": "submit", "form": odd}]}
    assert frame_parse(json.dumps(event)) == LayoutEvent("0:onSubmit", event)
    full = EVENT | {"data": [{"type": "click", "target": {"value": "a"}}, 1, None], "seq": 3}
    assert frame_parse(json.dumps(full)) == LayoutEvent("/0:onClick", full)


def test_unknown_names_are_removed() -> None:
    frame = frame_parse(event(extra=1, type="layout-event"))
    assert isinstance(frame, LayoutEvent)
    assert set(frame.message) == {"type", "target", "data"}


HOSTILE = {
    "none": None,
    "empty": "",
    "not json": "{",
    "100,000 brackets": "[" * 100_000,
    "100,000 closed brackets": "[" * 50_000 + "]" * 50_000,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "a deep argument": '{"type":"layout-event","target":"a","data":' + "[" * 1200 + "]" * 1200 + "}",
    "not a number": '{"type":"layout-event","target":"a","data":[NaN]}',
    "infinity": '{"type":"layout-event","target":"a","data":[Infinity]}',
    "a lone surrogate": '{"type":"layout-event","target":"\\ud800","data":[]}',
    "a lone surrogate as key": '{"type":"part-request","key":"\\ud800"}',
    "a lone surrogate and no more JSON": '{"type":"layout-event","target":"a","data":["\\ud800"',
    "a lone surrogate and not a number": '{"type":"layout-event","target":"a","data":["\\ud800",NaN]}',
    "a lone surrogate in 100,000 brackets": "[" * 100_000 + '"\\ud800"',
    "NUL as target": event(target="\0"),
    "a raw lone surrogate": '{"type":"layout-event","target":"\ud800","data":[]}',
    "a list": "[1]",
    "a number": "5",
    "null": "null",
    "a text": '"ping"',
    "unknown kind": '{"type":"x","target":"a","data":[]}',
    "no kind": '{"target":"a","data":[]}',
    "kind of a wrong type": '{"type":["layout-event"],"target":"a","data":[]}',
    "no target": '{"type":"layout-event","data":[]}',
    "no data": '{"type":"layout-event","target":"a"}',
    "number as target": event(target=5),
    "null as target": event(target=None),
    "long target": event(target="x" * 501),
    "text as data": event(data="abc"),
    "object as data": event(data={"0": 1}),
    "negative number": event(seq=-1),
    "large number": event(seq=1 << 31),
    "2**64 as number": event(seq=1 << 64),
    "fraction as number": event(seq=1.5),
    "text as number": event(seq="1"),
    "true as number": event(seq=True),
    "null as number": event(seq=None),
    "part without key": '{"type":"part-request"}',
    "part with a wrong key": '{"type":"part-request","key":7}',
    "part with a long key": json.dumps({"type": "part-request", "key": "x" * 501}),
    "two frames": '{"type":"ping"}{"type":"ping"}',
    "a comment": '{"type":"ping"} // hello',
}


def failure_of(text: Any) -> BadFrame | DroppedEvent | None:
    """Return the exception that this frame raises."""
    try:
        frame_parse(text)
    except (BadFrame, DroppedEvent) as error:
        return error
    return None


def test_hostile_frames_are_bad_frames() -> None:
    check_each(HOSTILE, lambda name: isinstance(failure_of(HOSTILE[name]), BadFrame))


KEY = "0f" * 16
DROPPED = {
    "five items": ([1, 2, 3, 4, 5], TOO_MUCH),
    "seven levels": ([nested(7)], TOO_MUCH),
    "many keys": ([{str(number): 1 for number in range(257)}], TOO_MUCH),
    "many chosen options": ([{"target": {"values": ["a"] * 257}}], TOO_MUCH),
    "half of a character": (["before \udfff after"], UNSTORABLE),
    "a half in what was chosen": ([{"target": {"values": ["a", "\ud83c"]}}], UNSTORABLE),
    "a half as a field's name": ([{"\ud800": 1}], UNSTORABLE),
    "NUL": (["\0"], UNSTORABLE),
    "NUL far inside": ([{"form": {"name": ["a", "b\0c"]}}], UNSTORABLE),
}


def dropped(text: str) -> tuple[str, str]:
    """Return the sentence and the command's key of a dropped frame."""
    error = failure_of(text)
    assert isinstance(error, DroppedEvent), error
    return str(error), error.key


def test_unusable_input_is_dropped_with_a_sentence() -> None:
    def check(name: str) -> None:
        data, sentence = DROPPED[name]
        assert dropped(event(data=data)) == (sentence, "")

    check_each(DROPPED, check)


def test_dropped_command_names_its_key() -> None:
    for value, sentence in (("\ud83c", UNSTORABLE), ("\0", UNSTORABLE), (["a"] * 257, TOO_MUCH)):
        command = {"type": "command", "name": "note_add", "argument": "7", "fields": {"text": value}, "key": KEY}
        assert dropped(json.dumps(command)) == (sentence, KEY)
        for key in ("\ud800", "no key", None, 7):
            assert dropped(json.dumps(command | {"key": key}))[1] == ""


def test_whole_characters_are_accepted_escaped_or_not() -> None:
    for text in ("Żółć 🎹", r"\ud83c as typed", r"\u0000 as typed"):
        assert frame_parse(event(data=[text])) == LayoutEvent("/0:onClick", EVENT | {"data": [text]})
        assert frame_parse(json.dumps(EVENT | {"data": [text]}, ensure_ascii=False)) == frame_parse(event(data=[text]))


def test_frames_within_the_limits_are_accepted() -> None:
    for text in (
        event(data=[nested(6)]),
        event(data=[[1] * 256] * 4),
        event(seq=(1 << 31) - 1),
        event(target="x" * 500),
    ):
        assert isinstance(frame_parse(text), LayoutEvent)


def test_large_numbers_in_data_raise_no_other_exception() -> None:
    for number in (1 << 64, -(1 << 80), 10**400):
        error = failure_of(event(data=[number]))
        assert isinstance(error, BadFrame) or isinstance(frame_parse(event(data=[number])), LayoutEvent)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
ALMOST = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["layout-event", "command", "part-request", "ping", "layout-update"]) | JSON,
        "target": st.text() | JSON,
        "data": st.lists(JSON) | JSON,
        "seq": st.integers() | JSON,
        "key": st.text() | JSON,
    },
)


@settings(max_examples=30)
@given(text=st.text() | JSON.map(json.dumps) | ALMOST.map(json.dumps))
@example(text='{"type":"ping"}')
def test_any_text_is_a_known_frame_or_a_bad_one(text: str) -> None:
    if failure_of(text) is not None:
        return
    match frame_parse(text):
        case LayoutEvent(target, message):
            assert message["target"] == target
            assert len(message["data"]) <= 4
            assert 0 <= message.get("seq", 0) < 1 << 31
        case PartRequest(key):
            assert len(key) <= 500
        case CommandRequest(key=key, fields=fields):
            assert UUID(key)
            assert len(fields) <= 256
        case other:
            assert other is PING
