"""Rating and recommending on a participant's page, and their live updates on several open pages."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.core.commands import Arguments
from apps.core.threads import in_thread
from apps.ratings.commands import rating_read
from apps.ratings.enums import RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete
from tests.commanding import command
from tests.components.pages.rating import fields, given, hall, until_given
from tests.components.seen import attributes, every, one, text
from tests.factories import PieceRatingFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)
SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."


@live
async def test_a_rating_is_its_authors_until_it_is_approved_and_then_everybodys():
    there = await in_thread(hall)
    async with (
        open_page(there.address, user=there.fan) as fan,
        open_page(there.address, user=there.fan) as other_window,
        open_page(there.address) as stranger,
        open_page(f"{there.address}?tab=ratings") as reader,
        open_page("/") as home,
    ):
        answer = await command(fan, "ratings_submit", there.appearance.pk, **fields(there))
        assert (answer["ok"], answer["text"]) == (True, SUBMITTED)
        gave = {
            f"piece-{there.pieces[0]}": "23",
            "score": "4",
            "comment": "The silences.",
            "quick_rating": "outstanding",
        }
        for window in (fan, other_window):
            await until_given(window, there, gave, "Only you see your ratings until they are approved.")
        assert "The silences." not in str(stranger.tree)
        assert given(stranger, there) == ({}, "")
        whole, piece = await in_thread(lambda: (PerformanceRating.objects.get().pk, PieceRating.objects.get().pk))
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PERFORMANCE, mark_id=whole))
        for screen in (stranger, reader):
            await screen.until("The silences.")
        await home.until("una_corda")
        await until_given(fan, there, gave, "Some of your ratings")
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=piece))
        await stranger.until("average 23.0")
        own = f"own_mark:{there.appearance.pk}-{there.pieces[0]}"
        await fan._until(lambda: "23.0" in text(one(fan.tree, "li", data_slot=own)), "the hall's did not come")
        assert attributes(one(fan.tree, "li", data_slot=own))["data-own"] == "23"
        await reader.until("average 23.0 of 25")
        await until_given(
            fan, there, gave, "Your ratings are shown to everybody. What you change waits for approval again."
        )
        assert (
            await command(fan, "ratings_submit", there.appearance.pk, **fields(there, comment="Louder, I think now."))
        )["ok"]
        await stranger.until_gone("The silences.")
        await home.until("average 23.0 of 25")
        await in_thread(lambda: mark_delete(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=piece))
        await home.until("No ratings available yet.")


@live
async def test_who_comes_back_finds_what_they_gave():
    there = await in_thread(hall)

    def before():
        entry = there.appearance.program.order_by("order_number").first()
        PieceRatingFactory(entry=entry, user_id=there.fan.id, user=None, score=7)

    await in_thread(before)
    async with open_page(there.address, user=there.fan) as fan, open_page(there.address, user=there.boss) as boss:
        for screen, fields in ((fan, {f"piece-{there.pieces[0]}": "7"}), (boss, {})):
            assert given(screen, there)[0] == fields
        assert 'value="7"' in fan.html
        assert 'value="7"' not in boss.html


@live
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"comment": "   "}, "Write a comment as well."),
        ({"score": ""}, "The whole performance is marked from 1 to 5."),
        ({"comment": "x" * 2001}, "Please write at most 2000 characters."),
        ({"score": "6"}, "Please give a whole number from 1 to 5."),
        (
            {"quick_rating": "boring"},
            "This page and the server no longer understand each other. Please reload the page.",
        ),
        ({"piece-999999": "3"}, "The program of this performance has changed. Please look at it again."),
    ],
)
async def test_what_is_not_a_rating_is_refused_and_nothing_is_stored(change, sentence):
    there = await in_thread(hall)
    async with open_page(there.address, user=there.fan) as fan:
        answer = await command(fan, "ratings_submit", there.appearance.pk, **fields(there, **change))
        assert (answer["ok"], answer["text"]) == (False, sentence)
    assert await in_thread(lambda: PieceRating.objects.count() + PerformanceRating.objects.count()) == 0


def recommended(screen):
    """Return this viewer's recommendation: "up", "down" or ""."""
    pressed = [each for each in every(screen.tree, "button", "vote") if attributes(each)["aria-pressed"] == "true"]
    return "".join(attributes(each)["data-argument"].partition(":")[2] for each in pressed)


@live
async def test_recommendations_are_counted_everywhere_and_withdrawn_by_the_same_click():
    there = await in_thread(hall)
    async with open_page(there.address, user=there.fan) as fan, open_page(there.address) as stranger:
        for which, sentence, counts in (
            ("up", "Your recommendation has been saved!", ("Yes 1", "No 0")),
            ("down", "Your recommendation has been saved!", ("Yes 0", "No 1")),
            ("down", "Your recommendation has been withdrawn.", ("Yes 0", "No 0")),
        ):
            answer = await command(fan, "recommendation_set", f"{there.appearance.pk}:{which}")
            assert (answer["ok"], answer["text"]) == (True, sentence)
            for screen in (fan, stranger):
                for words in counts:
                    await screen.until(words)
            chosen = "" if "withdrawn" in sentence else which
            await fan._until(lambda chosen=chosen: recommended(fan) == chosen, f"{chosen} is not pressed")
            assert recommended(stranger) == ""


@live
async def test_a_recommendation_that_cannot_be_saved_says_so(caplog):
    there = await in_thread(hall)
    async with open_page(there.address, user=there.fan) as fan:
        answer = await command(fan, "recommendation_set", "999999:up")
        assert (answer["ok"], answer["text"]) == (False, "Failed to save recommendation. Please try again.")
    assert await in_thread(AdvanceRecommendation.objects.count) == 0


@live
async def test_strangers_see_the_controls_and_are_led_to_the_sign_in():
    there = await in_thread(hall)
    async with open_page(there.address) as stranger:
        assert len(every(stranger.tree, "input", type="range")) == 2
        there_again = f"%2Fparticipants%2F{there.appearance.participant_id}"
        assert stranger.button("Submit ratings")
        for name, argument, more in (
            ("ratings_submit", there.appearance.pk, fields(there)),
            ("recommendation_set", f"{there.appearance.pk}:up", {}),
        ):
            assert (await command(stranger, name, argument, **more))["leave"] == f"/login?next={there_again}"
    assert await in_thread(lambda: PerformanceRating.objects.count() + AdvanceRecommendation.objects.count()) == 0


def test_a_form_is_read_whatever_names_its_fields_have():
    odd = {
        "piece-": "3",
        "piece--1": "3",
        "piece-x": "3",
        "piece-²": "3",
        "piece-12": "7",
        "piece-13": "0",
        "score": "5",
    }
    read = rating_read(Arguments("17", odd | {"comment": " Yes. "}))
    assert read == {
        "session_participant_id": 17, "pieces": {12: 7}, "score": 5, "comment": "Yes.", "quick_rating": "", "age": 0,
    }  # fmt: skip
