"""Helpers for tests of the rating form: its users, the fields that it sends, and the values that it shows."""

from types import SimpleNamespace

from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, text
from tests.factories import AdminFactory, UserFactory, viewer_of


def hall():
    """Return a performance of two pieces, a fan, an administrator, and the address of the page."""
    appearance = busy_session_with(1, is_live=False).appearances[0]
    pieces = list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))
    fan, boss = viewer_of(UserFactory(username="una_corda")), viewer_of(AdminFactory())
    address = f"/participants/{appearance.participant_id}"
    return SimpleNamespace(appearance=appearance, pieces=pieces, fan=fan, boss=boss, address=address)


def fields(hall, **more):
    """Return the fields that the form sends for a valid rating."""
    marks = {f"piece-{pk}": mark for pk, mark in zip(hall.pieces, ("23", "0"), strict=True)}
    return marks | {"score": "4", "comment": "The silences.", "quick_rating": "outstanding"} | more


def given(screen, there):
    """Return the form's values by field name (marks, checked radios, comment) and its state line, "" if hidden."""
    form = next(each for each in every(screen.tree, "form") if attributes(each).get("data-command") == "ratings_submit")
    assert attributes(form)["data-argument"] == str(there.appearance.pk)
    shown = {}
    for field in map(attributes, [*every(form, "input"), *every(form, "textarea")]):
        if "checked" in field or (field.get("type") != "radio" and "value" in field):
            shown[field["name"]] = field["value"]
    state = next(iter(every(form, "p", "marks__state")))
    note = every(state, "span")[-1]  # after the sign
    return shown, "" if attributes(state)["hidden"] else text(note)


async def until_given(screen, there, fields, state=None):
    def holds():
        shown, words = given(screen, there)
        return shown == fields and (state is None or words.startswith(state))

    await screen._until(holds, f"{fields} did not come to the form")
