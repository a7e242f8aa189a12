"""Deactivating an account removes its ratings from every open page; reactivating it shows them again."""

from contextlib import AsyncExitStack

from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.factories import (
    AdminFactory,
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    UserFactory,
)
from tests.screen import open_page


def rated_session():
    """Return a past session: two users have approved ratings of the first performance, pending ones of the second."""
    busy_session = busy_session_with(2, is_live=False)
    first, second = busy_session.appearances
    for name, score in (("bella", 10), ("tommaso", 24)):
        user = UserFactory(username=name)
        PieceRatingFactory(entry=first.program.first(), user=user, score=score, approved=True)
        comment = f"{name.title()} was there."
        PerformanceRatingFactory(session_participant=first, user=user, approved=True, comment=comment)
        AdvanceRecommendationFactory(session_participant=first, user=user)
        PieceRatingFactory(entry=second.program.first(), user=user)
        PerformanceRatingFactory(session_participant=second, user=user)
    busy_session.closed, busy_session.fan, busy_session.admin = user, UserFactory(), AdminFactory()
    busy_session.performance = f"/participants/{first.participant_id}"
    return busy_session


async def test_all_pages_follow_closing_and_opening_of_an_account():
    busy_session = await in_thread(rated_session)
    windows = {  # (address, user): texts shown before, and texts shown while the account is deactivated
        (busy_session.performance, None): (
            ("Tommaso was there.", "audience 17.0", "Yes 2No 0"),
            ("audience 10.0", "Yes 1No 0"),
        ),
        (busy_session.performance, busy_session.fan): (("Tommaso was", "Yes 2"), ("Yes 1",)),
        (f"{busy_session.performance}?tab=ratings", None): (("tommaso", "24 of 25"), ("10 of 25",)),
        (f"{busy_session.performance}?tab=ratings", busy_session.fan): (("tommaso",), ("bella",)),
        (f"/sessions/{busy_session.session.pk}", None): (("audience 17.02 marks",), ("audience 10.01 mark",)),
        ("/", None): (("2 marks, most often 10 and 24", "tommaso"), ("1 mark, most often 10", "bella")),
        ("/admin", busy_session.admin): (
            ("Piece Ratings 2 ratings waiting", "tommaso"),
            ("Piece Ratings 1 rating waiting", "bella"),
        ),
        ("/admin?tab=performances", busy_session.admin): (
            ("Performance Ratings 2 ratings waiting", "tommaso"),
            ("Performance Ratings 1 rating waiting", "bella"),
        ),
        ("/admin?show=all", busy_session.admin): (("tommaso",), ("bella",)),
    }
    async with AsyncExitStack() as stack:
        screens = {key: await stack.enter_async_context(open_page(key[0], user=key[1])) for key in windows}
        people = await stack.enter_async_context(open_page("/admin/people", user=busy_session.admin))
        before = {key: screen.text for key, screen in screens.items()}
        for key, (shown, _) in windows.items():
            assert [words for words in shown if words not in before[key]] == [], (key, before[key])
        assert (await command(people, "account_deactivate", busy_session.closed.pk))["ok"]
        for key, (shown, left) in windows.items():
            for words in shown:
                await screens[key].until_gone(words)
            for words in left:
                await screens[key].until(words)
        assert (await command(people, "account_activate", busy_session.closed.pk))["ok"]
        for key, screen in screens.items():
            await screen._until(lambda key=key, screen=screen: screen.text == before[key], f"{key} is not as before")
