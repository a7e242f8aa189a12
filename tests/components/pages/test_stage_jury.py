"""The jury's tab of a stage: table, one juror's ranking, cover, publication, file; the audience beside the jury."""

import codecs
import csv
import io
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.jury.contents import Official
from apps.jury.selectors import jury_scores
from apps.jury.services import jury_show, sheet_publish, sheet_save, sheet_unpublish
from apps.ratings.services.covering import ears_first_set, figures_show, stage_figures_show
from apps.ratings.services.submission import ratings_submit
from components.parts.jury.audience import number
from components.parts.jury.nearest import NEAREST
from tests.apps.jury.juries import compared, juried, ranked
from tests.apps.jury.juries import published as cells_published
from tests.apps.jury.sheets import JURORS, marks_of, published
from tests.apps.ranking.halls import give, stage_of
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, name, one, opened, text
from tests.factories import AdminFactory, StageFactory, UserFactory, viewer_of
from tests.project.asking import ask
from tests.project.covering import opened as received
from tests.screen import open_page
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db
SECRET = "13.37"  # a mark that is on no other page


def stage_with_marks(performances=3):
    """Return the appearances of a stage, the stage's id, and marks of all three jurors."""
    appearances = stage_of(performances)
    rows = [
        (appearance.participant_id, 20 + n % 5, "S" if n == 0 else 18, 25 - n % 7)
        for n, appearance in enumerate(appearances)
    ]
    return appearances, appearances[0].session.stage_id, marks_of(*rows)


def rows_of(tree):
    """Return the texts of each row of the table, without the names of columns that a phone shows in the cells."""
    rows = every(one(tree, "tbody"), "tr")
    return [[_cell(cell) for cell in (*every(row, "td"), *every(row, "th"))] for row in rows]


def _cell(cell):
    whose = every(cell, "span", "jury__whose")
    return text(cell).removeprefix(text(whose[0]) if whose else "")


def names_of(tree):
    return [text(one(cell, "a")) for cell in every(one(tree, "tbody"), "th", "jury__name")]


def test_table_has_marks_corrections_and_official_scores():
    appearances, stage_id, _ = stage_with_marks()
    first, second, third = (appearance.participant_id for appearance in appearances)
    officials = {first: Official(Decimal("22.50")), second: Official(Decimal("20.00"))}
    published(stage_id, marks_of((first, 20, "S", 25), (second, 24, 24, 15), (third, 20, 20, 20)), officials=officials)
    main = opened(f"/stages/{stage_id}?view=jury").main
    rows = rows_of(main)
    assert [row[0] for row in rows] == ["1", "2", "3"]
    # the mean of 24, 24, 15 is 21.00: 15 becomes 18, the mean 22.00; without the correction it would be second, too
    assert rows[0][:8] == ["1", "22.50", "–", "22.50, agrees", "", "20", "SThe juror’s own student", "25"]
    assert rows[1][:8] == ["2", "22.00", "–", "≠ 20.00, differs", "1", "24", "24", "15, set to 18.00"]
    assert f"differ from those that follow from these marks: {appearances[1].participant.name}." in text(main)
    assert [text(cell) for cell in every(main, "th", "jury__juror")] == list(JURORS)


def test_missing_earlier_stage_is_stated_and_no_difference():
    appearances, stage_id, _ = stage_with_marks(2)
    first, second = (appearance.participant_id for appearance in appearances)
    officials = {pk: Official(Decimal("22.00"), Decimal("21.40")) for pk in (first, second)}
    sheet = published(stage_id, marks_of((first, 22, 22, 22), (second, 22, 22, 22)), place=2, officials=officials)
    for page in (
        opened(f"/stages/{stage_id}?view=jury"),
        opened(f"/admin/jury?sheet={sheet}", viewer_of(AdminFactory())),
    ):
        shown = text(page.main)
        assert "The cumulated scores cannot be computed: the marks of stage 1 are not published." in shown
        assert all(words not in shown for words in ("differ from", "differs"))
        assert "not compared" in shown
    early = StageFactory()
    published(early.pk, marks_of((first, 20, 20, 20)))
    shown = text(opened(f"/stages/{stage_id}?view=jury").main)
    assert f"scores of {appearances[1].participant.name} cannot be computed: no marks of stage 1 are pub" in shown
    assert "The official scores are those that follow from these marks." in shown, "0.3 × 20 + 0.7 × 22 is 21.40"


