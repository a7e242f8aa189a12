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

pytestmark = pytest.mark.django_db


def ranked(performances=3):
    """Return the performances of a stage in the order of playing; the last one is the first by rank."""
    appearances = stage_of(performances)
    audience(appearances, 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    for number, appearance in enumerate(appearances):
        rank = performances - number
        RankingRow.objects.filter(appearance=appearance).update(rank=rank, lowest=rank, highest=rank, score=10 + number)
    return appearances


def address_of(appearances, query=""):
    return f"/stages/{appearances[0].session.stage_id}{query}"


def names(tree):
    return [text(span) for table in every(tree, "table", "rank") for span in every(table, "span", "person__name")]


def numbers(tree):
    return [text(cell) for cell in every(one(tree, "table", "rank"), "td", "rank__nr")]


def section(tree, heading):
    """Return the section with this heading."""
    return next(node for node in every(tree, "section") if heading in [text(h2) for h2 in every(node, "h2")])


def current(tree):
    links = every(one(tree, "nav", "switch"), "a")
    return [text(link) for link in links if "aria-current" in attributes(link)]


def test_table_has_ranking_and_running_order():
    appearances = ranked()
    order = [appearance.participant.name for appearance in appearances]
    ranking, running = opened(address_of(appearances)), opened(address_of(appearances, "?order=running"))
    assert (names(ranking.main), numbers(ranking.main)) == (order[::-1], ["1", "2", "3"])
    assert names(running.main) == order
    assert numbers(running.main) == [str(appearance.order_number) for appearance in appearances]
    assert (current(ranking.main), current(running.main)) == (["Ranking"], ["Running order"])
    links = [attributes(link)["href"] for link in every(one(running.main, "nav", "switch"), "a")]
    assert links == [address_of(appearances, "?order=running"), address_of(appearances)]
    [heading] = every(running.main, "th", "rank__group")
    assert text(heading) == appearances[0].session.title


def test_unreadable_address_is_the_ranking_without_an_open_row():
    appearances, other = ranked(1), AppearanceFactory()
    queries = (
        "?order=",
        "?order=RUNNING",
        "?order=%27%3B--",
        "?open=x",
        "?open=99999999",
        "?open=",
        f"?open={other.pk}",
    )
    for query in queries:
        main = opened(address_of(appearances, query)).main
        assert (current(main), every(main, "div", "rank__unfolded")) == (["Ranking"], []), query


def test_address_unfolds_one_row_with_covered_figures():
    appearances = ranked()
    first, fan = appearances[0], viewer_of(UserFactory())
    pieces = list(first.program.order_by("order_number").values_list("piece_id", flat=True))
    rating_keep(actor=fan, appearance_id=first.pk, strikes=Strikes(dict.fromkeys(pieces, (7, 0.0))))
    for query in ("?open={}", "?order=running&open={}"):
        seen = opened(address_of(appearances, query.format(first.pk)), fan)
        [unfolded] = every(seen.main, "div", "rank__unfolded")
        assert [text(span) for span in every(unfolded, "span", "bits__mine")] == ["you 7"] * len(pieces)
        assert len(every(unfolded, "span", "bits__audience")) == len(pieces)
        row = one(seen.main, "tr", key=f"appearance-{first.pk}")
        assert attributes(one(row, "a", "rank__open"))["aria-expanded"] == "true"
    _page, parts = loaded(address_of(appearances))
    assert not [key for key in parts if key.startswith(("stage_performance", "piece_result", "performance_score"))]
    PieceRatingFactory(entry=appearances[0].program.first(), score=24, approved=True)
    fan = viewer_of(UserFactory())
    _page, parts = loaded(address_of(appearances, f"?open={appearances[0].pk}"), fan)
    assert [key for key in parts if key.startswith("stage_performance")]
    assert not [key for key in parts if key.startswith(("piece_result", "performance_score"))]
    _page, parts = loaded(address_of(appearances, f"?open={appearances[0].pk}"))
    assert [key for key in parts if key.startswith("piece_result")]


@pytest.mark.parametrize("is_member", [False, True])
async def test_row_unfolds_and_folds_in_place(is_member):
    appearances = await in_thread(ranked)
    fan = await in_thread(UserFactory) if is_member else None
    async with open_page(address_of(appearances), user=fan) as screen:
        assert "Performer’s page" not in screen.text
        screen.act("order_open", str(appearances[1].pk))
        await screen.until("Performer’s page")
        screen.act("order_open", "987654")
        screen.act("order_open", str(appearances[1].pk))
        await screen.until_gone("Performer’s page")


async def test_open_page_follows_publication_of_who_advances():
    appearances = await in_thread(ranked)
    await in_thread(lambda: StageFactory(name="Final"))
    stage_id, advancing = appearances[0].session.stage_id, appearances[1]
    async with open_page(address_of(appearances)) as screen:
        assert "It is not announced yet who advances to Final. They will be marked here." in screen.text
        publish = {"actor": OPERATOR, "stage_id": stage_id, "participant_ids": [advancing.participant_id]}
        await in_thread(lambda: advancements_publish(**publish))
        await screen.until("1 of 3 advance to Final")
        [row] = [row for row in every(screen.tree, "tr") if every(row, "span", "rank__goes")]
        assert attributes(row)["key"] == f"appearance-{advancing.pk}"
        links = {attributes(link)["href"] for link in every(section(screen.tree, "Who goes on"), "a")}
        assert links == {f"/participants/{advancing.participant_id}"}
        await in_thread(lambda: advancements_withdraw(actor=OPERATOR, stage_id=stage_id))
        await screen.until("It is not announced yet who advances to Final.")
        assert not every(screen.tree, "span", "rank__goes")


async def test_sessions_of_the_stage_name_the_performer():
    first, second = await in_thread(
        lambda: [
            AppearanceFactory(session__stage=stage, participant__name=name, order_number=1)
            for stage in [StageFactory()]
            for name in ("Ewa Lis", "Jan Nowak")
        ]
    )
    async with open_page(f"/stages/{first.session.stage_id}") as screen:
        assert [text(row).split("1 performer")[0] for row in every(one(screen.tree, "ol", "evenings"), "li")]
        await in_thread(lambda: session_set_live(actor=OPERATOR, session_id=second.session_id))
        await screen.until("It begins soon, with Jan Nowak")
        [link] = every(one(screen.tree, "li", "is-live"), "a", "button")
        assert (text(link), attributes(link)["href"]) == ("Listen", f"/sessions/{second.session_id}")
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=second.pk))
        await screen.until("on stage: Jan Nowak")


