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
from tests.factories import AdminFactory, AppearanceFactory, SessionFactory, StageFactory, viewer_of
from tests.screen import open_page

LAST, LATEST = "Gala of laureates", "Żółty Ostatni"
PLACES = ["/admin/programs", "/admin/program-import", "/admin/participants", "/admin", "/admin?tab=performances"]


def many_rows() -> SimpleNamespace:
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
    return SimpleNamespace(admin=AdminFactory(), last=last, latest=latest, appearance=appearance)


@pytest.fixture
def setup(db: None) -> SimpleNamespace:
    return many_rows()


def options(page: Any, name: str) -> list[str]:
    """Return the texts of a select's options."""
    return [text(option) for option in every(one(page, "select", name=name), "option")]


def chosen(page: Any, name: str) -> str:
    return str(attributes(one(page, "select", name=name))["defaultValue"])


def test_nearest_sessions_are_offered_and_others_found_by_search(setup: SimpleNamespace) -> None:
    for place in PLACES:
        nearest_and_farthest(viewer_of(setup.admin), place)


def nearest_and_farthest(admin: Viewer, place: str) -> None:
    and_ = "&" if "?" in place else "?"
    page = opened(place, admin).main
    shown = [option for option in options(page, "session") if option != "All sessions"]
    assert len(shown) == OPTIONS_MOST
    assert (shown[0].startswith("Morning 0, "), any(LAST in option for option in shown)) == (True, False)
    assert attributes(one(page, "input", name="session_find"))["type"] == "search"
    results = opened(f"{place}{and_}session_find=laureates+GALA", admin).main
    assert any(option.startswith(LAST) for option in options(results, "session"))
    default = 1 if place == "/admin/program-import" else 0  # the next session stays chosen
    assert sum("Morning" in option for option in options(results, "session")) == default
    nothing = opened(f"{place}{and_}session_find=waltz", admin).main
    assert text(one(nothing, "label", htmlFor="session")) == "Session, 0 found"
    assert text(one(results, "label", htmlFor="session")) == "Session, 1 found"
    assert text(one(page, "label", htmlFor="session")) == "Session"


def test_selected_session_stays_selected(setup: SimpleNamespace) -> None:
    for place in ("/admin/programs", "/admin/program-import", "/admin"):
        page = opened(f"{place}?session={setup.last.pk}", viewer_of(setup.admin)).main
        assert chosen(page, "session") == str(setup.last.pk), place
        assert options(page, "session")[-1].startswith(LAST), place
        other = opened(f"{place}?session={setup.last.pk}&session_find=Morning+7", viewer_of(setup.admin)).main
        assert options(other, "session")[-1].startswith(LAST), place


def test_participant_filter_finds_the_last_participant(setup: SimpleNamespace) -> None:
    admin = viewer_of(setup.admin)
    assert len(options(opened("/admin", admin).main, "participant")) == 1 + OPTIONS_MOST
    results = opened("/admin?participant_find=zolty", admin).main
    assert options(results, "participant") == ["All participants", f"{LATEST}, Chile"]
    fields = opened(f"/admin?participant={setup.latest.pk}", admin).main
    assert (chosen(fields, "participant"), options(fields, "participant")[-1]) == (
        str(setup.latest.pk),
        f"{LATEST}, Chile",
    )


def test_order_of_a_session_finds_the_last_participant_without_scripts(setup: SimpleNamespace) -> None:
    admin, empty = viewer_of(setup.admin), SessionFactory()
    for address in (f"/admin/sessions?mode=edit&id={empty.pk}", "/admin/sessions?mode=create"):
        first = opened(address, admin).main
        assert len(every(first, "input", name="added")) == OPTIONS_MOST
        field = one(first, "input", name="participant_find")
        form = one(first, "form", id=attributes(field)["form"])
        fields = {attributes(field)["name"]: attributes(field)["value"] for field in every(form, "input")}
        asked = "&".join(f"{name}={value}" for name, value in fields.items())
        assert f"{attributes(form)['action']}?{asked}" == address
        results = opened(f"{address}&participant_find=ostatni", admin).main
        assert [attributes(field)["value"] for field in every(results, "input", name="added")] == [str(setup.latest.pk)]
        assert "No participants found." in text(opened(f"{address}&participant_find=waltz", admin).main)


def test_export_search_keeps_the_filters_of_the_list(setup: SimpleNamespace) -> None:
    page = opened("/admin/participants?q=adamek&country=Poland", viewer_of(setup.admin)).main
    form = next(form for form in every(page, "form") if every(form, "input", name="session_find"))
    fields = {attributes(field)["name"]: attributes(field)["value"] for field in every(form, "input", type="hidden")}
    assert fields == {"q": "adamek", "country": "Poland"}


async def test_session_found_by_search_is_opened_and_set_live() -> None:
    setup = await in_thread(many_rows)
    async with open_page("/admin/programs", user=setup.admin) as screen:
        await screen.go("/admin/programs?session_find=gala")
        option = one(one(screen.tree, "select", name="session"), "option", value=str(setup.last.pk))
        await screen.go(f"/admin/programs?session={attributes(option)['value']}")
        await screen.until(LATEST)
        taken = await command(screen, "session_set_live", setup.last.pk)
        assert taken["ok"]


def test_few_sessions_are_all_offered_without_a_search(db: None) -> None:
    appearance = AppearanceFactory()
    for place in PLACES:
        page = opened(place, viewer_of(AdminFactory())).main
        assert not every(page, "input", name="session_find")
        assert any(appearance.session.title in option for option in options(page, "session"))


@pytest.mark.parametrize("count", [1, 700])
@pytest.mark.parametrize(("place", "queries"), [("/admin/programs", 7), ("/admin/program-import", 7)])
def test_query_count_is_independent_of_sessions(
    db: None, django_assert_num_queries: Any, place: str, queries: int, count: int
) -> None:
    if count == 1:
        admin = AdminFactory()
        AppearanceFactory()
    else:
        admin = many_rows().admin
    viewer = viewer_of(admin)
    with django_assert_num_queries(queries):
        loaded(place, viewer)
