"""The summary of an ended session: when it is shown, its figures, covered figures, and number of queries."""

import datetime as dt
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, PerformingTime, Piece, ProgramEntry, Session
from apps.competition.services.live import live_restore, live_undo_read, session_end, session_set_live
from apps.core.threads import in_thread
from apps.live.models import ReactionMoment
from apps.ranking.models import RankingAccount, RankingRow
from apps.ratings.services.covering import figures_show
from components.parts.sessions import summary as session_summary
from project.process.web_process import process
from tests.apps.ranking.halls import give
from tests.commanding import command
from tests.components.pages.test_own_ranking import planted, secrets
from tests.components.seen import attributes, every, loaded, name, one, text
from tests.components.seen import opened as seen
from tests.factories import PLAYED, SessionFactory, UserFactory, viewer_of
from tests.general import queries_counted
from tests.project.covering import opened
from tests.screen import open_page

pytestmark = pytest.mark.django_db
ORDER, SHARE = "The order", "To share"


def ended(performances=6):
    """Return the performances of an ended session with planted figures: the last one to play has the highest score."""
    appearances = planted(performances, title="Gala", starts_at=PLAYED, youtube_id="aqz-KE-bpKQ")
    for number, appearance in enumerate(appearances):
        began = PLAYED + dt.timedelta(minutes=30 * number)
        PerformingTime.objects.create(appearance=appearance, began_at=began, ended_at=began + dt.timedelta(minutes=25))
    Session.objects.update(ended_at=PLAYED + dt.timedelta(hours=3))
    return appearances


def address_of(appearances):
    return f"/sessions/{appearances[0].session_id}"


def rows(tree):
    """Return position, name and score of each row of the order."""
    return [
        (text(one(row, "span", "nr")), text(one(row, "span", "finale__name")), "".join(map(text, scores(row))))
        for row in every(one(tree, "ol", "finale"), "li")[1:]
    ]


def scores(row):
    return [child for score in every(row, "b", "finale__score") for child in score["children"][1:]]


async def test_summary_follows_end_and_undo_in_all_windows():
    appearances = await in_thread(lambda: planted(3, title="Gala", starts_at=PLAYED, is_live=True))
    session_id, fan = appearances[0].session_id, await in_thread(lambda: viewer_of(UserFactory()))
    address = address_of(appearances)
    async with open_page(address, user=fan) as member, open_page(address) as visitor:
        for screen in (member, visitor):
            assert "LIVE NOW" in screen.text
            assert ORDER not in screen.text
        step = await in_thread(lambda: session_end(actor=OPERATOR, session_id=session_id))
        for screen in (member, visitor):
            await screen.until(ORDER)
            await screen.until_gone("LIVE NOW")
            assert len(every(screen.tree, "h1")) == 1
            for kept in ("Program", "Comments", *(appearance.participant.name for appearance in appearances)):
                assert kept in screen.text
        undone = await in_thread(lambda: live_restore(actor=OPERATOR, **live_undo_read(step.undo)))
        for screen in (member, visitor):
            await screen.until_gone(ORDER)
            await screen.until("LIVE NOW")
            assert len(every(screen.tree, "h1")) == 1
        await in_thread(lambda: live_restore(actor=OPERATOR, **live_undo_read(undone.undo)))
        for screen in (member, visitor):
            await screen.until(SHARE)


async def test_live_session_replaces_the_next_one():
    appearances = await in_thread(lambda: ended(2))
    starts_at = timezone.now() + dt.timedelta(days=1)
    live, coming = await in_thread(lambda: (SessionFactory(title="Encore"), SessionFactory(starts_at=starts_at)))
    async with open_page(address_of(appearances)) as visitor:
        assert f"Next: {coming.title}" in visitor.text
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=live.pk))
        await visitor.until("Live now: Encore")
        assert "Next:" not in visitor.text
        assert visitor.link("Encore")["attributes"]["href"] == f"/sessions/{live.pk}"
        await in_thread(lambda: session_end(actor=OPERATOR, session_id=live.pk))
        await visitor.until(f"Next: {coming.title}")
        assert "Live now" not in visitor.text


async def test_summary_follows_the_ranking():
    appearances = await in_thread(ended)
    async with open_page(address_of(appearances)) as visitor:
        await visitor.until("15.37")
        changed = {"score": Decimal("19.01"), "score_to": Decimal("19.50")}
        await in_thread(lambda: RankingRow.objects.filter(appearance=appearances[0]).update(**changed))
        process.bus.notify_listeners(f"ranking.{appearances[0].session.stage_id}")
        first = ("1", appearances[0].participant.name, "19.01")
        await visitor._until(lambda: rows(visitor.tree)[0] == first, "the order has not followed")


