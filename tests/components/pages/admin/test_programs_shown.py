"""The markup of the administrators' page of programs: its groups, search, dialog, pages and queries."""

import gzip
from types import SimpleNamespace
from typing import Any

import pytest

from apps.competition.models import Piece, ProgramEntry
from tests.components.pages.admin.programs import (
    ETUDE_SET,
    NOCTURNE_SET,
    PROGRAMS,
    SCHERZO_SET,
    VIDEO,
    session_with_programs,
)
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)


@pytest.fixture
def busy_session(db: None) -> SimpleNamespace:
    return session_with_programs()


def groups(page: Any) -> list[str]:
    """Return the text of each group on the page."""
    return [text(row) for row in every(page, "li", "slot")]


def test_groups_are_in_order_and_open_by_links(busy_session):
    page = opened(busy_session.address, viewer_of(busy_session.admin)).main
    assert [text(heading) for heading in every(page, "h3")] == [
        "Etiuda Op. 10", "Etiuda Op. 25", "Nokturn", "Scherzo", "Mazurek",
    ]  # fmt: skip
    first, second, third, *_ = groups(page)
    assert first == f"Etiuda Op. 101 {ETUDE_SET}from 1:30Change"
    assert (second, third) == ("Etiuda Op. 25Not chosenChoose", f"Nokturn2 {NOCTURNE_SET}from 1:30Change")
    assert not every(page, "button", "pick"), "groups are collapsed"
    assert name(one(page, "a", href=f"/admin/program-import?session={busy_session.session.pk}")) == "Import Programs"
    page = opened(busy_session.choice, viewer_of(busy_session.admin)).main
    toggle = one(page, "a", aria_expanded="true")
    assert attributes(toggle)["href"] == busy_session.address
    assert name(toggle) == f"Choose: Scherzo, {busy_session.appearance.participant.name}"
    assert [name(button) for button in every(page, "button", "pick")] == [SCHERZO_SET]
    kept = {attributes(field)["name"]: attributes(field)["value"] for field in every(page, "input", type="hidden")}
    assert kept == {
        "session": str(busy_session.session.pk),
        "appearance": str(busy_session.appearance.pk),
        "slot": "scherzo",
    }


def test_pieces_of_a_group_are_searched_and_limited(busy_session):
    PieceFactory.create_batch(81, category="mazurek")
    admin, address = (
        viewer_of(busy_session.admin),
        f"{busy_session.address}&appearance={busy_session.appearance.pk}&slot=mazurek",
    )
    PieceFactory(category="mazurek", name="Mazurka in A minor, Op. 17 No. 4", title="")
    page = opened(address, admin).main
    assert len(every(page, "button", "pick")) == 80
    assert "There are more: search by name." in text(page)
    results = opened(f"{address}&find=17+mazurka", admin).main
    assert [name(button) for button in every(results, "button", "pick")] == ["Mazurka in A minor, Op. 17 No. 4"]
    assert "There are more" not in text(results)
    assert attributes(one(results, "input", name="find"))["defaultValue"] == "17 mazurka"
    assert "No pieces found matching your criteria." in text(opened(f"{address}&find=waltz", admin).main)
    Piece.objects.filter(category="scherzo").delete()
    assert "No pieces yet." in text(opened(busy_session.choice, admin).main)


def test_live_session_is_selected_by_default(busy_session):
    later = SessionFactory(title="Stage II, first session")
    admin = viewer_of(busy_session.admin)
    page = opened(PROGRAMS, admin)
    choices = [text(option) for option in every(one(page.main, "select"), "option")]
    assert choices == ["Stage I, evening session, 12 October 2021 (live)", "Stage II, first session, 12 October 2021"]
    assert page.page.data.where.session == busy_session.session.pk
    empty = opened(f"{PROGRAMS}?session={later.pk}", admin).main
    assert "No participants found." in text(empty)
    assert name(one(empty, "a", href=f"/admin/sessions?mode=edit&id={later.pk}")) == "Edit the session"
    missing = opened(f"{PROGRAMS}?session=987654", admin)
    assert (missing.page.status, text(one(missing.main, "h1"))) == (404, "Session not found.")


