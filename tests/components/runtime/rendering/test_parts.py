"""Declaring shared parts: refused parameters and markup, keys, and versions."""

import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings

from apps.accounts.actors import ANONYMOUS
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


@pytest.mark.parametrize("value", [ANONYMOUS, None, True, 1.5, ["a"], {"id": 1}, b"a"])
def test_parameters_are_texts_and_whole_numbers(value: Any) -> None:
    def order(session_id: int, *, language: str) -> Any:
        return html.p("order")

    part = declared(order)
    with pytest.raises(NotPublic, match=r"order: .* is not a plain text or number; a shared part takes ids"):
        part(value, language="en")


def test_two_parts_of_one_name_are_refused() -> None:
    def order(*, language: str) -> Any:
        return html.p("order")

    declared(order)
    with pytest.raises(NotPublic, match="two shared parts are called order; keys would mix them up"):
        declared(order)


def test_the_viewer_is_not_there_while_a_part_renders() -> None:
    @component
    def greeting() -> Any:
        return html.p(use_viewer().username)

    def hello(*, language: str) -> Any:
        return html.div(greeting())

    with pytest.raises(NotPublic, match=r"hello: .*greeting.* in a shared part uses a hook"):
        renewed(hello)


def test_a_handler_inside_a_part_is_refused_with_the_parts_name() -> None:
    def order(*, language: str) -> Any:
        return html.div(html.button({"onClick": lambda _event: None}, "Watch"))

    with pytest.raises(NotPublic, match="order: <button> in a shared part has"):
        renewed(order)


@pytest.mark.parametrize("markup", [html(html.p("a"), html.p("b")), "text", None])
def test_a_part_is_one_element(markup: Any) -> None:
    def order(*, language: str) -> Any:
        return markup

    with pytest.raises(NotPublic, match="order: a shared part is one element"):
        renewed(order)


def test_the_surroundings_of_a_request_are_not_there_while_a_part_renders() -> None:
    from apps.core.observability import RequestContext, current_context, request_context

    def order(*, language: str) -> Any:
        return html.p(repr(current_context().user_id))

    with request_context(RequestContext(user_id=7)):
        assert "".join(renewed(order).pieces) == "<p>None</p>"


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ((), "order:en"),
        ((7,), "order:7:en"),
        (("a:b,c~d e/ł", -1), "order:a%3Ab%2Cc~d%20e%2F%C5%82:-1:en"),
        (("",), "order::en"),
        (("%3A",), "order:%253A:en"),
    ],
)
def test_keys_keep_parameters_apart(parameters: tuple[Any, ...], key: str) -> None:
    def order(*values: Any, language: str) -> Any:
        return html.p("order")

    assert declared(order)(*parameters, language="en").key == key


@pytest.mark.long
def test_a_version_means_the_same_in_every_process() -> None:
    program = (
        "import django; django.setup()\n"
        "from components.runtime.markup import html\n"
        "from components.runtime.rendering.parts import public_part\n"
        "from components.runtime.rendering.live_part import LivePart\n"
        "def order(number, *, language): return html.ol({'class': 'a', 'data-b': 'c'}, html.li({'key': 'ł'}, number))\n"
        "live = LivePart(public_part(topics=lambda *_: ())(order)(7, language='en')); live.renew()\n"
        "print(live.version)"
    )

    def version(seed: str) -> str:
        environment = {"DJANGO_SETTINGS_MODULE": "project.settings", "PYTHONHASHSEED": seed, "PATH": ""}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=settings.ROOT, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    first = version("1")
    assert len(first) == 8
    assert version("2") == first


async def test_markup_of_actions_which_hear_nothing_but_an_argument() -> None:
    assert page_event("watch", 7) == {"data-page-event": "watch", "data-argument": "7"}
    heard: list[str] = []

    async def on_watch(argument: str) -> None:
        heard.append(argument)

    made = page_events({"watch": on_watch})
    assert made["tagName"] == "page-events"
    [(name, handler)] = made["eventHandlers"].items()
    assert name == "watch"
    strange: list[list[Any]] = [[], [{}], [None], [7], ["7", "8"], [["7"]]]
    for sent in [*strange, ["7"]]:
        await handler.function(sent)
    assert heard == ["7"]


def test_a_part_stands_in_the_layout_as_its_key() -> None:
    def order(session_id: int, *, language: str) -> Any:
        return html.p("order")

    assert dict(shared_part(declared(order)(7, language="en"))) == {
        "tagName": "shared-part",
        "attributes": {"part": "order:7:en"},
    }