def test_session_without_an_end_has_no_summary():
    appearances = planted(2, starts_at=PLAYED)
    shown = seen(address_of(appearances))
    assert ORDER not in text(shown.main)
    assert shown.page.image == ""


def test_order_shows_scores_intervals_and_likely_ranks_by_score():
    appearances = ended()
    RankingRow.objects.filter(appearance=appearances[0]).update(
        rank=None, lowest=None, highest=None, score=None, score_from=None, score_to=None, mean=None, raters=4
    )
    shown = seen(address_of(appearances))
    names = [appearance.participant.name for appearance in reversed(appearances)]
    expected = [(str(at), person, f"1{6 - at}.37") for at, person in enumerate(names[:5], start=1)]
    assert rows(shown.main) == [*expected, ("–", names[5], "")]
    assert [name(node) for node in every(one(shown.main, "ol", "finale"), role="img")][:2] == [
        "15.37 of 25, nine times in ten between 15.11 and 15.89",
        "14.37 of 25, nine times in ten between 14.11 and 14.89",
    ]
    likely = [text(span) for span in every(one(shown.main, "ol", "finale"), "span", "finale__range")]
    assert likely == ["1st or 2nd", "1st to 3rd", "2nd to 4th", "3rd to 5th", "4th to 6th"]
    assert "4 of 10 listeners" in text(shown.main)
    links = {name(link): attributes(link)["href"] for link in every(shown.main, "a") if "href" in attributes(link)}
    assert links["Ranking, " + appearances[0].session.stage.name] == f"/stages/{appearances[0].session.stage_id}"
    assert links["Watch the session"] == f"{address_of(appearances)}?watch=session#stage-video"
    assert shown.page.image == f"{address_of(appearances)}/summary.png"
    assert [path for path in links.values() if "summary.png" in path] == [
        f"{address_of(appearances)}/summary.png", f"{address_of(appearances)}/summary.png?outcome=1",
    ]  # fmt: skip


def test_order_without_any_score_has_neither_keys_nor_numbers():
    appearances = ended(2)
    RankingRow.objects.all().delete()
    shown = seen(address_of(appearances))
    order = one(shown.main, "ol", "finale")
    assert text(every(order, "li")[0]) == "PerformerYou"
    assert [text(span) for span in every(order, "span", "finale__few")] == ["no rating counts yet"] * 2
    assert "nine times in ten" not in text(shown.main)


def test_agreement_is_that_of_counted_marks():
    appearances = ended(3)
    stage_id = appearances[0].session.stage_id
    for number in range(12):
        marks = {str(appearances[0].pk): 20.0, str(appearances[1].pk): 2.0 * number + 1, str(appearances[2].pk): 9.5}
        if number > 7:
            del marks[str(appearances[2].pk)]
        RankingAccount.objects.create(user=UserFactory(), stage_id=stage_id, marks=marks, is_in_burst=False)
    shown = text(seen(address_of(appearances)).main)
    assert "3 performances. 12 listeners gave 32 ratings that count." in shown
    assert f"Most agreed{appearances[0].participant.name}Half of the 12 ratings are from 20 to 20." in shown
    # 1, 3, … 23: the quartiles are at 2.75 and 8.25 of the 11 steps
    assert f"Least agreed{appearances[1].participant.name}Half of the 12 ratings are from 6.5 to 17.5." in shown


