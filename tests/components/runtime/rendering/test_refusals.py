"""Forbidden elements and attributes are left out of a model; a log line names the component and the element."""

import logging
from itertools import count
from typing import Any

import pytest

from components.runtime.markup import Vdom, cached_markup, component, html, use_state
from components.runtime.rendering import refusals
from components.runtime.rendering.layout import first_model
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, public_part
from components.runtime.rendering.tree import plain_tree
from tests.components.runtime.rendering.mounting import CONNECTION, mounted, nodes, target
from tests.rendering import renew, to_html

REFUSED = [
    *(html.script("alert(1)"), html.script({"src": "/static/x.js"}), Vdom("SCRIPT")("alert(1)"), html.style("p {}")),
    *(html.title("mine"), html.meta({"name": "robots"}), html.link({"rel": "stylesheet", "href": "/x.css"})),
    *(html.base({"href": "/x"}), Vdom("body")("b"), Vdom("p><script")("c")),
]
ATTRIBUTES = {
    "onclick": "alert(1)", "ONLOAD": "alert(1)", "on": "x", "onClick": "alert(1)", "href": "javascript:alert(1)",
    "src": "data:text/html,x", "xlinkHref": "data:,x", "srcDoc": "<p>", "style": 7, "a b": "c", "children": "d",
    "dangerouslySetInnerHTML": {"__html": "<b>a</b>"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def empty_caches(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Clear the caches and the record of logged refusals, as at the start of a process."""
    for name in ("_said", "_fine_tags", "_fine_names", "_fine_events"):
        monkeypatch.setattr(refusals, name, set())
    caplog.set_level(logging.WARNING, "components.runtime.rendering.refusals")


def refused(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "components.runtime.rendering.refusals"]


async def shown(markup: Any) -> Any:
    """Return the model of a component with this markup, as in the first HTML."""

    @component
    def guilty() -> Any:
        return markup

    model = await first_model(guilty(), CONNECTION)
    while model["tagName"] == "" and model.get("children"):
        model = model["children"][0]
    return model


@pytest.mark.parametrize("element", REFUSED, ids=lambda element: element["tagName"])
async def test_forbidden_element_is_left_out_and_logged_once(element: Any, caplog: pytest.LogCaptureFixture) -> None:
    for press in (None, lambda _event: None):  # a static tree, and one that ReactPy renders node by node
        markup = html.div(html.p("a"), element, html.button({"onClick": press} if press else {}, "b"))
        model = await shown(markup)
        assert to_html(model) == "<div><p>a</p><button>b</button></div>"
        assert [child["tagName"] for child in model["children"]] == ["p", "", "button"]
    (sentence,) = refused(caplog)
    assert "test_refusals.shown.<locals>.guilty" in sentence
    assert f"<{element['tagName']}>" in sentence


@pytest.mark.parametrize("name", ATTRIBUTES)
async def test_forbidden_attribute_is_left_out_and_logged_once(name: str, caplog: pytest.LogCaptureFixture) -> None:
    for press in (None, lambda _event: None):
        attributes: dict[str, Any] = {"id": "x", name: ATTRIBUTES[name]} | ({"onKeyDown": press} if press else {})
        model = await shown(html.div(html.p(attributes)))
        (paragraph,) = model["children"]
        assert paragraph["attributes"] == {"id": "x"}
        assert "inlineJavaScript" not in paragraph
    (sentence,) = refused(caplog)
    assert "guilty" in sentence
    assert name in sentence
    assert "<p>" in sentence


async def test_handler_has_the_name_of_react(caplog: pytest.LogCaptureFixture) -> None:
    model = await shown(html.button({"onclick": lambda _event: None, "onBlur": lambda _event: None}, "x"))
    assert [*model["eventHandlers"]] == ["onBlur"]
    assert "onclick" in refused(caplog)[0]
    model = await shown(Vdom("x-note")({"onmy-event": lambda _event: None}))
    assert [*model["eventHandlers"]] == ["onmy-event"]
    assert len(refused(caplog)) == 1


@pytest.mark.parametrize("handler", [None, lambda _event: None])
async def test_titles_are_allowed_inside_svg(handler: Any, caplog: pytest.LogCaptureFixture) -> None:
    @component
    def words() -> Any:
        return html.title("A circle")

    attributes = {"onClick": handler} if handler else {}
    inner = Vdom("foreignObject")(Vdom("title")("no"))
    model = await shown(html.svg(html.svg.g(attributes, html.title("Inside"), words()), inner))
    assert to_html(model) == (
        "<svg><g><title>Inside</title><title>A circle</title></g><foreignObject></foreignObject></svg>"
    )
    assert len(refused(caplog)) == 1


async def test_void_elements_have_no_children(caplog: pytest.LogCaptureFixture) -> None:
    assert to_html(await shown(html.div(Vdom("br")("x")))) == "<div><br></div>"
    assert len(refused(caplog)) == 1


async def test_text_area_has_one_text(caplog: pytest.LogCaptureFixture) -> None:
    for press in (None, lambda _event: None):
        attributes = {"onBlur": press} if press else {}
        (area,) = (await shown(html.div(html.textarea(attributes, "one ", "two"))))["children"]
        assert area["attributes"] == {"defaultValue": "one two"}
        assert "children" not in area
        assert to_html(area) == "<textarea>one two</textarea>"
    assert refused(caplog) == []
    assert to_html(await shown(html.textarea({"defaultValue": "one"}, "three"))) == "<textarea>one</textarea>"
    assert len(refused(caplog)) == 1


async def test_web_module_takes_any_attribute_but_no_inline_handler(caplog: pytest.LogCaptureFixture) -> None:
    module: Any = {"source": "/x.js", "sourceType": "URL", "fallback": None}
    card = Vdom("Card", import_source=module)
    model = await shown(html.div(card.Header({"onSelect": "a", "style": 1, "onclick": "b", "children": "c"})))
    (header,) = model["children"]
    assert header["tagName"] == "Card.Header"
    assert header["attributes"] == {"style": 1, "onclick": "b", "children": "c"}
    assert "onSelect" in refused(caplog)[0]


async def test_updates_have_no_forbidden_elements() -> None:
    @component
    def counter() -> Any:
        number, set_number = use_state(0)
        script = html.script({"key": "s"}, "alert(1)")
        return html.div(html.button({"onClick": lambda _event: set_number(number + 1)}, "x"), *[script] * bool(number))

    async with mounted(counter()) as page:
        await page.event(target(page.updates[-1]["model"], "button"))
        await page.idle()
        tags = [node["tagName"] for node in nodes(page.updates[-1]["model"])]
    assert tags.count("button") == 1
    assert "script" not in tags
    assert page.failures == 0


def test_log_names_the_shared_part(caplog: pytest.LogCaptureFixture) -> None:
    numbers = count()

    @public_part(topics=lambda: ("x",))
    def sly(*, language: str) -> Any:
        return html.div({"onclick": "a"}, html.script(f"alert({next(numbers)})"), language)

    try:
        live = LivePart(sly(language="en"))
        assert b"script" not in renew(live)
        assert to_html(live.model) == "<div>en</div>"
        renew(live)
    finally:
        del REGISTERED["sly"]
    assert len(refused(caplog)) == 2
    assert all("test_log_names_the_shared_part.<locals>.sly" in sentence for sentence in refused(caplog))


async def test_log_names_the_component_of_cached_markup(caplog: pytest.LogCaptureFixture) -> None:
    @cached_markup
    def kept() -> Any:
        return html.div(html.script("alert(1)"))

    @component
    def keeper() -> Any:
        return kept()

    for _ in range(2):
        await first_model(keeper(), CONNECTION)
    (sentence,) = refused(caplog)
    assert "keeper" in sentence


async def test_browser_gets_a_notice_in_development(settings: Any) -> None:
    @component
    def guilty() -> Any:
        return html.div(html.script("alert(1)"))

    for debug in (False, True):
        settings.DEBUG = debug
        async with mounted(guilty()) as page:
            notices = [update["text"] for update in page.updates if update["type"] == "notice"]
        assert len(notices) == debug
    assert "guilty: <script> is left out" in notices[0]


def test_forbidden_row_keeps_its_key() -> None:
    tree = plain_tree(html.ul(html.li({"key": "a"}), html.script({"key": "b"})))
    assert isinstance(tree, dict)
    assert [child["attributes"]["key"] for child in tree["children"]] == ["a", "b"]
