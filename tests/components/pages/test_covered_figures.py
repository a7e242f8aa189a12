"""Covered figures on real pages: nothing of them before marking, all of them afterwards; the choice on the profile."""

import json

import pytest
from django.db.transaction import atomic

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_clear, performer_set
from apps.core.threads import in_thread
from apps.ratings.models import PerformanceRating, RatingSubmission
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.covering import ears_first_set
from apps.ratings.services.moderation import rating_delete
from project.process.web_process import process
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, text
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of
from tests.project.covering import opened
from tests.project.http.test_page_polls import Poller
from tests.screen import open_page

FIGURES = ("13.7", "most often 14")  # of the marks 13, 14 and 14


def played_session():
    """Return a live session after its first performance, which has marks with unique figures, and a member."""
    session = busy_session_with(3)
    first = session.appearances[0]
    performer_set(actor=OPERATOR, appearance_id=first.pk)
    performer_clear(actor=OPERATOR, session_id=session.session.pk)
    entry = first.program.order_by("order_number").first()
    for score in (13, 14, 14):
        PieceRatingFactory(entry=entry, score=score, approved=True)
    return session, first, entry, UserFactory()


def figures_in(received):
    """Return the planted figures in this text."""
    return {figure for figure in FIGURES if figure in received}


@pytest.mark.parametrize("is_member", [True, False])
async def test_running_order_covers_unmarked_figures(is_member):
    session, first, entry, fan = await in_thread(played_session)
    other = session.appearances[2].pk  # its row is open, so that the form of the first one is not on the page
    async with opened(f"/sessions/{session.session.pk}?open={other}", member=is_member, user=fan) as screen:
        assert "3 marks" in screen.text
        assert figures_in(screen.received()) == (set() if is_member else set(FIGURES))
        await in_thread(lambda: PieceRatingFactory(entry=entry, score=14, approved=True))
        process.bus.notify_listeners(f"session_participant.{first.pk}.ratings")
        await screen.until("4 marks")
        await screen.go_online()
        if is_member:
            assert "13.8" not in screen.received()
            assert "Show the audience’s" in screen.text
            await screen.press(f"Show the audience’s: {first.participant.first_name} {first.participant.second_name}")
        for figure in ("13.8", "most often 14"):
            await screen.until(figure)


PIECES = {"13.5", "13 of 25", "14 of 25", "11.5", "11 of 25", "12 of 25"}
NEW = {"11.5", "11 of 25", "12 of 25"}
WHOLE = {"4 of 5", "Great Performance"}


def rate(appearance, author, *scores):
    """Create an approved rating with a comment, as a moderator's approval shows it."""
    for entry, score in zip(appearance.program.order_by("order_number"), scores, strict=True):
        PieceRatingFactory(entry=entry, user=author, score=score, approved=True)
    PerformanceRatingFactory(appearance=appearance, user=author, comment="Alive.", approved=True)
    with atomic():
        ratings_announce((author.pk,), (appearance.pk,), public=True, waiting=False)


def rated_performance():
    """Return a performance with a rating, a member who sees everything by choice, and the next author."""
    appearance = busy_session_with(2, is_live=False).appearances[0]
    rate(appearance, UserFactory(username="una_corda"), 13, 14)
    free = UserFactory()
    ears_first_set(actor=viewer_of(free), ears_first=False)
    return appearance, free, UserFactory(username="tre_corde")


async def arrived(screen, marks):
    """Wait until all of these marks are in what the screen has received."""
    await screen._until(lambda: all(mark in "".join(screen.everything) for mark in marks), f"no {marks}")


def keys_of(appearance, author):
    """Return the keys of the parts with the marks of this author's rating."""
    rating = RatingSubmission.objects.get(user=author).pk
    words = PerformanceRating.objects.get(user=author).pk
    ids = {
        f"latest_marks:{rating}:{author.pk}",
        f"rating_marks:{rating}:{author.pk}:{appearance.participant_id}",
        f"words_marks:{words}:{author.pk}",
    }
    return [f"{key}:en" for key in ids]


async def test_lists_of_ratings_cover_unmarked_figures():
    appearance, free, author = await in_thread(rated_performance)
    address, marks, new = f"/participants/{appearance.participant_id}?tab=ratings", PIECES | WHOLE, NEW | WHOLE
    async with opened(address) as member, opened(address, user=free) as other, opened(address, member=False) as visitor:
        for screen in (member, other, visitor):
            assert "una_corda" in screen.text
            if screen is not member:
                await screen._until(lambda s=screen: any(mark in "".join(s.everything) for mark in marks), "no marks")
            received = screen.received()
            screen.first = {mark for mark in marks if mark in received}
        assert (member.first, bool(other.first), bool(visitor.first)) == (set(), True, True)
        await in_thread(lambda: rate(appearance, author, 11, 12))
        for screen in (member, other, visitor):
            await screen.until("tre_corde")
        for screen in (other, visitor):
            await arrived(screen, new)
        for key in await in_thread(lambda: keys_of(appearance, author)):
            member.send(json.dumps({"type": "part-request", "key": key}))
        poller = Poller(address, cookie=member.cookie)
        await poller.poll()
        assert {mark for mark in marks if mark in poller.text} == set()
        await member.go_online()
        await member.load(address)
        assert "tre_corde" in member.text
        received = member.received()
        assert {mark for mark in marks if mark in received} == set()
        assert (await command(member, "figures_show", appearance.pk))["ok"]
        await arrived(member, new)
        await in_thread(lambda: rating_delete(actor=OPERATOR, appearance_id=appearance.pk, user_id=author.pk))
        for screen in (member, other, visitor):
            await screen.until_gone("tre_corde")


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
            PerformanceRatingFactory(appearance=appearance, score=mark, approved=True)
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
