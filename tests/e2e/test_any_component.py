"""Arbitrary components in Chromium under this site's content security policy: scripts, styles, events, web modules."""

import asyncio
from typing import Any

from playwright.async_api import Browser, expect

from components.runtime.markup import Vdom, VdomDict, component, event, html, use_state
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED, public_part, shared_part
from tests.e2e.any_component import shown
from tests.rendering import renew

RUN = "globalThis.ran = (globalThis.ran || 0) + 1"


def hostile(number: int) -> VdomDict:
    """Return an element with many kinds of script injection."""
    return html.div(
        {"id": f"hostile-{number}", "onclick": RUN, "onmouseover": RUN},
        html.script(RUN),
        html.script({"src": "/static/build/ran.js"}),
        html.svg(html.script(RUN)),
        html.div({"dangerouslySetInnerHTML": {"__html": f"<p>raw</p><script>{RUN}</script>"}}),
        html.a({"href": f"javascript:{RUN}"}, "go"),
        html.button({"onClick": RUN}, "press"),
        html.iframe({"srcDoc": f"<script>parent.{RUN}</script>"}),
        html.title("stolen"),
        html.meta({"http-equiv": "refresh", "content": "0;url=/elsewhere"}),
        html.link({"rel": "stylesheet", "href": "/elsewhere.css"}),
        html.img({"src": "data:image/png,x", "onerror": RUN, "alt": ""}),
    )


async def nothing_ran(window: Any) -> None:
    """Click and hover the hostile elements, and check that no script has run."""
    for words in ("go", "press"):
        for each in await window.page.get_by_text(words, exact=True).all():
            await each.click()
    for each in await window.page.locator("[id^=hostile]").all():
        await each.hover()
    assert await window.page.evaluate("globalThis.ran") is None
    assert await window.page.locator("#app script, #app meta, #app link, head script[src*=ran]").count() == 0
    assert await window.page.title() == "Any – Parterre"
    assert not window.faults


@component
def growing() -> Any:
    """Render one hostile element, and one more with each press."""
    number, set_number = use_state(1)
    more = html.button({"id": "more", "onClick": lambda _event: set_number(number + 1)}, "more")
    return html.main(more, *(html.section({"key": str(each)}, hostile(each)) for each in range(number)))


async def test_no_script_of_a_component_runs(browser: Browser) -> None:
    async with shown(browser, growing()) as window:
        assert RUN not in window.markup
        assert "<title>stolen" not in window.markup
        await nothing_ran(window)
        await window.page.click("#more")
        await expect(window.page.locator("#hostile-1")).to_be_attached()
        await nothing_ran(window)


async def test_no_script_of_a_shared_part_runs(browser: Browser) -> None:
    words = ["first"]

    @public_part(topics=lambda: ("x",))
    def sly(*, language: str) -> VdomDict:
        return html.section({"lang": language}, html.p(words[-1]), *(hostile(each) for each in range(len(words))))

    try:
        ref = sly(language="en")
        live = LivePart(ref)
        renew(live)

        @component
        def page() -> Any:
            return html.main(shared_part(ref))

        async with shown(browser, page(), parts=(live,)) as window:
            await expect(window.page.get_by_text("first")).to_be_visible()
            await nothing_ran(window)
            words.append("second")
            renew(live)
            window.says([[ref.key, live.version, live.model]])
            await expect(window.page.locator("#hostile-1")).to_be_attached()
            await nothing_ran(window)
    finally:
        del REGISTERED["sly"]


async def test_no_script_of_a_raw_model_runs(browser: Browser) -> None:
    """The serializer and the client each filter scripts; this model bypasses the layout."""
    script = {"tagName": "script", "children": [RUN]}
    model = {
        "tagName": "main",
        "children": [
            script,
            {"tagName": "SCRIPT", "attributes": {"src": "/static/build/ran.js"}},
            {"tagName": "svg", "children": [script, {"tagName": "title", "children": ["A drawing"]}]},
            {"tagName": "title", "children": ["stolen"]},
            {"tagName": "a", "attributes": {"href": f"javascript:{RUN}", "onclick": RUN}, "children": ["go"]},
            {"tagName": "button", "inlineJavaScript": {"onClick": RUN}, "children": ["press"]},
            {"tagName": "meta", "attributes": {"http-equiv": "refresh", "content": "0;url=/elsewhere"}},
        ],
    }
    async with shown(browser, None, model=model) as window:
        assert RUN not in window.markup
        await nothing_ran(window)
        window.says(
            {"type": "layout-update", "path": "/children/6", "model": {"tagName": "p", "children": [script, "new"]}}
        )
        await expect(window.page.get_by_text("new")).to_be_visible()
        await nothing_ran(window)
        assert await window.page.locator("svg title").count() == 1