def test_table_is_sorted_by_name_and_links_to_jurors():
    appearances, stage_id, marks = stage_with_marks()
    published(stage_id, marks)
    by_name = opened(f"/stages/{stage_id}?view=jury&sort=name").main
    assert names_of(by_name) == sorted(appearance.participant.name for appearance in appearances)
    links = [attributes(one(cell, "a"))["href"] for cell in every(by_name, "th", "jury__juror")]
    recused = opened(links[1]).main  # Bruno Cerny: the first performer is his student
    assert "The ranking of Bruno Cerny" in text(recused)
    assert [row[0] for row in rows_of(recused)] == ["1", "1"]
    for query in ("&juror=999999", "&juror=x", "&sort=x", "&sort=name&juror=" + "9" * 400):
        assert len(rows_of(opened(f"/stages/{stage_id}?view=jury{query}").main)) == 3, query


def test_table_is_sorted_by_one_jurors_ranking():
    appearances, stage_id, _ = stage_with_marks()
    first, second, third = (appearance.participant_id for appearance in appearances)
    published(stage_id, marks_of((first, 25, "S", 25), (second, 20, 19, 20), (third, 18, 21, 18)))
    address = f"/stages/{stage_id}?view=jury"
    juror = attributes(one(every(opened(address).main, "th", "jury__juror")[1], "a"))["href"]
    sort = next(link for link in every(opened(juror).main, "a") if "in this order" in text(link))
    assert "sort=juror" in attributes(sort)["href"]
    table = opened(attributes(sort)["href"]).main
    # the juror's own student comes last
    assert names_of(table) == [appearances[place].participant.name for place in (2, 1, 0)]
    assert [text(cell) for cell in every(table, "th", "jury__juror")] == list(JURORS)
    assert [text(link) for link in every(table, "a") if attributes(link).get("aria-current")][-1] == JURORS[1]
    # an unknown juror: by score, which is 25.00, then 19.67, then 19.00
    unknown = opened(f"{address}&sort=juror&juror=999999").main
    assert [row[0] for row in rows_of(unknown)] == ["1", "2", "3"]


def test_query_count_is_independent_of_performers():
    performances = 12
    _, stage_id, marks = stage_with_marks(performances)
    published(stage_id, marks)
    with CaptureQueriesContext(connection) as queries:
        opened(f"/stages/{stage_id}?view=jury")
    assert len(queries) <= 16


async def test_open_pages_follow_publication():
    _, stage_id, marks = await in_thread(stage_with_marks)
    draft = await in_thread(lambda: sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks))
    async with open_page(f"/stages/{stage_id}") as audience, open_page(f"/stages/{stage_id}?view=jury") as jury:
        assert "Jury" not in audience.text
        assert "The jury’s marks of this stage are not published." in jury.text
        await in_thread(lambda: sheet_publish(actor=OPERATOR, sheet_id=draft.sheet_id))
        await audience.until("AudienceJury")
        await jury.until("Ada Bell")
        await in_thread(lambda: sheet_unpublish(actor=OPERATOR, sheet_id=draft.sheet_id))
        await audience.until_gone("AudienceJury")
        await jury.until("The jury’s marks of this stage are not published.")


