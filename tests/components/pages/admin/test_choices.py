"""Selects of 700 sessions and 1,200 participants offer the nearest rows; a search finds every other row."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actors import Viewer
from apps.competition.limits import OPTIONS_MOST
from apps.competition.models import Participant, Session
from apps.competition.services.participants import name_columns
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, SessionFactory, StageFactory, UserFactory, viewer_of
from tests.screen import open_page

LAST, LATEST = "Gala of laureates", "Żółty Ostatni"
PLACES = ["/admin/programs", "/admin/program-import", "/admin/participants", "/admin", "/admin?tab=performances"]
live = pytest.mark.django_db(transaction=True)


def crowded() -> SimpleNamespace:
    """Return the most distant of 700 sessions, the last of 1,200 participants by name, and an administrator."""
    stage, now = StageFactory(), timezone.now()
    days = (now + dt.timedelta(days=number) for number in range(1, 700))
    Session.objects.bulk_create(
        Session(stage=stage, title=f"Morning {number}", starts_at=at) for number, at in enumerate(days)
    )
    last = SessionFactory(stage=stage, title=LAST, starts_at=now - dt.timedelta(days=9000))
    names = (name_columns(first_name="Ewa", second_name=f"Adamek {number}") for number in range(1199))
    Participant.objects.bulk_create(Participant(**name, country="Poland", biography="Words.") for name in names)
    latest = Participant.objects.create(
        **name_columns(first_name="Żółty", second_name="Ostatni"), country="Chile", biography="Words."
    )
    appearance = AppearanceFactory(session=last, participant=latest)
    AppearanceFactory(session=Session.objects.get(title="Morning 0"))
    return SimpleNamespace(boss=AdminFactory(), last=last, latest=latest, appearance=appearance)


@pytest.fixture
def hall(db: None) -> SimpleNamespace:
    return crowded()


def options(page: Any, name: str) -> list[str]:
    """Return the texts of a select's options."""
    return [text(option) for option in every(one(page, "select", name=name), "option")]


def chosen(page: Any, name: str) -> str:
    return str(attributes(one(page, "select", name=name))["defaultValue"])


def test_the_nearest_sessions_are_offered_and_a_search_finds_the_farthest(hall: SimpleNamespace) -> None:
    for place in PLACES:
        nearest_and_farthest(viewer_of(hall.boss), place)


def nearest_and_farthest(boss: Viewer, place: str) -> None:
    and_ = "&" if "?" in place else "?"
    page = opened(place, boss).main
    shown = [option for option in options(page, "session") if option != "All sessions"]
    assert len(shown) == OPTIONS_MOST
    assert (shown[0].startswith("Morning 0, "), any(LAST in each for each in shown)) == (True, False)
    assert attributes(one(page, "input", name="session_find"))["type"] == "search"
    found = opened(f"{place}{and_}session_find=laureates+GALA", boss).main
    assert any(option.startswith(LAST) for option in options(found, "session"))
    default = 1 if place == "/admin/program-import" else 0  # the next session stays chosen
    assert sum("Morning" in option for option in options(found, "session")) == default
    nothing = opened(f"{place}{and_}session_find=waltz", boss).main
    assert text(one(nothing, "label", htmlFor="session")) == "Session, 0 found"
    assert text(one(found, "label", htmlFor="session")) == "Session, 1 found"
    assert text(one(page, "label", htmlFor="session")) == "Session"


def test_what_was_chosen_stays_chosen_among_others(hall: SimpleNamespace) -> None:
    for place in ("/admin/programs", "/admin/program-import", "/admin"):
        page = opened(f"{place}?session={hall.last.pk}", viewer_of(hall.boss)).main
        assert chosen(page, "session") == str(hall.last.pk), place
        assert options(page, "session")[-1].startswith(LAST), place
        other = opened(f"{place}?session={hall.last.pk}&session_find=Morning+7", viewer_of(hall.boss)).main
        assert options(other, "session")[-1].startswith(LAST), place


