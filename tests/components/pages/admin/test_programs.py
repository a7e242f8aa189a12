"""The administrators' page of programs: groups, choosing, linking and moving pieces, live updates, doubtful moments."""

import gzip
from types import SimpleNamespace
from typing import Any

import pytest

from apps.competition.limits import MOMENTS_APART
from apps.competition.models import Piece, ProgramEntry
from apps.competition.selectors.admin.programs import program_admin
from apps.competition.services.pieces import piece_add
from apps.competition.services.sessions import appearance_add
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.pages.admin.programs import (
    ETUDE,
    ETUDE_SET,
    NOCTURNE,
    NOCTURNE_SET,
    PROGRAMS,
    SCHERZO,
    SCHERZO_SET,
    VIDEO,
    session_with_programs,
)
from tests.components.pages.checked_commands import UNREADABLE, be_refused, check_refusals, succeed
from tests.components.seen import attributes, every, name, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)
from tests.screen import Screen, open_page


@pytest.fixture
def running(db: None) -> SimpleNamespace:
    return session_with_programs()


def program_of(appearance_id: int) -> list[tuple[str, str]]:
    """Return the slots and piece names of an appearance's program, in order."""
    entries = ProgramEntry.objects.filter(appearance=appearance_id).order_by("order_number")
    return list(entries.values_list("slot", "piece__name"))


def entry_of(pk: int) -> tuple[str, int | None]:
    """Return the link of a program entry and its second in the video."""
    return ProgramEntry.objects.values_list("youtube_url", "timestamp").get(pk=pk)


async def linked(screen: Screen, entry_id: int, url: str, **more: str) -> Answer:
    """Save the dialog with this link."""
    seen = attributes(one(screen.tree, "input", name="version"))["defaultValue"]
    return await command(screen, "program_entry_link", entry_id, **{"url": url, "version": seen} | more)