def test_session_that_was_never_live_is_over_after_an_hour():
    now = timezone.now()
    for minutes, columns, has_played, state in (
        (59, {}, False, "To come1 performer, not begun yet"),
        (61, {}, False, "Over1 performer, over"),
        (30, {"session__ended_at": now}, False, "Over1 performer, over"),
        (30, {}, True, "Over1 performer, over"),
    ):
        starts_at = now - timedelta(minutes=minutes)
        late = AppearanceFactory(session__starts_at=starts_at, **columns)
        if has_played:
            PerformingTime.objects.create(appearance=late, began_at=starts_at, ended_at=now)
        main = opened(f"/stages/{late.session.stage_id}").main
        badge, words = (
            one(one(main, "div", "standing__lead"), "span", "badge"),
            one(one(main, "ol", "evenings"), "small"),
        )
        assert text(badge) + text(words) == state


def test_stage_without_sessions_or_performers_is_explained():
    stage = StageFactory(name="Gala")
    seen = text(opened(f"/stages/{stage.pk}").main)
    for words in ("No session has been announced yet.", "No performer of this stage is known."):
        assert words in seen
    for words in ("Who goes on", "ratings that count", "Likely rank", "Sign in and your own marks"):
        assert words not in seen
    stage_archive(actor=OPERATOR, stage_id=stage.pk, is_archived=True)
    seen = text(opened(f"/stages/{stage.pk}").main)
    assert "Archived" in seen
    assert "It was archived without a session." in seen
    SessionFactory(stage=StageFactory(name="Coda"), starts_at=timezone.now() + timedelta(days=1))
    seen = text(opened(f"/stages/{stage.pk + 1}").main)
    assert "1 session · Order not drawn yet" in seen


async def test_texts_begin_with_the_first_performance():
    session, participant = await in_thread(lambda: (SessionFactory(stage=StageFactory()), ParticipantFactory()))
    async with open_page(f"/stages/{session.stage_id}") as screen:
        nothing = "Nothing has been written about the performances of this stage yet."
        for words in ("Write about a performance", nothing):
            assert words not in screen.text
        await in_thread(lambda: appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant.pk))
        await screen.until(nothing)
        assert screen.link("Write about a performance")["attributes"]["href"] == "/community"


def test_single_performance_has_a_score_without_a_rank():
    sentence = "A single performance has a score, and no other beside it."
    assert sentence in text(opened(address_of(planted(1))).main)
    assert "A single performance" not in text(opened(address_of(planted(2))).main)
    seen = text(opened(address_of(ranked(1))).main)
    alone = "A single performance is not ranked: a mark counts once its listener has marked three of the stage."
    for words in ("The audience’s ranking begins with the first ratings that count.", "no rating counts yet", alone):
        assert words in seen
    for words in ("A single performance has a score", "0 of 10 listeners", ": 0 ratings"):
        assert words not in seen


def test_archived_stage_without_sessions_is_not_the_next():
    appearances = stage_of(2)
    gala = StageFactory(name="Gala")
    announced = lambda: text(opened(address_of(appearances)).main).partition("It is not announced yet ")[2]  # noqa: E731
    assert announced().startswith("who advances to Gala.")
    stage_archive(actor=OPERATOR, stage_id=gala.pk, is_archived=True)
    assert announced().startswith("who advances. They will be marked here.")
    StageFactory(name="Final")
    assert announced().startswith("who advances to Final.")


def test_future_performances_are_last_and_cannot_be_rated():
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


def test_simultaneous_sessions_keep_their_performers_together():
    stage, at = StageFactory(), timezone.now() - timedelta(hours=1)
    sessions = [SessionFactory(stage=stage, starts_at=at) for _ in range(2)]
    for number in (1, 2):
        for session in sessions:
            AppearanceFactory(session=session, order_number=number)
    main = opened(f"/stages/{stage.pk}?order=running").main
    assert [text(cell) for cell in every(main, "th", "rank__group")] == [session.title for session in sessions]
    assert numbers(main) == ["1", "2", "1", "2"]
    assert len(every(one(main, "ol", "evenings"), "li")) == 2


def test_page_of_many_performances_is_small():
    appearances = stage_of(24, pieces=1)
    html = opened(address_of(appearances)).html
    assert len(html) < 50 * 1024
