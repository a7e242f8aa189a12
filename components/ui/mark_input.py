"""Inputs of marks: a range drawn as twenty-five keys, and five black keys as radio buttons.

`modules/score.js` draws the viewer's mark on the keys, below the strings of all marks; without scripts the plain range
is shown. Each control is the slot `given:` with its id, filled with the viewer's earlier mark.
"""

from apps.core.texts import texts
from components.runtime import Markup, Vdom, VdomDict, html, slot, web_module
from components.ui.marks import FIVE, KEYS, keys

UNMARKED = "–"
GIVEN = "given"  # the slots' name
REST = "M3.5 2 9 9c-2.6 2.3-2.6 4.2.3 8.2C6 16 3.6 18 5.6 22.6 1.4 19.8 1.8 15.6 6 16L2.9 11.4C5.4 8.6 5.4 6 3.5 2z"


def score(
    field_id: str, name: str, *, audience: Markup, unmarked: str, less: str, more: str, labelled_by: str = ""
) -> VdomDict:
    """Return the control for a mark from 1 to 25, 0 for none yet, under `name` in its form.

    Its label refers to `field_id`, or is the element with the id `labelled_by`; `less` and `more` are the labels of the
    buttons. `audience` lies over the keys: the same keys with the strings of all marks (`heard_keys`).
    """
    own = {"type": "range", "id": field_id, "name": name, "min": 0, "max": KEYS, "defaultValue": "0"}
    own |= {"aria-labelledby": labelled_by} if labelled_by else {}
    board = html.div(
        {"class": "score__board"},
        html.span({"class": "score__rest"}, _rest()),
        keys(),
        audience,
        html.input(own | {"aria-valuetext": unmarked} | slot(GIVEN, field_id)),
        html.span({"class": "score__flag", "aria-hidden": "true"}, UNMARKED),
    )
    value = html.output({"class": "score__value", "htmlFor": field_id, "aria-live": "off"}, UNMARKED)
    read = html.div({"class": "score__read"}, _step(-1, "−", less), value, _step(1, "+", more))
    return html.div({"class": "score", "data-value": "0"}, board, read)


def _step(by: int, sign: str, name: str) -> VdomDict:
    """Return a button for pointers; by keyboard the range itself steps."""
    return html.button(
        {"class": "score__step", "type": "button", "tabIndex": -1, "aria-label": name, "data-step": str(by)}, sign
    )


def _rest() -> VdomDict:
    """Return the sign of a rest."""
    return html.svg({"viewBox": "0 0 12 28", "aria-hidden": "true"}, Vdom("path")({"d": REST, "fill": "currentColor"}))


def five(field_id: str, name: str, legend: Markup, *, of: str) -> VdomDict:
    """Return the control for a mark from 1 to 5; `of` is the label of each, as "{n} of 5"."""
    labels = [_fifth(f"{field_id}-{n}", name, n, of.format(n=n)) for n in range(1, FIVE + 1)]
    return html.fieldset(
        {"class": "five"}, html.legend({"class": "label"}, legend), html.div({"class": "five__keys"}, *labels)
    )


def _fifth(field_id: str, name: str, number: int, words: str) -> VdomDict:
    own = {"type": "radio", "id": field_id, "name": name, "value": str(number), "aria-label": words}
    return html.label({"htmlFor": field_id, "key": field_id}, html.input(own | slot(GIVEN, field_id)), str(number))


def choice(field_id: str, name: str, legend: str, choices: list[tuple[str, str]]) -> VdomDict:
    """Return radio buttons for a few (value, words)."""
    labels: list[Markup] = [_choice(f"{field_id}-{value}", name, value, words) for value, words in choices]
    return html.fieldset(html.legend({"class": "label"}, legend), html.div({"class": "choice"}, *labels))


def _choice(field_id: str, name: str, value: str, words: str) -> VdomDict:
    own = {"type": "radio", "id": field_id, "name": name, "value": value}
    return html.label({"htmlFor": field_id, "key": value}, html.input(own | slot(GIVEN, field_id)), words)


SCORES = web_module("modules/score.js", "Scores")


def rating_script(language: str) -> VdomDict:
    """Return the module that draws the forms' keys and enables complete forms."""
    t = texts(language)
    return SCORES({"of": t("{n} of 25"), "none": t("no mark yet"), "rate": t("rate")})
