"""A performance that a fan rates: who is there, what the form sends, and what stands in it."""

from types import SimpleNamespace

from tests.components.conftest import evening_with
from tests.components.seen import attributes, every, text
from tests.factories import AdminFactory, UserFactory, viewer_of


def hall():
    """A performance of two pieces and a fan."""
    appearance = evening_with(1, is_live=False).appearances[0]
    pieces = list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))
    fan, boss = viewer_of(UserFactory(username="una_corda")), viewer_of(AdminFactory())
    address = f"/participants/{appearance.participant_id}"
    return SimpleNamespace(appearance=appearance, pieces=pieces, fan=fan, boss=boss, address=address)


def fields(hall, **more):
    """What the form sends for a good rating."""
    marks = {f"piece-{pk}": mark for pk, mark in zip(hall.pieces, ("23", "0"), strict=True)}
    return marks | {"score": "4", "comment": "The silences.", "quick_rating": "outstanding"} | more


def given(screen, there):
    """What stands in the form of this viewer: marks by name, the chosen radios, the comment, and what is said of it."""
    form = next(each for each in every(screen.tree, "form") if attributes(each).get("data-command") == "ratings_submit")
    assert attributes(form)["data-argument"] == str(there.appearance.pk)
    shown = {}
    for field in map(attributes, [*every(form, "input"), *every(form, "textarea")]):
        if "checked" in field or (field.get("type") != "radio" and "value" in field):
            shown[field["name"]] = field["value"]
    state = next(iter(every(form, "p", "marks__state")))
    return shown, "" if attributes(state)["hidden"] else text(state)


async def until_given(screen, there, fields, state=None):
    def holds():
        shown, words = given(screen, there)
        return shown == fields and (state is None or words.startswith(state))

    await screen._until(holds, f"{fields} did not come to the form")