async def test_member_uncovers_jury_marks_in_all_windows():
    appearances, stage_id, _ = await in_thread(stage_with_marks)
    rows = [(appearance.participant_id, SECRET, SECRET, SECRET) for appearance in appearances]
    await in_thread(lambda: published(stage_id, marks_of(*rows)))
    address, member = f"/stages/{stage_id}?view=jury", await in_thread(UserFactory)
    async with serving():
        answer = await ask(address, cookie=await in_thread(lambda: session_cookie(member)))
    assert SECRET not in answer.text
    async with open_page(address, user=member) as screen, open_page(address, user=member) as second:
        assert SECRET not in screen.text
        shown = await command(screen, "jury_show", stage_id)
        assert shown["text"] == "The jury’s marks of this stage are shown to you."
        await screen.until(SECRET)
        await second.until(SECRET)
    async with open_page(address) as visitor:
        assert (await command(visitor, "jury_show", stage_id))["ok"] is False


async def test_unpublished_marks_are_not_public():
    appearances, stage_id, _ = await in_thread(stage_with_marks)
    rows = [(appearance.participant_id, SECRET, SECRET, SECRET) for appearance in appearances]
    await in_thread(lambda: sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks_of(*rows)))
    member, performer = await in_thread(UserFactory), appearances[0].participant_id
    pages = [f"/stages/{stage_id}", f"/stages/{stage_id}?view=jury", f"/stages/{stage_id}/jury.csv", "/stages", "/"]
    pages += [f"/participants/{performer}", f"/stages/{stage_id}/ranking.json", "/participants?q=Ada", "/community"]
    async with serving():
        cookie = await in_thread(lambda: session_cookie(member))
        for page in pages:
            for answer in (await ask(page), await ask(page, cookie=cookie)):
                assert SECRET not in answer.text, page
                assert "Ada Bell" not in answer.text, page
        assert (await ask(f"/stages/{stage_id}/jury.csv")).status == 404


async def test_file_has_all_figures_and_marks():
    appearances, stage_id, marks = await in_thread(stage_with_marks)
    await in_thread(lambda: published(stage_id, marks))
    async with serving():
        answer = await ask(f"/stages/{stage_id}/jury.csv")
        again = await ask(f"/stages/{stage_id}/jury.csv", if_none_match=answer.header("etag"))
    assert answer.body.startswith(codecs.BOM_UTF8)
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert {row["participant"] for row in rows} == {appearance.participant.name for appearance in appearances}
    assert [row["Bruno Cerny"] for row in rows].count("S") == 1
    assert [row["rank"] for row in rows] == ["1", "2", "2"]
    assert again.status == 304


def test_jury_marks_are_covered_for_members_if_published():
    _, stage_id, marks = stage_with_marks()
    address, member = f"/stages/{stage_id}?view=jury", viewer_of(UserFactory())
    sheet = sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks)
    draft = text(opened(address, member).main)
    assert "The jury’s marks of this stage are not published." in draft
    assert "Show the jury’s marks" not in draft
    sheet_publish(actor=OPERATOR, sheet_id=sheet.sheet_id)
    assert "Show the jury’s marks" in text(opened(address, member).main)
    ears_first_set(actor=member, ears_first=False)
    assert "Show the jury’s marks" not in text(opened(address, member).main)


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
    cells_published(appearances, [["22"], ["21"], ["21"], ["19"]])
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
    assert "The audience and the jury put 2 of 5 pairs of performances in the same order." in shown
    assert f"{names[0]} jury 1st, audience 4th3 places" in shown


def test_comparison_with_its_interval_is_in_the_jury_view_only():
    appearances = stage_of(9)
    cells_published(appearances, [[str(24 - place)] for place in range(9)])
    ranked(appearances, [1, 2, 3, 4, 5, 6, 7, 9, 8])
    shown = text(opened(address(appearances)).main)
    assert "the two orders is 0.94, nine times in ten between 0." in shown
    assert "had other performers played (9 performances). 1 is the same order, 0 no relation, and −1" in shown
    assert [number(tau) for tau in (-0.001, 0.0, -0.25, 1.0)] == ["0.00", "0.00", "−0.25", "1.00"]
    assert "Audience and jury" in shown
    assert "Audience and jury" not in text(opened(address(appearances).partition("?")[0]).main)


