"""A refused form is shown again with the posted values and the sentence beside the field."""

from typing import Any

import pytest

from components.refill import form_refill
from components.runtime.commands import command_button, command_form
from components.runtime.markup import html
from components.runtime.rendering.page_slots import fills_in
from components.runtime.rendering.serializer import static_model
from components.runtime.rendering.slots import slot
from components.runtime.rendering.tree import plain_tree
from components.ui import forms
from components.ui.posted_forms import posted_answer
from tests.project.plain_forms import PlainPage
from tests.rendering import to_html


def page(*fields: Any, argument: str = "7", values: dict[str, Any], **answer: Any) -> tuple[PlainPage, Any]:
    """Return the page after a post with these values, and the fills of its slots."""
    model = static_model(plain_tree(html.main(html.form(command_form("thing_add", 7), *fields))))
    posted = {
        "command": "thing_add",
        "argument": argument,
        "values": values,
        "answer": {"ok": False, "text": "No.", **answer},
    }
    made = form_refill(model, posted)
    fills = fills_in(made)
    return PlainPage(None, to_html(made, fills)), fills  # type: ignore[arg-type]  # it sends no request


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
        html.input({"name": "version", "defaultValue": "1"}),
        values={"title": "<new>", "words": "\nnew", "category": "b", "row": ["1", "3"], "score": "5", "secret": "x"}
        | {"hidden": "theirs"},
        version="2",
    )
    assert seen.fields("thing_add", 7) == {
        "title": ["<new>"],
        "words": ["\nnew"],
        "category": ["b"],
        "row": ["1", "3"],
        "score": ["5"],
        "secret": [""],
        "hidden": ["ours"],
        "version": ["2"],
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


def test_what_is_folded_away_opens_when_it_is_wrong() -> None:
    folded = html.details(html.summary("More"), forms.field("Title", "title"))
    assert "<details open" in page(folded, values={}, field="title")[0].html
    assert "<details open" not in page(folded, values={}, field="")[0].html


@pytest.mark.parametrize(("argument", "field"), [("8", "title"), ("7", "other")])
def test_another_form_stays_as_it_is(argument: str, field: str) -> None:
    seen, _ = page(forms.field("Title", "title"), values={}, argument=argument, field=field)
    assert not seen.all(**{"aria-invalid": "true"})
    assert not seen.all(id="posted-error")


@pytest.mark.parametrize(
    ("argument", "values", "words"),
    [
        ("reject:1", {}, "Reject all 60? Also those of other pages."),
        ("reject:2", {}, "Reject all 60? Also those of other pages."),  # its timestamp has changed
        ("reject:1", {"sure": "1"}, "Sure? Reject, and delete what was given?"),
        ("approve:1", {}, "Sure?"),
    ],
)
def test_what_is_asked_names_the_thing_as_its_button_does(argument: str, values: dict[str, str], words: str) -> None:
    asking = command_button("decide", "reject:1", confirm="Reject all 60?", words="Also those of other pages.")
    asking |= {"data-ask": "Reject, and delete what was given?"}
    answer = {"ok": False, "text": "Sure?", "ask": True, "first": "sure" not in values}
    posted = {"command": "decide", "argument": argument, "values": values, "answer": answer}
    button = html.button(asking, "Sure?")
    tree = html.div(posted_answer(posted, "/admin?q=a", "en"), html.main(button))
    seen = PlainPage(None, to_html(form_refill(static_model(plain_tree(tree)), posted), {}))  # type: ignore[arg-type]
    assert seen.text == f"{words} YesCancel Sure?"
    assert seen.one(href="/admin?q=a")
