"""Events of the layout are acknowledged after their handler, and never reach a neighbour's handler."""

import asyncio
from typing import Any

from components.runtime.markup import component, html, use_state
from tests.components.runtime.rendering.mounting import Mounted, mounted, nodes, settled, target


async def test_event_is_acknowledged_after_its_handler() -> None:
    gate, entered = asyncio.Event(), asyncio.Event()
    setters: dict[str, Any] = {}

    @component
    def form() -> Any:
        text, set_text = use_state("")
        other, setters["other"] = use_state(0)

        async def on_change(event: Any) -> None:
            entered.set()
            await gate.wait()
            set_text(event["target"]["value"])

        return html.div(str(other), html.input({"value": text, "onChange": on_change}))

    def field(shown: Mounted) -> dict[str, Any]:
        return next(node["attributes"] for node in nodes(shown.updates[-1]["model"]) if node["tagName"] == "input")

    async with mounted(form()) as shown:
        change = target(shown.updates[0]["model"], "input", "onChange")
        await shown.event(change, {"target": {"value": "abc"}}, seq=3)
        await entered.wait()
        setters["other"](1)
        await shown.idle()
        assert field(shown) == {"value": ""} | {name: -1 for name in field(shown) if name == "_reactpy_ack_seq"}
        gate.set()
        await settled(lambda: field(shown).get("value") == "abc")
        setters["other"](2)
        await shown.idle()
        assert field(shown)["_reactpy_ack_seq"] == 3


async def test_layout_knows_only_its_targets() -> None:
    @component
    def button() -> Any:
        return html.button({"onClick": lambda _event: None}, "Press")

    async with mounted(button()) as shown:
        known = target(shown.updates[0]["model"], "button")
        assert shown.layout.knows(known)
        for guess in ("", "/", known + "x", known.replace("onClick", "onChange"), "__class__"):
            assert not shown.layout.knows(guess)


async def test_event_of_a_removed_row_does_not_run_the_next_handler() -> None:
    removed: list[str] = []

    @component
    def rows() -> Any:
        names, set_names = use_state(("a", "b", "c"))

        def row(name: str) -> Any:
            def on_click(_event: Any) -> None:
                removed.append(name)
                set_names(lambda now: tuple(other for other in now if other != name))

            return html.li({"key": f"row-{name}"}, html.button({"onClick": on_click}, name))

        return html.ol([row(name) for name in names])

    async with mounted(rows()) as shown:
        first = target(shown.updates[0]["model"], "button", number=0)
        second = target(shown.updates[0]["model"], "button", number=1)
        await shown.event(first, {})
        await shown.event(first, {})  # a double click
        await settled(lambda: len(removed) == 2)
        await shown.idle()
        assert removed == ["a", "a"], "both events were for this row"
        assert not shown.layout.knows(first)
        assert target(shown.updates[-1]["model"], "button", number=0) == second, "targets stay with their rows"
        await shown.event(second, {})
        await settled(lambda: len(removed) > 2)
        assert removed == ["a", "a", "b"]
