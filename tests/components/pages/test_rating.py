"""Rating and recommending on a participant's page, and their live updates on several open pages."""

from apps.accounts.actors import OPERATOR
from apps.core.commands import Arguments
from apps.core.threads import in_thread
from apps.ratings.commands import rating_read
from apps.ratings.enums import RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete
from tests.commanding import command
from tests.components.pages.checked_commands import UNREADABLE, be_refused, check_refusals, succeed
from tests.components.pages.rating import fields, form_values, rating_setup, until_form_has
from tests.components.seen import attributes, every, one, text
from tests.factories import PieceRatingFactory
from tests.screen import open_page

SUBMITTED = "All ratings submitted successfully! They will be visible after admin approval."


async def test_rating_is_public_once_it_is_approved():
    setup = await in_thread(rating_setup)
    async with (
        open_page(setup.address, user=setup.fan) as fan,
        open_page(setup.address, user=setup.fan) as other_window,
        open_page(setup.address) as anonymous,
        open_page(f"{setup.address}?tab=ratings") as reader,
        open_page("/") as home,
    ):
        await succeed(fan, "ratings_submit", setup.appearance.pk, SUBMITTED, **fields(setup))
        values = {
            f"piece-{setup.pieces[0]}": "23",
            "score": "4",
            "comment": "The silences.",
            "quick_rating": "outstanding",
        }
        for window in (fan, other_window):
            await until_form_has(window, setup, values, "Only you see your ratings until they are approved.")
        assert "The silences." not in str(anonymous.tree)
        assert form_values(anonymous, setup) == ({}, "")
        performance_mark, piece_mark = await in_thread(
            lambda: (PerformanceRating.objects.get().pk, PieceRating.objects.get().pk)
        )
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PERFORMANCE, mark_id=performance_mark))
        for screen in (anonymous, reader):
            await screen.until("The silences.")
        await home.until("una_corda")
        await until_form_has(fan, setup, values, "Some of your ratings")
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=piece_mark))
        await anonymous.until("average 23.0")
        own = f"own_mark:{setup.appearance.pk}-{setup.pieces[0]}"
        await fan._until(lambda: "23.0" in text(one(fan.tree, "li", data_slot=own)), "the audience's mark did not come")
        assert attributes(one(fan.tree, "li", data_slot=own))["data-own"] == "23"
        await reader.until("average 23.0 of 25")
        await until_form_has(
            fan, setup, values, "Your ratings are shown to everybody. What you change waits for approval again."
        )
        assert (
            await command(fan, "ratings_submit", setup.appearance.pk, **fields(setup, comment="Louder, I think now."))
        )["ok"]
        await anonymous.until_gone("The silences.")
        await home.until("average 23.0 of 25")
        await in_thread(lambda: mark_delete(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=piece_mark))
        await home.until("No ratings available yet.")


async def test_form_shows_the_members_own_marks():
    setup = await in_thread(rating_setup)

    def rate():
        entry = setup.appearance.program.order_by("order_number").first()
        PieceRatingFactory(entry=entry, user_id=setup.fan.id, user=None, score=7)

    await in_thread(rate)
    async with open_page(setup.address, user=setup.fan) as fan, open_page(setup.address, user=setup.admin) as admin:
        for screen, values in ((fan, {f"piece-{setup.pieces[0]}": "7"}), (admin, {})):
            assert form_values(screen, setup)[0] == values
        assert 'value="7"' in fan.html
        assert 'value="7"' not in admin.html


async def test_invalid_ratings_are_refused_and_not_stored():
    setup = await in_thread(rating_setup)
    cases = (
        ({"comment": "   "}, None, "Write a comment as well."),
        ({"score": ""}, None, "The whole performance is marked from 1 to 5."),
        ({"comment": "x" * 2001}, "comment", "Please write at most 2000 characters."),
        ({"score": "6"}, "score", "Please give a whole number from 1 to 5."),
        ({"quick_rating": "boring"}, None, UNREADABLE),
        ({"piece-999999": "3"}, None, "The program of this performance has changed. Please look at it again."),
    )
    async with open_page(setup.address, user=setup.fan) as fan:
        await check_refusals(fan, "ratings_submit", setup.appearance.pk, cases, fields(setup))
    assert await in_thread(lambda: PieceRating.objects.count() + PerformanceRating.objects.count()) == 0


def recommended(screen):
    """Return this viewer's recommendation: "up", "down" or ""."""
    pressed = [
        button for button in every(screen.tree, "button", "vote") if attributes(button)["aria-pressed"] == "true"
    ]
    return "".join(attributes(button)["data-argument"].partition(":")[2] for button in pressed)


async def test_recommendation_is_counted_in_all_windows_and_withdrawn():
    setup = await in_thread(rating_setup)
    async with open_page(setup.address, user=setup.fan) as fan, open_page(setup.address) as anonymous:
        for recommendation, sentence, counts in (
            ("up", "Your recommendation has been saved!", ("Yes 1", "No 0")),
            ("down", "Your recommendation has been saved!", ("Yes 0", "No 1")),
            ("down", "Your recommendation has been withdrawn.", ("Yes 0", "No 0")),
        ):
            await succeed(fan, "recommendation_set", f"{setup.appearance.pk}:{recommendation}", sentence)
            for screen in (fan, anonymous):
                for words in counts:
                    await screen.until(words)
            chosen = "" if "withdrawn" in sentence else recommendation
            await fan._until(lambda chosen=chosen: recommended(fan) == chosen, f"{chosen} is not pressed")
            assert recommended(anonymous) == ""
        await be_refused(fan, "recommendation_set", "999999:up", "Failed to save recommendation. Please try again.")
    assert await in_thread(AdvanceRecommendation.objects.count) == 0


async def test_anonymous_visitor_is_sent_to_the_sign_in():
    setup = await in_thread(rating_setup)
    async with open_page(setup.address) as anonymous:
        assert len(every(anonymous.tree, "input", type="range")) == 2
        next_path = f"%2Fparticipants%2F{setup.appearance.participant_id}"
        assert anonymous.button("Submit ratings")
        for name, argument, more in (
            ("ratings_submit", setup.appearance.pk, fields(setup)),
            ("recommendation_set", f"{setup.appearance.pk}:up", {}),
        ):
            assert (await command(anonymous, name, argument, **more))["leave"] == f"/login?next={next_path}"
    assert await in_thread(lambda: PerformanceRating.objects.count() + AdvanceRecommendation.objects.count()) == 0


def test_unknown_field_names_of_the_form_are_ignored():
    names = {"piece-": "3", "piece--1": "3", "piece-x": "3", "piece-²": "3", "piece-12": "7", "piece-13": "0"}
    rating = rating_read(Arguments("17", names | {"score": "5", "comment": " Yes. "}))
    assert rating == {
        "session_participant_id": 17, "pieces": {12: 7}, "score": 5, "comment": "Yes.", "quick_rating": "", "age": 0,
    }  # fmt: skip
