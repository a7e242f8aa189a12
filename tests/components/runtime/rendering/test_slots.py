"""Slots: allowed fills, their limits, and filled HTML compared with React's own."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Viewer
from components.runtime.commands import command_form
from components.runtime.markup import html
from components.runtime.rendering.page_slots import LONGEST, MOST, fills_read, slot_query
from components.runtime.rendering.serializer import pieces, pieces_join, static_model
from components.runtime.rendering.slots import fill, fill_of, slot
from components.runtime.rendering.tree import plain_tree
from tests.components.runtime.rendering.conftest import Browser
from tests.components.runtime.rendering.models import TEXTS

VIEWER = Viewer(7, "una_corda")
ATTRIBUTES = st.fixed_dictionaries(
    {}, optional={"hidden": st.booleans(), "disabled": st.booleans(), "aria-pressed": TEXTS, "data-own": TEXTS}
)
FILLS = st.builds(fill, ATTRIBUTES, st.none() | TEXTS)


def filled_html(model: Any, fills: Any) -> str:
    """Return the HTML of this model for a viewer with these fills."""
    return pieces_join(pieces(model), fills, lambda _: "")


def check_hydration(browser: Browser, model: Any, fills: Any) -> None:
    """Compare the filled HTML with React's, and check that React hydrates it without a warning."""
    page = browser("page", model=model, html=filled_html(model, fills), fills=fills)
    assert page["got"] == page["wanted"], page["react"]
    assert page["problems"] == []


def test_handlers_addresses_and_other_attributes_cannot_fill_a_slot() -> None:
    for name in ("onclick", "onClick", "href", "src", "style", "srcdoc", "data-act", "id", "ariax"):
        with pytest.raises(ValueError, match=f"{name} is not an attribute that may fill a slot"):
            fill({name: "x"})


def test_fill_of_a_slot_overrides_the_fill_of_its_name() -> None:
    fills = {"author": fill({"hidden": False}), "author:7": fill(text="mine")}
    assert fill_of(fills, "author:7") == {"text": "mine"}
    assert fill_of(fills, "author:8") == {"attributes": {"hidden": False}}
    assert fill_of(fills, "authors:7") is None


@settings(deadline=None, max_examples=60)
@given(one=FILLS, every=FILLS, words=TEXTS)
def test_filled_html_is_as_in_react_and_hydrates(browser: Browser, one: Any, every: Any, words: str) -> None:
    buttons = [html.button({"hidden": True} | slot("author", number), words, html.b(words)) for number in (7, 8)]
    model = static_model(plain_tree(html.div(words, *buttons, words)))
    fills = {"author:7": one, "author": every}
    check_hydration(browser, json.loads(json.dumps(model)), fills)


@settings(deadline=None, max_examples=30)
@given(mark=st.integers(0, 25), words=TEXTS, checked=st.booleans())
def test_filled_fields_are_as_in_react_and_hydrate(browser: Browser, mark: int, words: str, checked: bool) -> None:
    fields = (
        html.input({"type": "range", "min": 0, "max": 25, "defaultValue": "0"} | slot("given", "mark")),
        html.input({"type": "radio", "name": "score", "value": "4"} | slot("given", "four")),
        html.textarea({"name": "comment"} | slot("given", "comment")),
    )
    model = static_model(plain_tree(html.form(*fields)))
    fills = {
        "given:mark": fill({"value": str(mark)}),
        "given:four": fill({"checked": checked}),
        "given:comment": fill({"value": words}),
    }
    check_hydration(browser, model, fills)


@settings(deadline=None, max_examples=30)
@given(one=FILLS, every=FILLS, words=TEXTS)
def test_slots_within_slots_hydrate(browser: Browser, one: Any, every: Any, words: str) -> None:
    field = html.textarea({"name": "comment"} | slot("given", "comment"))
    row = html.div(
        {"hidden": True} | slot("member", 7),
        html.form(command_form("thing_add", 7), field, html.b({"hidden": True} | slot("author", 7), words)),
    )
    model = static_model(plain_tree(html.div(words, row)))
    fills = {"member": fill({"hidden": False}), "author:7": one, "given": fill({"value": words}), "author": every}
    check_hydration(browser, json.loads(json.dumps(model)), fills)


def test_form_in_a_slot_has_hidden_fields() -> None:
    model: Any = plain_tree(html.div(html.div(slot("member", 7), html.form(command_form("thing_add", 7)))))
    for fills in ({}, {"member": fill({"hidden": False})}):
        assert "<input></form>" in pieces_join(pieces(model), fills, lambda _: "", "<input>")


def test_addresses_of_commands_alone_fill_a_slot() -> None:
    assert fill({"formAction": "/do/thing?argument=7"})["attributes"] == {"formAction": "/do/thing?argument=7"}
    for address in ("javascript:alert(1)", "/login", "//do/thing", "https://example.org/do/"):
        with pytest.raises(ValueError, match="formAction is not an attribute"):
            fill({"formAction": address})


def test_html_without_fills_has_the_shared_text() -> None:
    model: Any = plain_tree(html.p(html.b(slot("own", 1), "unknown"), "words"))
    assert filled_html(model, {}) == '<p><b data-slot="own:1">unknown</b>words</p>'
    assert filled_html(model, {"own:1": fill(text="<mine>")}) == '<p><b data-slot="own:1">&lt;mine&gt;</b>words</p>'


@pytest.mark.parametrize(("count", "size"), [(MOST + 1, 1), (20, LONGEST // 10)])
def test_fills_above_the_limits_are_dropped_and_logged(count: int, size: int, caplog: pytest.LogCaptureFixture) -> None:
    def many(*, viewer: Viewer) -> Any:
        return {f"own:{number}": fill(text="x" * size) for number in range(count)}

    fills = fills_read(query=slot_query(many), viewer=VIEWER)
    assert 0 < len(fills) < count
    assert len(fills) <= MOST
    assert len(json.dumps(fills)) < LONGEST * 1.5
    assert "many fills too many slots" in caplog.text
    caplog.clear()  # a logged error fails a test


def test_topics_of_a_slot_query_name_the_viewer() -> None:
    def read(*, viewer: Viewer) -> Any:
        return {}

    assert slot_query(read, topics=("account.<id>.ratings", "live")).topics_of(VIEWER) == ("account.7.ratings", "live")
