"""Test the checks of commands' arguments: messages for errors that a user can correct, refusals for all others."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.core.commands import UNREADABLE, Arguments
from apps.core.text_rules import UNSTORABLE

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def test_what_our_markup_names_is_read() -> None:
    asked = Arguments("17:up", {"text": "  Bravo\r\nbis ", "score": " 25 ", "none": "", "box": "on", "quick": "other"})
    assert (asked.id(), asked.word(1, ("up", "down"))) == (17, "up")
    assert asked.text("text", 9) == "Bravo\nbis"
    assert asked.text("absent", 9) == ""
    assert (asked.number("score", 1, 25), asked.number("none", 1, 25), asked.number("absent", 1, 25)) == (
        25,
        None,
        None,
    )
    assert (asked.choice("quick", ("other",)), asked.choice("none", ("other",))) == ("other", "")
    assert (asked.flag("box"), asked.flag("absent")) == (True, False)


@pytest.mark.parametrize("argument", ["", "0", "-1", "1.5", "x", "9" * 19, "१७", " 7", ":7", "7" * 5000])
def test_no_id_is_refused_whatever_it_looks_like(argument: str) -> None:
    with pytest.raises(ValidationError, match="no longer understand"):
        Arguments(argument, {}).id()


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda asked: asked.text("long", 10), "Please write at most 10 characters."),
        (lambda asked: asked.number("long", 1, 25), "Please give a whole number from 1 to 25."),
        (lambda asked: asked.number("high", 1, 25), "Please give a whole number from 1 to 25."),
        (lambda asked: asked.number("half", 1, 25), "Please give a whole number from 1 to 25."),
    ],
)
def test_what_a_person_can_mend_names_its_field(read: Callable[[Arguments], Any], sentence: str) -> None:
    with pytest.raises(ValidationError) as raised:
        read(Arguments("", {"long": "eleven sign", "high": "26", "half": "1.5"}))
    (((_, sentences),)) = raised.value.message_dict.items()
    assert sentences == [sentence]


@given(JSON)
def test_nothing_that_a_field_may_hold_is_anything_but_read_or_refused(value: Any) -> None:
    asked = Arguments(str(value), {"field": value})
    reads: list[Callable[[], Any]] = [
        asked.id,
        lambda: asked.word(0, ("up",)),
        lambda: asked.text("field", 10),
        lambda: asked.number("field", 1, 25),
        lambda: asked.choice("field", ("up",)),
    ]
    for read in reads:
        with suppress(ValidationError):
            assert isinstance(read(), str | int | None)
    assert isinstance(asked.flag("field"), bool)


@pytest.mark.parametrize("text", ["a\0b", "a\ud83cb"])
def test_no_text_holds_what_postgresql_cannot_store(text: str) -> None:
    asked = Arguments("", {"text": text, "several": ["a", text]})
    with pytest.raises(ValidationError) as raised:
        asked.text("text", 10)
    assert raised.value.message_dict == {"text": [UNSTORABLE]}
    with pytest.raises(ValidationError) as raised:
        asked.several("several", 10)
    assert raised.value.messages == [UNREADABLE]
