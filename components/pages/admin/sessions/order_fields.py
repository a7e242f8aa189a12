"""The order of playing where no script runs: who plays has a number, who else could has a box."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.competition.selectors.admin import ParticipantOption
from apps.core.texts import Texts
from components.markup import Markup, VdomDict, html
from components.pages.admin.choices import Choice, participant_search
from components.pages.admin.modes import Kind
from components.ui.controls.forms import check

PATH = "/admin/sessions"
SEARCH = "order-search"  # the id of its form


def order_fields(playing: Mapping[int, Any], choice: Choice[ParticipantOption], t: Texts) -> VdomDict:
    """Return the fields in `noscript`, so that no other browser has them: `playing` are the appearances by participant.

    `session_update` reads them where the order's own field is missing. Where not everybody is offered there is a
    search, whose form is `order_search`.
    """
    ids = ",".join(map(str, playing))
    rows = [_numbered(number, pk, playing[pk]) for number, pk in enumerate(playing, start=1)]
    others = [_box(option) for option in choice.found if option.id not in playing]
    legend = html.legend({"class": "label"}, t("Add at the end"))
    return html.noscript(
        html.input({"type": "hidden", "name": "playing", "value": ids}),
        html.div(
            {"class": "running-order running-order--numbered stack"},
            *(_order(rows, t) if rows else [html.p({"class": "muted"}, t("Nobody is in the order of playing yet."))]),
            html.fieldset(legend, *_search(choice, t), html.ul(*others)) if others or choice.is_searched else None,
        ),
    )


def order_search(session_id: int) -> VdomDict:
    """Return the form of the search, which asks for this session's form again, or for a new one's."""
    mode = {"mode": Kind.EDIT.value, "id": str(session_id)} if session_id else {"mode": Kind.CREATE.value}
    hidden = (html.input({"key": name, "type": "hidden", "name": name, "value": mode[name]}) for name in mode)
    return html.noscript(html.form({"id": SEARCH, "method": "get", "action": PATH, "role": "search"}, *hidden))


def _search(choice: Choice[ParticipantOption], t: Texts) -> list[Markup]:
    hint = t("Save first what you changed: a search begins this form again.")
    fields = participant_search(choice, t, form=SEARCH, hint=hint)
    if not fields:
        return []
    send = html.button({"class": "button button--plain button--small", "type": "submit", "form": SEARCH}, t("Search"))
    nobody = html.p({"class": "muted"}, t("No participants found.")) if not choice.found else None
    return [html.div({"class": "stack"}, *fields, send, nobody)]


def _order(rows: Sequence[VdomDict], t: Texts) -> list[Markup]:
    hint = t("Change the numbers to change the order. Whoever has none is removed.")
    return [html.p({"class": "field__hint", "id": "order-hint"}, hint), html.ol(*rows)]


def _numbered(number: int, participant_id: int, appearance: Any) -> VdomDict:
    name = f"number-{participant_id}"
    own = {"id": name, "name": name, "type": "number", "min": 1, "inputMode": "numeric", "defaultValue": str(number)}
    own["aria-describedby"] = "order-hint"
    return html.li(
        {"key": name, "class": "field"},
        html.input(own),
        html.label(
            {"class": "running-order__participant", "htmlFor": name},
            html.span({"class": "person__name"}, appearance.name),
            " ",
            html.span({"class": "person__from"}, appearance.country),
        ),
    )


def _box(option: ParticipantOption) -> VdomDict:
    name = f"added-{option.id}"
    box = check(option.name, "added", id=name, value=str(option.id))
    return html.li({"key": name}, box)
