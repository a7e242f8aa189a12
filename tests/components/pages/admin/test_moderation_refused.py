"""Refused decisions about ratings: malformed commands, empty selections, and users without the role."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.core.threads import in_thread
from apps.ratings.models import PieceRating
from tests.commanding import command
from tests.components.pages.admin.moderating import DASHBOARD, decision, hall, ticks
from tests.factories import UserFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@live
@pytest.mark.parametrize(
    ("act", "argument", "fields"),
    [
        ("rating_decide", "approve:piece:1:x", {}),
        ("rating_decide", "approve:piece:1.:1", {}),
        ("rating_decide", "approve:piece:1:1+", {}),
        ("rating_decide", "approve:piece:1:999999999999999999", {}),
        ("ratings_decide", "", {"decision": "approve", "rating": ["17"]}),
        ("ratings_decide", "", {"decision": "approve", "rating": {"a": "b"}}),
        ("ratings_decide", "", {"decision": "burn", "rating": "piece:1:1"}),
        ("ratings_decide_matching", "approve:0:tab=pieces", {}),
        ("ratings_decide_matching", "burn:1:tab=pieces", {}),
        ("decision_undo", "x", {}),
    ],
)
async def test_what_no_client_of_ours_sends_decides_nothing(act: str, argument: str, fields: dict[str, Any]) -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina:
        answer = await command(halina, act, argument, **fields)
        assert (answer["ok"], "no longer understand" in answer["text"]) == (False, True)
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


@live
async def test_nothing_selected_is_said() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina:
        answer = await command(halina, "ratings_decide", decision="approve")
        assert (answer["ok"], answer["text"]) == (False, "Select ratings first, at most 1,000 of them.")


@live
async def test_whoever_is_no_administrator_any_more_decides_nothing() -> None:
    made = await in_thread(hall)
    async with open_page(DASHBOARD, user=made.halina) as halina:
        one_act = decision(halina.tree, "Approve", "ada")
        tick = ticks(halina.tree)[0]
        # a direct update publishes no event, so the window stays open
        await in_thread(lambda: User.objects.filter(pk=made.halina.pk).update(is_admin=False))
        for act, argument, fields in (
            (*one_act, {}),
            ("ratings_decide", "", {"decision": "reject", "rating": tick}),
            ("ratings_decide_matching", "reject:4000000000000000:", {}),
            ("decision_undo", "1", {}),
        ):
            answer = await command(halina, act, argument, **fields)
            assert (answer["ok"], answer["text"]) == (False, "Only administrators decide about ratings."), act
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


@live
@pytest.mark.parametrize("tab", ["", "performances", "live", "avatars", "audit"])
async def test_others_are_led_away(tab: str) -> None:
    fan = await in_thread(UserFactory)
    async with open_page(f"{DASHBOARD}?tab={tab}", user=fan) as screen:
        assert screen.path == "/"
    async with open_page(f"{DASHBOARD}?tab={tab}") as screen:
        assert screen.path.startswith("/login?next=%2Fadmin")