@pytest.mark.parametrize("has_ranking", [True, False])
def test_plot_needs_a_sheet_and_a_ranking(has_ranking):
    appearances = stage_of(3)
    ranked(appearances, [1, 2, 3]) if has_ranking else cells_published(appearances, [["20"], ["21"], ["22"]])
    page = opened(address(appearances))
    assert not every(page.main, "svg", aria_label="The ranks of the jury and of the audience")
    assert not every(page.main, "figure", "versus__plot")
    assert ("The audience has no ranks of the jury’s performances yet." in text(page.main)) is not has_ranking


def test_query_count_is_independent_of_performances():
    count = 12
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
    assert queries(fan) == 20
    assert queries(viewer_of(marked)) == 23 + (2 if count > 1 else 0)  # jurors, marks, and whose performances


async def test_covered_figures_are_not_sent_to_the_member(fan):
    appearances = await in_thread(lambda: compared(9))
    viewer, plan = await in_thread(lambda: viewer_of(fan)), (1, 4, 7)
    for seen in plan:
        await in_thread(lambda seen=seen: figures_show(actor=viewer, appearance_id=appearances[seen].pk))
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
        ranks = [row[2] for row in rows_of(one(member.tree, "table", "jury__table"))]
        assert sorted(ranks) == ["1", "2", "3", *"––––––"], "the audience's ranks are counted among those seen"
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
    cells_published(appearances, [["23", "20.5", "20.4"], ["21", "21", "21"], ["19", "S", "18"]])
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
    figures_show(actor=fan, appearance_id=appearances[3].pk)
    shown = opened(path(appearances[3]), fan)
    assert "than the jury" not in shown.html, "a rank is about all performances of the stage"
    assert "The jury’s marks and the audience’s" in shown.html
    stage_figures_show(actor=fan, stage_id=appearances[0].session.stage_id)
    assert "than the jury" in opened(path(appearances[3]), fan).html


@pytest.mark.parametrize("submitted", [7, 8])
def test_nearest_juror_is_on_the_members_own_page_only(submitted):
    appearances, fan, other = juried(), UserFactory(), UserFactory()
    give(fan, appearances[:submitted], [2 + 2 * place for place in range(submitted)])
    stage_id = appearances[0].session.stage_id
    if submitted < len(appearances):
        assert "hears most as you do" not in opened(address(appearances), viewer_of(fan)).html, "not before the press"
    jury_show(actor=viewer_of(fan), stage_id=stage_id)
    own = opened(address(appearances), viewer_of(fan))
    slot = f"{NEAREST}:{stage_id}"
    shown = text(one(own.main, "div", data_slot=slot))
    is_hidden = attributes(one(own.main, "div", data_slot=slot))["hidden"]
    jury_show(actor=viewer_of(other), stage_id=stage_id)
    for page in (opened(address(appearances), viewer_of(other)), opened(address(appearances))):
        assert "hears most as you do" not in page.html
        assert "Ada Bell hears" not in page.html
        assert "Bruno Cerny hears" not in page.html
        assert attributes(one(page.main, "div", data_slot=slot))["hidden"]
    assert is_hidden is (submitted < 8)
    if submitted < 8:
        assert "hears most as you do" not in own.html
        return
    shrunk = "0.44"
    assert "Ada Bell hears most as you do: you put 28 of 28 pairs of performances in the same order." in shown
    assert "Bruno Cerny hears least as you do: you put 0 of 28 pairs in the same order." in shown
    assert f"Ada Bell: {shrunk}, from {submitted} performances that you both marked (tau-b 1.00)." in shown
    assert f"Bruno Cerny: −{shrunk}, from {submitted} performances that you both marked (tau-b −1.00)." in shown
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
        assert "hears most as you do" not in own.text
        await in_thread(
            lambda: ratings_submit(
                actor=viewer, appearance_id=appearances[7].pk, pieces=marks, score=5, comment="Heard."
            )
        )
        await own.until("Ada Bell hears most as you do: you put 28 of 28 pairs")
        assert "Ada Bell hears" not in visitor.received()
