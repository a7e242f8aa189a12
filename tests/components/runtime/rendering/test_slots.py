"""Slots and the hidden fields of forms: allowed fills, their limits, and HTML that React hydrates."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.actors import Viewer
from components.runtime.commands import command_button, command_form, posted_form
from components.runtime.markup import html
from components.runtime.page import Page
from components.runtime.rendering.document import Document
from components.runtime.rendering.page_slots import LONGEST, MOST, fills_read, slot_query
from components.runtime.rendering.posting import posting
from components.runtime.rendering.serializer import pieces, pieces_join, static_model
from components.runtime.rendering.slots import fill, fill_of, slot
from components.runtime.rendering.tree import plain_tree
from tests.components.runtime.rendering.conftest import Browser
from tests.components.runtime.rendering.models import TEXTS
from tests.rendering import to_html

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


def test_fills_have_allowed_attributes_and_addresses_of_commands_only() -> None:
    for name in ("onclick", "onClick", "href", "src", "style", "srcdoc", "data-act", "id", "ariax"):
        with pytest.raises(ValueError, match=f"{name} is not an attribute that may fill a slot"):
            fill({name: "x"})
    assert fill({"formAction": "/do/thing?argument=7"})["attributes"] == {"formAction": "/do/thing?argument=7"}
    for address in ("javascript:alert(1)", "/login", "//do/thing", "https://example.org/do/"):
        with pytest.raises(ValueError, match="formAction is not an attribute"):
            fill({"formAction": address})


def test_fill_of_a_slot_overrides_the_fill_of_its_name_and_the_shared_text() -> None:
    fills = {"author": fill({"hidden": False}), "author:7": fill(text="mine")}
    assert fill_of(fills, "author:7") == {"text": "mine"}
    assert fill_of(fills, "author:8") == {"attributes": {"hidden": False}}
    assert fill_of(fills, "authors:7") is None
    model: Any = plain_tree(html.p(html.b(slot("own", 1), "unknown"), "words"))
    assert filled_html(model, {}) == '<p><b data-slot="own:1">unknown</b>words</p>'
    assert filled_html(model, {"own:1": fill(text="<mine>")}) == '<p><b data-slot="own:1">&lt;mine&gt;</b>words</p>'
    model: Any = plain_tree(html.div(html.div(slot("member", 7), html.form(command_form("thing_add", 7)))))
    for fills in ({}, {"member": fill({"hidden": False})}):
        assert "<input></form>" in pieces_join(pieces(model), fills, lambda _: "", "<input>")

    def read(*, viewer: Viewer) -> Any:
        return {}

    assert slot_query(read, topics=("account.<id>.ratings", "live")).topics_of(VIEWER) == ("account.7.ratings", "live")


@settings(deadline=None, max_examples=25)
@given(one=FILLS, every=FILLS, words=TEXTS)
def test_filled_html_is_as_in_react_and_hydrates(browser: Browser, one: Any, every: Any, words: str) -> None:
    buttons = [html.button({"hidden": True} | slot("author", number), words, html.b(words)) for number in (7, 8)]
    model = static_model(plain_tree(html.div(words, *buttons, words)))
    fills = {"author:7": one, "author": every}
    check_hydration(browser, json.loads(json.dumps(model)), fills)


@settings(deadline=None, max_examples=15)
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


@settings(deadline=None, max_examples=15)
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


FORMS = (
    html.form(
        command_form("comment_add", 7, draft="comment:7"), html.textarea({"name": "content"}), html.button("Say")
    ),
    html.form(posted_form("comment_delete", 7), html.input({"type": "hidden", "name": "sure", "value": "1"})),
    html.form(command_form("piece_add"), "Words", html.input({"name": "name"})),
    html.form(command_form("piece_add")),
)


@pytest.mark.parametrize("form", FORMS)
def test_react_hydrates_forms_with_hidden_fields(browser: Browser, form: Any) -> None:
    model = static_model(plain_tree(html.div(form, html.p("below"))))
    page = browser("page", model=model, html=to_html(model))
    assert page["got"] == page["wanted"], page["react"]
    posted = pieces_join(pieces(model), {}, lambda _: "", posting("/sessions/7?watch=1&x", "token"))
    assert browser("page", model=model, html=posted)["problems"] == []
    assert posted.index('name="csrfmiddlewaretoken" value="token"') < posted.index("</form>")
    assert 'name="from" value="/sessions/7?watch=1&amp;x"' in posted
    without = re.sub(r'<input type="hidden" name="from".*?(?=</form>)', "", posted, count=1)
    assert without == pieces_join(pieces(model), {}, lambda _: "")


def test_page_has_one_key_and_none_for_anonymous_visitors() -> None:
    model: Any = plain_tree(html.main(*FORMS, html.button(command_button("comment_delete", "12&x"), "Delete")))
    document = Document(Page("", None, title="House", address="/sessions/7"), model)  # type: ignore[arg-type]
    own, again = document.html([], "token").decode(), document.html([], "token").decode()
    keys = re.findall(r'name="key" value="(\w{32})"', own)
    assert (len(keys), len(set(keys))) == (len(FORMS) + 1, 1)
    assert keys[0] not in again
    assert re.search(r'<button[^>]* form="do"[^>]* formAction="/do/comment_delete\?argument=12%26x"', own)
    assert re.search(r'</div><script.*<form id="do" method="post" hidden data-once>', own), "outside the client's tree"
    anonymous = document.html([]).decode()
    assert 'name="from" value="/sessions/7"' in anonymous
    assert not re.search("csrfmiddlewaretoken|name=.key", anonymous)
