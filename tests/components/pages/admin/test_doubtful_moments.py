"""The warning about moments of one program that descend, or jump by more than 30 minutes."""

import pytest

from apps.competition.limits import MOMENTS_APART
from apps.competition.models import ProgramEntry
from apps.competition.selectors.admin.programs import program_admin
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.admin.programs import VIDEO, session_with_programs
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, ProgramEntryFactory, viewer_of
from tests.screen import open_page

OTHER = "https://youtu.be/dQw4w9WgXcQ"
SESSION_VIDEO = VIDEO.removeprefix("https://youtu.be/")


def doubtful(*moments):
    """Return the places and seconds of the doubtful moments of a program with these links and seconds."""
    appearance = AppearanceFactory(session__youtube_id=SESSION_VIDEO)
    for number, (url, second) in enumerate(moments, start=1):
        ProgramEntryFactory(session_participant=appearance, order_number=number, youtube_url=url, timestamp=second)
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


async def test_warning_follows_saved_moments():
    running = await in_thread(session_with_programs)
    await in_thread(lambda: moments_set(running.etude, 600))
    async with open_page(running.address, user=running.admin) as screen:
        for second, is_doubtful in ((95, True), (900, False)):
            await screen.go(f"{running.address}&link={running.nocturne.pk}")
            version = attributes(one(screen.tree, "input", name="version"))["defaultValue"]
            fields = {"url": f"{VIDEO}?t={second}", "version": version}
            answer = await command(screen, "program_entry_link", running.nocturne.pk, **fields)
            assert answer["text"] == "YouTube URL updated successfully"  # a doubtful moment is stored all the same
            await (screen.until if is_doubtful else screen.until_gone)("played before it, begins at 10:00.")
