"""A form that was refused, as its page shows it again: what was sent, and the sentence beside the field."""

from typing import Any

import pytest

from components.markup import html
from components.rendering.page_slots import fills_in
from components.rendering.refill import refilled
from components.rendering.serializer import static_model, to_html
from components.rendering.slots import slot
from components.rendering.tree import frozen
from components.ui.controls import forms
from components.ui.controls.commands import command_form
from tests.project.plain_forms import PlainPage


def page(*fields: Any, argument: str = "7", values: dict[str, Any], **answer: Any) -> tuple[PlainPage, Any]:
    """The page after a post with these values, and what fills its slots."""
    model = static_model(frozen(html.main(html.form(command_form("thing_add", 7), *fields))))
    posted = {
        "command": "thing_add",
        "argument": argument,
        "values": values,
        "answer": {"ok": False, "text": "No.", **answer},
    }
    made = refilled(model, posted)
    fills = fills_in(made)
    return PlainPage(None, to_html(made, fills)), fills  # type: ignore[arg-type]  # nothing is asked for


def test_each_kind_of_field_is_as_it_was_sent() -> None:
    seen, fills = page(
        forms.field("Title", "title", value="old"),
        html.textarea({"name": "words", "defaultValue": "old"}),
        forms.select("Category", "category", [("a", "A"), ("b", "B")], "a"),
        forms.check("Published", "published", defaultChecked=True),
        *(html.input({"type": "checkbox", "name": "row", "value": each}) for each in "123"),
        *(html.input({"type": "radio", "name": "score", "value": each} | slot("given", each)) for each in "45"),
        html.input({"type": "password", "name": "secret"}),
        html.input({"type": "hidden", "name": "hidden", "value": "ours"}),
        html.input({"name": "seen", "defaultValue": "1"}),
        values={"title": "<new>", "words": "\nnew", "category": "b", "row": ["1", "3"], "score": "5", "secret": "x"}
        | {"hidden": "theirs"},
        seen="2",
    )
    assert seen.fields("thing_add", 7) == {
        "title": ["<new>"],
        "words": ["\nnew"],
        "category": ["b"],
        "row": ["1", "3"],
        "score": ["5"],
        "secret": [""],
        "hidden": ["ours"],
        "seen": ["2"],
    }
    assert fills == {"given:4": {"attributes": {"checked": False}}, "given:5": {"attributes": {"checked": True}}}


def test_the_sentence_stands_beside_the_first_field_of_the_name() -> None:
    fifths = [html.label(html.input({"type": "radio", "name": "score", "value": each})) for each in "12"]
    choice = html.fieldset(html.legend("Score"), html.div(*fifths))
    seen, _ = page(forms.field("Title", "title", hint="Short."), choice, values={}, field="score")
    assert '</label></div><p class="field__error" id="posted-error">No.</p></fieldset>' in seen.html
    assert len(seen.all(**{"aria-invalid": "true"})) == 1
    seen, _ = page(forms.field("Title", "title", hint="Short."), choice, values={}, field="title")
    wrong = seen.one(name="title")["attributes"]
    assert (wrong["aria-describedby"], "autofocus" in wrong) == ("title-hint posted-error", True)


@pytest.mark.parametrize(("argument", "field"), [("8", "title"), ("7", "other")])
def test_another_form_stays_as_it_is(argument: str, field: str) -> None:
    seen, _ = page(forms.field("Title", "title"), values={}, argument=argument, field=field)
    assert not seen.all(**{"aria-invalid": "true"})
    assert not seen.all(id="posted-error")
