"""Mounted pages: the line about covered figures, its presses, and the choice on the profile."""

from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of
from tests.screen import open_page

COVERED = "The audience’s marks are covered until you have marked."


def line(screen):
    """Return the text of the line about covered figures, "" where it is hidden."""
    [shown] = every(screen.tree, "p", "covering")
    return "" if attributes(shown)["hidden"] else text(shown)


async def test_figures_of_a_stage_are_shown_in_all_windows_of_the_member():
    setup = await in_thread(lambda: busy_session_with(2, is_live=False))
    fan = await in_thread(lambda: viewer_of(UserFactory()))
    session = f"/sessions/{setup.session.pk}"
    async with (
        open_page(session, user=fan) as first,
        open_page(f"{session}?open=all", user=fan) as second,
        open_page(session) as anonymous,
    ):
        for screen in (first, second):
            assert line(screen).startswith(COVERED)
        assert line(anonymous) == ""
        assert (await command(first, "stage_figures_show", setup.session.stage_id))["ok"]
        for screen in (first, second):
            await screen._until(lambda screen=screen: line(screen) == "", "the line does not go")
    async with open_page(session, user=fan) as again:
        assert line(again) == ""


async def test_profile_setting_applies_to_all_windows_of_the_account():
    setup = await in_thread(lambda: busy_session_with(2, is_live=False))
    fan = await in_thread(lambda: viewer_of(UserFactory()))
    async with (
        open_page("/profile", user=fan) as profile,
        open_page(f"/sessions/{setup.session.pk}", user=fan) as session,
    ):
        assert "Show me everything at once" in profile.text
        assert line(session).startswith(COVERED)
        assert (await command(profile, "ears_first_set", "off"))["ok"]
        await profile.until("You see the audience’s marks at once")
        await session._until(lambda: line(session) == "", "the line does not go")
        assert (await command(profile, "ears_first_set", "on"))["ok"]
        await profile.until("Show me everything at once")
        assert not (await command(profile, "ears_first_set", "sometimes"))["ok"]


async def test_form_shows_the_figures_of_a_piece_after_its_mark():
    """The audience's means are 7.5 of the first piece, 8.5 of the second, 2.5 of the whole performance."""
    setup = await in_thread(lambda: busy_session_with(1, is_live=False))
    [appearance] = setup.appearances

    def audience():
        entries = list(appearance.program.order_by("order_number"))
        for entry, marks in zip(entries, ((7, 8), (8, 9)), strict=True):
            for mark in marks:
                PieceRatingFactory(entry=entry, score=mark, approved=True)
        for mark in (2, 3):
            PerformanceRatingFactory(session_participant=appearance, score=mark, approved=True)
        return [entry.piece_id for entry in entries]

    first, second = await in_thread(audience)
    fan = await in_thread(lambda: viewer_of(UserFactory()))
    address = f"/sessions/{setup.session.pk}?open={appearance.pk}"

    def shown(screen):
        form = str(one(screen.tree, "form", "rating"))
        return tuple(mean in form for mean in ("7.5", "8.5", "2.5"))

    async with open_page(address, user=fan) as member, open_page(address) as anonymous:
        assert shown(member) == (False, False, False)
        assert shown(anonymous) == (True, True, True)
        assert "2 marks" in text(one(member.tree, "form", "rating"))
        for mark, figures in (
            ({f"piece-{first}": "20"}, (True, False, False)),
            ({f"piece-{second}": "9"}, (True,) * 3),
        ):
            assert (await command(member, "rating_keep", appearance.pk, **mark))["ok"]
            await member._until(lambda figures=figures: shown(member) == figures, f"{figures} are not shown")
