"""Deleting a rating or a single mark, with live updates on several pages; the user's own ratings in the profile."""

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating
from apps.ratings.services.moderation import mark_approve
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.pages.rating import fields, rating_setup, until_form_has
from tests.components.seen import attributes, every, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory
from tests.screen import open_page


def shown_buttons(screen, command_name):
    """Return the arguments of the visible buttons of this command."""
    buttons = [attributes(button) for button in every(screen.tree, "button", data_command=command_name)]
    return [button["data-argument"] for button in buttons if not button.get("hidden")]


def rated(setup, comment, **author):
    """Create an approved rating of the performance and of its two pieces. Return the performance rating."""
    performance_mark = PerformanceRatingFactory(
        session_participant=setup.appearance, approved=True, comment=comment, **author
    )
    for number, entry in enumerate(setup.appearance.program.order_by("order_number")):
        PieceRatingFactory(entry=entry, user=performance_mark.user, approved=True, score=20 + number)
    return performance_mark


async def test_ratings_and_marks_are_deleted_by_their_author_and_administrators():
    setup = await in_thread(rating_setup)

    def rate():
        own_rating = rated(setup, "Mine", user_id=setup.fan.id, user=None)
        return own_rating, rated(setup, "Another's")

    own_rating, other_rating = await in_thread(rate)
    own, other = (f"{setup.appearance.pk}:{rating.user_id}" for rating in (own_rating, other_rating))
    address = f"{setup.address}?tab=ratings"
    async with (
        open_page(address, user=setup.fan) as fan,
        open_page(address, user=setup.admin) as admin,
        open_page(address) as anonymous,
        open_page("/") as home,
    ):
        assert [shown_buttons(screen, "rating_delete") for screen in (fan, anonymous)] == [[own], []]
        assert set(shown_buttons(admin, "rating_delete")) == {own, other}
        assert [len(shown_buttons(screen, "mark_delete")) for screen in (fan, admin, anonymous)] == [3, 0, 0]
        assert (await command(admin, "figures_show", setup.appearance.pk))["ok"], "marks are covered for the boss too"
        await admin.until("20 of 25")
        assert len(shown_buttons(admin, "mark_delete")) == 6
        for name, argument in (("rating_delete", other), ("mark_delete", f"performance:{other_rating.pk}")):
            await be_refused(fan, name, argument, "You can only delete your own ratings.")
            assert (await command(anonymous, name, argument))["leave"].startswith("/login?next=")
        await succeed(fan, "mark_delete", shown_buttons(fan, "mark_delete")[0], "Rating deleted successfully")
        for screen in (admin, anonymous, home):
            await screen.until("1 of 2 pieces")
        await succeed(fan, "rating_delete", own, "Rating deleted successfully")
        for screen in (admin, anonymous):
            await screen.until_gone("Mine")
        await home.until_gone("una_corda")
        await be_refused(fan, "rating_delete", own, "This rating has been deleted already.")
        assert (await command(admin, "rating_delete", other))["ok"]
        for screen in (fan, anonymous, home):
            await screen.until("No ratings available yet.")


async def test_own_ratings_list_follows_changes():
    setup = await in_thread(rating_setup)
    async with (
        open_page("/profile?tab=ratings", user=setup.fan) as profile,
        open_page(setup.address, user=setup.fan) as fan,
    ):
        assert "You have not rated anything yet." in profile.text
        marks = {f"piece-{setup.pieces[1]}": "20"}
        assert (await command(fan, "ratings_submit", setup.appearance.pk, **fields(setup, **marks)))["ok"]
        await profile.until("Waits for approval")
        [summary] = every(profile.tree, "summary")
        shown = ["number 1", "Maëlle d’Hautecombe", "you 21.5", "1st", "audience –", "–", "Waits for approval"]
        assert [text(child) for child in summary["children"]] == shown
        assert "2 of 2 pieces" in profile.text
        assert "Étude in C♯ minor op. 10 no. 4" in profile.text
        link = next(node for node in every(profile.tree, "a") if text(node) == "Maëlle d’Hautecombe")
        assert attributes(link)["href"] == f"{setup.address}?open={setup.appearance.pk}#rating-{setup.appearance.pk}"
        performance_mark = await in_thread(lambda: PerformanceRating.objects.get().pk)
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PERFORMANCE, mark_id=performance_mark))
        await profile.until("Approved")
        badges = [text(span) for span in every(profile.tree, "span", "badge")]
        assert badges == ["Waiting for approval", "Waiting for approval", "Approved"]
        await succeed(profile, "mark_delete", f"performance:{performance_mark}", "Rating deleted successfully")
        await profile.until_gone("The silences.")
        await until_form_has(fan, setup, {f"piece-{setup.pieces[0]}": "23", f"piece-{setup.pieces[1]}": "20"})
        answer = await command(profile, "rating_delete", shown_buttons(profile, "rating_delete")[0])
        assert (answer["ok"], answer["text"]) == (True, "Rating deleted successfully")
        await profile.until("You have not rated anything yet.")
        await until_form_has(fan, setup, {})


async def test_failed_deletion_is_reported_and_keeps_the_rating(monkeypatch, caplog):
    setup = await in_thread(rating_setup)
    pk = await in_thread(
        lambda: PerformanceRatingFactory(session_participant=setup.appearance, user_id=setup.fan.id, user=None).pk
    )

    def broken(*_, **__):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("apps.ratings.services.announcement.publish", broken)
    performance_mark = (
        ("mark_delete", f"performance:{pk}"),
        ("rating_delete", f"{setup.appearance.pk}:{setup.fan.id}"),
    )
    async with open_page("/profile?tab=ratings", user=setup.fan) as profile:
        for name, argument in performance_mark:
            await be_refused(profile, name, argument, "An error occurred while deleting rating")
    assert await in_thread(PerformanceRating.objects.count) == 1
    assert "the disk is full" in caplog.text
    caplog.clear()
