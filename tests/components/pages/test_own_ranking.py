"""The ranking of a member who does not see all figures of the stage: planted figures are searched for as text."""

import json
import re
from decimal import Decimal

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set
from apps.core.threads import in_thread
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors import ranking_get
from apps.ratings.services.covering import ears_first_set, figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.sheet_changes import SheetChanges
from components.parts.ratings.covering import RANK
from components.parts.stages import ranking_table
from project.process.web_process import process
from tests.apps.ranking.halls import stage_of
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, text
from tests.components.seen import opened as seen
from tests.factories import AppearanceFactory, UserFactory, viewer_of
from tests.project.covering import opened

pytestmark = pytest.mark.django_db
FEW = {"rank": None, "lowest": None, "highest": None, "score": None, "score_from": None, "score_to": None}


def planted(performances=6, **session):
    """Return the performances of a stage whose ranking has unique figures: the last one to play is first."""
    appearances = stage_of(performances, **session)
    figures = {"digest": "0" * 64, "raters": 900, "marks": 4000, "file": b"", "method": 1}
    run = RankingRun.objects.create(
        stage=appearances[0].session.stage, **figures, **dict.fromkeys(NotCounted.values, 0)
    )
    for number, appearance in enumerate(appearances):
        rank = performances - number
        RankingRow.objects.create(
            run=run, appearance=appearance, rank=rank, lowest=max(1, rank - 1), highest=min(performances, rank + 1),
            score=Decimal(f"1{number}.37"), score_from=Decimal(f"1{number}.11"), score_to=Decimal(f"1{number}.89"),
            raters=73310 + number, mean=Decimal(f"1{number}.53"),
        )  # fmt: skip
    return appearances


def secrets(received, performances=6):
    """Return the performances, by their number, of which a planted figure is in this text."""
    return {
        number
        for number in range(performances)
        if any(f"1{number}.{end}" in received for end in ("37", "11", "89", "53")) or f"73,31{number}" in received
    }


def table(tree):
    """Return rank and name of each row, first of the ranked ones, then of the covered ones."""
    bodies = {
        attributes(body)["key"]: [
            (text(one(row, "td", "rank__nr")), text(one(row, "span", "person__name")))
            for row in every(body, "tr")
            if every(row, "td", "rank__nr")
        ]
        for body in every(tree, "tbody")
    }
    return bodies["ranked"] + bodies.get("few", []), bodies.get("covered", [])


def names(*appearances):
    return [appearance.participant.name for appearance in appearances]


async def test_member_gets_ranks_among_uncovered_performances_only(fan):
    appearances = await in_thread(planted)
    stage_id = appearances[0].session.stage_id
    await in_thread(lambda: figures_show(actor=viewer_of(fan), appearance_id=appearances[1].pk))
    await in_thread(lambda: figures_show(actor=viewer_of(fan), appearance_id=appearances[4].pk))
    address = f"/stages/{stage_id}"
    async with opened(address, user=fan) as member, opened(address, member=False) as visitor:
        assert secrets(visitor.received()) == set(range(6))
        assert secrets(member.received()) == {1, 4}
        ranked, covered = table(member.tree)
        assert ranked == [("1", appearances[4].participant.name), ("2", appearances[1].participant.name)]
        assert [name for _, name in covered] == names(*(appearances[n] for n in (0, 2, 3, 5)))
        assert {rank for rank, _ in covered} == {"–no rank"}
        assert "Ranks are counted among the 2 performances whose marks you see." in member.text
        assert "4 performances are covered until you have marked them." in member.text
        assert "“Show all” shows their scores and ranks, and the marks of all pieces." in member.text
        assert [attributes(node)["hidden"] for node in every(member.tree, "small", data_slot="all_scores:ranking")] == [
            False
        ]

        await in_thread(lambda: RankingRow.objects.update(raters=1_234))
        process.bus.notify_listeners(f"ranking.{stage_id}")
        await member.until("1,234")
        member.send(json.dumps({"type": "part-request", "key": f"ranking_table:{stage_id}:1:ranking:en"}))
        await member.go("/stages/method")
        await member.go(address)
        await member.go_online()
        assert secrets(member.received()) <= {1, 4}
        assert (await command(member, "figures_show", appearances[2].pk))["ok"]
        await member.until("Ranks are counted among the 3 performances whose marks you see.")
        assert table(member.tree)[0] == list(
            zip(("1", "2", "3"), names(appearances[4], appearances[2], appearances[1]), strict=True)
        )
        received, three = member.received(), "-".join(str(appearances[number].pk) for number in (1, 2, 4))
        assert secrets(received) == {1, 2, 4}
        part = f"own_ranking:{stage_id}:1:ranking:{three}:en"
        assert 0 < received.index(f'["{part}"') < received.index(f'"part": "{part}"'), "the slot was empty for a moment"
        assert (await command(member, "stage_figures_show", stage_id))["ok"]
        await member.until_gone("Ranks are counted among")
        assert secrets(member.received()) == set(range(6))
        assert table(member.tree) == table(visitor.tree)
        for screen in (member, visitor):
            assert attributes(one(screen.tree, "small", data_slot="all_scores:ranking"))["hidden"]


