"""The audience beside the jury on a stage's page and on performers' pages; what is covered, and what is personal."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.jury.selectors import jury_scores
from apps.jury.services import jury_show, sheet_unpublish
from apps.ratings.services.covering import ears_first_set, figures_show, stage_figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from components.parts.jury.audience import number
from components.parts.jury.nearest import NEAREST
from tests.apps.jury.juries import compared, juried, published, ranked
from tests.apps.ranking.halls import give, stage_of
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import UserFactory, viewer_of
from tests.project.covering import opened as received
from tests.screen import open_page

pytestmark = pytest.mark.django_db


def address(appearances):
    return f"/stages/{appearances[0].session.stage_id}?view=jury"


def points(tree):
    """Return the names and addresses of the plot's points."""
    return [(name(link), attributes(link)["href"]) for link in every(one(tree, "figure", "versus__plot"), "a")]


def rows(tree):
    body = one(one(tree, "table", "versus__table"), "tbody")
    return [[text(cell) for cell in row["children"]] for row in every(body, "tr")]


def fan_without_covers():
    fan = UserFactory()
    ears_first_set(actor=viewer_of(fan), ears_first=False)
    return fan


def test_points_of_the_plot_link_to_performers_with_the_tables_ranks():
    appearances = stage_of(4)
    published(appearances, [["22"], ["21"], ["21"], ["19"]])
    ranked(appearances, [4, 1, 2, 3])
    names = [appearance.participant.name for appearance in appearances]
    page = opened(address(appearances))
    assert points(page.main) == [
        (f"{names[0]}: jury 1st, audience 4th", f"/participants/{appearances[0].participant_id}"),
        (f"{names[1]}: jury 2nd, audience 1st", f"/participants/{appearances[1].participant_id}"),
        (f"{names[2]}: jury 2nd, audience 2nd", f"/participants/{appearances[2].participant_id}"),
        (f"{names[3]}: jury 4th, audience 3rd", f"/participants/{appearances[3].participant_id}"),
    ]
    circles = [attributes(circle) for circle in every(page.main, "circle")]
    assert [(circle["cx"], circle["cy"]) for circle in circles] == [
        (14.8, 85.2),
        (38.2, 14.8),
        (38.2, 38.2),
        (85.2, 61.8),
    ]
    assert rows(page.main) == [
        [names[0], "1", "4", "−3"], [names[1], "2", "1", "+1"], [names[2], "2", "2", "0"], [names[3], "4", "3", "+1"],
    ]  # fmt: skip
    assert [text(heading) for heading in every(one(page.main, "div", "versus__ways"), "h3")] == [
        "Higher with the audience", "Higher with the jury",
    ]  # fmt: skip
    shown = text(page.main)
    assert "Kendall’s tau-b of the two orders is −0.18 (4 performances)." in shown
    assert f"{names[0]} jury 1st, audience 4th3 places" in shown


def test_kendalls_tau_is_shown_with_its_interval():
    appearances = stage_of(9)
    published(appearances, [[str(24 - place)] for place in range(9)])
    ranked(appearances, [1, 2, 3, 4, 5, 6, 7, 9, 8])
    shown = text(opened(address(appearances)).main)
    assert "the two orders is 0.94, nine times in ten between 0." in shown
    assert "had other performers played (9 performances). 1 is the same order, 0 no relation, and −1" in shown


def test_negative_zero_has_no_sign():
    assert [number(tau) for tau in (-0.001, 0.0, -0.25, 1.0)] == ["0.00", "0.00", "−0.25", "1.00"]


@pytest.mark.parametrize("has_ranking", [True, False])
def test_plot_needs_a_sheet_and_a_ranking(has_ranking):
    appearances = stage_of(3)
    ranked(appearances, [1, 2, 3]) if has_ranking else published(appearances, [["20"], ["21"], ["22"]])
    page = opened(address(appearances))
    assert not every(page.main, "svg", aria_label="The ranks of the jury and of the audience")
    assert not every(page.main, "figure", "versus__plot")
    assert ("The audience has no ranks of the jury’s performances yet." in text(page.main)) is not has_ranking


def test_comparison_is_in_the_jury_view_only():
    appearances = compared(3)
    assert "Audience and jury" in text(opened(address(appearances)).main)
    assert "Audience and jury" not in text(opened(address(appearances).partition("?")[0]).main)


