"""The administrators' page of programs: choosing, linking, removing and ordering pieces, live updates, refusals."""

from types import SimpleNamespace

import pytest

from apps.competition.models import ProgramEntry
from apps.competition.services.pieces import piece_add
from apps.competition.services.sessions import appearance_add
from apps.core.threads import in_thread
from tests.commanding import Answer, command
from tests.components.pages.admin.programs import (
    ETUDE,
    ETUDE_SET,
    NOCTURNE,
    NOCTURNE_SET,
    SCHERZO,
    SCHERZO_SET,
    VIDEO,
    session_with_programs,
)
from tests.components.pages.checked_commands import UNREADABLE, be_refused, check_refusals, succeed
from tests.components.seen import attributes, one
from tests.factories import AdminFactory, ParticipantFactory, PieceFactory, viewer_of
from tests.screen import Screen, open_page


@pytest.fixture
def running(db: None) -> SimpleNamespace:
    return session_with_programs()


def program_of(appearance_id: int) -> list[tuple[str, str]]:
    """Return the slots and piece names of an appearance's program, in order."""
    entries = ProgramEntry.objects.filter(session_participant=appearance_id).order_by("order_number")
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


async def test_selected_piece_replaces_the_one_of_its_group(running):
    other = await in_thread(lambda: PieceFactory(name="Etude in E major, Op. 10 No. 3", key="E major", number=3))
    address = f"{running.address}&appearance={running.appearance.pk}&slot=etiuda_a"
    async with open_page(address, user=running.admin) as screen:
        for _ in range(2):
            answer = await command(screen, "program_select", f"{running.appearance.pk}:{other.pk}")
            assert (answer["ok"], answer["text"]) == (True, "Program updated successfully")
        await screen.until("Etiuda Op. 10 1 Étude in E major op. 10 no. 3")
    assert await in_thread(lambda: program_of(running.appearance.pk)) == [("etiuda_a", other.name), ("nocturn", "N")]


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


async def test_invalid_links_are_refused_at_their_field(running):
    unreadable = "The moment in this address cannot be read. Write it as seconds (t=95) or as t=1h2m3s."
    cases = (
        ({"url": "https://vimeo.com/1?t=3"}, "url", "This is not the address of a YouTube video."),
        ({"url": "javascript:alert(1)//youtu.be/aqz-KE-bpKQ"}, "url", "This is not the address of a YouTube video."),
        ({"url": f"{VIDEO}?t=later"}, "url", unreadable),
        ({"url": "x" * 2049}, "url", "Please write at most 2048 characters."),
    )
    async with open_page(f"{running.address}&link={running.etude.pk}", user=running.admin) as screen:
        fields = {
            "version": attributes(one(screen.tree, "input", name="version"))["defaultValue"],
            "go": running.address,
        }
        await check_refusals(screen, "program_entry_link", running.etude.pk, cases, fields)
    assert await in_thread(lambda: entry_of(running.etude.pk)) == ("", 90)


async def test_concurrent_edit_of_a_link_is_a_conflict(running, colleague):
    address = f"{running.address}&link={running.etude.pk}"
    async with open_page(address, user=running.admin) as screen, open_page(address, user=colleague) as other:
        assert (await linked(other, running.etude.pk, f"{VIDEO}?t=1"))["ok"]
        await screen.until("Video, 0:01")
        refused = await linked(screen, running.etude.pk, f"{VIDEO}?t=2")
        assert not refused["ok"]
        sentence = f"YouTube URL was changed meanwhile. It is now “{VIDEO}?t=1”."
        assert refused["text"].startswith(sentence)
        assert await in_thread(lambda: entry_of(running.etude.pk)) == (f"{VIDEO}?t=1", 1)
        assert (await linked(screen, running.etude.pk, f"{VIDEO}?t=2", version=refused["version"]))["ok"]
    assert await in_thread(lambda: entry_of(running.etude.pk)) == (f"{VIDEO}?t=2", 2)


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
