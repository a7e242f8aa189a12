"""Forms and live control search participants and sessions in the database, beyond the offered first page."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.accounts.models import User
from apps.competition.limits import OPTIONS_MOST
from apps.core.threads import in_thread
from components.pages.admin.sessions.live import search_read
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, one
from tests.factories import AdminFactory, ParticipantFactory, SessionFactory, viewer_of
from tests.offenders import check_each
from tests.screen import Screen, open_page

CREATE = "/admin/sessions?mode=create"


def offered(screen: Screen) -> list[str]:
    """Return the names that the web module of the order offers."""
    return [option[1] for option in attributes(one(screen.tree, "RunningOrder"))["options"]]


def send(screen: Screen, tag: str, handler: str, *sent: Any, **looks: Any) -> None:
    """Send an event to a node's handler."""
    screen._event(one(screen.tree, tag, **looks)["eventHandlers"][handler]["target"], *sent)


async def test_order_finds_participants_beyond_the_first_page() -> None:
    def create() -> SimpleNamespace:
        ParticipantFactory.create_batch(OPTIONS_MOST, second_name="Adamek")
        last = ParticipantFactory(first_name="Ewa", second_name="Żółty", country="Poland")
        return SimpleNamespace(admin=AdminFactory(), last=last)

    setup = await in_thread(create)
    async with open_page(CREATE, user=setup.admin) as screen:
        assert (len(offered(screen)), "Ewa Żółty" in offered(screen)) == (OPTIONS_MOST, False)
        send(screen, "RunningOrder", "onSearch", {"text": "zolty", "ids": []})
        await screen._until(lambda: offered(screen) == ["Ewa Żółty"], "not found")
        # A restored draft names the ids that it contains.
        send(screen, "RunningOrder", "onSearch", {"text": "nobody", "ids": [setup.last.pk]})
        await screen._until(lambda: offered(screen) == ["Ewa Żółty"], "not named")


def test_malformed_searches_are_ignored() -> None:
    searches: list[list[Any]] = [
        *([], ["text"], [{"text": 1, "ids": []}], [{"text": "a", "ids": ["1"]}], [{"text": "a", "ids": [True]}]),
        *([{"text": "a", "ids": list(range(1001))}], [{"ids": []}]),
    ]
    check_each(searches, lambda search: search_read(search) is None)
    assert search_read([{"text": "x" * 999, "ids": [0, -1, 2**63, 7]}])[1] == [7]


async def test_live_control_finds_sessions_beyond_the_nearest() -> None:
    def create() -> Any:
        SessionFactory.create_batch(21, title="Morning")
        SessionFactory(title="Gala of laureates", starts_at="1999-10-21T18:00:00Z")
        return AdminFactory()

    admin = await in_thread(create)
    async with open_page("/admin/sessions", user=admin) as screen:
        control = lambda: one(screen.tree, "section", "cue")  # noqa: E731
        assert len(every(control(), "li")) == 20
        send(screen, "input", "onInput", {"type": "input", "target": {"value": "laureates gala"}}, id="live-search")
        await screen._until(lambda: len(every(control(), "li")) == 1, "not found")
        button = one(control(), "button", data_command="session_set_live")
        assert (await command(screen, "session_set_live", attributes(button)["data-argument"]))["ok"]
        await screen.until("LIVE NOW")


async def test_second_participant_of_a_name_needs_confirmation() -> None:
    typed = {"first_name": "kanade", "second_name": "Himuro", "country": "Japan", "biography": "Words."}

    def one_there() -> Any:
        ParticipantFactory(first_name="Kanade", second_name="Himuro", country="Japan")
        return AdminFactory()

    admin = await in_thread(one_there)
    async with open_page("/admin/participants?mode=create", user=admin) as screen:
        form = attributes(one(screen.tree, "form", data_command="participant_create"))
        assert form["data-ask"] == "Create a second one of this name?"
        question = await command(screen, "participant_create", **typed)
        assert (question["ok"], question["text"]) == (False, "There is a participant Kanade Himuro from Japan already.")
        created = await command(screen, "participant_create", **typed | {"country": "Poland"})
        assert created["text"] == "Participant created successfully"
        assert (await command(screen, "participant_create", **typed, confirmed="1"))["ok"]


@pytest.mark.parametrize("count", [1, 120])
def test_query_count_is_independent_of_participants(db: None, django_assert_num_queries: Any, count: int) -> None:
    busy_session = busy_session_with(1)
    ParticipantFactory.create_batch(count)
    viewer = viewer_of(AdminFactory())
    with django_assert_num_queries(6):
        loaded(f"/admin/sessions?mode=edit&id={busy_session.session.pk}", viewer)


async def test_only_the_wrong_fields_have_errors(admin: User) -> None:
    async with open_page(CREATE, user=admin) as screen:
        assert attributes(one(screen.tree, "form", data_command="session_create"))["noValidate"]
        answer = await command(screen, "session_create", title=" ", date="", time="18:00", participant_ids="")
        assert not answer["ok"]
        assert (list(answer["errors"]), answer["errors"]["title"]) == (["title", "date"], "Title is required.")
        alone = await command(screen, "session_create", title="", date="2027-10-03", time="18:00", participant_ids="")
        assert (alone["field"], alone["errors"]) == ("title", {"title": "Title is required."})
