"""The page of a stage: its sessions, the two orders of its table, unfolded rows, who advances, and bad input."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime
from apps.competition.services.advancements import advancements_publish, advancements_withdraw
from apps.competition.services.live import performer_set, session_set_live
from apps.competition.services.sessions import appearance_add
from apps.competition.services.stages import stage_archive
from apps.core.threads import in_thread
from apps.ranking.models import RankingRow
from apps.ranking.services import ranking_compute
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from tests.apps.ranking.halls import audience, stage_of
from tests.components.pages.test_own_ranking import planted
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    SessionFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.screen import open_page

pytestmark = pytest.mark.django_db(transaction=True)


def ranked(performances=3):
    """Return the performances of a stage in the order of playing; the last one is the first by rank."""
    appearances = stage_of(performances)
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    for number, each in enumerate(appearances):
        rank = performances - number
        RankingRow.objects.filter(appearance=each).update(rank=rank, lowest=rank, highest=rank, score=10 + number)
    return appearances


def address_of(appearances, query=""):
    return f"/stages/{appearances[0].session.stage_id}{query}"


def names(tree):
    return [text(each) for each in every(one(tree, "table", "rank"), "span", "person__name")]


def numbers(tree):
    return [text(each) for each in every(one(tree, "table", "rank"), "td", "rank__nr")]


def section(tree, heading):
    """Return the section with this heading."""
    return next(each for each in every(tree, "section") if heading in [text(h) for h in every(each, "h2")])


def current(tree):
    marked = [each for each in every(one(tree, "nav", "switch"), "a") if "aria-current" in attributes(each)]
    return [text(each) for each in marked]


def test_one_table_reads_as_ranking_and_as_running_order():
    appearances = ranked()
    order = [each.participant.name for each in appearances]
    ranking, running = opened(address_of(appearances)), opened(address_of(appearances, "?order=running"))
    assert (names(ranking.main), numbers(ranking.main)) == (order[::-1], ["1", "2", "3"])
    assert names(running.main) == order
    assert numbers(running.main) == [str(each.order_number) for each in appearances]
    assert (current(ranking.main), current(running.main)) == (["Ranking"], ["Running order"])
    ways = [attributes(each)["href"] for each in every(one(running.main, "nav", "switch"), "a")]
    assert ways == [address_of(appearances, "?order=running"), address_of(appearances)]
    [heading] = every(running.main, "th", "rank__group")
    assert text(heading) == appearances[0].session.title


@pytest.mark.parametrize(
    "query", ["?order=", "?order=RUNNING", "?order=%27%3B--", "?open=x", "?open=99999999", "?open="]
)
def test_nonsense_in_the_address_is_the_ranking_without_an_open_row(query):
    appearances = ranked(1)
    seen = opened(address_of(appearances, query))
    assert current(seen.main) == ["Ranking"]
    assert not every(seen.main, "div", "rank__unfolded")


def test_a_row_of_another_stage_does_not_open():
    appearances, other = ranked(1), AppearanceFactory()
    assert not every(opened(address_of(appearances, f"?open={other.pk}")).main, "div", "rank__unfolded")


def test_an_address_unfolds_a_row_to_its_pieces_and_other_rows_are_not_sent():
    appearances = ranked()
    first, fan = appearances[0], viewer_of(UserFactory())
    pieces = list(first.program.order_by("order_number").values_list("piece_id", flat=True))
    rating_keep(actor=fan, session_participant_id=first.pk, strikes=Strikes(dict.fromkeys(pieces, (7, 0.0))))
    for query in ("?open={}", "?order=running&open={}"):
        seen = opened(address_of(appearances, query.format(first.pk)), fan)
        [inside] = every(seen.main, "div", "rank__unfolded")
        assert [text(each) for each in every(inside, "span", "bits__mine")] == ["you 7"] * len(pieces)
        assert len(every(inside, "span", "bits__audience")) == len(pieces)
        row = one(seen.main, "tr", key=f"appearance-{first.pk}")
        assert attributes(one(row, "a", "rank__open"))["aria-expanded"] == "true"
    _page, parts = loaded(address_of(appearances))
    assert not [key for key in parts if key.startswith(("stage_performance", "piece_result", "performance_score"))]


def test_figures_of_pieces_are_covered_with_the_performance():
    appearances = ranked()
    PieceRatingFactory(entry=appearances[0].program.first(), score=24, approved=True)
    fan = viewer_of(UserFactory())
    _page, parts = loaded(address_of(appearances, f"?open={appearances[0].pk}"), fan)
    assert [key for key in parts if key.startswith("stage_performance")]
    assert not [key for key in parts if key.startswith(("piece_result", "performance_score"))]
    _page, parts = loaded(address_of(appearances, f"?open={appearances[0].pk}"))
    assert [key for key in parts if key.startswith("piece_result")]


@pytest.mark.parametrize("is_member", [False, True])
async def test_a_press_unfolds_a_row_in_place_and_folds_it(is_member):
    appearances = await in_thread(ranked)
    fan = await in_thread(UserFactory) if is_member else None
    async with open_page(address_of(appearances), user=fan) as screen:
        assert "Performer’s page" not in screen.text
        screen.act("order_open", str(appearances[1].pk))
        await screen.until("Performer’s page")
        screen.act("order_open", "987654")
        screen.act("order_open", str(appearances[1].pk))
        await screen.until_gone("Performer’s page")


async def test_who_advances_appears_and_goes_on_open_pages():
    appearances = await in_thread(ranked)
    await in_thread(lambda: StageFactory(name="Final"))
    stage_id, who = appearances[0].session.stage_id, appearances[1]
    async with open_page(address_of(appearances)) as screen:
        assert "It is not announced yet who advances to Final. They will be marked here." in screen.text
        publish = {"actor": OPERATOR, "stage_id": stage_id, "participant_ids": [who.participant_id]}
        await in_thread(lambda: advancements_publish(**publish))
        await screen.until("1 of 3 advance to Final")
        [row] = [each for each in every(screen.tree, "tr") if every(each, "span", "rank__goes")]
        assert attributes(row)["key"] == f"appearance-{who.pk}"
        links = {attributes(each)["href"] for each in every(section(screen.tree, "Who goes on"), "a")}
        assert links == {f"/participants/{who.participant_id}"}
        await in_thread(lambda: advancements_withdraw(actor=OPERATOR, stage_id=stage_id))
        await screen.until("It is not announced yet who advances to Final.")
        assert not every(screen.tree, "span", "rank__goes")


async def test_the_sessions_say_who_is_on_stage():
    first, second = await in_thread(
        lambda: [
            AppearanceFactory(session__stage=stage, participant__name=name, order_number=1)
            for stage in [StageFactory()]
            for name in ("Ewa Lis", "Jan Nowak")
        ]
    )
    async with open_page(f"/stages/{first.session.stage_id}") as screen:
        assert [text(each).split("1 performer")[0] for each in every(one(screen.tree, "ol", "evenings"), "li")]
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=second.session_id))
        await screen.until("It begins soon, with Jan Nowak")
        [way] = every(one(screen.tree, "li", "is-live"), "a", "button")
        assert (text(way), attributes(way)["href"]) == ("Listen and rate", f"/sessions/{second.session_id}")
        await in_thread(lambda: performer_set(actor=OPERATOR, session_participant_id=second.pk))
        await screen.until("on stage: Jan Nowak")


@pytest.mark.parametrize(
    ("minutes", "ended", "stayed", "words"),
    [
        (59, False, False, "To come1 performer, not begun yet"),
        (61, False, False, "Over1 performer, over"),
        (30, True, False, "Over1 performer, over"),
        (30, False, True, "Over1 performer, over"),
    ],
)
def test_a_session_that_never_was_live_is_late_for_an_hour(minutes, ended, stayed, words):
    starts_at = timezone.now() - timedelta(minutes=minutes)
    late = AppearanceFactory(session__starts_at=starts_at, session__ended_at=timezone.now() if ended else None)
    if stayed:
        PerformingTime.objects.create(session_participant=late, began_at=starts_at, ended_at=timezone.now())
    main = opened(f"/stages/{late.session.stage_id}").main
    badges, state = one(main, "div", "standing__lead"), one(one(main, "ol", "evenings"), "small")
    assert text(one(badges, "span", "badge")) + text(state) == words


def test_a_stage_without_sessions_an_archived_one_and_one_without_performers():
    stage = StageFactory(name="Gala")
    seen = text(opened(f"/stages/{stage.pk}").main)
    for words in ("No session has been announced yet.", "No performer of this stage is known."):
        assert words in seen
    for words in ("Who goes on", "marks that count", "Likely rank", "Sign in and your own marks"):
        assert words not in seen
    stage_archive(actor=OPERATOR, stage_id=stage.pk, is_archived=True)
    seen = text(opened(f"/stages/{stage.pk}").main)
    assert "Archived" in seen
    assert "It was archived without a session." in seen
    SessionFactory(stage=StageFactory(name="Coda"), starts_at=timezone.now() + timedelta(days=1))
    seen = text(opened(f"/stages/{stage.pk + 1}").main)
    assert "1 session · Order not drawn yet" in seen


async def test_words_wait_for_the_first_performance_of_the_stage():
    session, participant = await in_thread(lambda: (SessionFactory(stage=StageFactory()), ParticipantFactory()))
    async with open_page(f"/stages/{session.stage_id}") as screen:
        for words in ("Write about a performance", "Nothing has been written about its performances yet."):
            assert words not in screen.text
        await in_thread(lambda: appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant.pk))
        await screen.until("Nothing has been written about its performances yet.")
        assert screen.link("Write about a performance")["attributes"]["href"] == "/community"


def test_a_single_performance_has_a_score_and_no_other_beside_it():
    alone = "A single performance has a score, and no other beside it."
    assert alone in text(opened(address_of(planted(1))).main)
    assert "A single performance" not in text(opened(address_of(planted(2))).main)


def test_a_single_performance_without_marks_has_neither_a_score_nor_a_number():
    seen = text(opened(address_of(ranked(1))).main)
    alone = "A single performance is not ranked: a mark counts once its listener has marked three of the stage."
    for words in ("The audience’s ranking begins with the first marks that count.", "no mark counts yet", alone):
        assert words in seen
    for words in ("A single performance has a score", "0 of 10 listeners", ": 0 marks"):
        assert words not in seen


def test_a_stage_that_was_archived_without_a_session_is_not_the_next_one():
    appearances = stage_of(2)
    gala = StageFactory(name="Gala")
    assert "who advances to Gala." in text(section(opened(address_of(appearances)).main, "Who goes on"))
    stage_archive(actor=OPERATOR, stage_id=gala.pk, is_archived=True)
    assert "Gala" not in text(section(opened(address_of(appearances)).main, "Who goes on"))
    StageFactory(name="Final")
    assert "who advances to Final." in text(section(opened(address_of(appearances)).main, "Who goes on"))


def test_performances_to_come_follow_and_have_neither_mark_nor_keys():
    played = ranked(1)
    stage = played[0].session.stage
    ahead = AppearanceFactory(session__stage=stage, session__starts_at=timezone.now() + timedelta(days=1))
    main = opened(address_of(played)).main
    assert names(main)[-1] == ahead.participant.name
    row = one(main, "tr", key=f"appearance-{ahead.pk}")
    assert text(one(row, "td", "rank__few")) == ahead.session.title
    assert not text(one(row, "td", "rank__you"))
    unfolded = one(opened(address_of(played, f"?open={ahead.pk}")).main, "div", "rank__unfolded")
    assert "Mark it on the keys" not in text(unfolded)
    assert "The program is not known yet." in text(unfolded)


def test_a_withdrawn_performer_leaves_both_orders_and_the_numbers():
    appearances = stage_of(3)
    withdrawn = appearances[1].participant.name
    appearances[1].delete()
    for query in ("", "?order=running"):
        main = opened(address_of(appearances, query)).main
        assert withdrawn not in text(main)
        assert "2 have played." in text(main)


def test_two_sessions_at_once_are_both_listed_and_keep_their_performers_together():
    stage, at = StageFactory(), timezone.now() - timedelta(hours=1)
    sessions = [SessionFactory(stage=stage, starts_at=at) for _ in range(2)]
    for number in (1, 2):
        for session in sessions:
            AppearanceFactory(session=session, order_number=number)
    main = opened(f"/stages/{stage.pk}?order=running").main
    assert [text(each) for each in every(main, "th", "rank__group")] == [each.title for each in sessions]
    assert numbers(main) == ["1", "2", "1", "2"]
    assert len(every(one(main, "ol", "evenings"), "li")) == 2


def test_84_performances_are_a_light_page():
    appearances = stage_of(84, pieces=1)
    html = opened(address_of(appearances)).html
    assert len(html) < 120 * 1024
