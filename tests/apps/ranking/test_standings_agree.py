"""Random audiences: the standings that every account sees equal the ranking's and follow the published rules.

Three sources are compared: `own_standings` for one account after the other, the stored run with its file of marks, and
`reasons_by_rules`, which applies the rules of the page /stages/method to the rows, without the code of the app.
"""

import os
from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings

from apps.accounts.actors import OPERATOR
from apps.ranking.enums import AfterClosing, NotCounted
from apps.ranking.method2 import LEAST_PERFORMANCES, LEAST_RATERS
from apps.ranking.selectors import own_standings, run_get, stage_counting
from apps.ranking.selectors.files import marks_file
from apps.ranking.services import ranking_close, ranking_compute, ranking_reopen
from apps.ratings.models import PieceRating
from tests.apps.ranking.evenings import Audience, evenings, reasons_by_rules, repeated_of
from tests.apps.ranking.test_publication import unpacked

EXAMPLES = int(os.environ.get("EXAMPLES", "4"))  # `make soak` tries more


def standings_of_all(audience):
    """Return the standing of each pair of an account and a performance."""
    return {
        (user.pk, pk): standing for user in audience.people for pk, standing in own_standings(user_id=user.pk).items()
    }


def counting_marks(standings):
    """Return the marks that count by these standings."""
    return {pair: each.mark for pair, each in standings.items() if each.counts}


def changed_at(pair):
    """Return the time of the newest change of the marks of a pair."""
    return PieceRating.objects.filter(user=pair[0], appearance=pair[1]).latest("updated_at").updated_at


def lines_of_file(audience):
    """Return the number of lines in the file of marks, without those of weight 0."""
    return sum(line["weight"] != "0" for line in unpacked(marks_file(stage_id=audience.stage_id, is_operator=True)))


def ranked(pairs):
    """Return the number of these pairs of account and performance that remain in the method's input."""
    pairs, size = set(pairs), -1
    while size != (size := len(pairs)):
        raters = Counter(appearance_id for _, appearance_id in pairs)
        pairs = {pair for pair in pairs if raters[pair[1]] >= LEAST_RATERS}
        sheets = Counter(user_id for user_id, _ in pairs)
        pairs = {pair for pair in pairs if sheets[pair[0]] >= LEAST_PERFORMANCES}
    return size


def agree(audience):
    """Check the standings of all accounts right after a computation: against the run, its file, and the rules."""
    standings, counting, run = (
        standings_of_all(audience),
        stage_counting(stage_id=audience.stage_id),
        run_get(stage_id=audience.stage_id),
    )
    assert {pair: each.reason for pair, each in standings.items()} == reasons_by_rules(audience)
    counts = counting_marks(standings)
    assert counts == {(each.user_id, each.appearance_id): each.mark for each in counting.marks}
    if run is None:
        assert standings == {}
        return
    assert len(counts) == run.marks
    assert lines_of_file(audience) == ranked(counts)
    reasons = Counter(each.reason for each in standings.values() if each.reason)
    assert reasons == {reason: count for reason, count in run.not_counted.items() if count}
    for standing in standings.values():
        assert standing.after_closing is None
        assert (standing.due_at is not None) == (standing.reason == NotCounted.NEW)
        assert standing.missing >= (standing.reason == NotCounted.PARTIAL)


def happen(audience, events):
    for event in events:
        audience.happen(*event)


def spend(audience, evening):
    """Let the evening pass, and check after every computation and after the closing."""
    audience.fill(evening)
    ranking_compute(stage_id=audience.stage_id)
    agree(audience)
    run, counted = run_get(stage_id=audience.stage_id), counting_marks(standings_of_all(audience))
    happen(audience, evening["before_closing"])
    if evening["is_closed"] and run is not None:
        ranking_close(actor=OPERATOR, stage_id=audience.stage_id, confirmed=True)
        happen(audience, evening["after_closing"])
        ranking_compute(stage_id=audience.stage_id)
        agree_closed(audience, counted)
        ranking_reopen(actor=OPERATOR, stage_id=audience.stage_id)
    ranking_compute(stage_id=audience.stage_id)
    agree(audience)


def agree_closed(audience, counted):
    """Check the standings of all accounts in a closed ranking that counts `counted`, as far as these marks remain."""
    standings, closed_at = standings_of_all(audience), run_get(stage_id=audience.stage_id).final_at
    assert lines_of_file(audience) == ranked(counted)
    assert standings.keys() == reasons_by_rules(audience).keys()
    again = {pair for pair in standings if pair[1] in repeated_of(audience) and pair not in counted}
    assert {pair for pair, each in standings.items() if each.reason == NotCounted.REPEATED} == again
    late = {pair for pair in standings.keys() - again if changed_at(pair) > closed_at}
    assert {pair for pair, each in standings.items() if each.after_closing == AfterClosing.GIVEN} == late
    assert counting_marks(standings) == {pair: counted[pair] for pair in standings.keys() & counted.keys() - late}
    assert {pair: standings[pair].mark for pair in late if pair in counted} == {
        pair: counted[pair] for pair in late if pair in counted
    }


@pytest.fixture
def audience(db):
    return Audience()


# One audience serves all examples: each is rolled back.
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],  # an evening takes a second: shrinking would take many minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(evening=evenings)
@pytest.mark.long(reason="computes the standings of a whole stage in two ways")
def test_standings_of_accounts_equal_the_counted_marks(audience, evening):
    with transaction.atomic():
        try:
            spend(audience, evening)
        finally:
            transaction.set_rollback(True)
