"""The rule of the jury on administrators' pages: form, preview and choice; the method and a stage's table follow."""

from urllib.parse import urlencode

import pytest

from apps.accounts.models import User
from apps.jury.models import JurySheet
from apps.jury.rule_form import rule_fields
from apps.jury.rules import NINETEENTH, OUTERMOST_LEFT_OUT
from apps.jury.selectors import rule_current
from tests.apps.jury.sheets import marks_of, published
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, ParticipantFactory, StageFactory, viewer_of
from tests.project.plain_forms import PlainPage

pytestmark = pytest.mark.django_db
PAGE = "/admin/jury"
CORRECTED = "A mark farther from the mean of all jurors than 3 points is set to that distance"


@pytest.fixture
def stage():
    """Return a stage with a published sheet: 24, 24 and 15 are corrected to a mean of 22.00."""
    stage = StageFactory(name="Stage A")
    first, second = ParticipantFactory(first_name="Ada", second_name="Alt"), ParticipantFactory()
    stage.sheet_id = published(stage.pk, marks_of((first.pk, 24, 24, 15), (second.pk, 20, 20, 20)))
    return stage


def form_of(**changed):
    """Return the page with these fields of the form, sent by its button Preview."""
    return f"{PAGE}?{urlencode({'rule': 'current'} | rule_fields(NINETEENTH) | changed)}"


def test_preview_names_what_would_change(stage):
    admin = viewer_of(AdminFactory())
    shown = text(opened(form_of(distance_1="5"), admin).main)
    assert "1 of 2 performers change." in shown
    assert "Ada Alt: score 22.00 → 21.33" in shown
    assert "The published figures stay until the sheet is published again." in shown
    assert "Use this rule" in shown
    assert "This rule is in force." in text(opened(form_of(), admin).main)
    noted = text(opened(form_of(weights_2="0.5, 0.7"), admin).main)
    assert "The weights of stage 2 add up to 1.2, not to 1." in noted
    assert "Use this rule" in noted, "a note, and allowed"
    refused = opened(form_of(weights_2="0, 0", method_1="trimmed"), admin).main
    assert "Use this rule" not in text(refused)
    assert attributes(one(refused, "input", id="weights_2"))["aria-invalid"] == "true"
    assert "Without a weight above 0 every cumulated score is 0." in text(refused)
    for query in ("rule=x", "rule=999999", "rule=current&edition=" + "x" * 400, "rule=current&edition=x&stages=-1"):
        assert "Another rule" in text(opened(f"{PAGE}?{query}", admin).main), query


@pytest.mark.django_db(transaction=True)
def test_rule_is_chosen_and_a_sheet_is_published_again_without_scripts(client, stage):
    admin = AdminFactory()
    client.force_login(User.objects.get(pk=admin.pk))
    assert CORRECTED in text(one(opened("/stages/method").main, "section", id="jury"))
    assert CORRECTED in text(opened(f"/stages/{stage.pk}?view=jury").main)
    page = PlainPage.at(client, f"{PAGE}?rule=outermost")
    answered = page.send("jury_rule_choose")
    assert "The rule is in force." in answered.text
    assert rule_current() == OUTERMOST_LEFT_OUT
    assert "Rule: 19th, 2025, version 1" in answered.text
    method = text(one(opened("/stages/method").main, "section", id="jury"))
    assert "The highest and the lowest mark of each performance are left out" in method
    assert "Stages published under this rule: Stage A." in method, "the rule of the published sheet is there, too"
    assert CORRECTED in text(opened(f"/stages/{stage.pk}?view=jury").main)
    # a second window with the older rule
    assert "Another rule was chosen meanwhile" in PlainPage.at(client, f"{PAGE}?rule=votes").send(
        "jury_rule_choose", version="rule:0000000000"
    ).text  # fmt: skip
    PlainPage.at(client, PAGE).press("jury_renew", stage.sheet_id)
    draft = JurySheet.objects.get(published_at=None)
    PlainPage.at(client, PAGE).press("jury_publish", draft.pk).agree("jury_publish", draft.pk)
    seen = opened(f"/stages/{stage.pk}?view=jury").main
    assert "The highest and the lowest mark of each performance are left out" in text(seen)
    assert [text(cell) for cell in every(one(seen, "thead"), "th")][3:5] == ["Audience", "Left out"]
    row = next(row for row in every(one(seen, "tbody"), "tr") if "Ada Alt" in text(row))
    # one of the two marks of 24 and the 15 are left out
    cells = [text(cell) for cell in every(row, "td")]
    marks = ["Ada Bell24", "Bruno Cerny24, left out", "Carla Diaz15, left out"]
    assert (cells[1], cells[3], sorted(cells[4:])) == ("24.00", "Left out2", marks)
    assert "19th, 2025" not in text(one(opened("/stages/method").main, "section", id="jury"))
