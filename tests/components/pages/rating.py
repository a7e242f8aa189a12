"""Helpers for tests of the rating form: its users, the fields that it sends, and the values that it shows."""

from types import SimpleNamespace

from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, UserFactory, viewer_of


def rating_setup():
    """Return a performance of two pieces, a fan, an administrator, and the address of the page."""
    appearance = busy_session_with(1, is_live=False).appearances[0]
    pieces = list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))
    fan, admin = viewer_of(UserFactory(username="una_corda")), viewer_of(AdminFactory())
    address = f"/participants/{appearance.participant_id}"
    return SimpleNamespace(appearance=appearance, pieces=pieces, fan=fan, admin=admin, address=address)


def fields(setup, **more):
    """Return the fields that the form sends for a valid rating."""
    marks = {f"piece-{pk}": mark for pk, mark in zip(setup.pieces, ("23", "0"), strict=True)}
    return marks | {"score": "4", "comment": "The silences.", "quick_rating": "outstanding"} | more


def form_values(screen, setup):
    """Return the form's values by field name (marks, checked radios, comment) and its state line, "" if hidden."""
    form = one(screen.tree, "form", data_command="ratings_submit")
    assert attributes(form)["data-argument"] == str(setup.appearance.pk)
    values = {}
    for field in map(attributes, [*every(form, "input"), *every(form, "textarea")]):
        if "checked" in field or (field.get("type") != "radio" and "value" in field):
            values[field["name"]] = field["value"]
    state = next(iter(every(form, "p", "marks__state")))
    note = every(state, "span")[-1]  # after the sign
    return values, "" if attributes(state)["hidden"] else text(note)


async def until_form_has(screen, setup, fields, state=""):
    """Wait until the form has these values, and a state line that begins like this."""

    def is_shown():
        values, note = form_values(screen, setup)
        return values == fields and note.startswith(state)

    await screen._until(is_shown, f"{fields} did not come to the form")