def test_page_without_sessions_links_to_the_session_form(db):
    page = opened(PROGRAMS, viewer_of(AdminFactory())).main
    assert "No participants found." in text(page)
    assert name(one(page, "a", href="/admin/sessions?mode=create")) == "Plan a first session"


def test_performers_are_searched_and_paged(db):
    setup = session_with_programs(appearances=23)
    admin = viewer_of(setup.admin)
    page = opened(f"{setup.address}&page=2", admin).main
    assert len(every(page, "li", "program")) == 3
    assert attributes(one(page, "a", rel="prev"))["href"] == f"{PROGRAMS}?session={setup.session.pk}"
    results = opened(f"{setup.address}&q=wroblewska", admin).main
    assert [text(heading) for heading in every(results, "h2")] == ["2 Zofia Wróblewska-Łęcka"]
    assert text(one(opened(f"{setup.address}&q=nobody", admin).main, look="empty")) == "No participants found."


def test_unreadable_queries_open_no_group(busy_session):
    admin = viewer_of(busy_session.admin)
    for query in ("appearance=x&slot=scherzo", "appearance=1&slot=waltz", "link=987654", "session=x&page=0"):
        page = opened(f"{PROGRAMS}?{query}", admin).main
        assert len(every(page, "li", "program")) == 1, query
        assert not every(page, "dialog"), query
        assert not every(page, look="slot__panel"), query


def test_dialog_has_the_link_and_its_version(busy_session):
    ProgramEntry.objects.filter(pk=busy_session.etude.pk).update(youtube_url=VIDEO)
    page = opened(f"{busy_session.choice}&link={busy_session.etude.pk}", viewer_of(busy_session.admin)).main
    dialog = one(page, "dialog")
    assert text(one(dialog, "h2")) == "Edit YouTube Link"
    assert attributes(one(dialog, "input", name="url"))["defaultValue"] == VIDEO
    assert attributes(one(dialog, "input", name="version"))["defaultValue"].startswith("url:")
    assert attributes(one(dialog, "a", data_cancel=""))["href"] == busy_session.choice
    assert attributes(one(dialog, "form"))["data-guard"] == "Leave without saving?"


@pytest.mark.parametrize("appearances", [1, 20])
def test_query_count_is_independent_of_rows(db, django_assert_num_queries, appearances):
    busy_session = session_with_programs(appearances=appearances)
    PieceFactory.create_batch(60, category="scherzo")
    for appearance in busy_session.appearances:
        ProgramEntryFactory(session_participant=appearance, piece=busy_session.scherzo)
    viewer = viewer_of(busy_session.admin)
    with django_assert_num_queries(8):
        page, _ = loaded(busy_session.choice, viewer)
    assert len(page.data.found.rows) == appearances


def test_empty_program_has_five_groups_to_choose(db):
    appearance, admin = AppearanceFactory(), viewer_of(AdminFactory())
    page = opened(f"{PROGRAMS}?session={appearance.session_id}", admin).main
    assert [group for group in groups(page) if not group.endswith("Not chosenChoose")] == []
    assert "0 of 5 chosen" in text(page)
    assert "Order of playing" not in text(page)


def test_page_of_twenty_programs_is_small(db):
    busy_session = session_with_programs(appearances=20)
    PieceFactory.create_batch(300, category="scherzo")
    for appearance in busy_session.appearances:
        for category in ("etiuda_b", "scherzo", "mazurek"):
            ProgramEntryFactory(session_participant=appearance, piece=PieceFactory(category=category))
    page = opened(busy_session.choice, viewer_of(busy_session.admin))
    assert len(every(page.main, "li", "program")) == 20
    assert len(every(page.main)) < 2_900
    assert len(gzip.compress(page.html.encode())) < 25_000
