"""Deleting a rating or a single mark, with live updates on several pages; the user's own ratings in the profile."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating
from apps.ratings.services.moderation import mark_approve
from tests.commanding import command
from tests.components.pages.rating import fields, hall, until_given
from tests.components.seen import attributes, every, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


def shown_buttons(screen, command_name):
    """Return the arguments of the visible buttons of this command."""
    buttons = [attributes(each) for each in every(screen.tree, "button", data_command=command_name)]
    return [each["data-argument"] for each in buttons if not each.get("hidden")]


def rated(there, comment, **who):
    """Create an approved rating of the performance and of its two pieces. Return the performance rating."""
    whole = PerformanceRatingFactory(session_participant=there.appearance, approved=True, comment=comment, **who)
    for number, entry in enumerate(there.appearance.program.order_by("order_number")):
        PieceRatingFactory(entry=entry, user=whole.user, approved=True, score=20 + number)
    return whole


@live
async def test_administrators_delete_any_rating_and_others_their_own_whole_or_by_marks():
    there = await in_thread(hall)

    def before():
        mine = rated(there, "Mine", user_id=there.fan.id, user=None)
        return mine, rated(there, "Another's")

    mine, others = await in_thread(before)
    whole_mine, whole_others = (f"{there.appearance.pk}:{each.user_id}" for each in (mine, others))
    address = f"{there.address}?tab=ratings"
    async with (
        open_page(address, user=there.fan) as fan,
        open_page(address, user=there.boss) as boss,
        open_page(address) as stranger,
        open_page("/") as home,
    ):
        assert [shown_buttons(screen, "rating_delete") for screen in (fan, stranger)] == [[whole_mine], []]
        assert set(shown_buttons(boss, "rating_delete")) == {whole_mine, whole_others}
        assert [len(shown_buttons(screen, "mark_delete")) for screen in (fan, boss, stranger)] == [3, 0, 0]
        assert (await command(boss, "figures_show", there.appearance.pk))["ok"], "marks are covered for the boss too"
        await boss.until("20 of 25")
        assert len(shown_buttons(boss, "mark_delete")) == 6
        for name, argument in (("rating_delete", whole_others), ("mark_delete", f"performance:{others.pk}")):
            answer = await command(fan, name, argument)
            assert (answer["ok"], answer["text"]) == (False, "You can only delete your own ratings.")
            assert (await command(stranger, name, argument))["leave"].startswith("/login?next=")
        answer = await command(fan, "mark_delete", shown_buttons(fan, "mark_delete")[0])
        assert (answer["ok"], answer["text"]) == (True, "Rating deleted successfully")
        for screen in (boss, stranger, home):
            await screen.until("1 of 2 pieces")
        answer = await command(fan, "rating_delete", whole_mine)
        assert (answer["ok"], answer["text"]) == (True, "Rating deleted successfully")
        for screen in (boss, stranger):
            await screen.until_gone("Mine")
        await home.until_gone("una_corda")
        answer = await command(fan, "rating_delete", whole_mine)
        assert (answer["ok"], answer["text"]) == (False, "This rating has been deleted already.")
        assert (await command(boss, "rating_delete", whole_others))["ok"]
        for screen in (fan, stranger, home):
            await screen.until("No ratings available yet.")


@live
async def test_my_ratings_are_a_list_that_stays_current():
    there = await in_thread(hall)
    async with (
        open_page("/profile?tab=ratings", user=there.fan) as profile,
        open_page(there.address, user=there.fan) as fan,
    ):
        assert "You have not rated anything yet." in profile.text
        both = {f"piece-{there.pieces[1]}": "20"}
        assert (await command(fan, "ratings_submit", there.appearance.pk, **fields(there, **both)))["ok"]
        await profile.until("Waits for approval")
        [summary] = every(profile.tree, "summary")
        shown = ["number 1", "Maëlle d’Hautecombe", "you 21.5", "1st", "audience –", "–", "Waits for approval"]
        assert [text(each) for each in summary["children"]] == shown
        assert "2 of 2 pieces" in profile.text
        assert "Étude in C♯ minor op. 10 no. 4" in profile.text
        link = next(node for node in every(profile.tree, "a") if text(node) == "Maëlle d’Hautecombe")
        assert attributes(link)["href"] == f"{there.address}?open={there.appearance.pk}#rating-{there.appearance.pk}"
        whole = await in_thread(lambda: PerformanceRating.objects.get().pk)
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PERFORMANCE, mark_id=whole))
        await profile.until("Approved")
        badges = [text(each) for each in every(profile.tree, "span", "badge")]
        assert badges == ["Waiting for approval", "Waiting for approval", "Approved"]
        answer = await command(profile, "mark_delete", f"performance:{whole}")
        assert (answer["ok"], answer["text"]) == (True, "Rating deleted successfully")
        await profile.until_gone("The silences.")
        await until_given(fan, there, {f"piece-{there.pieces[0]}": "23", f"piece-{there.pieces[1]}": "20"})
        answer = await command(profile, "rating_delete", shown_buttons(profile, "rating_delete")[0])
        assert (answer["ok"], answer["text"]) == (True, "Rating deleted successfully")
        await profile.until("You have not rated anything yet.")
        await until_given(fan, there, {})


@live
async def test_a_deletion_that_fails_says_so_and_keeps_the_rating(monkeypatch, caplog):
    there = await in_thread(hall)
    pk = await in_thread(
        lambda: PerformanceRatingFactory(session_participant=there.appearance, user_id=there.fan.id, user=None).pk
    )

    def broken(*_, **__):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("apps.ratings.services.announcement.publish", broken)
    whole = (("mark_delete", f"performance:{pk}"), ("rating_delete", f"{there.appearance.pk}:{there.fan.id}"))
    async with open_page("/profile?tab=ratings", user=there.fan) as profile:
        for name, argument in whole:
            answer = await command(profile, name, argument)
            assert (answer["ok"], answer["text"]) == (False, "An error occurred while deleting rating")
    assert await in_thread(PerformanceRating.objects.count) == 1
    assert "the disk is full" in caplog.text
    caplog.clear()