@pytest.mark.parametrize("count", [1, 84])
def test_query_count_is_independent_of_performances(count):
    appearances = compared(count)
    fan = viewer_of(UserFactory())
    jury_show(actor=fan, stage_id=appearances[0].session.stage_id)
    marked = fan_without_covers()
    give(marked, appearances[:8], range(10, 10 + min(count, 8)))

    def queries(*viewer):
        with CaptureQueriesContext(connection) as captured:
            loaded(address(appearances), *viewer)
        return len(captured)

    assert queries() == 16
    assert queries(fan) == 21
    assert queries(viewer_of(marked)) == 29 + (2 if count > 1 else 0)  # jurors' marks, and whose performances they are


async def test_covered_figures_are_not_sent_to_the_member(fan):
    appearances = await in_thread(lambda: compared(9))
    viewer, plan = await in_thread(lambda: viewer_of(fan)), (1, 4, 7)
    for seen in plan:
        await in_thread(lambda seen=seen: figures_show(actor=viewer, session_participant_id=appearances[seen].pk))
    stage_id = appearances[0].session.stage_id
    async with received(address(appearances), user=fan) as member:
        assert "Show the jury’s marks" in member.text
        assert "Audience and jury" not in member.text
        assert "jury 1st" not in member.received(), "nothing of the jury before the press"
        await in_thread(lambda: jury_show(actor=viewer, stage_id=stage_id))
        await member.until("6 performances are covered until you have marked them")
    async with received(address(appearances), user=fan) as member:
        # the audience's order is the jury's reversed, also among three of them
        assert points(member.tree) == [
            (f"{appearances[number].participant.name}: jury {first}, audience {last}", path(appearances[number]))
            for number, first, last in zip(plan, ("1st", "2nd", "3rd"), ("3rd", "2nd", "1st"), strict=True)
        ]
        assert "6 performances are covered until you have marked them; the comparison leaves them out." in member.text
        everything = member.received()
        for number in {*range(9)} - {*plan}:
            assert f"{appearances[number].participant.name}: jury" not in everything
        for rank in ("4th", "5th", "6th", "7th", "8th", "9th"):
            assert f"jury {rank}" not in everything
            assert f"audience {rank}" not in everything
        await in_thread(lambda: stage_figures_show(actor=viewer, stage_id=stage_id))
        await member.until("the two orders is −1.00, nine times in ten between −1.00 and −1.00")
        assert len(points(member.tree)) == len(appearances)
        assert "covered until" not in member.text.partition("Audience and jury")[2]


def path(appearance):
    return f"/participants/{appearance.participant_id}"


async def test_mark_uncovers_a_performance_in_the_plot(fan):
    appearances = await in_thread(lambda: compared(9))
    kept = await in_thread(lambda: {entry.piece_id: (20, 0.0) for entry in appearances[2].program.all()})
    viewer = await in_thread(lambda: viewer_of(fan))
    await in_thread(lambda: jury_show(actor=viewer, stage_id=appearances[0].session.stage_id))
    async with open_page(address(appearances), user=fan) as member, open_page(address(appearances)) as visitor:
        assert "9 performances are covered until you have marked them" in member.text
        assert len(points(visitor.tree)) == len(appearances)
        await in_thread(
            lambda: rating_keep(actor=viewer, session_participant_id=appearances[2].pk, strikes=Strikes(kept))
        )
        await member.until("8 performances are covered until you have marked them")
        [only] = points(member.tree)
        assert only == (f"{appearances[2].participant.name}: jury 1st, audience 1st", path(appearances[2]))


async def test_open_pages_follow_unpublication():
    appearances = await in_thread(lambda: compared(9))
    sheet = await in_thread(lambda: jury_scores(stage_ids=[appearances[0].session.stage_id]))
    [scores] = sheet.values()
    async with open_page(address(appearances)) as visitor, open_page(path(appearances[0])) as performer:
        assert "Audience and jury" in visitor.text
        assert "The audience ranked this performance 8 places lower than the jury." in performer.text
        await in_thread(lambda: sheet_unpublish(actor=OPERATOR, sheet_id=scores.sheet_id))
        await visitor.until_gone("Audience and jury")
        await performer.until_gone("than the jury")