def test_most_applauded_minutes_link_into_the_video():
    appearances = ended(5)
    zero = int(PLAYED.timestamp())
    for number, count in enumerate((4, 9, 7, 8)):
        second = zero + number * 1800 + 400
        ReactionMoment.objects.create(session=appearances[0].session, second=second, count=99, applause=count)
    for appearance in appearances[1:]:
        Piece.objects.filter(entries__appearance=appearance, entries__order_number=2).update(title="Nocturne")
        ProgramEntry.objects.filter(appearance=appearance, order_number=1).update(
            timestamp=90, youtube_url="https://youtu.be/aqz-KE-bpKQ"
        )
        ProgramEntry.objects.filter(appearance=appearance, order_number=2).update(
            timestamp=482 if appearance == appearances[1] else 540, youtube_url="https://youtu.be/aqz-KE-bpKQ"
        )
    shown = seen(address_of(appearances))
    lines = [text(row) for row in every(one(shown.main, "ol", "body"), "li")]
    assert [appearances[at].participant.name in line for at, line in zip((1, 3, 2), lines, strict=True)] == [True] * 3
    assert ["9 in one minute" in lines[0], ": 8" in lines[1], ": 7" in lines[2]] == [True] * 3
    links = every(one(shown.main, "ol", "body"), "a")
    first = appearances[1].program.get(order_number=1)
    assert attributes(links[0])["href"] == f"{address_of(appearances)}?watch={first.pk}.490#stage-video"
    assert text(links[0]) == "Watch 8:10"
    assert lines[0].startswith("Nocturne in")
    assert lines[1].startswith("Étude in")


async def test_covered_figures_are_not_sent_to_the_member(fan):
    appearances = await in_thread(ended)
    for at in (1, 4):
        await in_thread(lambda at=at: figures_show(actor=viewer_of(fan), appearance_id=appearances[at].pk))
    address = address_of(appearances)
    async with opened(address, user=fan) as member, opened(address, member=False) as visitor:
        assert secrets(visitor.received()) == set(range(6))
        assert secrets(member.received()) == {1, 4}
        order = rows(member.tree)
        assert [row[0] for row in order] == ["1", "2", "–", "–", "–", "–"]
        assert [row[1] for row in order[2:]] == [appearances[at].participant.name for at in (0, 2, 3, 5)]
        assert "The order is counted among the 2 performances whose marks you see." in member.text
        ranges = [text(span) for span in every(member.tree, "span", "finale__range")]
        assert ranges == ["14.11 to 14.89", "11.11 to 11.89"], "of scores: ranks count covered performances"
        heads = [text(every(one(screen.tree, "ol", "finale"), "li")[0]) for screen in (member, visitor)]
        assert heads == ["PerformerAudienceLikely scoreYou", "PerformerAudienceLikely rankYou"]
        assert (await command(member, "figures_show", appearances[2].pk))["ok"]
        await member.until("The order is counted among the 3 performances")
        assert secrets(member.received()) == {1, 2, 4}
        assert (await command(member, "stage_figures_show", appearances[0].session.stage_id))["ok"]
        await member.until_gone("The order is counted among")
        assert rows(member.tree) == rows(visitor.tree)


def test_own_marks_are_beside_the_audiences():
    appearances, fan = ended(3), UserFactory()
    give(fan, appearances[:2], [12, 19])
    page, _parts = loaded(address_of(appearances), viewer_of(fan))
    fills = page.all_fills
    assert [fills[f"summary_mark:{appearance.pk}"]["text"] for appearance in appearances[:2]] == ["12.0", "19.0"]
    assert f"summary_mark:{appearances[2].pk}" not in fills
    own = f"summary_own:{appearances[0].session_id}"
    assert fills[own]["text"] == " You marked 2 of 3."
    PerformingTime.objects.filter(appearance=appearances[2]).delete()
    page, _parts = loaded(address_of(appearances), viewer_of(fan))
    assert page.all_fills[own]["text"] == " You marked all.", "of those who played"


def test_query_count_is_independent_of_performances():
    count = 9
    appearances, fan = ended(count), UserFactory()
    give(fan, appearances, [9] * count)
    with queries_counted(22):
        loaded(address_of(appearances))
    with queries_counted(36):
        loaded(address_of(appearances), viewer_of(fan))


def test_performer_who_did_not_play_is_not_counted():
    appearances = ended(3)
    RankingRow.objects.all().delete()
    PerformingTime.objects.filter(appearance=appearances[2]).delete()
    shown = text(seen(address_of(appearances)).main)
    assert "2 performances. No ratings count yet." in shown
    assert shown.count("did not play") == 1
    covering = text(seen(address_of(appearances), viewer_of(UserFactory())).main)
    assert covering.count("did not play") == 1  # nothing of it is covered


def test_session_without_performers_has_a_summary():
    session = SessionFactory(starts_at=PLAYED, ended_at=timezone.now())
    shown = seen(f"/sessions/{session.pk}")
    assert ORDER in text(shown.main)
    assert not Appearance.objects.exists()
    assert session_summary.summary_fills(
        viewer=viewer_of(UserFactory()), session_id=session.pk, stage_id=session.stage_id, language="en"
    )
