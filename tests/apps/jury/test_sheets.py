"""Test sheets of the jury: saving, publication, correction, withdrawal, and the results of later stages."""

from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import OPERATOR
from apps.core.edits import ConfirmationNeeded
from apps.jury.contents import RECUSED, MarkChange, Official, SheetContent, marks_changed
from apps.jury.models import Juror, JuryRule, JurySheet
from apps.jury.selectors import jury_sheet, jury_sheet_admin, jury_sheet_newest, jury_stages, sheets_admin
from apps.jury.services import sheet_delete, sheet_publish, sheet_save, sheet_unpublish
from tests.apps.jury.sheets import JURORS, marks_of, published
from tests.factories import ParticipantFactory, StageFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [ParticipantFactory().pk for _ in range(3)]


def test_draft_is_public_only_after_publication(people):
    stage = StageFactory()
    first, second, third = people
    marks = marks_of((first, 20, 21, 25), (second, 20, 18, 22), (third, "S", 24, 25))
    saved = sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, marks=marks, file_name="stage1.csv")
    assert saved.is_changed
    assert (jury_sheet(stage_id=stage.pk), jury_stages()) == (None, frozenset())
    assert [(each.performers, each.jurors, each.marks) for each in sheets_admin()] == [(3, 3, 9)]
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)  # idempotent
    shown = jury_sheet(stage_id=stage.pk)
    assert [each.name for each in shown.jurors] == list(JURORS)
    assert [(row.participant_id, str(row.mean), str(row.score), row.corrected, row.rank) for row in shown.rows] == [
        (third, "24.50", "24.50", 0, 1),
        (first, "22.00", "22.00", 0, 2),
        (second, "20.00", "20.00", 0, 3),
    ]
    assert shown.rows[0].cells == (RECUSED, Decimal(24), Decimal(25))
    assert (jury_stages(), shown.has_officials) == ({stage.pk}, False)
    sheet_unpublish(actor=OPERATOR, sheet_id=saved.sheet_id)
    assert jury_sheet(stage_id=stage.pk) is None
    sheet_delete(actor=OPERATOR, sheet_id=saved.sheet_id)
    assert (sheets_admin(), jury_sheet_admin(sheet_id=saved.sheet_id)) == ((), None)


def test_correction_is_a_draft_until_it_is_published(people):
    stage, (first, second, _) = StageFactory(), people
    marks = marks_of((first, 20, 21, 25), (second, 20, 18, 22))
    saved = sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, marks=marks)
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)
    same = {(pk, juror.upper()): cell for (pk, juror), cell in reversed(marks.items())}
    assert sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, marks=same).is_changed is False
    corrected = {**marks, (first, "Ada Bell"): Decimal(19)}
    draft = sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, marks=corrected)
    stored = jury_sheet_newest(stage_id=stage.pk).content
    assert marks_changed(SheetContent(marks), stored) == (MarkChange(first, "Ada Bell", Decimal(20), Decimal("19.00")),)
    assert jury_sheet(stage_id=stage.pk).id == saved.sheet_id
    with pytest.raises(ValidationError, match="newer draft"):
        sheet_unpublish(actor=OPERATOR, sheet_id=saved.sheet_id)
    officials = {first: Official(Decimal("21.56"), Decimal("21.56"), 1), second: Official(Decimal("20.10"))}
    with_officials = sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, officials=officials)
    assert with_officials.sheet_id != draft.sheet_id
    sheet_publish(actor=OPERATOR, sheet_id=with_officials.sheet_id)
    shown = jury_sheet(stage_id=stage.pk)
    assert [(row.official, row.differs) for row in shown.rows] == [(Decimal("21.56"), False), (Decimal("20.10"), True)]
    assert (JurySheet.objects.count(), JuryRule.objects.count(), Juror.objects.count()) == (1, 1, 3)


