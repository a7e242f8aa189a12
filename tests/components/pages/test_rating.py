"""Rating, recommending and deleting on a participant's page and in the profile, live on several open pages."""

from types import SimpleNamespace

from apps.accounts.actors import OPERATOR
from apps.core.commands import Arguments
from apps.core.threads import in_thread
from apps.ratings.commands import rating_read
from apps.ratings.enums import RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_delete
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.pages.checked_commands import be_refused, succeed
from tests.components.seen import attributes, every, one, text
from tests.factories import AdminFactory, PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of
from tests.screen import open_page


def rating_setup():
    """Return a performance of two pieces, a fan, an administrator, and the address of the page."""
    appearance = busy_session_with(1, is_live=False).appearances[0]
    pieces = list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))
    fan, admin = viewer_of(UserFactory(username="una_corda")), viewer_of(AdminFactory())
    address = f"/participants/{appearance.participant_id}"
    return SimpleNamespace(appearance=appearance, pieces=pieces, fan=fan, admin=admin, address=address)


def fields(setup, **more):
    """Return the fields that the form sends for a valid rating."""
    marks = {f"piece-{pk}": mark for pk, mark in zip(setup.pieces, ("23", "0"), strict=True)}
    return marks | {"score": "4", "comment": "The silences.", "quick_rating": "outstanding"} | more


def form_values(screen, setup):
    """Return the form's values by field name (marks, checked radios, comment) and its state line, "" if hidden."""
    form = one(screen.tree, "form", data_command="ratings_submit")
    assert attributes(form)["data-argument"] == str(setup.appearance.pk)
    values = {}
    for field in map(attributes, [*every(form, "input"), *every(form, "textarea")]):
        if "checked" in field or (field.get("type") != "radio" and "value" in field):
            values[field["name"]] = field["value"]
    state = next(iter(every(form, "p", "marks__state")))
    note = every(state, "span")[-1]  # after the sign
    return values, "" if attributes(state)["hidden"] else text(note)


async def until_form_has(screen, setup, fields, state=""):
    """Wait until the form has these values, and a state line that begins like this."""

    def is_shown():
        values, note = form_values(screen, setup)
        return values == fields and note.startswith(state)

    await screen._until(is_shown, f"{fields} did not come to the form")


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
        shown = f"piece_figures:{setup.appearance.pk}-{setup.pieces[0]}"
        await fan._until(
            lambda: any("23.0" in text(each) for each in every(fan.tree, data_slot=shown)),
            "the audience's mark did not come",
        )
        assert attributes(one(fan.tree, "span", data_slot=own))["data-own"] == "23"
        assert text(one(fan.tree, "span", data_slot=own)) == "23"
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
        for _ in range(2):  # pressed before the sign-in: an equal one stays
            kept = await command(fan, "recommendation_set", f"{setup.appearance.pk}:up", wish="1")
            assert kept["text"] == "Your recommendation has been saved!"
        await succeed(fan, "recommendation_set", f"{setup.appearance.pk}:up", "Your recommendation has been withdrawn.")
        await be_refused(fan, "recommendation_set", "999999:up", "Failed to save recommendation. Please try again.")
    assert await in_thread(AdvanceRecommendation.objects.count) == 0


async def test_anonymous_visitor_is_sent_to_the_registration_or_the_sign_in():
    setup = await in_thread(rating_setup)
    async with open_page(setup.address) as anonymous:
        assert len(every(anonymous.tree, "input", type="range")) == 2
        next_path = f"%2Fparticipants%2F{setup.appearance.participant_id}"
        assert anonymous.button("Submit ratings")
        for name, argument, more, door in (
            ("ratings_submit", setup.appearance.pk, fields(setup), "/register"),
            ("recommendation_set", f"{setup.appearance.pk}:up", {}, "/login"),
        ):
            assert (await command(anonymous, name, argument, **more))["leave"] == f"{door}?next={next_path}"
    assert await in_thread(lambda: PerformanceRating.objects.count() + AdvanceRecommendation.objects.count()) == 0


def test_unknown_field_names_of_the_form_are_ignored():
    names = {"piece-": "3", "piece--1": "3", "piece-x": "3", "piece-²": "3", "piece-12": "7", "piece-13": "0"}
    rating = rating_read(Arguments("17", names | {"score": "5", "comment": " Yes. "}))
    assert rating == {
        "appearance_id": 17, "pieces": {12: 7}, "score": 5, "comment": "Yes.", "quick_rating": "", "age": 0,
    }  # fmt: skip


def shown_buttons(screen, command_name):
    """Return the arguments of the visible buttons of this command."""
    buttons = [attributes(button) for button in every(screen.tree, "button", data_command=command_name)]
    return [button["data-argument"] for button in buttons if not button.get("hidden")]


def rated(setup, comment, **author):
    """Create an approved rating of the performance and of its two pieces. Return the performance rating."""
    performance_mark = PerformanceRatingFactory(appearance=setup.appearance, approved=True, comment=comment, **author)
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
