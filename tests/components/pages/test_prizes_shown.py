"""Prizes on public pages: secret as a draft, shown once published, gone when withdrawn."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.enums import PrizeAward, PrizeKind
from apps.competition.models import Session
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services.prizes import prizes_publish, prizes_save, prizes_withdraw
from apps.core.threads import in_thread
from components.parts.home.banner import home_banner
from components.parts.sessions.schedule import schedule
from tests.components.seen import attributes, every, one, opened, read_part, text
from tests.factories import AppearanceFactory, SessionFactory, StageFactory
from tests.screen import open_page

PRIZE, SHARED_PRIZE, SPECIAL = "Grand Prize of Warsaw", "Silver Prize", "Best mazurkas of all"


def final(*, starts_in=timedelta(days=-1)):
    """Return the id of a final with three performers, and their ids, with a draft of its prizes."""
    stage = StageFactory(name="Final")
    session = SessionFactory(stage=stage, starts_at=timezone.now() + starts_in, ended_at=timezone.now())
    people = [AppearanceFactory(session=session, participant__name=f"Player {n}").participant_id for n in range(3)]
    draft(stage.pk, people)
    return stage.pk, people


def draft(stage_id, people):
    lines = [
        PrizeLine(PRIZE, PrizeKind.PLACE, PrizeAward.SINGLE, tuple(people[:1])),
        PrizeLine(SHARED_PRIZE, PrizeKind.PLACE, PrizeAward.SHARED, tuple(people[1:])),
        PrizeLine("Bronze Prize", PrizeKind.PLACE, PrizeAward.NONE),
        PrizeLine(SPECIAL, PrizeKind.SPECIAL, PrizeAward.SINGLE, tuple(people[1:2])),
    ]
    prizes_save(actor=OPERATOR, stage_id=stage_id, lines=lines)


async def test_open_pages_follow_the_publication_and_its_withdrawal():
    stage_id, people = await in_thread(final)
    at = [f"/stages/{stage_id}", f"/participants/{people[2]}", "/", "/schedule?day=all"]
    async with (
        open_page(at[0]) as stage,
        open_page(at[1]) as player,
        open_page(at[2]) as home,
        open_page(at[3]) as days,
    ):
        assert not any(words in each.text for each in (stage, player, home, days) for words in (PRIZE, SHARED_PRIZE))
        assert "It is not announced yet who advances." in stage.text
        await in_thread(lambda: prizes_publish(actor=OPERATOR, stage_id=stage_id))
        for each in (stage, home, days):
            await each.until(PRIZE)
        await player.until(f"{SHARED_PRIZE}, shared")
        assert PRIZE not in player.text
        section = one(stage.tree, id="prizes")
        assert [text(row) for row in every(section, "li")] == [
            f"{PRIZE}: Player 0",
            f"{SHARED_PRIZE}, shared: Player 1, Player 2",
            "Bronze Prize: Not awarded",
            f"{SPECIAL}: Player 1",
        ]
        assert {attributes(way)["href"] for way in every(section, "a")} == {f"/participants/{pk}" for pk in people}
        assert "It is not announced yet who advances" not in stage.text
        await in_thread(lambda: prizes_withdraw(actor=OPERATOR, stage_id=stage_id))
        await stage.until("It is not announced yet who advances.")
        for each in (player, home, days):
            await each.until_gone(SHARED_PRIZE)


@pytest.mark.django_db
def test_home_leads_with_prizes_only_where_the_final_is_over():
    stage_id, _ = final(starts_in=timedelta(hours=3))
    in_two_days = timezone.now() + timedelta(days=2)
    SessionFactory(stage=StageFactory(name="Gala"), title="Gala concert", starts_at=in_two_days)
    prizes_publish(actor=OPERATOR, stage_id=stage_id)
    assert PRIZE not in text(read_part(home_banner))
    assert PRIZE not in text(read_part(schedule, "all"))
    final_session = Session.objects.filter(stage=stage_id)
    final_session.update(starts_at=timezone.now() - timedelta(hours=3))
    leading = opened("/").main
    door = text(one(leading, look="door"))
    assert door.startswith(f"FinalPrizes{PRIZE}: Player 0")
    assert "Gala concert" not in door
    final_session.update(is_live=True, ended_at=None)
    assert PRIZE not in text(one(opened("/").main, look="door"))


@pytest.mark.django_db
def test_special_prizes_alone_do_not_lead_home():
    stage_id, people = final()
    lines = [PrizeLine(SPECIAL, PrizeKind.SPECIAL, PrizeAward.SINGLE, (people[0],))]
    prizes_save(actor=OPERATOR, stage_id=stage_id, lines=lines)
    prizes_publish(actor=OPERATOR, stage_id=stage_id)
    assert SPECIAL not in text(one(opened("/").main, look="door"))
    assert SPECIAL in text(opened(f"/stages/{stage_id}").main)
