"""Forms and live control search participants and sessions in the database, beyond the offered first page."""

from types import SimpleNamespace
from typing import Any

import pytest

from apps.competition.limits import OPTIONS_MOST
from apps.core.threads import in_thread
from components.pages.admin.sessions.live import search_read
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, one
from tests.factories import AdminFactory, ParticipantFactory, SessionFactory, viewer_of
from tests.screen import Screen, open_page

CREATE = "/admin/sessions?mode=create"
live = pytest.mark.django_db(transaction=True)


def offered(screen: Screen) -> list[str]:
    """Return the names that the web module of the order offers."""
    return [option[1] for option in attributes(one(screen.tree, "RunningOrder"))["options"]]


def tell(screen: Screen, tag: str, handler: str, *sent: Any, **looks: Any) -> None:
    """Send an event to a node's handler."""
    screen._event(one(screen.tree, tag, **looks)["eventHandlers"][handler]["target"], *sent)


@live
async def test_the_order_finds_whoever_the_first_page_does_not_offer() -> None:
    def many() -> SimpleNamespace:
        ParticipantFactory.create_batch(OPTIONS_MOST, second_name="Adamek")
        last = ParticipantFactory(first_name="Ewa", second_name="Żółty", country="Poland")
        return SimpleNamespace(boss=AdminFactory(), last=last)

    hall = await in_thread(many)
    async with open_page(CREATE, user=hall.boss) as screen:
        assert (len(offered(screen)), "Ewa Żółty" in offered(screen)) == (OPTIONS_MOST, False)
        tell(screen, "RunningOrder", "onSearch", {"text": "zolty", "ids": []})
        await screen._until(lambda: offered(screen) == ["Ewa Żółty"], "not found")
        # A restored draft names the ids that it contains.
        tell(screen, "RunningOrder", "onSearch", {"text": "nobody", "ids": [hall.last.pk]})
        await screen._until(lambda: offered(screen) == ["Ewa Żółty"], "not named")


@pytest.mark.parametrize(
    "sent",
    [[], ["text"], [{"text": 1, "ids": []}], [{"text": "a", "ids": ["1"]}], [{"text": "a", "ids": [True]}],
     [{"text": "a", "ids": list(range(1001))}], [{"ids": []}]],
)  # fmt: skip
def test_what_no_browser_of_ours_sends_is_no_search(sent: list[Any]) -> None:
    assert search_read(sent) is None


def test_ids_that_no_row_can_have_are_left_out() -> None:
    assert search_read([{"text": "x" * 999, "ids": [0, -1, 2**63, 7]}])[1] == [7]


@live
async def test_live_control_finds_sessions_beyond_the_nearest() -> None:
    def many() -> Any:
        SessionFactory.create_batch(21, title="Morning")
        SessionFactory(title="Gala of laureates", starts_at="1999-10-21T18:00:00Z")
        return AdminFactory()

    boss = await in_thread(many)
    async with open_page("/admin/sessions", user=boss) as screen:
        control = lambda: one(screen.tree, "section", "cue")  # noqa: E731
        assert len(every(control(), "li")) == 20
        tell(screen, "input", "onInput", {"type": "input", "target": {"value": "laureates gala"}}, id="live-search")
        await screen._until(lambda: len(every(control(), "li")) == 1, "not found")
        button = one(control(), "button", data_command="session_set_live")
        assert (await command(screen, "session_set_live", attributes(button)["data-argument"]))["ok"]
        await screen.until("LIVE NOW")


@live
async def test_a_second_participant_of_one_name_and_country_is_asked_for_first() -> None:
    typed = {"first_name": "kanade", "second_name": "Himuro", "country": "Japan", "biography": "Words."}

    def one_there() -> Any:
        ParticipantFactory(first_name="Kanade", second_name="Himuro", country="Japan")
        return AdminFactory()

    boss = await in_thread(one_there)
    async with open_page("/admin/participants?mode=create", user=boss) as screen:
        form = attributes(one(screen.tree, "form", data_command="participant_create"))
        assert form["data-ask"] == "Create a second one of this name?"
        asked = await command(screen, "participant_create", **typed)
        assert (asked["ok"], asked["text"]) == (False, "There is a participant Kanade Himuro from Japan already.")
        elsewhere = await command(screen, "participant_create", **typed | {"country": "Poland"})
        assert elsewhere["text"] == "Participant created successfully"
        assert (await command(screen, "participant_create", **typed, confirmed="1"))["ok"]


@pytest.mark.parametrize("count", [1, 120])
def test_the_form_of_a_session_costs_the_same_with_many(db: None, django_assert_num_queries: Any, count: int) -> None:
    busy_session = busy_session_with(1)
    ParticipantFactory.create_batch(count)
    viewer = viewer_of(AdminFactory())
    with django_assert_num_queries(6):
        loaded(f"/admin/sessions?mode=edit&id={busy_session.session.pk}", viewer)


@live
async def test_all_that_is_wrong_in_a_session_is_said_at_its_fields_at_once() -> None:
    boss = await in_thread(AdminFactory)
    async with open_page(CREATE, user=boss) as screen:
        assert attributes(one(screen.tree, "form", data_command="session_create"))["noValidate"]
        answer = await command(screen, "session_create", title=" ", date="", time="18:00", participant_ids="")
        assert not answer["ok"]
        assert (list(answer["errors"]), answer["errors"]["title"]) == (["title", "date"], "Title is required.")
        alone = await command(screen, "session_create", title="", date="2027-10-03", time="18:00", participant_ids="")
        assert (alone["field"], alone["errors"]) == ("title", {"title": "Title is required."})
