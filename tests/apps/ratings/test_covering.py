"""Test "own ears first": which figures are covered for a member, what uncovers them, and which marks are blind."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import ANONYMOUS
from apps.competition.models import PerformingTime
from apps.ranking.own_states import OwnState, own_states
from apps.ratings.enums import PerformanceState
from apps.ratings.models import DraftMark
from apps.ratings.selectors.covering import performances_seen, ranks_covered
from apps.ratings.services.covering import ears_first_set, figures_show, stage_figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_reject, rating_delete
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import ratings_submit
from apps.ratings.services.verdicts import TABLES
from tests.components.conftest import busy_session_with
from tests.factories import (
    EVENING,
    AdminFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def fan():
    return viewer_of(UserFactory())


@pytest.fixture
def appearances():
    """Return three performances of two pieces each, all of one session, which is over."""
    return busy_session_with(3, is_live=False).appearances


def pieces_of(appearance: Any) -> list[int]:
    return list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))


def found(fan: Any, appearance: Any) -> OwnState:
    """Return the state of this performance; `performances_seen` has the same performances of its session."""
    states, seen = own_states(user_id=fan.id, session_id=appearance.session_id), performances_seen(user_id=fan.id)
    assert {pk for pk, own in states.items() if not own.is_covered} == (
        states.keys() if seen is None else states.keys() & seen
    )
    return states[appearance.pk]


def strike(fan: Any, appearance: Any, *places: int) -> None:
    """Keep a mark of the pieces in these places of the program."""
    pieces = {pieces_of(appearance)[place]: (15, 0.0) for place in places}
    rating_keep(actor=fan, session_participant_id=appearance.pk, strikes=Strikes(pieces))


def marks_reject(*, actor: Any, session_participant_id: int, user_id: int) -> None:
    """Reject all marks of a rating as a moderator; the actor is its author."""
    moderator = viewer_of(AdminFactory())
    assert actor.id == user_id
    for kind, table in TABLES.items():
        for mark in table.objects.filter(session_participant=session_participant_id, user=user_id):
            mark_reject(actor=moderator, kind=kind, mark_id=mark.pk)


def blind(fan: Any, appearance: Any) -> list[bool | None]:
    """Return whether each mark of the performance was made blind, in the order of the marks."""
    marks = DraftMark.objects.filter(draft__user_id=fan.id, draft__session_participant=appearance)
    return list(marks.order_by("pk").values_list("blind", flat=True))


def test_a_piece_uncovers_with_its_mark_and_the_whole_with_the_last_one(fan, appearances):
    first, second, _ = appearances
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (True, frozenset())
    strike(fan, first, 0)
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (True, {pieces_of(first)[0]})
    strike(fan, first, 1)
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (False, set(pieces_of(first)))
    assert found(fan, second).is_covered
    assert blind(fan, first) == [True, True]


def test_a_removed_mark_leaves_its_piece_uncovered(fan, appearances):
    first = appearances[0]
    strike(fan, first, 0)
    removed = Strikes({pieces_of(first)[0]: (0, 0.0)})
    rating_keep(actor=fan, session_participant_id=first.pk, strikes=removed)
    assert found(fan, first).open_pieces == {pieces_of(first)[0]}


def test_submitting_uncovers_the_whole_and_what_is_marked_later_is_not_blind(fan, appearances):
    first = appearances[0]
    pieces = pieces_of(first)
    ratings_submit(actor=fan, session_participant_id=first.pk, pieces={pieces[0]: 9}, score=3, comment="So.")
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (False, {pieces[0]})
    strike(fan, first, 1)
    assert blind(fan, first) == [True, False]


def test_show_uncovers_one_performance_for_good(fan, appearances):
    first, second, _ = appearances
    figures_show(actor=fan, session_participant_id=first.pk)
    figures_show(actor=fan, session_participant_id=first.pk)
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (False, None)
    assert found(fan, second).is_covered
    strike(fan, first, 0)
    strike(fan, second, 0)
    assert (blind(fan, first), blind(fan, second)) == ([False], [True])


def test_show_all_of_this_stage_uncovers_all_of_it(fan, appearances):
    stage_id = appearances[0].session.stage_id
    stage_figures_show(actor=fan, stage_id=stage_id)
    assert not any(each.is_covered for each in own_states(user_id=fan.id, stage_id=stage_id).values())
    strike(fan, appearances[2], 0)
    assert blind(fan, appearances[2]) == [False]


def test_what_the_choice_has_shown_stays_shown(fan, appearances):
    first, second, _ = appearances
    ears_first_set(actor=fan, ears_first=False)
    assert found(fan, first).open_pieces is None
    strike(fan, first, 0)
    later = ProgramEntryFactory(session_participant__session__starts_at=EVENING).session_participant
    ears_first_set(actor=fan, ears_first=True)
    assert not found(fan, second).is_covered
    assert found(fan, later).is_covered
    assert blind(fan, first) == [False]


def test_a_deleted_rating_stays_uncovered_and_its_next_mark_is_not_blind(fan, appearances):
    first = appearances[0]
    strike(fan, first, 0, 1)
    pieces = pieces_of(first)
    ratings_submit(actor=fan, session_participant_id=first.pk, pieces={pieces[0]: 9}, score=3, comment="So.")
    rating_delete(actor=fan, session_participant_id=first.pk, user_id=fan.id)
    assert (found(fan, first).is_covered, found(fan, first).open_pieces) == (False, set(pieces))
    strike(fan, first, 0)
    assert blind(fan, first)[0] is False


@pytest.mark.parametrize("remove", [rating_delete, marks_reject])
def test_a_removed_rating_uncovers_no_piece_that_it_had_not(fan, appearances, remove):
    """The figures of the whole performance were uncovered and stay so; those of a piece without a mark were not."""
    first = appearances[0]
    pieces = pieces_of(first)
    ratings_submit(actor=fan, session_participant_id=first.pk, pieces={pieces[0]: 9}, score=3, comment="So.")
    DraftMark.objects.all().delete()  # as a rating of the time before sheets
    remove(actor=fan, session_participant_id=first.pk, user_id=fan.id)
    own = found(fan, first)
    assert not own.ratings.is_submitted
    assert (own.is_covered, own.open_pieces) == (False, {pieces[0]})
    strike(fan, first, 1)
    assert blind(fan, first)[-1] is False


def test_whether_a_mark_of_a_signed_out_browser_was_blind_is_unknown(fan, appearances):
    first, second, _ = appearances
    strikes_write(fan.id, first.pk, Strikes({pieces_of(first)[0]: (15, 0.0)}), made_here=False)
    figures_show(actor=fan, session_participant_id=second.pk)
    strikes_write(fan.id, second.pk, Strikes({pieces_of(second)[0]: (15, 0.0)}), made_here=False)
    assert (blind(fan, first), blind(fan, second)) == ([None], [False])


def test_of_others_and_of_what_is_not_there_nothing_is_shown(fan, appearances):
    for show in (
        lambda actor: figures_show(actor=actor, session_participant_id=appearances[0].pk),
        lambda actor: stage_figures_show(actor=actor, stage_id=appearances[0].session.stage_id),
        lambda actor: ears_first_set(actor=actor, ears_first=False),
    ):
        with pytest.raises(PermissionDenied):
            show(ANONYMOUS)
    for show in (
        lambda: figures_show(actor=fan, session_participant_id=10**9),
        lambda: stage_figures_show(actor=fan, stage_id=10**9),
    ):
        with pytest.raises(ValidationError, match="any more"):
            show()


def _submit_and_delete(fan: Any, appearance: Any) -> None:
    marks = {pieces_of(appearance)[0]: 9}
    ratings_submit(actor=fan, session_participant_id=appearance.pk, pieces=marks, score=3, comment="So.")
    DraftMark.objects.all().delete()
    rating_delete(actor=fan, session_participant_id=appearance.pk, user_id=fan.id)


WAYS = {
    "nothing": (lambda *_: None, True),
    "one piece": (lambda fan, appearance: strike(fan, appearance, 0), True),
    "all pieces": (lambda fan, appearance: strike(fan, appearance, 0, 1), False),
    "show": (lambda fan, appearance: figures_show(actor=fan, session_participant_id=appearance.pk), False),
    "a mark": (lambda fan, appearance: PieceRatingFactory(user_id=fan.id, session_participant=appearance), False),
    "an overall mark": (
        lambda fan, appearance: PerformanceRatingFactory(user_id=fan.id, session_participant=appearance),
        False,
    ),
    "a rating that is gone": (_submit_and_delete, False),
    "no program": (lambda _, appearance: appearance.program.all().delete(), True),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("begins", ["began", "live", "performing", "came", "ahead"])
def test_ranks_are_covered_with_any_performance_of_the_stage_that_has_begun(fan, appearances, way, begins):
    """The query's conditions are those of `own_states`."""
    first, second, other = appearances
    for each in (first, second):
        figures_show(actor=fan, session_participant_id=each.pk)
    session = other.session
    act, _ = WAYS[way]
    act(fan, other)
    is_ahead = begins == "ahead"
    type(session).objects.filter(pk=session.pk).update(
        is_live=begins not in {"began", "ahead"}, **({"starts_at": "2100-01-01T10:00:00Z"} if is_ahead else {})
    )
    if begins == "performing":
        type(other).objects.filter(pk=other.pk).update(is_performing=True)
    if begins == "came":
        PerformingTime.objects.create(session_participant=other, began_at=EVENING)
    states = own_states(user_id=fan.id, stage_id=session.stage_id)
    expected = states[other.pk].is_covered and states[other.pk].state != PerformanceState.TO_COME
    assert states[other.pk].is_covered is WAYS[way][1]
    assert ranks_covered(user_id=fan.id, participant_id=first.participant_id) == ({first.pk} if expected else set())
