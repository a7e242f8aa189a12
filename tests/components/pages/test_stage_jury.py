"""The jury's tab of a stage: the table, one juror's ranking, the cover of members, publication, the file."""

import csv
import io
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.core.threads import in_thread
from apps.jury.contents import Official
from apps.jury.services import sheet_publish, sheet_save, sheet_unpublish
from apps.ratings.services.covering import ears_first_set
from tests.apps.jury.sheets import JURORS, marks_of, published
from tests.apps.ranking.halls import stage_of
from tests.commanding import command
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import UserFactory, viewer_of
from tests.project.asking import ask
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
    """Return the texts of each row of the table."""
    return [[text(cell) for cell in (*every(row, "td"), *every(row, "th"))] for row in every(one(tree, "tbody"), "tr")]


def names_of(tree):
    return [text(cell) for cell in every(one(tree, "tbody"), "th", "jury__name")]


def test_table_has_marks_corrections_and_official_scores():
    appearances, stage_id, _ = stage_with_marks()
    first, second, third = (appearance.participant_id for appearance in appearances)
    officials = {first: Official(Decimal("22.50")), second: Official(Decimal("20.00"))}
    published(stage_id, marks_of((first, 20, "S", 25), (second, 24, 24, 15), (third, 20, 20, 20)), officials=officials)
    main = opened(f"/stages/{stage_id}?view=jury").main
    rows = rows_of(main)
    assert [row[0] for row in rows] == ["1", "2", "3"]
    # the mean of 24, 24, 15 is 21.00: 15 becomes 18, the mean 22.00; without the correction it would be second, too
    assert rows[0][:7] == ["1", "22.50", "22.50, agrees", "", "20", "SThe juror’s own student", "25"]
    assert rows[1][:7] == ["2", "22.00", "≠ 20.00, differs", "1", "24", "24", "15, set to 18.00"]
    assert f"differ from those that follow from these marks: {appearances[1].participant.name}." in text(main)
    assert [text(cell) for cell in every(main, "th", "jury__juror")] == list(JURORS)


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


def test_differing_official_score_is_marked():
    appearances, stage_id, _ = stage_with_marks(1)
    pk = appearances[0].participant_id
    published(stage_id, marks_of((pk, 20, 20, 20)), officials={pk: Official(Decimal("19.00"), Decimal("20.00"))})
    main = opened(f"/stages/{stage_id}?view=jury").main
    assert "≠ 19.00 / 20.00, differs" in rows_of(main)[0]


@pytest.mark.parametrize("performances", [1, 84])
def test_query_count_is_independent_of_performers(performances):
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
    rows = list(csv.DictReader(io.StringIO(answer.text)))
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
