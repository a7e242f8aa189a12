"""Frames from a browser: anything but a known frame raises BadFrame or DroppedEvent, and no other exception."""

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.core.text_rules import UNSTORABLE
from project.process.commands import TOO_MUCH, CommandRequest
from project.process.frames import PING, BadFrame, DroppedEvent, LayoutEvent, PartRequest, frame_parse

EVENT = {"type": "layout-event", "target": "/0:onClick", "data": []}


def event(**changes: Any) -> str:
    """Return an event frame with these changes."""
    return json.dumps(EVENT | changes)


def nested(depth: int) -> Any:
    """Return lists nested this deep."""
    value: Any = "core"
    for _ in range(depth):
        value = [value]
    return value


def test_what_our_client_sends_is_understood() -> None:
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


def test_more_than_the_known_names_does_not_get_through() -> None:
    found = frame_parse(event(extra=1, type="layout-event"))
    assert isinstance(found, LayoutEvent)
    assert set(found.message) == {"type", "target", "data"}


HOSTILE = {
    "nothing": None,
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


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_frames_are_bad_frames(name: str) -> None:
    with pytest.raises(BadFrame):
        frame_parse(HOSTILE[name])


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


@pytest.mark.parametrize("name", DROPPED)
def test_what_people_choose_or_type_too_much_is_dropped_with_a_sentence(name: str) -> None:
    data, sentence = DROPPED[name]
    with pytest.raises(DroppedEvent, match=sentence) as dropped:
        frame_parse(event(data=data))
    assert dropped.value.key == ""


@pytest.mark.parametrize(("typed", "sentence"), [("\ud83c", UNSTORABLE), ("\0", UNSTORABLE), (["a"] * 257, TOO_MUCH)])
def test_whoever_waits_for_an_answer_to_what_is_dropped_is_named(typed: Any, sentence: str) -> None:
    command = {"type": "command", "name": "note_add", "argument": "7", "fields": {"text": typed}, "key": KEY}
    with pytest.raises(DroppedEvent, match=sentence) as dropped:
        frame_parse(json.dumps(command))
    assert dropped.value.key == KEY
    for key in ("\ud800", "no key", None, 7):
        with pytest.raises(DroppedEvent) as dropped:
            frame_parse(json.dumps(command | {"key": key}))
        assert dropped.value.key == ""


def test_whole_characters_are_taken_however_they_are_written() -> None:
    for text in ("Żółć 🎹", r"\ud83c as typed", r"\u0000 as typed"):
        assert frame_parse(event(data=[text])) == LayoutEvent("/0:onClick", EVENT | {"data": [text]})
        assert frame_parse(json.dumps(EVENT | {"data": [text]}, ensure_ascii=False)) == frame_parse(event(data=[text]))


def test_what_is_within_bounds_is_taken() -> None:
    for text in (
        event(data=[nested(6)]),
        event(data=[[1] * 256] * 4),
        event(seq=(1 << 31) - 1),
        event(target="x" * 500),
    ):
        assert isinstance(frame_parse(text), LayoutEvent)


def test_numbers_of_any_size_inside_data_do_no_harm() -> None:
    for number in (1 << 64, -(1 << 80), 10**400):
        try:
            found = frame_parse(event(data=[number]))
        except BadFrame:
            continue
        assert isinstance(found, LayoutEvent)


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


@given(text=st.text() | JSON.map(json.dumps) | ALMOST.map(json.dumps))
@example(text='{"type":"ping"}')
def test_any_text_is_a_frame_of_ours_or_a_bad_one(text: str) -> None:
    try:
        found = frame_parse(text)
    except (BadFrame, DroppedEvent):
        return
    match found:
        case LayoutEvent(target, message):
            assert message["target"] == target
            assert len(message["data"]) <= 4
            assert 0 <= message.get("seq", 0) < 1 << 31
        case PartRequest(key):
            assert len(key) <= 500
        case CommandRequest(key=key, fields=fields):
            assert UUID(key)
            assert len(fields) <= 256
        case _:
            assert found is PING
