"""Test the checks of commands' arguments: messages for errors that a user can correct, refusals for all others."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.core.commands import UNREADABLE, Arguments, is_own_path
from apps.core.text_rules import UNSTORABLE

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def test_arguments_of_the_markup_are_read() -> None:
    arguments = Arguments(
        "17:up", {"text": "  Bravo\r\nbis ", "score": " 25 ", "none": "", "box": "on", "quick": "other"}
    )
    assert (arguments.id(), arguments.word(1, ("up", "down"))) == (17, "up")
    assert arguments.text("text", 9) == "Bravo\nbis"
    assert arguments.text("absent", 9) == ""
    assert [arguments.number(field, 1, 25) for field in ("score", "none", "absent")] == [25, None, None]
    assert (arguments.choice("quick", ("other",)), arguments.choice("none", ("other",))) == ("other", "")
    assert (arguments.flag("box"), arguments.flag("absent")) == (True, False)


def test_invalid_ids_are_refused() -> None:
    for argument in ("", "0", "-1", "1.5", "x", "9" * 19, "१७", " 7", ":7", "7" * 5000):
        with pytest.raises(ValidationError, match="no longer understand"):
            Arguments(argument, {}).id()


def test_correctable_error_names_its_field() -> None:
    arguments = Arguments("", {"long": "eleven sign", "high": "26", "half": "1.5"})
    with pytest.raises(ValidationError) as raised:
        arguments.text("long", 10)
    assert raised.value.message_dict == {"long": ["Please write at most 10 characters."]}
    for field in ("long", "high", "half"):
        with pytest.raises(ValidationError) as raised:
            arguments.number(field, 1, 25)
        assert raised.value.message_dict == {field: ["Please give a whole number from 1 to 25."]}


@given(JSON)
def test_any_field_value_is_read_or_refused(value: Any) -> None:
    arguments = Arguments(str(value), {"field": value})
    reads: list[Callable[[], Any]] = [
        arguments.id,
        lambda: arguments.word(0, ("up",)),
        lambda: arguments.text("field", 10),
        lambda: arguments.number("field", 1, 25),
        lambda: arguments.choice("field", ("up",)),
    ]
    for read in reads:
        with suppress(ValidationError):
            assert isinstance(read(), str | int | None)
    assert isinstance(arguments.flag("field"), bool)


def test_text_that_postgresql_cannot_store_is_refused() -> None:
    for text in ("a\0b", "a\ud83cb"):
        arguments = Arguments("", {"text": text, "several": ["a", text]})
        with pytest.raises(ValidationError) as raised:
            arguments.text("text", 10)
        assert raised.value.message_dict == {"text": [UNSTORABLE]}
        with pytest.raises(ValidationError) as raised:
            arguments.several("several", 10)
        assert raised.value.messages == [UNREADABLE]


OWN = ("/", "/sessions/1?watch=2", "/news#top", "/auth/google/?next=%2F")
OF_OTHERS = ("//evil.example", "/\\evil.example", "/a\\b", "https://evil.example/", "", "/a b", "/\u0105", "/\n")


def test_only_paths_of_this_site_are_own_paths() -> None:
    assert [address for address in OWN if not is_own_path(address)] == []
    assert [address for address in OF_OTHERS if is_own_path(address)] == []
