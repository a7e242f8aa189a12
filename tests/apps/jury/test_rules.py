"""Test rules of a jury as data: presets against other arithmetic, faults, storage, choice and preview of a rule."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.core.rounding import Rounding, rounded
from apps.imports.enums import JuryFault
from apps.imports.jury_files.sheets import sheet_parse
from apps.jury.arithmetic import results
from apps.jury.contents import RECUSED
from apps.jury.enums import ScoreMethod
from apps.jury.models import JuryMark, JuryRule, JurySheet
from apps.jury.orders import juror_ranking
from apps.jury.rule_form import rule_fields, rule_read
from apps.jury.rule_preview import rule_preview
from apps.jury.rules import NINETEENTH, OUTERMOST_LEFT_OUT, PRESETS, VOTES_POINTS_RANKS, Rule, StageRule
from apps.jury.selectors import (
    jury_marks,
    jury_marks_of,
    jury_scores,
    jury_sheet,
    jury_sheet_admin,
    rule_current,
    rule_version,
    rules_in_use,
)
from apps.jury.services import rule_choose, sheet_publish, sheet_renew, sheet_save
from tests.apps.imports.jury_files import HEADER, OFFICIALS, PEOPLE, file_of, jury_text
from tests.apps.jury.sheets import marks_of, published
from tests.apps.jury.test_golden import published as published_rows
from tests.apps.jury.test_golden import sheet as sheet_of_2025
from tests.factories import ParticipantFactory, StageFactory, UserFactory

db = pytest.mark.django_db


def hundredths_half_up(total, count):
    """Return total / count in hundredths, with whole numbers only."""
    return (2 * 100 * total + count) // (2 * count)


def test_trimmed_means_are_those_of_the_sum_without_both_ends():
    """The marks of 2025 times four, as points to 100."""
    rows = {int(number): [4 * int(mark) for mark in marks] for number, marks in sheet_of_2025().items()}
    marks = {pk: dict(enumerate(map(Decimal, own))) for pk, own in rows.items()}
    expected = {pk: hundredths_half_up(sum(own) - max(own) - min(own), len(own) - 2) for pk, own in rows.items()}
    assert len(expected) == 84
    for place in (1, 2, 3):  # no stage carries over
        earlier = [dict.fromkeys(rows, Decimal(7))] * (place - 1)
        found = results(OUTERMOST_LEFT_OUT, place, marks, earlier)
        assert {pk: int(each.score.score * 100) for pk, each in found.items()} == expected
        assert {pk: each.cumulated for pk, each in found.items()} == {
            pk: each.score.score for pk, each in found.items()
        }
        assert {pk: each.rank for pk, each in found.items()} == {
            pk: 1 + sum(other > own for other in expected.values()) for pk, own in expected.items()
        }
        assert {each.score.corrected for each in found.values()} == {2}


def decimals(*rows):
    """Return the marks of performers 1, 2, … by juror; None for a recused one."""
    return {
        pk: {juror: Decimal(mark) for juror, mark in enumerate(row) if mark is not None}
        for pk, row in enumerate(rows, start=1)
    }


def figures(rule, place, marks):
    return [
        (str(each.score.score), each.rank) if each.score else None
        for each in results(rule, place, marks, [{}] * (place - 1)).values()
    ]


def test_votes_points_and_ranks_by_hand():
    # two of three and one of three; the fourth has two votes only, the fifth none
    votes = decimals((1, 1, 0), (1, 0, 0), (1, 1, 1), (1, None, 0), (None, None, None))
    assert figures(VOTES_POINTS_RANKS, 1, votes) == [("0.67", 2), ("0.33", 4), ("1.00", 1), ("0.50", 3), None]
    assert figures(VOTES_POINTS_RANKS, 2, decimals((7, 8, 8), (10, 9, 10))) == [("7.67", 2), ("9.67", 1)]
    # sums of places: 1 + 2 + 1, 2 + 1 + 2, 3 + 3 + 3
    assert figures(VOTES_POINTS_RANKS, 3, decimals((1, 2, 1), (2, 1, 2), (3, 3, 3))) == [
        ("4.00", 1),
        ("5.00", 2),
        ("9.00", 3),
    ]
    # two share the first place of the first juror, (1 + 2) / 2 each; the last juror is recused for the third performer:
    # 1.5 + 1, 1.5 + 2 and in place of the recused juror's rank the mean of the others', 3 + 3/1
    assert figures(VOTES_POINTS_RANKS, 3, decimals((1, 1), (1, 2), (3, None))) == [
        ("2.50", 1),
        ("3.50", 2),
        ("6.00", 3),
    ]


@given(st.lists(st.lists(st.integers(1, 25), min_size=3, max_size=3), min_size=1, max_size=9))
def test_rank_sums_equal_counted_pairs(rows):
    rule = Rule("pairs", 1, (StageRule((Decimal(1),), ScoreMethod.RANKS),))
    found = results(rule, 1, decimals(*rows), [])
    for pk, own in enumerate(rows, start=1):
        halves = sum(
            2 * (1 + sum(other[juror] > own[juror] for other in rows))
            + sum(other[juror] == own[juror] for other in rows)
            - 1
            for juror in range(3)
        )
        assert found[pk].score.score * 2 == halves
    sums = {pk: each.score.score for pk, each in found.items()}
    assert all(found[pk].rank == 1 + sum(other < own for other in sums.values()) for pk, own in sums.items())


def test_rounding_of_a_rule():
    half, third = Fraction(205, 1000), Fraction(2, 3)
    assert [str(rounded(half, 2, how)) for how in Rounding] == ["0.21", "0.20", "0.20"]
    assert [str(rounded(third, 2, how)) for how in Rounding] == ["0.67", "0.67", "0.66"]
    marks = decimals((20, 21, 21))
    for how, score in zip(Rounding, ("20.7", "20.7", "20.6"), strict=True):
        rule = Rule("one decimal", 1, (StageRule((Decimal(1),)),), 1, how)
        assert figures(rule, 1, marks) == [(score, 1)]


def test_presets_are_the_same_after_a_form():
    for rule in PRESETS.values():
        assert rule.is_same(rule_read(rule_fields(rule)))
    added = rule_read(rule_fields(OUTERMOST_LEFT_OUT) | {"stages": "4"})
    assert added.stage(4) == StageRule(
        (Decimal(0),) * 3 + (Decimal(1),), ScoreMethod.TRIMMED, lowest=Decimal(0), highest=Decimal(100), left_out=1
    )


FAULTS = [
    ({"edition": " "}, "edition"),
    ({"edition": "x" * 41}, "edition"),
    ({"stages": "0"}, "stages"),
    ({"stages": "99"}, "stages"),
    ({"decimals": "3"}, "decimals"),
    ({"rounding": "up"}, "rounding"),
    ({"lowest_1": "25"}, "highest_1"),
    ({"highest_1": "100.5"}, "highest_1"),
    ({"highest_1": "1e9"}, "highest_1"),
    ({"distance_1": ""}, "distance_1"),
    ({"method_1": "trimmed", "left_out_1": "0"}, "left_out_1"),
    ({"method_1": "trimmed", "left_out_1": "6"}, "left_out_1"),
    ({"weights_2": "0, 0"}, "weights_2"),
    ({"weights_2": "1"}, "weights_2"),
    ({"weights_2": "0.3, -0.7"}, "weights_2"),
    ({"weights_2": "1.2.3, 1"}, "weights_2"),
    ({"marks_1": "places"}, "method_1"),
    ({"method_2": "ranks"}, "weights_2"),
    ({"method_1": "ranks"}, "weights_2"),
    ({"method_1": "magic"}, "method_1"),
]


@pytest.mark.parametrize(("changed", "field"), FAULTS)
def test_rule_without_a_result_is_refused_at_its_field(changed, field):
    with pytest.raises(ValidationError) as refused:
        rule_read(rule_fields(NINETEENTH) | changed)
    assert field in refused.value.error_dict


@given(st.dictionaries(st.sampled_from(sorted(rule_fields(NINETEENTH))), st.text(max_size=12)))
def test_any_fields_give_a_rule_or_errors_by_field(changed):
    rule, errors = None, {}
    try:
        rule = rule_read(rule_fields(NINETEENTH) | changed)
    except ValidationError as refused:
        errors = refused.error_dict
    assert errors if rule is None else rule_read(rule_fields(rule)) == rule


def stored(**changed):
    """Insert a rule into the table, past the services."""
    scale = {"lowest": "1", "highest": "25", "marks": "points", "left_out": 0, "method": "mean"}
    values = {"edition": "x", "version": 1, "lowest": 1, "highest": 25, "decimals": 2}
    values |= {"distances": ["3"], "weights": [["1"]], "stages": [scale]}
    if "stage" in changed:
        changed["stages"] = [scale | changed.pop("stage")]
    with transaction.atomic():
        return JuryRule.objects.create(**values | changed)


@db
def test_database_refuses_rules_that_cannot_be_computed():
    assert stored(stages=[]).pk, "as the version before writes it"
    faults = [
        *({"highest": 1}, {"highest": 101}, {"decimals": 3}, {"rounding": "up"}, {"edition": " "}),
        *({"weights": []}, {"weights": [["0"]]}, {"weights": [["-1", "2"]]}, {"weights": [["1"], ["0", "1"]]}),
        *({"weights": "1"}, {"distances": ["-1"]}, {"stages": [{}, {}]}, {"stage": {"lowest": "25"}}),
        *({"stage": {"method": "trimmed"}}, {"distances": ["3"] * 7, "weights": [["1"]] * 7, "stages": []}),
    ]
    accepted = []
    for version, fault in enumerate(faults, start=2):
        try:
            accepted.append((fault, stored(version=version, **fault)))
        except IntegrityError:
            continue
    assert accepted == []
    row = JuryRule.objects.get()
    with pytest.raises(IntegrityError, match="is not changed"), transaction.atomic():
        JuryRule.objects.filter(pk=row.pk).update(decimals=1)
    JuryRule.objects.filter(pk=row.pk).update(is_current=True)
    with pytest.raises(IntegrityError):
        stored(version=99, is_current=True)


@pytest.fixture
def people():
    return [ParticipantFactory().pk for _ in range(3)]


def scores_of(sheet):
    return {row.participant_id: str(row.score) for row in sheet.rows}


@db
def test_published_sheet_keeps_its_rule_until_it_is_published_again(people):
    first, second, third = people
    stages = [StageFactory(name="Stage A"), StageFactory(name="Stage B")]
    marks = marks_of((first, 20, 21, 25), (second, 24, 24, 15), (third, 20, "S", 22))
    public = published(stages[0].pk, marks)
    draft = sheet_save(actor=OPERATOR, stage_id=stages[1].pk, place=2, marks=marks).sheet_id
    before, old = scores_of(jury_sheet(stage_id=stages[0].pk)), jury_sheet_admin(sheet_id=draft)
    assert old.has_cumulated
    plain = rule_read(rule_fields(NINETEENTH) | {"method_1": "mean", "method_2": "mean", "weights_2": "0, 1"})
    expected = rule_preview(rule=plain)
    assert rule_choose(actor=OPERATOR, rule=plain).startswith("The rule is in force")
    assert (rule_current().edition, rule_current().version) == ("19th, 2025", 2)
    assert scores_of(jury_sheet(stage_id=stages[0].pk)) == before
    assert jury_sheet(stage_id=stages[0].pk).rule == NINETEENTH
    now = jury_sheet_admin(sheet_id=draft)
    assert (now.rule.version, now.has_cumulated, scores_of(now)[second]) == (2, False, "21.00")
    assert [(each.rule.version, each.is_current, each.stages) for each in rules_in_use()] == [
        (2, True, ()),
        (1, False, ("Stage A",)),
    ]
    anew = sheet_renew(actor=OPERATOR, sheet_id=public)
    assert anew.is_changed
    with pytest.raises(ValidationError, match="newer draft"):
        sheet_renew(actor=OPERATOR, sheet_id=public)
    assert scores_of(jury_sheet(stage_id=stages[0].pk)) == before, "a draft changes nothing"
    sheet_publish(actor=OPERATOR, sheet_id=anew.sheet_id)
    sheet = jury_sheet(stage_id=stages[0].pk)
    assert (sheet.rule.version, scores_of(sheet)) == (2, {first: "22.00", second: "21.00", third: "21.00"})
    assert sheet_renew(actor=OPERATOR, sheet_id=anew.sheet_id).is_changed is False
    # the preview said so
    changed = {each.stage: {change.name: str(change.after[0]) for change in each.changes} for each in expected}
    for shown in (sheet, jury_sheet_admin(sheet_id=draft)):
        differing = {row.name: str(row.score) for row in shown.rows if row.name in changed[shown.stage]}
        assert differing == changed[shown.stage] != {}


@db
def test_rule_that_leaves_no_mark_computes_no_sheet(people):
    first, second, _ = people
    stage = StageFactory()
    sheet = sheet_save(
        actor=OPERATOR, stage_id=stage.pk, place=1, marks=marks_of((first, 20, 21, 25), (second, 24, "S", 15))
    )
    [preview] = rule_preview(rule=OUTERMOST_LEFT_OUT)
    assert "2 are left out: no mark remains" in preview.error.messages[0]
    rule_choose(actor=OPERATOR, rule=OUTERMOST_LEFT_OUT)
    assert jury_sheet_admin(sheet_id=sheet.sheet_id).rule == NINETEENTH, "it cannot be computed with the other one"
    with pytest.raises(ValidationError, match="no mark remains"):
        sheet_renew(actor=OPERATOR, sheet_id=sheet.sheet_id)
    assert JurySheet.objects.count() == 1
    whole = marks_of((first, 20, 21, 100), (second, 24, 0, 15))
    sheet_save(actor=OPERATOR, stage_id=stage.pk, place=1, marks=whole)
    assert scores_of(jury_sheet_admin(sheet_id=JurySheet.objects.get().pk)) == {first: "21.00", second: "15.00"}
    with pytest.raises(ValidationError, match="stages 1 to 3"):
        sheet_save(actor=OPERATOR, stage_id=StageFactory().pk, place=4, marks=whole)


@db
def test_two_administrators_and_a_repeated_choice(people):
    version = rule_version(rule_current())
    rule_choose(actor=OPERATOR, rule=VOTES_POINTS_RANKS, version=version)
    with pytest.raises(ValidationError, match="Another rule was chosen meanwhile"):
        rule_choose(actor=OPERATOR, rule=OUTERMOST_LEFT_OUT, version=version)
    # the answer was lost, and the form is sent again
    assert "nothing changed" in rule_choose(actor=OPERATOR, rule=VOTES_POINTS_RANKS, version=version)
    rule_choose(actor=OPERATOR, rule=NINETEENTH)
    rule_choose(actor=OPERATOR, rule=VOTES_POINTS_RANKS)
    assert sorted(map(str, JuryRule.objects.all())) == ["19th, 2025, version 1", "Votes, points, ranks, version 1"]
    with pytest.raises(PermissionDenied):
        rule_choose(actor=UserFactory(), rule=NINETEENTH)
    with pytest.raises(PermissionDenied):
        sheet_renew(actor=UserFactory(), sheet_id=1)
    unsound = Rule("unsound", 0, (StageRule((Decimal(0),)),))
    with pytest.raises(ValidationError):
        rule_choose(actor=OPERATOR, rule=unsound)


@db
def test_official_scores_of_2025_come_out_of_the_stored_rule():
    """The rule of the preset through form, table and sheet: all 84 figures to the hundredth."""
    other = rule_read(rule_fields(NINETEENTH) | {"edition": "A copy"})
    rule_choose(actor=OPERATOR, rule=other)
    people = {row["start_number"]: ParticipantFactory().pk for row in published_rows()}
    marks = {
        (people[number], f"Juror {juror}"): mark
        for number, own in sheet_of_2025().items()
        for juror, mark in enumerate(own)
    }
    sheet = published(StageFactory().pk, marks)
    assert JurySheet.objects.get(pk=sheet).rule.edition == "A copy"
    rows = {row.participant_id: row for row in jury_sheet_admin(sheet_id=sheet).rows}
    official = {people[row["start_number"]]: row for row in published_rows()}
    assert len(rows) == 84
    assert {pk: (row.mean, row.score, row.cumulated) for pk, row in rows.items()} == {
        pk: tuple(Decimal(row[name]) for name in ("raw_mean_2dp", "official_stage_score", "official_cumulative"))
        for pk, row in official.items()
    }


def read(*lines, header=HEADER):
    """Return the cells or the scores, and the faults, of a file that is read with votes, points and ranks."""
    text = jury_text(file_of(*lines, header=header).encode())
    sheet = sheet_parse(text, rule=VOTES_POINTS_RANKS, participants=PEOPLE, jurors=(), choices={})
    return [*sheet.cells.values(), *(each.score for each in sheet.officials.values())], [
        str(each.fault) for each in sheet.faults
    ]


def test_files_are_read_in_the_scale_of_their_stage():
    votes = [f"1,{number},,Juror One,{vote}," for number, vote in ((1, "Yes"), (2, "no"), (3, "1"))]
    assert read(*votes) == ([1, 0, 1], [])
    for stage, mark in (("1", "2"), ("1", "0.5"), ("2", "0"), ("2", "yes"), ("2", "10.5"), ("3", "1.5"), ("3", "21")):
        cells, faults = read(f"{stage},1,,Juror One,{mark},")
        assert (cells, JuryFault.SCALE in faults) == ([], True), (stage, mark)
    assert read("3,1,,31.5,31.5,2", header=OFFICIALS) == ([Decimal("31.5")], []), "a sum of ranks has no scale"
    assert JuryFault.SCALE in read("2,1,,31.5,,2", header=OFFICIALS)[1]


@db
def test_marks_of_another_scale_are_not_beside_the_audiences_keys(people):
    first, second, _ = people
    marks = {(first, "Ada Bell"): Decimal(1), (second, "Ada Bell"): RECUSED, (second, "Bruno Cerny"): Decimal(0)}
    rule_choose(actor=OPERATOR, rule=VOTES_POINTS_RANKS)
    votes, final = StageFactory(), StageFactory()
    published(votes.pk, marks)
    published(final.pk, marks_of((first, 2, 2, 1), (second, 1, 1, 2)), place=3)
    assert JuryMark.objects.count() == 9
    assert (jury_marks(stage_id=votes.pk), jury_marks_of(participant_ids=people)) == ({}, {})
    scores = jury_scores(stage_ids=(votes.pk, final.pk))
    assert {pk: each.lowest_wins for pk, each in scores.items()} == {votes.pk: False, final.pk: True}
    sheet = jury_sheet(stage_id=final.pk)
    assert [row.participant_id for row in sheet.rows] == [second, first]
    by_carla = juror_ranking(sheet, sheet.jurors[2].id)
    assert [(rank, row.participant_id) for rank, _, row in by_carla] == [(1, first), (2, second)]
    with pytest.raises(ValidationError, match="Marks are from 1 to 20"):
        sheet_save(actor=OPERATOR, stage_id=final.pk, place=3, marks={(first, "Ada Bell"): Decimal("1.5")})
