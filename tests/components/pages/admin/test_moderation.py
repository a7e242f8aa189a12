"""Decisions about ratings: single and selected ones, undo, concurrent moderators, and newly received ratings."""

from typing import Any

from django.db import transaction

from apps.core.bus.topics import publish_topics
from apps.core.threads import in_thread
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from tests.commanding import command
from tests.components.pages.admin.moderating import DASHBOARD, decided, decision, pending, pending_ratings, shows, ticks
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import attributes, every, name, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory
from tests.screen import open_page

GONE = "This rating has been decided already."


async def test_decided_rating_leaves_the_list_of_all_moderators() -> None:
    setup = await in_thread(pending_ratings)
    async with open_page(DASHBOARD, user=setup.admin) as admin, open_page(DASHBOARD, user=setup.colleague) as colleague:
        stale = decision(colleague.tree, "Reject", "ada")
        answer = await decided(admin, "Approve", "ada")
        assert (answer["ok"], answer["text"]) == (True, "Piece rating approved successfully")
        await shows(colleague, 2)
        assert [text(line) for line in every(colleague.tree, "p", "queue__decided")] == ["Approved by halina_k"]
        await be_refused(colleague, *stale, GONE)
        answer = await decided(colleague, "Reject", "ben")
        assert answer["text"] == "Piece rating rejected successfully"
        await shows(admin, 1)
        await admin.until("Piece Ratings 1 rating waiting")
    assert await in_thread(lambda: PieceRating.objects.get(approved=True).user.username) == "ada"
    assert await in_thread(PieceRating.objects.count) == 2


async def test_pieces_of_one_rating_are_decided_by_two_moderators() -> None:
    setup = await in_thread(pending_ratings)
    await in_thread(lambda: rated_more(setup))
    async with open_page(DASHBOARD, user=setup.admin) as admin, open_page(DASHBOARD, user=setup.colleague) as colleague:
        for screen in (admin, colleague):
            assert (await command(screen, "deciding_set", "piece:off"))["ok"]
            await screen.until_gone("Approve both")
        whole_row = decision(colleague.tree, "Approve", "ada")
        single = next(button for button in every(admin.tree, "button") if name(button).startswith("Reject only Étude"))
        answer = await command(admin, attributes(single)["data-command"], attributes(single)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "Piece rating rejected successfully")
        await colleague.until("1 of 2 pieces")
        await succeed(colleague, *whole_row, "1 rating approved. 1 mark had been decided already.")
        await shows(admin, 0)
        assert await in_thread(lambda: list(PieceRating.objects.values_list("score", "approved"))) == [(7, True)]
        await colleague.until("Undo: 1 rating approved")
        await colleague.press("Undo: 1 rating approved")
        await shows(admin, 1)
        assert (await command(colleague, "deciding_set", "piece:on"))["ok"]
        await colleague.until("Approve both")
        answer = await decided(colleague, "Approve both", "ada")
        assert answer["text"] == "Piece rating approved successfully. And the whole performance."
        await shows(admin, 0)
        await admin.until("Performance Ratings 0 ratings waiting")


def rated_more(setup: Any) -> None:
    """Leave only ada's ratings pending: two pieces and the performance as a whole."""
    PieceRating.objects.exclude(user__username="ada").delete()
    ada, appearance = setup.ratings["ada"].user, setup.appearances[0]
    PieceRatingFactory(entry=appearance.program.get(order_number=2), user=ada, score=7)
    PerformanceRatingFactory(session_participant=appearance, user=ada)


async def test_selected_ratings_are_decided_and_undone() -> None:
    setup = await in_thread(pending_ratings)
    async with open_page(DASHBOARD, user=setup.admin) as admin:
        answer = await command(admin, "ratings_decide", decision="reject", rating=ticks(admin.tree)[:2])
        assert (answer["ok"], answer["text"]) == (True, "2 ratings rejected.")
        await shows(admin, 1)
        await admin.until("Undo: 2 ratings rejected")
        await succeed(admin, *answer["undo"], "2 ratings wait again.")
        await shows(admin, 3)
        await admin.until_gone("Undo:")
        await be_refused(admin, *answer["undo"], "This can no longer be taken back.")


async def test_undo_is_the_moderators_own_and_survives_a_reload() -> None:
    setup = await in_thread(pending_ratings)
    async with open_page(DASHBOARD, user=setup.admin) as admin, open_page(DASHBOARD, user=setup.colleague) as colleague:
        await decided(admin, "Approve", "ada")
        await shows(colleague, 2)
        assert "Undo" not in colleague.text.replace("Z undo", "")
        await admin.load(DASHBOARD)
        assert admin.button("Undo: 1 rating approved")
        await admin.press("Undo: 1 rating approved")
        await shows(colleague, 3)


async def test_new_ratings_are_counted_and_shown_on_request() -> None:
    setup = await in_thread(pending_ratings)
    async with open_page(DASHBOARD, user=setup.admin) as admin:
        await in_thread(lambda: receive(setup.appearances[1], setup.piece, "dora"))
        await admin.until("Show 1 newer rating")
        assert ("by dora" in admin.text, "3 ratings, 3 marks" in admin.text) == (False, True)
        await admin.press("Show 1 newer rating")
        await admin.until("by dora")
        await admin.until("4 ratings, 4 marks")
        await admin.until_gone("newer")


@transaction.atomic
def receive(*arguments: Any) -> None:
    """Add a pending rating and publish its topic, as the services do."""
    pending(*arguments)
    publish_topics("ratings.waiting")


async def test_deciding_all_matching_excludes_newer_ratings() -> None:
    setup = await in_thread(pending_ratings)
    await in_thread(
        lambda: [pending(setup.appearances[1], setup.piece, f"late_{n}", score=3) for n in range(QUEUE_ROWS + 1)]
    )
    async with open_page(f"{DASHBOARD}?to=5", user=setup.admin) as admin:
        assert f"All {QUEUE_ROWS} on this page are selected." in admin.text
        (reject_all,) = [
            button
            for button in every(admin.tree, "button")
            if name(button) == f"Reject all {QUEUE_ROWS + 1} that match"
        ]
        assert (
            attributes(reject_all)["data-confirm"]
            == f"Reject all that match? Ratings: {QUEUE_ROWS + 1}, marks: {QUEUE_ROWS + 1}"
        )
        await in_thread(lambda: pending(setup.appearances[2], setup.piece, "later", score=3))
        answer = await command(admin, attributes(reject_all)["data-command"], attributes(reject_all)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, f"{QUEUE_ROWS + 1} ratings rejected.")
        await admin.until("Show 1 newer rating")
    left = await in_thread(lambda: sorted(PieceRating.objects.values_list("user__username", flat=True)))
    assert left == ["ada", "ben", "cleo", "later"]
