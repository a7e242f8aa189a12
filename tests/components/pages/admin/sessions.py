"""Helpers for tests of the session form: a session of three, two administrators, and the form's fields."""

from types import SimpleNamespace
from typing import Any

from apps.competition.models import Appearance, Session
from tests.commanding import Answer, command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, walk
from tests.factories import AdminFactory
from tests.screen import Screen

LIST = "/admin/sessions"
CREATE = f"{LIST}?mode=create"
NEW = {
    "title": "Stage II, first session",
    "date": "2027-10-14",
    "time": "10:00",
    "description": "Fourteen go on.",
    "youtube_id": "https://youtu.be/aqz-KE-bpKQ?si=abc",
    "participant_ids": "",
}


def session_of_three() -> SimpleNamespace:
    """Return a session of three participants that is not live, and two administrators."""
    setup = busy_session_with(3)
    Session.objects.update(is_live=False)
    setup.ids = [appearance.participant_id for appearance in setup.appearances]
    setup.names = [appearance.participant.name for appearance in setup.appearances]
    setup.admin, setup.colleague = AdminFactory(), AdminFactory()
    setup.edit = f"{LIST}?mode=edit&id={setup.session.pk}"
    return setup


def order(session_id: int) -> list[int]:
    """Return the ids of the participants in the order of playing."""
    appearances = Appearance.objects.filter(session_id=session_id).order_by("order_number")
    return list(appearances.values_list("participant_id", flat=True))


def fields_of(screen: Screen) -> dict[str, Any]:
    """Return the fields of the unedited form, as a browser sends them."""
    fields = {
        attributes(node)["name"]: attributes(node)["defaultValue"]
        for node in walk(screen.tree)
        if "defaultValue" in attributes(node)
    }
    return fields | {"adding": ""}


async def saved(screen: Screen, busy_session: SimpleNamespace, **typed: Any) -> Answer:
    """Save the session with these edited fields."""
    return await command(screen, "session_update", busy_session.session.pk, **(fields_of(screen) | typed))
