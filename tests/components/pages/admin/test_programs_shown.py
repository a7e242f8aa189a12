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


def test_five_groups_with_what_was_chosen_stand_in_their_order(busy_session):
    page = opened(busy_session.of, viewer_of(busy_session.halina)).main
    assert [text(heading) for heading in every(page, "h3")] == [
        "Etiuda Op. 10", "Etiuda Op. 25", "Nokturn", "Scherzo", "Mazurek",
    ]  # fmt: skip
    first, second, third, *_ = groups(page)
    assert first == f"Etiuda Op. 101 {ETUDE_SET}from 1:30Change"
    assert (second, third) == ("Etiuda Op. 25Not chosenChoose", f"Nokturn2 {NOCTURNE_SET}from 1:30Change")
    assert not every(page, "button", "pick"), "groups are collapsed"
    assert name(one(page, "a", href=f"/admin/program-import?session={busy_session.session.pk}")) == "Import Programs"


def test_what_is_open_says_so_and_closes_by_its_own_link(busy_session):
    page = opened(busy_session.choice, viewer_of(busy_session.halina)).main
    toggle = one(page, "a", aria_expanded="true")
    assert attributes(toggle)["href"] == busy_session.of
    assert name(toggle) == f"Choose: Scherzo, {busy_session.appearance.participant.name}"
    assert [name(button) for button in every(page, "button", "pick")] == [SCHERZO_SET]
    kept = {attributes(field)["name"]: attributes(field)["value"] for field in every(page, "input", type="hidden")}
    assert kept == {
        "session": str(busy_session.session.pk),
        "appearance": str(busy_session.appearance.pk),
        "slot": "scherzo",
    }


def test_a_search_within_a_group_finds_by_words_and_long_ones_are_cut(busy_session):
    PieceFactory.create_batch(81, category="mazurek")
    boss, address = (
        viewer_of(busy_session.halina),
        f"{busy_session.of}&appearance={busy_session.appearance.pk}&slot=mazurek",
    )
    PieceFactory(category="mazurek", name="Mazurka in A minor, Op. 17 No. 4", title="")
    page = opened(address, boss).main
    assert len(every(page, "button", "pick")) == 80
    assert "There are more: search by name." in text(page)
    found = opened(f"{address}&find=17+mazurka", boss).main
    assert [name(button) for button in every(found, "button", "pick")] == ["Mazurka in A minor, Op. 17 No. 4"]
    assert "There are more" not in text(found)
    assert attributes(one(found, "input", name="find"))["defaultValue"] == "17 mazurka"
    assert "No pieces found matching your criteria." in text(opened(f"{address}&find=waltz", boss).main)
    Piece.objects.filter(category="scherzo").delete()
    assert "No pieces yet." in text(opened(busy_session.choice, boss).main)


def test_without_a_choice_the_live_session_is_shown_and_others_are_to_be_chosen(busy_session):
    later = SessionFactory(title="Stage II, first session")
    boss = viewer_of(busy_session.halina)
    page = opened(PROGRAMS, boss)
    choices = [text(option) for option in every(one(page.main, "select"), "option")]
    assert choices == ["Stage I, evening session, 12 October 2021 (live)", "Stage II, first session, 12 October 2021"]
    assert page.page.data.where.session == busy_session.session.pk
    nobody = opened(f"{PROGRAMS}?session={later.pk}", boss).main
    assert "No participants found." in text(nobody)
    assert name(one(nobody, "a", href=f"/admin/sessions?mode=edit&id={later.pk}")) == "Edit the session"
    gone = opened(f"{PROGRAMS}?session=987654", boss)
    assert (gone.page.status, text(one(gone.main, "h1"))) == (404, "Session not found.")


def test_without_sessions_the_page_says_where_they_begin(db):
    page = opened(PROGRAMS, viewer_of(AdminFactory())).main
    assert "No participants found." in text(page)
    assert name(one(page, "a", href="/admin/sessions?mode=create")) == "Plan a first session"


def test_names_are_searched_and_many_are_shown_in_pages(db):
    crowd = session_with_programs(appearances=23)
    boss = viewer_of(crowd.halina)
    page = opened(f"{crowd.of}&page=2", boss).main
    assert len(every(page, "li", "program")) == 3
    assert attributes(one(page, "a", rel="prev"))["href"] == f"{PROGRAMS}?session={crowd.session.pk}"
    found = opened(f"{crowd.of}&q=wroblewska", boss).main
    assert [text(heading) for heading in every(found, "h2")] == ["2 Zofia Wróblewska-Łęcka"]
    assert text(one(opened(f"{crowd.of}&q=nobody", boss).main, look="empty")) == "No participants found."


@pytest.mark.parametrize(
    "wrong", ["appearance=x&slot=scherzo", "appearance=1&slot=waltz", "link=987654", "session=x&page=0"]
)
def test_what_cannot_be_read_opens_nothing(busy_session, wrong):
    page = opened(f"{PROGRAMS}?{wrong}", viewer_of(busy_session.halina)).main
    assert len(every(page, "li", "program")) == 1
    assert not every(page, "dialog")
    assert not every(page, look="slot__panel")


def test_the_dialog_holds_the_link_and_its_version(busy_session):
    ProgramEntry.objects.filter(pk=busy_session.etude.pk).update(youtube_url=VIDEO)
    page = opened(f"{busy_session.choice}&link={busy_session.etude.pk}", viewer_of(busy_session.halina)).main
    dialog = one(page, "dialog")
    assert text(one(dialog, "h2")) == "Edit YouTube Link"
    assert attributes(one(dialog, "input", name="url"))["defaultValue"] == VIDEO
    assert attributes(one(dialog, "input", name="version"))["defaultValue"].startswith("url:")
    assert attributes(one(dialog, "a", data_cancel=""))["href"] == busy_session.choice
    assert attributes(one(dialog, "form"))["data-guard"] == "Leave without saving?"


@pytest.mark.parametrize("appearances", [1, 20])
def test_the_queries_do_not_follow_the_rows(db, django_assert_num_queries, appearances):
    busy_session = session_with_programs(appearances=appearances)
    PieceFactory.create_batch(60, category="scherzo")
    for appearance in busy_session.appearances:
        ProgramEntryFactory(session_participant=appearance, piece=busy_session.scherzo)
    viewer = viewer_of(busy_session.halina)
    with django_assert_num_queries(8):
        page, _ = loaded(busy_session.choice, viewer)
    assert len(page.data.found.rows) == appearances


def test_an_empty_appearance_has_five_ways_to_choose(db):
    appearance, boss = AppearanceFactory(), viewer_of(AdminFactory())
    page = opened(f"{PROGRAMS}?session={appearance.session_id}", boss).main
    assert [group for group in groups(page) if not group.endswith("Not chosenChoose")] == []
    assert "0 of 5 chosen" in text(page)
    assert "Order of playing" not in text(page)


def test_a_session_of_twenty_with_a_long_catalogue_stays_light(db):
    busy_session = session_with_programs(appearances=20)
    PieceFactory.create_batch(300, category="scherzo")
    for appearance in busy_session.appearances:
        for category in ("etiuda_b", "scherzo", "mazurek"):
            ProgramEntryFactory(session_participant=appearance, piece=PieceFactory(category=category))
    page = opened(busy_session.choice, viewer_of(busy_session.halina))
    assert len(every(page.main, "li", "program")) == 20
    assert len(every(page.main)) < 2_900
    assert len(gzip.compress(page.html.encode())) < 25_000