def test_performers_page_compares_jury_and_audience():
    appearances = stage_of(3)
    published(appearances, [["23", "20.5", "20.4"], ["21", "21", "21"], ["19", "S", "18"]])
    ranked(appearances, [2, 1, 3])
    give(UserFactory(), appearances, [17, 18, 19])
    pages = [opened(path(appearance)) for appearance in appearances]
    sentences = [text(one(page.main, "div", "performance__jury")) for page in pages]
    lower = "The audience ranked this performance 1 place lower than the jury. (jury 1st, audience 2nd of 3)"
    assert lower in sentences[0]
    assert "The audience ranked this performance 1 place higher than the jury." in sentences[1]
    assert "The audience and the jury ranked this performance alike." in sentences[2]
    assert "How often each mark was given: 20: 1, 21: 1, 23: 1" in sentences[0]
    assert "2 marks. How often each mark was given: 18: 1, 19: 1" in sentences[2]
    assert "2 marks. How often each mark was given: 17: 2" in sentences[0]
    assert f"/stages/{appearances[0].session.stage_id}?view=jury" in pages[0].html


def test_performers_page_covers_jury_figures():
    appearances = compared(9)
    fan = viewer_of(UserFactory())
    shown = opened(path(appearances[3]), fan)
    assert "than the jury" not in shown.html
    assert "The jury’s marks and the audience’s" not in shown.html
    figures_show(actor=fan, session_participant_id=appearances[3].pk)
    shown = opened(path(appearances[3]), fan)
    assert "than the jury" not in shown.html, "a rank is about all performances of the stage"
    assert "The jury’s marks and the audience’s" in shown.html
    stage_figures_show(actor=fan, stage_id=appearances[0].session.stage_id)
    assert "than the jury" in opened(path(appearances[3]), fan).html


def test_repeated_performance_is_not_compared():
    appearances = compared(2)
    appearances[0].is_repeated = True
    appearances[0].save()
    assert "jury" not in text(opened(path(appearances[0])).main)


@pytest.mark.parametrize("submitted", [7, 8, 12])
def test_nearest_juror_is_on_the_members_own_page_only(submitted):
    appearances, fan, other = juried(), UserFactory(), UserFactory()
    give(fan, appearances[:submitted], [2 + 2 * place for place in range(submitted)])
    stage_id = appearances[0].session.stage_id
    if submitted < len(appearances):
        assert "is the nearest" not in opened(address(appearances), viewer_of(fan)).html, "not before the press"
    jury_show(actor=viewer_of(fan), stage_id=stage_id)
    own = opened(address(appearances), viewer_of(fan))
    slot = f"{NEAREST}:{stage_id}"
    shown = text(one(own.main, "div", data_slot=slot))
    is_hidden = attributes(one(own.main, "div", data_slot=slot))["hidden"]
    jury_show(actor=viewer_of(other), stage_id=stage_id)
    for page in (opened(address(appearances), viewer_of(other)), opened(address(appearances))):
        assert "is the nearest" not in page.html
        assert "Ada Bell is" not in page.html
        assert "Bruno Cerny is" not in page.html
        assert attributes(one(page.main, "div", data_slot=slot))["hidden"]
    assert is_hidden is (submitted < 8)
    if submitted < 8:
        assert "is the nearest" not in own.html
        return
    shrunk = {8: "0.44", 12: "0.55"}[submitted]
    assert f"Ada Bell is the nearest to your marks: {shrunk}, from {submitted} performances that you both" in shown
    assert f"Bruno Cerny is the farthest: −{shrunk}, from {submitted} performances (tau-b −1.00)." in shown
    assert f"{appearances[0].participant.name}: you 2, Bruno Cerny 24" in shown


async def test_nearest_juror_follows_the_members_marks(fan):
    appearances = await in_thread(juried)
    await in_thread(lambda: give(fan, appearances[:7], range(10, 17)))
    viewer = await in_thread(lambda: viewer_of(fan))
    await in_thread(lambda: jury_show(actor=viewer, stage_id=appearances[0].session.stage_id))
    marks = await in_thread(lambda: {entry.piece_id: 20 for entry in appearances[7].program.all()})
    async with (
        open_page(address(appearances), user=fan) as own,
        received(address(appearances), member=False) as visitor,
    ):
        assert "is the nearest" not in own.text
        await in_thread(
            lambda: ratings_submit(
                actor=viewer, session_participant_id=appearances[7].pk, pieces=marks, score=5, comment="Heard."
            )
        )
        await own.until("Ada Bell is the nearest to your marks: 0.44")
        assert "Ada Bell is" not in visitor.received()