def test_the_filter_of_participants_finds_the_last_one(hall: SimpleNamespace) -> None:
    boss = viewer_of(hall.boss)
    assert len(options(opened("/admin", boss).main, "participant")) == 1 + OPTIONS_MOST
    found = opened("/admin?participant_find=zolty", boss).main
    assert options(found, "participant") == ["All participants", f"{LATEST}, Chile"]
    kept = opened(f"/admin?participant={hall.latest.pk}", boss).main
    assert (chosen(kept, "participant"), options(kept, "participant")[-1]) == (
        str(hall.latest.pk),
        f"{LATEST}, Chile",
    )


def test_without_scripts_the_order_of_a_session_finds_the_last_one(hall: SimpleNamespace) -> None:
    boss, empty = viewer_of(hall.boss), SessionFactory()
    for address in (f"/admin/sessions?mode=edit&id={empty.pk}", "/admin/sessions?mode=create"):
        first = opened(address, boss).main
        assert len(every(first, "input", name="added")) == OPTIONS_MOST
        field = one(first, "input", name="participant_find")
        form = one(first, "form", id=attributes(field)["form"])
        kept = {attributes(field)["name"]: attributes(field)["value"] for field in every(form, "input")}
        asked = "&".join(f"{name}={value}" for name, value in kept.items())
        assert f"{attributes(form)['action']}?{asked}" == address
        found = opened(f"{address}&participant_find=ostatni", boss).main
        assert [attributes(field)["value"] for field in every(found, "input", name="added")] == [str(hall.latest.pk)]
        assert "No participants found." in text(opened(f"{address}&participant_find=waltz", boss).main)


def test_the_search_of_the_export_keeps_the_list(hall: SimpleNamespace) -> None:
    page = opened("/admin/participants?q=adamek&country=Poland", viewer_of(hall.boss)).main
    form = next(form for form in every(page, "form") if every(form, "input", name="session_find"))
    kept = {attributes(field)["name"]: attributes(field)["value"] for field in every(form, "input", type="hidden")}
    assert kept == {"q": "adamek", "country": "Poland"}


@live
async def test_a_program_is_chosen_in_a_session_that_only_a_search_finds() -> None:
    hall = await in_thread(crowded)
    async with open_page("/admin/programs", user=hall.boss) as screen:
        await screen.go("/admin/programs?session_find=gala")
        option = one(one(screen.tree, "select", name="session"), "option", value=str(hall.last.pk))
        await screen.go(f"/admin/programs?session={attributes(option)['value']}")
        await screen.until(LATEST)
        taken = await command(screen, "session_set_live", hall.last.pk)
        assert taken["ok"]


def test_few_are_offered_all_and_nothing_is_searched(db: None) -> None:
    appearance = AppearanceFactory()
    for place in PLACES:
        page = opened(place, viewer_of(AdminFactory())).main
        assert not every(page, "input", name="session_find")
        assert any(appearance.session.title in option for option in options(page, "session"))


@pytest.mark.parametrize("count", [1, 700])
@pytest.mark.parametrize(("place", "queries"), [("/admin/programs", 7), ("/admin/program-import", 7)])
def test_a_page_costs_the_same_with_many(
    db: None, django_assert_num_queries: Any, place: str, queries: int, count: int
) -> None:
    if count == 1:
        boss = AdminFactory()
        AppearanceFactory()
    else:
        boss = crowded().boss
    viewer = viewer_of(boss)
    with django_assert_num_queries(queries):
        loaded(place, viewer)


@pytest.mark.parametrize("place", PLACES)
@live
async def test_a_fan_and_a_stranger_find_nothing(place: str) -> None:
    fan = await in_thread(UserFactory)
    address = f"{place}{'&' if '?' in place else '?'}session_find=gala"
    async with open_page(address, user=fan) as screen:
        assert (screen.path, every(screen.tree, "select")) == ("/", [])
    async with open_page(address) as screen:
        assert (screen.path.partition("?")[0], every(screen.tree, "select")) == ("/login", [])
