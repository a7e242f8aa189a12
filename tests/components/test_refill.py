"""A rejected form is shown again with the posted values and the error beside its field."""

from typing import Any

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
    answer = {"ok": False, "text": "No.", **answer}
    posted = {"command": "thing_add", "argument": argument, "values": values, "answer": answer}
    refilled = form_refill(model, posted)
    fills = fills_in(refilled)
    return PlainPage(None, to_html(refilled, fills)), fills  # type: ignore[arg-type]  # it sends no request


def test_fields_of_every_kind_keep_the_sent_value() -> None:
    seen, fills = page(
        forms.field("Title", "title", value="old"),
        html.textarea({"name": "words", "defaultValue": "old"}),
        forms.select("Category", "category", [("a", "A"), ("b", "B")], "a"),
        forms.check("Published", "published", defaultChecked=True),
        *(html.input({"type": "checkbox", "name": "row", "value": each}) for each in "123"),
        *(html.input({"type": "radio", "name": "score", "value": each} | slot("given", each)) for each in "45"),
        html.input({"type": "password", "name": "secret"}),
        html.input({"type": "hidden", "name": "hidden", "value": "server"}),
        html.input({"name": "version", "defaultValue": "1"}),
        values={"title": "<new>", "words": "\nnew", "category": "b", "row": ["1", "3"], "score": "5", "secret": "x"}
        | {"hidden": "client"},
        version="2",
    )
    assert seen.fields("thing_add", 7) == {
        "title": ["<new>"],
        "words": ["\nnew"],
        "category": ["b"],
        "row": ["1", "3"],
        "score": ["5"],
        "secret": [""],
        "hidden": ["server"],
        "version": ["2"],
    }
    assert fills == {"given:4": {"attributes": {"checked": False}}, "given:5": {"attributes": {"checked": True}}}


def test_error_is_shown_beside_the_first_field_of_its_name() -> None:
    fifths = [html.label(html.input({"type": "radio", "name": "score", "value": each})) for each in "12"]
    choice = html.fieldset(html.legend("Score"), html.div(*fifths))
    seen, _ = page(forms.field("Title", "title", hint="Short."), choice, values={}, field="score")
    assert '</label></div><p class="field__error" id="posted-error">No.</p></fieldset>' in seen.html
    assert len(seen.all(**{"aria-invalid": "true"})) == 1
    seen, _ = page(forms.field("Title", "title", hint="Short."), choice, values={}, field="title")
    wrong = seen.one(name="title")["attributes"]
    assert (wrong["aria-describedby"], "autofocus" in wrong) == ("title-hint posted-error", True)


def test_error_is_shown_in_its_form_and_field_only() -> None:
    folded = html.details(html.summary("More"), forms.field("Title", "title"))
    assert "<details open" in page(folded, values={}, field="title")[0].html
    assert "<details open" not in page(folded, values={}, field="")[0].html
    for argument, field in (("8", "title"), ("7", "other")):
        seen, _ = page(forms.field("Title", "title"), values={}, argument=argument, field=field)
        assert not seen.all(**{"aria-invalid": "true"}), (argument, field)
        assert not seen.all(id="posted-error"), (argument, field)


def test_confirmation_uses_the_words_of_its_button() -> None:
    data = command_button("decide", "reject:1", confirm="Reject all 60?", words="Also those of other pages.")
    button = html.button(data | {"data-ask": "Reject, and delete its marks?"}, "Sure?")
    for argument, values, question in (
        ("reject:1", {}, "Reject all 60? Also those of other pages."),
        ("reject:2", {}, "Reject all 60? Also those of other pages."),  # its timestamp has changed
        ("reject:1", {"sure": "1"}, "Sure? Reject, and delete its marks?"),
        ("approve:1", {}, "Sure?"),
    ):
        answer = {"ok": False, "text": "Sure?", "ask": True, "first": "sure" not in values}
        posted = {"command": "decide", "argument": argument, "values": values, "answer": answer}
        tree = static_model(plain_tree(html.div(posted_answer(posted, "/admin?q=a", "en"), html.main(button))))
        seen = PlainPage(None, to_html(form_refill(tree, posted), {}))  # type: ignore[arg-type]
        assert seen.text == f"{question} YesCancel Sure?"
        assert seen.one(href="/admin?q=a")
