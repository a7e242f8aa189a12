"""One figure represents a performance on every page: the score, before that the mean so far, or that of some pieces."""

import pytest
from django.utils import timezone

from apps.competition.models import Session
from apps.core.threads import in_thread
from apps.ranking.models import RankingRow
from apps.ranking.services import ranking_compute
from apps.ratings.services.covering import stage_figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from components.parts.ratings.performance import performance_mean, performance_same
from tests.apps.ranking.halls import audience, stage_of
from tests.components.seen import every, one, opened, read_part, text
from tests.factories import UserFactory, viewer_of
from tests.screen import open_page

pytestmark = pytest.mark.django_db


def played(raters=12):
    """Return the first performance of an ended session, whose pieces have two very different means, and its pieces."""
    appearances = stage_of(3)
    audience(appearances, raters)
    Session.objects.update(ended_at=timezone.now())
    first = appearances[0]
    return first, list(first.program.order_by("order_number").values_list("piece_id", flat=True))


def fan_with(appearance, pieces, mark=9):
    """Return a member who sees all figures and has struck this mark for each of these pieces."""
    fan = viewer_of(UserFactory())
    stage_figures_show(actor=fan, stage_id=appearance.session.stage_id)
    strikes = Strikes(dict.fromkeys(pieces, (mark, 0.0)))
    rating_keep(actor=fan, appearance_id=appearance.pk, strikes=strikes)
    return fan


def figures(appearance, fan):
    """Return the audience's figure of this performance beside the fan's mark on each page."""
    stage_id, session_id, name = appearance.session.stage_id, appearance.session_id, appearance.participant.name
    order = one(opened(f"/sessions/{session_id}", fan).main, "li", key=f"appearance-{appearance.pk}")
    row = one(opened(f"/stages/{stage_id}?open={appearance.pk}", fan).main, "table", "rank")
    finale = one(opened(f"/sessions/{session_id}", fan).main, "li", key=f"finale-{appearance.pk}")
    ledger = opened("/profile?tab=ratings", fan).main
    (summary,) = (line for line in every(ledger, "summary") if name in text(line))
    return text(one(order, "span", "blind")), text(row), text(finale), text(one(summary, "span", "mine__audience"))


def test_score_is_the_figure_beside_a_whole_rating():
    appearance, pieces = played()
    ranking_compute(stage_id=appearance.session.stage_id)
    RankingRow.objects.filter(appearance=appearance).update(score="18.21", mean="19.40")
    order, row, finale, ledger = figures(appearance, fan_with(appearance, pieces))
    assert (order, ledger) == ("audience 18.21", "audience 18.21")
    assert "18.21" in row
    assert "18.21" in finale
    assert not [shown for shown in (order, row, finale, ledger) if "so far" in shown or "same" in shown]


def test_mean_is_called_so_far_before_the_first_score():
    appearance, pieces = played(raters=9)
    order, _row, _finale, ledger = figures(appearance, fan_with(appearance, pieces))
    assert (order, ledger) == ("audience 5.0 so far", "audience 5.0 so far")
    assert text(read_part(performance_mean, stage_of(1)[0].pk, 1)) == "audience –"


def test_figure_beside_some_marks_is_of_the_same_pieces():
    appearance, pieces = played()
    ranking_compute(stage_id=appearance.session.stage_id)
    RankingRow.objects.filter(appearance=appearance).update(score="18.21")
    words = text(read_part(performance_same, appearance.pk, str(pieces[0])))
    assert words == "audience 6.5 of the same pieces"
    order, row, finale, ledger = figures(appearance, fan_with(appearance, pieces[:1]))
    assert (order, ledger) == (words, words)
    assert words in row
    assert words in finale


async def test_figure_follows_the_ranking():
    appearance, _ = await in_thread(lambda: played(raters=10))
    async with open_page(f"/sessions/{appearance.session_id}") as screen:
        assert "so far" in screen.text
        await in_thread(lambda: ranking_compute(stage_id=appearance.session.stage_id))
        await screen.until_gone("so far")