async def test_selected_piece_is_shown_in_all_windows(running, fan):
    other = await in_thread(AdminFactory)
    async with (
        open_page(running.choice, user=running.admin) as screen,
        open_page(running.address, user=other) as colleague,
        open_page(f"/sessions/{running.session.pk}?open={running.appearance.pk}", user=fan) as audience,
        open_page(f"/participants/{running.appearance.participant_id}") as person,
    ):
        assert "2 of 5 chosen" in colleague.text
        assert screen.button(SCHERZO_SET)["attributes"]["aria-pressed"] == "false"
        answer = await command(screen, "program_select", screen.button(SCHERZO_SET)["attributes"]["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "Program updated successfully")
        await screen.until("3 of 5 chosen")
        assert screen.button(SCHERZO_SET)["attributes"]["aria-pressed"] == "true"
        await colleague.until(f"Scherzo 3 {SCHERZO_SET} No link")
        await audience.until("in B♭ minor")
        await person.until("in B♭ minor")
    assert (await in_thread(lambda: program_of(running.appearance.pk)))[-1] == ("scherzo", SCHERZO)


async def test_piece_is_removed_after_confirmation(running):
    def with_link() -> None:
        ProgramEntry.objects.filter(pk=running.etude.pk).update(youtube_url=VIDEO)

    await in_thread(with_link)
    person = running.appearance.participant.name
    etude = ETUDE
    other = await in_thread(AdminFactory)
    async with (
        open_page(running.address, user=running.admin) as screen,
        open_page(running.address, user=other) as colleague,
    ):
        button = screen.button(f"Remove: {etude}, {person}")["attributes"]
        assert button["data-confirm"] == f"Remove {etude} from the program of {person}?"
        assert button["data-confirm-words"] == "Its YouTube link goes with it."
        assert "data-confirm-words" not in screen.button(f"Remove: {NOCTURNE}, {person}")["attributes"]
        await succeed(screen, button["data-command"], button["data-argument"], "Piece removed successfully")
        await colleague.until_gone(ETUDE_SET)
        await be_refused(colleague, "program_entry_remove", running.etude.pk, "This is no longer there.")
    entries = await in_thread(lambda: list(ProgramEntry.objects.values_list("order_number", "piece__name")))
    assert entries == [(1, "N")]


async def test_links_are_saved_with_their_second(running):
    address = f"{running.address}&link={running.etude.pk}"
    async with (
        open_page(address, user=running.admin) as screen,
        open_page(running.address, user=running.admin) as other,
    ):
        for typed, stored, second, shown in (
            (VIDEO, VIDEO, None, "Video"),
            (f"{VIDEO}?t=95", f"{VIDEO}?t=95", 95, "Video, 1:35"),
            (f"{VIDEO}?t=1h2m3s", f"{VIDEO}?t=3723", 3723, "Video, 1:02:03"),
            ("www.youtube.com/watch?v=aqz-KE-bpKQ&t=2m", f"{VIDEO}?t=120", 120, "Video, 2:00"),
            ("", "", None, "No link"),
        ):
            await screen.go(address)
            answer = await linked(screen, running.etude.pk, typed, go=running.address)
            assert (answer["ok"], answer["text"]) == (True, "YouTube URL updated successfully")
            assert answer["go"] == running.address
            await screen.go(answer["go"])
            assert "Edit YouTube Link" not in screen.text
            await screen.until(shown)
            await other.until(shown)
            assert await in_thread(lambda: entry_of(running.etude.pk)) == (stored, second)


async def test_pieces_are_moved_within_the_order(running):
    etude, order = ETUDE, f"{running.address}&appearance={running.appearance.pk}&slot=order"
    async with open_page(order, user=running.admin) as screen, open_page(running.address, user=running.admin) as other:
        idle = screen.button(f"Move up: {etude}")["attributes"]
        assert (idle["aria-disabled"], "data-command" in idle) == ("true", False)
        button = screen.button(f"Move down: {etude}")["attributes"]
        await succeed(screen, button["data-command"], button["data-argument"], "Program updated successfully")
        await screen.until(f"1{NOCTURNE_SET} ↑↓ 2{ETUDE_SET}")
        await other.until(f"Etiuda Op. 10 2 {ETUDE_SET}")
        assert "data-command" in screen.button(f"Move up: {etude}")["attributes"]
        assert "data-command" not in screen.button(f"Move down: {etude}")["attributes"]
    assert [piece for _, piece in await in_thread(lambda: program_of(running.appearance.pk))] == ["N", running.played]


async def test_open_page_follows_appearances_and_the_catalogue(running):
    async with open_page(running.choice, user=running.admin) as screen:
        admin = await in_thread(lambda: viewer_of(running.admin))

        def changes() -> None:

            piece_add(actor=admin, category="scherzo", name="Scherzo in E major, Op. 54")
            late = ParticipantFactory(first_name="Ewa", second_name="Late", country="Poland")
            appearance_add(actor=admin, session_id=running.session.pk, participant_id=late.pk)

        await in_thread(changes)
        await screen.until("Scherzo in E major op. 54")
        await screen.until("2 Ewa Late Poland")
        assert await in_thread(running.session.appearances.count) == 2


async def test_malformed_arguments_are_refused(running):
    async with open_page(running.address, user=running.admin) as screen:
        for name, argument in (
            ("program_select", "7"),
            ("program_select", "7:x"),
            ("program_entry_move", "7:sideways"),
            ("program_entry_link", "-1"),
            ("program_entry_remove", ""),
        ):
            await check_refusals(screen, name, argument, [({}, None, UNREADABLE)])


def groups(page: Any) -> list[str]:
    """Return the text of each group on the page."""
    return [text(row) for row in every(page, "li", "slot")]


def test_groups_are_in_order_and_open_by_links(running):
    page = opened(running.address, viewer_of(running.admin)).main
    assert [text(heading) for heading in every(page, "h3")] == [
        "Etiuda Op. 10", "Etiuda Op. 25", "Nokturn", "Scherzo", "Mazurek",
    ]  # fmt: skip
    first, second, third, *_ = groups(page)
    assert first == f"Etiuda Op. 101 {ETUDE_SET}from 1:30Change"
    assert (second, third) == ("Etiuda Op. 25Not chosenChoose", f"Nokturn2 {NOCTURNE_SET}from 1:30Change")
    assert not every(page, "button", "pick"), "groups are collapsed"
    assert name(one(page, "a", href=f"/admin/program-import?session={running.session.pk}")) == "Import Programs"
    page = opened(running.choice, viewer_of(running.admin)).main
    toggle = one(page, "a", aria_expanded="true")
    assert attributes(toggle)["href"] == running.address
    assert name(toggle) == f"Choose: Scherzo, {running.appearance.participant.name}"
    assert [name(button) for button in every(page, "button", "pick")] == [SCHERZO_SET]
    kept = {attributes(field)["name"]: attributes(field)["value"] for field in every(page, "input", type="hidden")}
    assert kept == {
        "session": str(running.session.pk),
        "appearance": str(running.appearance.pk),
        "slot": "scherzo",
    }


def test_pieces_of_a_group_are_searched_and_limited(running):
    PieceFactory.create_batch(81, category="mazurek")
    admin, address = (
        viewer_of(running.admin),
        f"{running.address}&appearance={running.appearance.pk}&slot=mazurek",
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
    assert "No pieces yet." in text(opened(running.choice, admin).main)


def test_live_session_is_selected_by_default(running):
    later = SessionFactory(title="Stage II, first session")
    admin = viewer_of(running.admin)
    page = opened(PROGRAMS, admin)
    choices = [text(option) for option in every(one(page.main, "select"), "option")]
    assert choices == ["Stage I, evening session, 12 October 2021 (live)", "Stage II, first session, 12 October 2021"]
    assert page.page.data.where.session == running.session.pk
    empty = opened(f"{PROGRAMS}?session={later.pk}", admin).main
    assert "No participants found." in text(empty)
    assert name(one(empty, "a", href=f"/admin/sessions?mode=edit&id={later.pk}")) == "Edit the session"
    missing = opened(f"{PROGRAMS}?session=987654", admin)
    assert (missing.page.status, text(one(missing.main, "h1"))) == (404, "Session not found.")


def test_page_without_sessions_or_programs_links_to_the_next_step(db):
    page = opened(PROGRAMS, viewer_of(AdminFactory())).main
    assert "No participants found." in text(page)
    assert name(one(page, "a", href="/admin/sessions?mode=create")) == "Plan a first session"
    appearance, admin = AppearanceFactory(), viewer_of(AdminFactory())
    page = opened(f"{PROGRAMS}?session={appearance.session_id}", admin).main
    assert [group for group in groups(page) if not group.endswith("Not chosenChoose")] == []
    assert "0 of 5 chosen" in text(page)
    assert "Order of playing" not in text(page)


def test_performers_are_searched_and_paged(db):
    setup = session_with_programs(appearances=23)
    admin = viewer_of(setup.admin)
    page = opened(f"{setup.address}&page=2", admin).main
    assert len(every(page, "li", "program")) == 3
    assert attributes(one(page, "a", rel="prev"))["href"] == f"{PROGRAMS}?session={setup.session.pk}"
    results = opened(f"{setup.address}&q=wroblewska", admin).main
    assert [text(heading) for heading in every(results, "h2")] == ["2 Zofia Wróblewska-Łęcka"]
    assert text(one(opened(f"{setup.address}&q=nobody", admin).main, look="empty")) == "No participants found."


def test_unreadable_queries_open_no_group(running):
    admin = viewer_of(running.admin)
    for query in ("appearance=x&slot=scherzo", "appearance=1&slot=waltz", "link=987654", "session=x&page=0"):
        page = opened(f"{PROGRAMS}?{query}", admin).main
        assert len(every(page, "li", "program")) == 1, query
        assert not every(page, "dialog"), query
        assert not every(page, look="slot__panel"), query


def test_dialog_has_the_link_and_its_version(running):
    ProgramEntry.objects.filter(pk=running.etude.pk).update(youtube_url=VIDEO)
    page = opened(f"{running.choice}&link={running.etude.pk}", viewer_of(running.admin)).main
    dialog = one(page, "dialog")
    assert text(one(dialog, "h2")) == "Edit YouTube Link"
    assert attributes(one(dialog, "input", name="url"))["defaultValue"] == VIDEO
    assert attributes(one(dialog, "input", name="version"))["defaultValue"].startswith("url:")
    assert attributes(one(dialog, "a", data_cancel=""))["href"] == running.choice
    assert attributes(one(dialog, "form"))["data-guard"] == "Leave without saving?"


def test_page_of_twenty_programs_is_small(db):
    running = session_with_programs(appearances=20)
    PieceFactory.create_batch(300, category="scherzo")
    for appearance in running.appearances:
        for category in ("etiuda_b", "scherzo", "mazurek"):
            ProgramEntryFactory(appearance=appearance, piece=PieceFactory(category=category))
    page = opened(running.choice, viewer_of(running.admin))
    assert len(every(page.main, "li", "program")) == 20
    assert len(every(page.main)) < 2_900
    assert len(gzip.compress(page.html.encode())) < 25_000


OTHER = "https://youtu.be/dQw4w9WgXcQ"
SESSION_VIDEO = VIDEO.removeprefix("https://youtu.be/")


def doubtful(*moments):
    """Return the places and seconds of the doubtful moments of a program with these links and seconds."""
    appearance = AppearanceFactory(session__youtube_id=SESSION_VIDEO)
    for number, (url, second) in enumerate(moments, start=1):
        ProgramEntryFactory(appearance=appearance, order_number=number, youtube_url=url, timestamp=second)
    row = program_admin(appearance_id=appearance.pk)
    return [(moment.before.order_number, moment.entry.order_number, moment.seconds) for moment in row.doubtful_moments]


@pytest.mark.django_db
def test_moment_is_compared_with_the_piece_before_it_in_the_same_video():
    for moments, expected in (
        ([(VIDEO, 0), (VIDEO, 60), (VIDEO, 60 + MOMENTS_APART)], []),
        ([(VIDEO, 60), (VIDEO, 60)], []),  # of pieces of one line
        ([(VIDEO, 60), (VIDEO, 59)], [(1, 2, -1)]),
        ([(VIDEO, 0), (VIDEO, MOMENTS_APART + 1)], [(1, 2, MOMENTS_APART + 1)]),
        ([(VIDEO, 900), (VIDEO, 60), (VIDEO, 300)], [(1, 2, -840)]),
        ([(VIDEO, 900), (VIDEO, None), ("", None), (VIDEO, 60)], [(1, 4, -840)]),
        ([(VIDEO, 900), (OTHER, 60), (VIDEO, 1200), (OTHER, 30)], [(2, 4, -30)]),
        ([(VIDEO, 900), ("", 60)], [(1, 2, -840)]),  # the recording of the session is the same video
        ([("", 900), (OTHER, 60)], []),
        ([(VIDEO, None), (VIDEO, None)], []),
        ([(VIDEO, 5)], []),
        ([], []),
    ):
        assert doubtful(*moments) == expected, moments


def moments_set(entry, second):
    ProgramEntry.objects.filter(pk=entry.pk).update(youtube_url=f"{VIDEO}?t={second}", timestamp=second)


def warnings(tree):
    return [" ".join(text(line).split()) for line in every(tree, "p", "read__warn")]


@pytest.mark.django_db
def test_warning_names_both_pieces_and_links_to_the_dialog():
    running = session_with_programs()
    admin = viewer_of(AdminFactory())
    moments_set(running.etude, 600)
    moments_set(running.nocturne, 700)
    assert warnings(opened(running.address, admin).main) == []
    moments_set(running.nocturne, 95)
    [sentence] = warnings(opened(running.address, admin).main)
    assert sentence == (
        "Nocturne in D♭ major, op. 27 no. 2 begins at 1:35, but Étude in C♯ minor, op. 10 no. 4, played before it, "
        "begins at 10:00. Check the moment"
    )
    moments_set(running.nocturne, 600 + 45 * 60)
    main = opened(running.address, admin).main
    [sentence] = warnings(main)
    assert "begins at 55:00, 45 minutes after the beginning of Étude" in sentence
    check = one(one(main, "p", "read__warn"), "a")
    assert attributes(check)["href"].endswith(f"link={running.nocturne.pk}")
