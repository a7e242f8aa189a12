"""Decisions about ratings: single and selected ones, undo, concurrent moderators, and newly received ratings."""

import asyncio
from typing import Any

import pytest
from django.db import transaction

from apps.core.bus.topics import publish_topics
from apps.core.threads import in_thread
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.models import PieceRating
from tests.commanding import command
from tests.components.pages.admin.moderating import DASHBOARD, decided, decision, hall, shows, ticks, waiting
from tests.components.seen import attributes, every, name, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
GONE = "This rating has been decided already."


@live
async def test_what_one_decides_leaves_the_list_of_the_other_and_is_decided_once() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina, open_page(DASHBOARD, user=made.ignacy) as ignacy:
        stale = decision(ignacy.tree, "Reject", "ada")
        answer = await decided(halina, "Approve", "ada")
        assert (answer["ok"], answer["text"]) == (True, "Piece rating approved successfully")
        await shows(ignacy, 2)
        assert [text(line) for line in every(ignacy.tree, "p", "queue__decided")] == ["Approved by halina_k"]
        late = await command(ignacy, *stale)
        assert (late["ok"], late["text"]) == (False, GONE)
        answer = await decided(ignacy, "Reject", "ben")
        assert answer["text"] == "Piece rating rejected successfully"
        await shows(halina, 1)
        await halina.until("Piece Ratings 1 rating waiting")
    assert await in_thread(lambda: PieceRating.objects.get(approved=True).user.username) == "ada"
    assert await in_thread(PieceRating.objects.count) == 2


@live
async def test_halves_of_one_rating_are_decided_by_two_and_the_rest_together() -> None:
    made = await in_thread(hall)
    await in_thread(lambda: rated_more(made))
    async with open_page(DASHBOARD, user=made.halina) as halina, open_page(DASHBOARD, user=made.ignacy) as ignacy:
        for screen in (halina, ignacy):
            assert (await command(screen, "deciding_set", "piece:off"))["ok"]
            await screen.until_gone("Approve both")
        whole_row = decision(ignacy.tree, "Approve", "ada")
        single = next(button for button in every(halina.tree, "button") if name(button).startswith("Reject only Étude"))
        answer = await command(halina, attributes(single)["data-command"], attributes(single)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "Piece rating rejected successfully")
        await ignacy.until("1 of 2 pieces")
        late = await command(ignacy, *whole_row)
        assert (late["ok"], late["text"]) == (True, "1 rating approved. 1 mark had been decided already.")
        await shows(halina, 0)
        assert await in_thread(lambda: list(PieceRating.objects.values_list("score", "approved"))) == [(7, True)]
        await ignacy.until("Undo: 1 rating approved")
        await ignacy.press("Undo: 1 rating approved")
        await shows(halina, 1)
        assert (await command(ignacy, "deciding_set", "piece:on"))["ok"]
        await ignacy.until("Approve both")
        answer = await decided(ignacy, "Approve both", "ada")
        assert answer["text"] == "Piece rating approved successfully. And the whole performance."
        await shows(halina, 0)
        await halina.until("Performance Ratings 0 ratings waiting")


def rated_more(made: Any) -> None:
    """Leave only ada's ratings pending: two pieces and the performance as a whole."""
    PieceRating.objects.exclude(user__username="ada").delete()
    ada, appearance = made.ratings["ada"].user, made.appearances[0]
    PieceRatingFactory(entry=appearance.program.get(order_number=2), user=ada, score=7)
    PerformanceRatingFactory(session_participant=appearance, user=ada)


@live
async def test_two_who_decide_about_one_rating_at_the_same_moment_decide_it_once() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina, open_page(DASHBOARD, user=made.ignacy) as ignacy:
        answers = await asyncio.gather(decided(halina, "Approve", "cleo"), decided(ignacy, "Reject", "cleo"))
        assert sorted((answer["ok"], answer["text"] == GONE) for answer in answers) == [(False, True), (True, False)]
        for screen in (halina, ignacy):
            await shows(screen, 2)


@live
async def test_a_selection_is_decided_in_one_go_and_taken_back() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina:
        answer = await command(halina, "ratings_decide", decision="reject", rating=ticks(halina.tree)[:2])
        assert (answer["ok"], answer["text"]) == (True, "2 ratings rejected.")
        await shows(halina, 1)
        await halina.until("Undo: 2 ratings rejected")
        back = await command(halina, *answer["undo"])
        assert (back["ok"], back["text"]) == (True, "2 ratings wait again.")
        await shows(halina, 3)
        await halina.until_gone("Undo:")
        again = await command(halina, *answer["undo"])
        assert (again["ok"], again["text"]) == (False, "This can no longer be taken back.")


@live
async def test_the_way_back_is_ones_own_and_survives_a_reload() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina, open_page(DASHBOARD, user=made.ignacy) as ignacy:
        await decided(halina, "Approve", "ada")
        await shows(ignacy, 2)
        assert "Undo" not in ignacy.text.replace("Z undo", "")
        await halina.load(DASHBOARD)
        assert halina.button("Undo: 1 rating approved")
        await halina.press("Undo: 1 rating approved")
        await shows(ignacy, 3)


@live
async def test_what_comes_while_one_reads_is_counted_and_shown_when_asked_for() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina:
        await in_thread(lambda: comes(made.appearances[1], made.piece, "dora"))
        await halina.until("Show 1 newer rating")
        assert ("by dora" in halina.text, "3 ratings, 3 marks" in halina.text) == (False, True)
        await halina.press("Show 1 newer rating")
        await halina.until("by dora")
        await halina.until("4 ratings, 4 marks")
        await halina.until_gone("newer")


@transaction.atomic
def comes(*whose: Any) -> None:
    """Add a pending rating and publish its topic, as the services do."""
    waiting(*whose)
    publish_topics("ratings.waiting")


@live
async def test_all_that_match_means_what_the_list_said_and_nothing_that_came_since() -> None:
    made = await in_thread(hall)
    await in_thread(
        lambda: [waiting(made.appearances[1], made.piece, f"late_{n}", score=3) for n in range(QUEUE_ROWS + 1)]
    )
    async with open_page(f"{DASHBOARD}?to=5", user=made.halina) as halina:
        assert f"All {QUEUE_ROWS} on this page are selected." in halina.text
        (found,) = [
            button
            for button in every(halina.tree, "button")
            if name(button) == f"Reject all {QUEUE_ROWS + 1} that match"
        ]
        assert (
            attributes(found)["data-confirm"]
            == f"Reject all that match? Ratings: {QUEUE_ROWS + 1}, marks: {QUEUE_ROWS + 1}"
        )
        await in_thread(lambda: waiting(made.appearances[2], made.piece, "later", score=3))
        answer = await command(halina, attributes(found)["data-command"], attributes(found)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, f"{QUEUE_ROWS + 1} ratings rejected.")
        await halina.until("Show 1 newer rating")
    left = await in_thread(lambda: sorted(PieceRating.objects.values_list("user__username", flat=True)))
    assert left == ["ada", "ben", "cleo", "later"]