@component
def styled() -> Any:
    """Render styled elements of many kinds; a press changes their styles."""
    wide, set_wide = use_state(False)
    size = {"width": 200 if wide else "100px", "--tone": "red", "lineHeight": 2, "display": "block"}
    return html.main(
        html.button(
            {"id": "more", "onClick": lambda _event: set_wide(not wide), "style": "color: rgb(1, 2, 3)"}, "wide"
        ),
        html.p(
            {"id": "p", "style": size | ({"marginTop": 7} if wide else {})}, html.b({"style": {"opacity": 0.5}}, "a")
        ),
        html.input({"id": "i", "style": size, "defaultValue": "typed"}),
        html.time({"id": "t", "data-when": "1700000000", "style": size}, "then"),
        html.svg({"id": "s", "style": size}),
    )


async def test_styles_are_set_through_the_cssom(browser: Browser) -> None:
    async with shown(browser, styled()) as window:
        assert "style=" not in window.markup
        for each in ("p", "i", "t", "s"):
            node = window.page.locator(f"#{each}")
            await expect(node).to_have_css("width", "100px")
            assert await node.evaluate("(node) => node.style.getPropertyValue('--tone')") == "red"
        paragraph = await window.page.locator("#p").element_handle()
        await expect(window.page.locator("#p b")).to_have_css("opacity", "0.5")
        await expect(window.page.locator("#more")).to_have_css("color", "rgb(1, 2, 3)")
        await window.page.click("#more")
        await expect(window.page.locator("#p")).to_have_css("width", "200px")
        await expect(window.page.locator("#p")).to_have_css("margin-top", "7px")
        await window.page.click("#more")
        await expect(window.page.locator("#p")).to_have_css("margin-top", "0px")
        assert await paragraph.evaluate("(node) => node.isConnected"), "the element was made anew"
        assert not window.faults
        assert not await window.page.locator("#app[data-hydration-error]").count()


ODD = ("constructor", "toString", "__proto__")


async def test_events_carry_their_data(browser: Browser) -> None:
    heard: asyncio.Queue[Any] = asyncio.Queue()

    @component
    def listening() -> Any:
        names = ("onWheel", "onPointerDown", "onPaste", "onDoubleClick", "onKeyDown")
        inputs = [html.input({"key": name, "name": name, "defaultValue": name.upper()}) for name in ODD]

        @event(prevent_default=True)
        def submit(data: Any) -> None:
            heard.put_nowait(data)

        return html.main(
            html.div({"id": "here", "tabIndex": 0, **dict.fromkeys(names, heard.put_nowait)}, "here"),
            html.form({"onSubmit": submit}, *inputs, html.button("send")),
        )

    async with shown(browser, listening()) as window, asyncio.timeout(60):
        here = window.page.locator("#here")
        await here.hover()
        await window.page.mouse.wheel(30, 40)
        wheel = await heard.get()
        assert [wheel[name] for name in ("type", "deltaX", "deltaY", "deltaZ", "deltaMode")] == ["wheel", 30, 40, 0, 0]
        await here.dblclick()
        pointer = await heard.get()
        assert pointer["pointerType"] == "mouse"
        assert pointer["isPrimary"] is True
        assert {"pointerId", "pressure", "tiltX", "tiltY", "twist", "width", "pageX", "buttons"} <= pointer.keys()
        await heard.get()
        assert (await heard.get())["detail"] == 2
        await window.page.keyboard.press("Shift+A")
        shift, letter = await heard.get(), await heard.get()
        assert [shift["key"], shift["location"], letter["key"], letter["keyCode"]] == ["Shift", 1, "A", 65]
        await here.evaluate(
            """(node) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", "pasted " + "x".repeat(20000));
              node.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }"""
        )
        pasted = (await heard.get())["clipboardData"]
        assert pasted["types"] == ["text/plain"]
        assert pasted["text"] == "pasted " + "x" * 9993
        await window.page.get_by_text("send").click()
        assert (await heard.get())["form"] == {name: name.upper() for name in ODD}
        assert not window.faults


CARDS = """import { createElement } from "react";
const Header = ({ words }) => createElement("h2", null, words);
export const Card = Object.assign(({ children }) => createElement("article", null, children), { Header });"""


async def test_web_modules_have_components_within_components(browser: Browser) -> None:
    card = Vdom("Card", import_source={"source": "/static/cards.js", "sourceType": "URL", "fallback": "Loading"})

    @component
    def page() -> Any:
        return html.main(card(card.Header({"words": "A card"})), card.Footer.Nobody({}), html.p("after"))

    async with shown(browser, page(), modules={"cards.js": CARDS}) as window:
        await expect(window.page.locator("article h2")).to_have_text("A card")
        await expect(window.page.locator("main")).to_have_text("A cardLoadingafter")
        said = [fault for fault in window.faults if "cards.js does not export Card.Footer.Nobody" in fault]
        assert said, window.faults