def test_own_ranking_with_ties_few_raters_and_a_withdrawal():
    appearances = planted()
    stage_id, fan = appearances[0].session.stage_id, viewer_of(UserFactory())
    RankingRow.objects.filter(appearance__in=appearances[2:5]).update(rank=2, lowest=1, highest=4, score="12.37")
    RankingRow.objects.filter(appearance=appearances[0]).update(**FEW | {"raters": 4})
    for appearance in (*appearances[:2], *appearances[3:5]):
        figures_show(actor=fan, appearance_id=appearance.pk)
    page = seen(f"/stages/{stage_id}", fan)
    ranked, covered = table(page.main)
    assert [rank for rank, _ in ranked] == ["1 =", "1 =", "3", "–no rank"]
    assert {name for _, name in ranked[:2]} == set(names(*appearances[3:5]))
    assert "4 of 10 listeners" in text(page.main)
    assert [name for _, name in covered] == names(appearances[2], appearances[5])
    appearances[3].delete()
    assert [rank for rank, _ in table(seen(f"/stages/{stage_id}", fan).main)[0]] == ["1", "2", "–no rank"]


def test_own_ranking_has_ranges_of_scores_instead_of_ranks():
    appearances = planted()
    stage_id, fan = appearances[0].session.stage_id, viewer_of(UserFactory())
    shared = seen(f"/stages/{stage_id}").main
    figures_show(actor=fan, appearance_id=appearances[2].pk)
    own = seen(f"/stages/{stage_id}", fan).main
    heads = [[text(cell) for cell in every(tree, "th", "rank__range")] for tree in (shared, own)]
    assert heads == [["Likely rank"], ["Likely score"]]
    assert [text(cell) for cell in every(own, "td", "rank__range")] == ["Likely score: 12.11 to 12.89"]
    assert "Likely rank: 3rd to 5th" in [text(cell) for cell in every(shared, "td", "rank__range")]


def test_covered_rows_are_independent_of_raters_and_ranks():
    appearances = planted()
    stage_id, fan = appearances[0].session.stage_id, viewer_of(UserFactory())
    ahead = AppearanceFactory(session__stage=appearances[0].session.stage, session__starts_at="2100-01-01T10:00:00Z")
    before = seen(f"/stages/{stage_id}", fan)
    assert text(one(before.main, "tr", key=f"appearance-{ahead.pk}")).endswith(ahead.session.title)
    RankingRow.objects.filter(appearance__in=appearances[:3]).update(**FEW, raters=1, mean=2)
    RankingRow.objects.filter(appearance__in=appearances[3:]).update(rank=1, lowest=1, highest=6)
    RankingRow.objects.create(run=RankingRun.objects.get(), appearance=ahead, **FEW, raters=2, mean=3)
    assert seen(f"/stages/{stage_id}", fan).html == before.html
    assert [name for _, name in table(before.main)[1]] == names(*appearances)