def test_later_stages_use_published_sheets_of_earlier_ones(people):
    stages = [StageFactory(), StageFactory()]
    first, second, _ = people
    marks = marks_of((first, 20, 20, 20), (second, 22, 22, 22))
    early = sheet_save(actor=OPERATOR, stage_id=stages[0].pk, place=1, marks=marks)
    marks = marks_of((first, 21, 21, 21), (second, 20, 20, 24))
    late = sheet_save(actor=OPERATOR, stage_id=stages[1].pk, place=2, marks=marks)
    assert [str(row.cumulated) for row in jury_sheet_admin(sheet_id=late.sheet_id).rows] == ["21.38", "20.70"]
    sheet_publish(actor=OPERATOR, sheet_id=late.sheet_id)
    # public results contain no unpublished marks of the first stage
    shown = jury_sheet(stage_id=stages[1].pk)
    assert [(row.cumulated, str(row.score)) for row in shown.rows] == [(None, "21.11"), (None, "21.00")]
    assert shown.missing_places == (1,)
    sheet_publish(actor=OPERATOR, sheet_id=early.sheet_id)
    shown = jury_sheet(stage_id=stages[1].pk)
    assert [(row.participant_id, str(row.cumulated), row.corrected) for row in shown.rows] == [
        (second, "21.38", 1),
        (first, "20.70", 0),
    ]
    assert shown.missing_places == ()


def test_figure_that_cannot_be_computed_is_not_a_difference(people):
    stages = [StageFactory(name="Stage A"), StageFactory(name="Stage B")]
    first, second, third = people
    early = published(stages[0].pk, marks_of((first, 20, 20, 20), (second, 22, 22, 22)))
    officials = {first: Official(Decimal(21), Decimal("20.70")), third: Official(Decimal("21.5"), Decimal("21.35"))}
    late = published(stages[1].pk, marks_of((first, 21, 21, 21), (third, 21, 21, 21)), place=2, officials=officials)
    rows = {row.participant_id: row for row in jury_sheet(stage_id=stages[1].pk).rows}
    assert rows[first].compared == (True, True)
    assert (rows[third].compared, rows[third].differs) == ((False,), True), "the score itself is another one"
    with pytest.raises(ConfirmationNeeded) as asked:
        sheet_unpublish(actor=OPERATOR, sheet_id=early, confirmed=False)
    assert any("scores of Stage B need these marks" in words for words in asked.value.messages)
    with pytest.raises(ConfirmationNeeded) as asked:
        sheet_unpublish(actor=OPERATOR, sheet_id=late, confirmed=False)
    assert len(asked.value.messages) == 1, "no stage follows"
    sheet_unpublish(actor=OPERATOR, sheet_id=early)
    row = next(row for row in jury_sheet(stage_id=stages[1].pk).rows if row.participant_id == first)
    assert (row.cumulated, row.compared, row.differs) == (None, (True,), False)


def test_marks_and_stages_outside_the_rule_are_refused(people):
    stage_id = StageFactory().pk
    cases = [(mark, 1, "Marks are from 1 to 25") for mark in ("25.5", "0", "NaN", "20.125")]
    for mark, place, message in (*cases, ("20", 5, "stages 1 to 4")):
        with pytest.raises(ValidationError, match=message):
            sheet_save(actor=OPERATOR, stage_id=stage_id, place=place, marks={(people[0], "Ada Bell"): Decimal(mark)})
    assert JurySheet.objects.count() == 0


def test_only_administrators_write(people):
    member, marks = UserFactory(), {(people[0], "Ada Bell"): Decimal(20)}
    saved = sheet_save(actor=OPERATOR, stage_id=StageFactory().pk, place=1, marks=marks)
    for write in (sheet_publish, sheet_unpublish, sheet_delete):
        with pytest.raises(PermissionDenied):
            write(actor=member, sheet_id=saved.sheet_id)
    with pytest.raises(PermissionDenied):
        sheet_save(actor=member, stage_id=StageFactory().pk, place=1, marks=marks)
