"""The page of a stage's audience ranking: the table, own marks, live updates and their cost, closing; the method."""

import re
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from apps.competition.models import Participant
from apps.core.limits import HOUR
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.ranking import agreement, limits, method, method2, suspicion
from apps.ranking.enums import REASONS, NotCounted
from apps.ranking.models import RankingMissingSheet, RankingRow, RankingRun
from apps.ranking.services import ranking_close, ranking_compute, ranking_failure_note
from apps.ratings.services.covering import stage_figures_show
from apps.ratings.services.submission import ratings_submit
from components.pages.public.ranking_method import blocks_of
from components.parts.stages.ranking_table import ranking_table
from components.routes import table
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import REGISTERED
from components.ui.blocks import nth
from project.process.web_process import process
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.commanding import command
from tests.components.pages.checked_commands import be_refused
from tests.components.pages.test_own_ranking import planted
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import (
    AdminFactory,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.general import queries_counted
from tests.screen import open_page

pytestmark = pytest.mark.django_db
t = texts("en")


def ranked_stage(performances=5, raters=12, **session):
    """Create a past stage and compute its ranking. Return the stage's id and its performances."""
    appearances = stage_of(performances, **session)
    audience(appearances, raters)
    stage_id = appearances[0].session.stage_id
    ranking_compute(stage_id=stage_id)
    return stage_id, appearances


def lines(body):
    """Return the rows of a body of the table without the ones that unfold."""
    return [row for row in every(body, "tr") if attributes(row).get("class") != "rank__inside"]


def body_rows(tree):
    return lines(one(tree, "tbody"))


def names(tree):
    return [text(one(row, "span", "person__name")) for row in body_rows(tree)]


def cell(row, look):
    return " ".join(text(one(row, "td", look)).split())


def shown(row, look):
    """Return the names of a cell's visible values and links, without hidden ones."""
    return [name(node) for node in every(one(row, "td", look)) if node["tagName"] in ("b", "a")
            and not attributes(node).get("hidden")]  # fmt: skip


def test_table_has_all_figures_of_the_ranking():
    stage_id, appearances = ranked_stage()
    AdvanceRecommendationFactory.create_batch(2, appearance=appearances[0], recommendation="up")
    AdvanceRecommendationFactory(appearance=appearances[0], recommendation="down")
    seen = opened(f"/stages/{stage_id}")
    places = {row.appearance_id: row for row in RankingRow.objects.all()}
    assert len(places) == len(body_rows(seen.main)) == 5
    for row in body_rows(seen.main):
        appearance_id = int(attributes(row)["key"].removeprefix("appearance-"))
        place = places[appearance_id]
        assert cell(row, "rank__nr") == str(place.rank)
        assert cell(row, "rank__range") == f"Likely rank: {_between(place)}"
        assert cell(row, "rank__score") == f"{place.score} 10 of 22 added"
        assert cell(row, "rank__n") == "Raters: 12"
        assert shown(row, "rank__you")[0].startswith("Rate ")
        share = "67 % of 3" if appearance_id == appearances[0].pk else "–"
        assert cell(row, "rank__yes") == f"Would send on: {share}"
    assert [cell(row, "rank__nr") for row in body_rows(seen.main)] == ["1", "2", "3", "4", "5"]
    assert "with ten raters they are half of it, with 30 a quarter" in text(seen.main)
    assert "plain mean 1" not in text(seen.main)
    for appearance in appearances:
        unfolded = one(opened(f"/stages/{stage_id}?open={appearance.pk}").main, "div", "rank__lies")
        late = "12 of 12 ratings in the last hour (100 %)"
        assert f"plain mean {places[appearance.pk].mean}, {late}" in text(unfolded)
    assert not [node for node in every(seen.main, "details") if "open" in attributes(node)]
    assert "60 ratings by 12 listeners count." in text(seen.main)
    at = RankingRun.objects.get().made_at
    assert re.search(
        r"Last counted \d\d:\d\d in the hall\. It is counted again while ratings come in\.", text(seen.main)
    ), at
    assert seen.page.title.startswith("Audience ranking, Stage")
    RankingRow.objects.update(raters=30)
    assert not re.search(r"\d added", text(opened(f"/stages/{stage_id}").main))


def _between(place):
    if place.lowest == place.highest:
        return nth(place.lowest, t)
    ends = nth(place.lowest, t), nth(place.highest, t)
    return " or ".join(ends) if place.highest - place.lowest == 1 else "{} to {}".format(*ends)


def test_score_is_drawn_at_the_middle_of_its_key():
    stage_id, appearances = ranked_stage()
    RankingRow.objects.update(score="13.00", score_from="1.00", score_to="25.00")
    inside = one(opened(f"/stages/{stage_id}?open={appearances[0].pk}").main, "div", "rank__lies")
    drawn = one(inside, "span", "strip__audience")
    words = "13.00 of 25, nine times in ten between 1.00 and 25.00, 10 of 22 added"
    assert (attributes(drawn)["role"], attributes(drawn)["aria-label"]) == ("img", words)
    assert attributes(one(inside, "line", "strip__at"))["x1"] == "49.02%"  # 12.5 of 25.5 keys
    between = one(inside, "line", "strip__range")
    assert (attributes(between)["x1"], attributes(between)["x2"]) == ("1.96%", "96.08%")


def test_table_marks_ties_and_lists_few_raters_last():
    stage_id, appearances = ranked_stage()
    RankingRow.objects.filter(appearance_id__in=[appearance.pk for appearance in appearances[:2]]).update(
        rank=1, lowest=1, highest=2, score="20.00"
    )
    late = AppearanceFactory(session=appearances[0].session, participant__second_name="Ostatnia")
    empty = {"rank": None, "lowest": None, "highest": None, "score": None, "score_from": None, "score_to": None}
    RankingRow.objects.create(run=RankingRun.objects.get(), appearance=late, raters=6, mean=12, **empty)
    ranked, few = every(opened(f"/stages/{stage_id}").main, "tbody")
    ranks = [(cell(row, "rank__nr"), cell(row, "rank__range")) for row in lines(ranked)]
    assert ranks.count(("1 =", "Likely rank: 1st or 2nd")) >= 2
    heading, last = lines(few)
    assert text(heading) == "Performances are ranked once ten listeners who marked three each have marked them."
    assert cell(last, "rank__few") == "6 of 10 listeners"
    assert cell(last, "rank__nr") == "–no rank"
    assert shown(last, "rank__you") == [f"Rate {late.participant.name}"]


async def test_new_ranking_moves_rows_in_all_windows():
    stage_id, appearances = await in_thread(ranked_stage)
    fan = await in_thread(lambda: listeners(1)[0])
    await in_thread(lambda: stage_figures_show(actor=viewer_of(fan), stage_id=stage_id))
    async with open_page(f"/stages/{stage_id}") as other, open_page(f"/stages/{stage_id}", user=fan) as own:
        assert "Sign in and your own marks stand beside the audience’s." in other.text
        assert "Sign in and your own marks" not in own.text
        last = names(own.tree)[-1]
        appearance = next(appearance for appearance in appearances if appearance.participant.name == last)
        marks = {entry.piece_id: 25 for entry in await in_thread(lambda: list(appearance.program.all()))}
        rating = {"pieces": marks, "score": 4, "comment": "The end was quieter than its silence."}
        await in_thread(lambda: ratings_submit(actor=viewer_of(fan), appearance_id=appearance.pk, **rating))
        row = lambda screen: next(row for row in body_rows(screen.tree) if last in text(row))  # noqa: E731
        await own._until(lambda: shown(row(own), "rank__you") == ["25.0"], "the own mark")
        assert shown(row(other), "rank__you") == [f"Rate {last}"]

        def more():
            for user in listeners(12):
                give(user, [appearance, *[other for other in appearances if other != appearance]], [25, 9, 8, 7, 6])
            ranking_compute(stage_id=stage_id)

        await in_thread(more)
        for screen in (own, other):
            await screen.until("24 listeners")
            await screen._until(lambda screen=screen: names(screen.tree)[0] == last, "the other order")
        assert shown(row(own), "rank__you") == ["25.0"]


async def test_ranking_is_closed_and_reopened_by_administrators_only(fan):
    stage_id, _appearances = await in_thread(ranked_stage)
    administrator = await in_thread(AdminFactory)
    address = f"/stages/{stage_id}"
    async with open_page(address, user=administrator) as admin, open_page(address, user=fan) as fan_page:
        assert not attributes(one(admin.tree, "div", "standing__acts"))["hidden"]
        assert attributes(one(fan_page.tree, "div", "standing__acts"))["hidden"]
        await be_refused(fan_page, "ranking_close", stage_id, "Only administrators close rankings.", confirmed="1")
        question = await command(admin, "ranking_close", stage_id)
        assert (question["ok"], question["ask"]) == (False, True)
        assert question["text"].splitlines() == [
            "Ratings of accounts younger than a day: 0.",
            "Ratings still waiting for approval: 0.",
        ]
        assert (await command(admin, "ranking_close", stage_id, confirmed="1"))["ok"]
        for screen in (admin, fan_page):
            await screen.until("Ratings given later do not change this ranking.")
        assert admin.button("Open the ranking again")
        assert not (await command(fan_page, "ranking_reopen", stage_id))["ok"]
        assert (await command(admin, "ranking_reopen", stage_id))["ok"]
        for screen in (admin, fan_page):
            await screen.until("counted again while ratings come in.")


def test_state_of_the_ranking_is_dated():
    stage_id, _appearances = ranked_stage()
    made, address = RankingRun.objects.get().made_at, f"/stages/{stage_id}"
    for columns in ({}, {"failed_at": made}):
        RankingRun.objects.update(counting_since=timezone.now(), **columns)
        seen = text(opened(address).main)
        assert re.search(r"Being counted. This is the ranking of \d\d:\d\d.in.the.hall\.", seen)
        assert "counted again while ratings come in" not in seen
        assert "failed" not in seen
    RankingRun.objects.update(counting_since=timezone.now() - timedelta(hours=1), failed_at=None)
    assert "counted again while ratings come in" in text(opened(address).main)
    ranking_failure_note(stage_id=stage_id)
    assert re.search(
        r"The last count failed. This is the ranking of \d\d:\d\d.in.the.hall\.",
        text(opened(f"/stages/{stage_id}").main),
    )
    RankingRun.objects.update(made_at=timezone.now() - timedelta(days=3), failed_at=None)
    assert re.search(r"Last counted \d+ \w+ \d{4}, \d\d:\d\d in the hall", text(opened(f"/stages/{stage_id}").main))
    ranking_close(actor=viewer_of(AdminFactory()), stage_id=stage_id, confirmed=True)
    assert re.search(r"Closed on \d+ \w+ \d{4}\. Ratings given later", text(opened(f"/stages/{stage_id}").main))


def test_fewer_than_ten_raters_have_no_ranking():
    appearances = stage_of(3)
    audience(appearances, 9)
    address = f"/stages/{appearances[0].session.stage_id}"
    words = "No ranking yet. Performances are ranked once ten listeners who marked three each have marked them."
    assert (method.LEAST_RATERS, method.LEAST_PERFORMANCES) == (10, 3)
    for is_computed in (False, True):
        if is_computed:
            ranking_compute(stage_id=appearances[0].session.stage_id)
        seen = opened(address)
        ranked, few = every(seen.main, "tbody")
        assert not every(ranked, "tr")
        heading, *rows = lines(few)
        assert text(heading) == words
        words_of_one = "9 of 10 listeners" if is_computed else "no rating counts yet"
        assert [cell(row, "rank__few") for row in rows] == [words_of_one] * 3
        assert "How it is counted" in text(seen.main)
        assert bool(every(seen.main, "a", download=True)) is is_computed
        assert ("What does not count yet" in text(seen.main)) is is_computed


def test_reasons_for_uncounted_marks_are_numbers_without_names():
    stage_id, appearances = ranked_stage()
    (newcomer,) = UserFactory.create_batch(1, username="just_come")
    give(newcomer, appearances, [3, 4, 5, 6, 7])
    ranking_compute(stage_id=stage_id)
    seen = opened(f"/stages/{stage_id}")
    reasons = {text(one(line, "dt")): text(one(line, "dd")) for line in every(one(seen.main, "dl", "tally"), "div")}
    assert reasons == {str(reason.label): "5" if reason == NotCounted.NEW else "0" for reason in REASONS[2]}
    assert "just_come" not in seen.html


def test_closed_ranking_offers_its_files_and_states_missing_sheets():
    stage_id, _appearances = ranked_stage()
    names_of_files = ("marks.csv", "ranking.csv", "ranking.json", "ranking.py")
    for is_closed in (False, True):
        seen = opened(f"/stages/{stage_id}")
        files = {text(link): attributes(link)["href"] for link in every(seen.main, "a", download=True)}
        assert files == {file: f"/stages/{stage_id}/{file}" for file in names_of_files[not is_closed :]}
        assert ("published when the ranking is closed" in text(seen.main)) is not is_closed
        commands = [text(code) for code in every(seen.main, "code")]
        assert commands == ([f"python ranking.py marks-{stage_id}.csv {stage_id} 1"] if is_closed else [])
        ranking_close(actor=viewer_of(AdminFactory()), stage_id=stage_id, confirmed=True)
    ranking_close(actor=viewer_of(AdminFactory()), stage_id=stage_id, confirmed=True)
    run, words = RankingRun.objects.get(), "missing, recomputing differs by"
    assert words not in text(opened(f"/stages/{stage_id}").main)
    for rater, sentence in ((1, f"1 sheet is {words} it."), (2, f"2 sheets are {words} them.")):
        RankingMissingSheet.objects.create(run=run, rater=rater, hash="0" * 64)
        RankingMissingSheet.objects.create(run=run, rater=10 + rater, hash="1" * 64, is_left_out=True)
        assert sentence in text(opened(f"/stages/{stage_id}").main)


def test_later_name_is_beside_the_one_of_the_closing():
    stage_id, appearances = ranked_stage()
    person = appearances[0].participant

    def shown():
        row = one(opened(f"/stages/{stage_id}").main, "tr", id=f"appearance-{appearances[0].pk}")
        return text(one(row, "th"))

    ranking_close(actor=viewer_of(AdminFactory()), stage_id=stage_id, confirmed=True)
    assert shown() == person.name
    Participant.objects.filter(pk=person.pk).update(name="Ada Renamed")
    assert shown() == f"{person.name} now Ada Renamed"


def test_future_stages_are_not_links_and_unknown_ones_404():
    stage_id, appearances = ranked_stage()
    ahead = stage_of(1, starts_at=timezone.now() + timedelta(days=40))[0].session.stage
    unplanned = StageFactory(name="Gala")
    nav = one(opened(f"/stages/{stage_id}").main, "nav", aria_label="Stages")
    assert {attributes(link)["href"] for link in every(nav, "a")} == {f"/stages/{stage_id}", "/stages"}
    muted = [text(span) for span in every(nav, "span")]
    assert re.fullmatch(rf"{ahead.name}, from \d+ \w+", muted[0])
    assert muted[1] == unplanned.name
    missing = opened("/stages/999999")
    assert missing.page.status == 404
    assert text(one(missing.main, "h1")) == "Stage not found."
    assert attributes(one(missing.main, "a"))["href"] == "/stages"
    link = one(opened(f"/sessions/{appearances[0].session_id}").main, "a", href=f"/stages/{stage_id}")
    assert text(link) == f"Audience ranking, {appearances[0].session.stage.name}"
    listed = {attributes(link)["href"] for link in every(opened("/sessions?show=all").main, "a")}
    assert f"/stages/{stage_id}" in listed
    assert f"/stages/{ahead.pk}" not in listed


def test_performers_page_has_the_rank_of_each_performance():
    stage_id, appearances = ranked_stage()
    RankingRow.objects.update(rank=1, lowest=1, highest=5)
    RankingRow.objects.filter(appearance=appearances[0]).update(rank=3, lowest=2, highest=6)
    to = f"/participants/{appearances[0].participant_id}"
    AppearanceFactory(participant=appearances[0].participant)
    stage = appearances[0].session.stage.name
    [line] = every(opened(to).main, "p", "performance__place")
    assert text(line) == f"3rd in {stage}, between 2nd and 6th"
    assert attributes(one(line, "a"))["href"] == f"/stages/{stage_id}"
    RankingRow.objects.filter(appearance=appearances[0]).update(lowest=3, highest=3)
    assert text(one(opened(to).main, "p", "performance__place")) == f"3rd in {stage}, nine times in ten"
    RankingRow.objects.filter(appearance=appearances[1]).update(rank=3, lowest=2, highest=4)
    RankingRow.objects.filter(appearance=appearances[0]).update(
        lowest=None, highest=None, score_from=None, score_to=None
    )
    assert text(one(opened(to).main, "p", "performance__place")) == f"tied 3rd in {stage}, interval unknown"
    RankingRow.objects.filter(appearance=appearances[0]).update(
        late=None, rank=None, lowest=None, highest=None, score=None, score_from=None, score_to=None
    )
    assert not every(opened(to).main, "p", "performance__place")


async def test_performers_rank_follows_the_next_ranking():
    def create():
        appearances = stage_of(3)
        audience(appearances, 9)
        return appearances

    appearances = await in_thread(create)
    async with open_page(f"/participants/{appearances[0].participant_id}") as screen:
        assert " in Stage" not in screen.text

        def more():
            give(listeners(1)[0], appearances, [25, 2, 1])
            ranking_compute(stage_id=appearances[0].session.stage_id)

        await in_thread(more)
        await screen.until(f" in {appearances[0].session.stage.name}")


def test_query_count_is_independent_of_performances():
    count = 10
    appearances, fan = planted(count), listeners(1)[0]
    address = f"/stages/{appearances[0].session.stage_id}"
    with queries_counted(16):
        loaded(address)
    give(fan, appearances, [9] * count)
    viewer = viewer_of(fan)
    with queries_counted(23):
        page, _parts = loaded(address, viewer)
    assert len(page.all_fills) == 8 * count + 7
    with queries_counted(22):
        loaded(f"/participants/{appearances[0].participant_id}")


def test_parts_and_pages_with_an_outcome_are_declared():
    assert {part.name for part in REGISTERED.values() if part.outcome} == {
        *("stage_head", "stage_ranking", "ranking_table", "own_ranking", "stage_tally", "stage_advancing"),
        *("performance_place", "performance_rank", "performance_score", "stage_list"),
        *("session_summary", "session_finale", "own_session_finale"),
        *("interval_ahead", "own_interval_ahead", "home_figures", "own_home_figures"),
        *("stage_jury", "jury_marks", "own_jury_marks"),
        *("stage_prize_list", "participant_prize_line", "home_prizes", "schedule_prizes"),
        *("participant_results", "performance_recommendation"),
        *("jury_audience", "jury_comparison", "own_jury_comparison", "nearest_juror"),
        *("performance_jury", "performance_difference", "performance_jury_marks"),
    }
    assert [route.pattern for route in table() if route.outcome] == [
        *("/", "/sessions/{id}", "/stages", "/stages/{id}")
    ]


PERFORMANCES, WINDOWS = 20, 3
A_ROW = 60  # bytes on the wire for each row of the table, at most; a whole row has 2,000


async def test_new_ranking_is_one_short_frame_for_each_window():
    stage_id, appearances = await in_thread(lambda: ranked_stage(PERFORMANCES))

    def rate_and_rank():
        give(listeners(1)[0], appearances[:3], [25, 2, 1])
        ranking_compute(stage_id=stage_id)

    async with AsyncExitStack() as stack:
        windows = [await stack.enter_async_context(open_page(f"/stages/{stage_id}")) for _ in range(WINDOWS)]
        parts = process.parts
        before, sent = parts.deliveries, parts.bytes_out
        await in_thread(rate_and_rank)
        for window in windows:
            await window.until("13 listeners")
        assert parts.deliveries - before == WINDOWS
        assert parts.bytes_out - sent < WINDOWS * PERFORMANCES * A_ROW


def test_only_changed_rows_are_rendered_again():
    stage_id, appearances = ranked_stage()
    live = LivePart(ranking_table(stage_id, 1, "ranking", language="en"))

    def rows():
        live.renew()
        elements = [row for row in every(live.model, "tr", "") if attributes(row).get("id")]
        return {attributes(row)["id"]: row for row in elements}

    before = rows()
    RankingRow.objects.update(score_from=F("score_from") - 1, mean=F("mean") + 1, late=F("late") - 1)
    hidden = rows()
    assert len(hidden) == 5
    assert all(row is before[name] for name, row in hidden.items())
    RankingRow.objects.filter(appearance=appearances[0]).update(raters=1_300)
    changed = [name for name, row in rows().items() if row is not before[name]]
    assert changed == [f"appearance-{appearances[0].pk}"]


@pytest.mark.django_db
def test_method_page_begins_with_what_a_mark_must_pass_and_the_members_own_state():
    appearances, (fan,) = planted(3), listeners(1)
    give(fan, appearances[:1], [20])
    seen = opened("/stages/method", viewer_of(fan))
    headings = [text(heading) for heading in every(seen.main, "h2")]
    assert headings[:3] == ["What a mark must pass", "Own ears first", "The algorithm"]
    assert "The performances that you marked: Counts after two more performances (1)." in text(seen.main)
    assert "The performances that you marked" not in text(opened("/stages/method").main)


def test_method_page_shows_the_docstring_and_the_numbers_of_the_rules():
    seen = opened("/stages/method")
    shown = " ".join(text(seen.main).split())
    blocks = blocks_of(method2.__doc__)
    assert [len(block.words) for block in blocks if block.is_steps] == [10]
    content = " ".join(paragraph for block in blocks for paragraph in block.words).split()
    assert content == re.sub(r"^\d+\. ", "", method2.__doc__, flags=re.MULTILINE).split()
    paragraphs = [paragraph.replace("'", "’").replace("`", "") for block in blocks for paragraph in block.words]
    assert [paragraph for paragraph in paragraphs if paragraph not in shown] == []
    rules = text(one(seen.main, "ul", "method__rules"))
    assert [int(number) for number in re.findall(r"\d+", rules)] == [limits.NEW_FOR // HOUR, method2.LEAST_PERFORMANCES]
    parameters = (suspicion.HALF_FROM, suspicion.QUARTER_FROM, suspicion.NEAR, suspicion.FAR, suspicion.DAYS)
    parameters += (limits.EVENING_LASTS // HOUR, suspicion.ON_THE_EVENING, suspicion.CROWDED, suspicion.NEWCOMER)
    parameters += (agreement.OTHERS, agreement.CLOSEST[0][0], agreement.CLOSEST[0][1], agreement.CLOSEST[-1][1])
    weights = shown[shown.index("What weighs less") :]
    assert [number for number in parameters if f" {number:g} " not in weights] == []
    assert seen.page.title == "How the ranking is counted"
