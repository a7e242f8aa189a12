"""Selects and searches of sessions and participants: the nearest rows are offered, a search finds every other row."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.competition.limits import OPTIONS_MOST
from apps.competition.models import Participant, Session
from apps.competition.services.participants import name_columns
from apps.core.threads import in_thread
from components.pages.admin.sessions.live import search_read
from components.runtime import VdomDict
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory, viewer_of
from tests.offenders import check_each
from tests.screen import Screen, open_page

LAST, LATEST = "Gala of laureates", "Żółty Ostatni"
PLACES = ["/admin/programs", "/admin/program-import", "/admin/participants", "/admin", "/admin?tab=performances"]


def many_rows() -> SimpleNamespace:
    """Return the most distant session, the last participant by name, and an administrator."""
    stage, now = StageFactory(), timezone.now()
    days = (now + dt.timedelta(days=number) for number in range(1, OPTIONS_MOST + 10))
    Session.objects.bulk_create(
        Session(stage=stage, title=f"Morning {number}", starts_at=at) for number, at in enumerate(days)
    )
    last = SessionFactory(stage=stage, title=LAST, starts_at=now - dt.timedelta(days=9000))
    names = (name_columns(first_name="Ewa", second_name=f"Adamek {number}") for number in range(OPTIONS_MOST + 10))
    Participant.objects.bulk_create(Participant(**name, country="Poland", biography="Words.") for name in names)
    latest = Participant.objects.create(
        **name_columns(first_name="Żółty", second_name="Ostatni"), country="Chile", biography="Words."
    )
    appearance = AppearanceFactory(session=last, participant=latest)
    AppearanceFactory(session=Session.objects.get(title="Morning 0"))
    return SimpleNamespace(admin=AdminFactory(), last=last, latest=latest, appearance=appearance)


def options(page: Any, name: str) -> list[str]:
    """Return the texts of a select's options."""
    return [text(option) for option in every(one(page, "select", name=name), "option")]


def selected(page: Any, name: str) -> str:
    return str(attributes(one(page, "select", name=name))["defaultValue"])


def values(fields: list[Any]) -> dict[str, str]:
    """Return the values of the fields by name."""
    return {attributes(field)["name"]: attributes(field)["value"] for field in fields}


def test_nearest_sessions_are_offered_and_others_found_by_search(db: None) -> None:
    setup = many_rows()
    admin = viewer_of(setup.admin)

    def check(place: str) -> None:
        separator = "&" if "?" in place else "?"
        page = opened(place, admin).main
        offered = [option for option in options(page, "session") if option != "All sessions"]
        assert len(offered) == OPTIONS_MOST
        assert (offered[0].startswith("Morning 0, "), any(LAST in option for option in offered)) == (True, False)
        assert attributes(one(page, "input", name="session_find"))["type"] == "search"
        results = opened(f"{place}{separator}session_find=laureates+GALA", admin).main
        assert any(option.startswith(LAST) for option in options(results, "session"))
        default = 1 if place == "/admin/program-import" else 0  # the next session stays selected
        assert sum("Morning" in option for option in options(results, "session")) == default
        nothing = opened(f"{place}{separator}session_find=waltz", admin).main
        labels = [text(one(main, "label", htmlFor="session")) for main in (page, results, nothing)]
        assert labels == ["Session", "Session, 1 found", "Session, 0 found"]

    check_each(PLACES, check)
    for place in ("/admin/programs", "/admin/program-import", "/admin"):
        page = opened(f"{place}?session={setup.last.pk}", admin).main
        assert selected(page, "session") == str(setup.last.pk), place
        assert options(page, "session")[-1].startswith(LAST), place
        other = opened(f"{place}?session={setup.last.pk}&session_find=Morning+7", admin).main
        assert options(other, "session")[-1].startswith(LAST), place
    export = opened("/admin/participants?q=adamek&country=Poland", admin).main
    form = next(form for form in every(export, "form") if every(form, "input", name="session_find"))
    assert values(every(form, "input", type="hidden")) == {"q": "adamek", "country": "Poland"}


def test_last_participant_is_found_by_search(db: None) -> None:
    setup = many_rows()
    admin, latest, empty = viewer_of(setup.admin), str(setup.latest.pk), SessionFactory()
    assert len(options(opened("/admin", admin).main, "participant")) == 1 + OPTIONS_MOST
    results = opened("/admin?participant_find=zolty", admin).main
    assert options(results, "participant") == ["All participants", f"{LATEST}, Chile"]
    page = opened(f"/admin?participant={latest}", admin).main
    assert (selected(page, "participant"), options(page, "participant")[-1]) == (latest, f"{LATEST}, Chile")
    for address in (f"/admin/sessions?mode=edit&id={empty.pk}", "/admin/sessions?mode=create"):
        page = opened(address, admin).main
        assert len(every(page, "input", name="added")) == OPTIONS_MOST
        form = one(page, "form", id=attributes(one(page, "input", name="participant_find"))["form"])
        query = "&".join(f"{name}={value}" for name, value in values(every(form, "input")).items())
        assert f"{attributes(form)['action']}?{query}" == address
        results = opened(f"{address}&participant_find=ostatni", admin).main
        assert [attributes(field)["value"] for field in every(results, "input", name="added")] == [latest]
        assert "No participants found." in text(opened(f"{address}&participant_find=waltz", admin).main)


def test_few_sessions_are_all_offered_without_a_search(admin: User, django_assert_num_queries: Any) -> None:
    appearance, viewer = AppearanceFactory(), viewer_of(admin)
    for place in PLACES:
        page = opened(place, viewer).main
        assert not every(page, "input", name="session_find")
        assert any(appearance.session.title in option for option in options(page, "session"))
    many_rows()
    for place, queries in (("/admin/programs", 8), ("/admin/program-import", 6)):
        with django_assert_num_queries(queries):
            loaded(place, viewer)


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

        def control() -> VdomDict:
            return one(screen.tree, "section", "cue")

        assert len(every(control(), "li")) == 20
        send(screen, "input", "onInput", {"type": "input", "target": {"value": "laureates gala"}}, id="live-search")
        await screen._until(lambda: len(every(control(), "li")) == 1, "not found")
        button = one(control(), "button", data_command="session_set_live")
        assert (await command(screen, "session_set_live", attributes(button)["data-argument"]))["ok"]
        await screen.until("LIVE NOW")