async def test_started_performance_is_covered_at_once(fan):
    """Its figures come with a run, which may arrive before the member's fills are read again."""
    appearances = await in_thread(planted)
    session = appearances[0].session
    ahead = await in_thread(lambda: AppearanceFactory(session__stage=session.stage, session__is_live=True))
    for appearance in appearances:
        await in_thread(lambda appearance=appearance: figures_show(actor=viewer_of(fan), appearance_id=appearance.pk))
    async with opened(f"/stages/{session.stage_id}", user=fan) as member:
        assert member.text.index("To come") < member.text.rindex(ahead.participant.name)

        def create():
            performer_set(actor=OPERATOR, appearance_id=ahead.pk)
            RankingRow.objects.create(
                run=RankingRun.objects.get(), appearance=ahead, rank=1, lowest=1, highest=1, score=Decimal("24.97"),
                score_from=Decimal("24.91"), score_to=Decimal("24.99"), raters=89123, mean=Decimal("24.93"),
            )  # fmt: skip

        await in_thread(create)
        await member.until("Covered, in the order of playing")
        process.bus.notify_listeners(f"ranking.{session.stage_id}")
        await member.go_online()
        assert "To come" not in member.text
        received = member.received()
        # not the seconds of a time
        assert not re.search(r"(?<![\d:])24\.9|89,123", received)


def test_partly_marked_performance_is_covered_with_a_link():
    appearances = planted()
    stage_id, fan = appearances[0].session.stage_id, viewer_of(UserFactory())
    first, second = appearances[0].program.order_by("order_number").values_list("piece_id", flat=True)
    rating_keep(actor=fan, appearance_id=appearances[0].pk, changes=SheetChanges({first: (20, 0.0)}))
    page = seen(f"/stages/{stage_id}", fan)
    [row, *others] = every(every(page.main, "tbody")[1], "tr", key=f"appearance-{appearances[0].pk}")
    assert "1 of 2 marked · Show" in text(one(row, "td", "rank__few"))
    assert text(one(row, "td", "rank__you")).startswith("Finish to see")
    assert not others
    rating_keep(actor=fan, appearance_id=appearances[0].pk, changes=SheetChanges({second: (10, 0.0)}))
    page = seen(f"/stages/{stage_id}", fan)
    assert table(page.main)[0] == [("1", appearances[0].participant.name)]


@pytest.fixture
def reads(monkeypatch):
    """Return the list to which each read of a ranking is added."""
    arguments = []
    monkeypatch.setattr(ranking_table, "ranking_get", lambda **which: arguments.append(which) or ranking_get(**which))
    return arguments


async def test_new_ranking_is_read_once_for_all_members(reads):
    appearances = await in_thread(planted)
    stage_id = appearances[0].session.stage_id
    fans = await in_thread(lambda: UserFactory.create_batch(3))
    for fan, appearance in zip(fans, appearances, strict=False):
        await in_thread(
            lambda fan=fan, appearance=appearance: figures_show(actor=viewer_of(fan), appearance_id=appearance.pk)
        )
    address = f"/stages/{stage_id}"
    async with (
        opened(address, user=fans[0]) as first,
        opened(address, user=fans[1]) as second,
        opened(address, user=fans[2]) as third,
        opened(address, member=False) as visitor,
    ):
        reads.clear()
        await in_thread(lambda: RankingRow.objects.update(raters=1_234))
        process.bus.notify_listeners(f"ranking.{stage_id}")
        for screen in (first, second, third, visitor):
            await screen.until("1,234")
        assert reads == [{"stage_id": stage_id}]


@pytest.mark.parametrize("is_shown", [False, True])
def test_performers_rank_is_covered_until_all_started_are_seen(is_shown):
    appearances = planted()
    fan, first = viewer_of(UserFactory()), appearances[0]
    AppearanceFactory(session__stage=first.session.stage, session__starts_at="2100-01-01T10:00:00Z")
    for appearance in appearances if is_shown else appearances[:-1]:
        figures_show(actor=fan, appearance_id=appearance.pk)
    page, parts = loaded(f"/participants/{first.participant_id}", fan)
    assert any(key.startswith("performance_rank") for key in parts) is is_shown
    assert (page.all_fills.get(f"{RANK}:{first.pk}") == {}) is is_shown
    ears_first_set(actor=fan, ears_first=False)
    _page, parts = loaded(f"/participants/{first.participant_id}", fan)
    assert any(key.startswith("performance_rank") for key in parts)
