"""Declarations of shared parts: rejected parameters and markup, keys, and versions."""

from typing import Any

import pytest

from apps.accounts.actors import ANONYMOUS
from apps.core.observability import RequestContext, current_context, request_context
from components.runtime.hooks import use_viewer
from components.runtime.markup import component, html
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, PublicPart, page_event, page_events, public_part, shared_part
from components.runtime.rendering.tree import NotPublic
from tests.rendering import renew


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the parts that a test registers after it."""
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))


def declared(markup: Any) -> PublicPart:
    """Return a part without topics."""
    return public_part(topics=lambda *_: ())(markup)


def renewed(markup: Any, *parameters: Any) -> LivePart:
    """Return a live part of this markup after its first read."""
    live = LivePart(declared(markup)(*parameters, language="en"))
    renew(live)
    return live


def order(*values: Any, language: str) -> Any:
    return html.p("order")


def test_parts_have_plain_parameters_one_name_and_distinct_keys() -> None:
    part = declared(order)
    values: list[Any] = [ANONYMOUS, None, True, 1.5, ["a"], {"id": 1}, b"a"]
    for value in values:
        with pytest.raises(NotPublic, match=r"order: .* is not a plain text or number; a shared part takes ids"):
            part(value, language="en")
    keys: dict[tuple[Any, ...], str] = {
        (): "order:en",
        (7,): "order:7:en",
        ("a:b,c~d e/ł", -1): "order:a%3Ab%2Cc~d%20e%2F%C5%82:-1:en",
        ("",): "order::en",
        ("%3A",): "order:%253A:en",
    }
    assert {parameters: part(*parameters, language="en").key for parameters in keys} == keys
    assert dict(shared_part(part(7, language="en"))) == {"tagName": "shared-part", "attributes": {"part": "order:7:en"}}


def test_two_parts_with_one_name_are_rejected() -> None:
    declared(order)
    with pytest.raises(NotPublic, match="two shared parts are called order; keys would mix them up"):
        declared(order)


def test_part_cannot_use_the_viewer_or_the_request() -> None:
    @component
    def greeting() -> Any:
        return html.p(use_viewer().username)

    def hello(*, language: str) -> Any:
        return html.div(greeting())

    with pytest.raises(NotPublic, match=r"hello: .*greeting.* in a shared part uses a hook"):
        renewed(hello)

    def user(*, language: str) -> Any:
        return html.p(repr(current_context().user_id))

    with request_context(RequestContext(user_id=7)):
        assert "".join(renewed(user).pieces) == "<p>None</p>"


@pytest.mark.parametrize("markup", [html(html.p("a"), html.p("b")), "text", None])
def test_part_is_one_element(markup: Any) -> None:
    def invalid(*, language: str) -> Any:
        return markup

    with pytest.raises(NotPublic, match="invalid: a shared part is one element"):
        renewed(invalid)


def test_version_is_independent_of_the_process() -> None:
    """Python's own hash of a text would differ in each process."""

    def rows(number: int, *, language: str) -> Any:
        return html.ol({"class": "a", "data-b": "c"}, html.li({"key": "ł"}, number))

    assert renewed(rows, 7).version == "6282a740"


async def test_page_event_takes_one_argument() -> None:
    assert page_event("watch", 7) == {"data-page-event": "watch", "data-argument": "7"}
    arguments: list[str] = []

    async def on_watch(argument: str) -> None:
        arguments.append(argument)

    markup = page_events({"watch": on_watch})
    assert markup["tagName"] == "page-events"
    [(name, handler)] = markup["eventHandlers"].items()
    assert name == "watch"
    invalid: list[list[Any]] = [[], [{}], [None], [7], ["7", "8"], [["7"]]]
    for data in [*invalid, ["7"]]:
        await handler.function(data)
    assert arguments == ["7"]
