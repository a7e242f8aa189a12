"""Test the deletion of a session: it counts the audience's comments and reactions and requires a confirmation."""

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.actors import OPERATOR
from apps.competition.dependents import HasDependents
from apps.competition.models import Session
from apps.competition.services.live import session_set_live
from apps.competition.services.sessions import session_delete
from apps.core.audit import audit_list
from apps.live.models import ReactionTotal, SessionComment, SessionReaction
from apps.live.services import comment_add, comment_delete
from tests.apps.live.conftest import member
from tests.factories import AdminFactory, AppearanceFactory, PerformanceRatingFactory, SessionFactory, viewer_of


@pytest.fixture
def planned(db) -> Session:
    """Return a session that is not live; another session has comments and reactions too."""
    other = SessionFactory()
    comment_add(actor=member(), session_id=other.pk, content="Another evening.")
    ReactionTotal.objects.create(session=other, type="heart", total=7)
    return SessionFactory()


def spoken_of(session: Session) -> None:
    """Two comments, and five reactions of which one is still known by its author."""
    fan = member()
    for content in ("Bravo", "Encore"):
        comment_add(actor=fan, session_id=session.pk, content=content)
    for kind, total in (("heart", 3), ("thumbsUp", 2)):
        ReactionTotal.objects.create(session=session, type=kind, total=total)
    SessionReaction.objects.create(session=session, user_id=fan.id, type="heart", timestamp=1, key="0" * 32, number=0)


def test_what_would_go_is_said_with_its_numbers_and_nothing_goes(planned):
    spoken_of(planned)
    with pytest.raises(HasDependents) as refused:
        session_delete(actor=OPERATOR, session_id=planned.pk)
    assert refused.value.messages == ["What the audience said and showed would go. Comments: 2, reactions: 5."]
    assert [held.numbers for held in refused.value.session] == [{"comments": 2, "reactions": 5}]
    assert Session.objects.filter(pk=planned.pk).exists()
    assert SessionComment.objects.filter(session=planned).count() == 2


@pytest.mark.parametrize("kind", ["comment", "reaction"])
def test_one_of_either_is_enough(planned, kind):
    if kind == "comment":
        comment_add(actor=member(), session_id=planned.pk, content="Bravo")
    else:
        ReactionTotal.objects.create(session=planned, type="heart", total=1)
    with pytest.raises(HasDependents, match=f"(?i){kind}s: 1"):
        session_delete(actor=OPERATOR, session_id=planned.pk)


def test_what_was_rated_is_said_beside_it(planned):
    spoken_of(planned)
    appearance = AppearanceFactory(session=planned)
    PerformanceRatingFactory(session_participant=appearance)
    with pytest.raises(HasDependents) as refused:
        session_delete(actor=OPERATOR, session_id=planned.pk)
    rated, spoken = refused.value.messages
    assert rated.startswith(f"{appearance.participant.name} would go with what listeners gave.")
    assert spoken.endswith("Comments: 2, reactions: 5.")


def test_all_of_it_goes_when_that_is_confirmed_and_nothing_of_others(planned):
    spoken_of(planned)
    session_delete(actor=OPERATOR, session_id=planned.pk, confirmed=True)
    assert list(SessionComment.objects.values_list("content", flat=True)) == ["Another evening."]
    assert not SessionReaction.objects.exists()
    assert ReactionTotal.objects.get().total == 7


def test_a_session_of_which_nobody_spoke_goes_without_a_question(planned):
    session_delete(actor=OPERATOR, session_id=planned.pk)
    assert not Session.objects.filter(pk=planned.pk).exists()


def test_a_live_session_stays_whatever_is_confirmed(planned):
    session_set_live(actor=OPERATOR, session_id=planned.pk)
    with pytest.raises(ValidationError, match="This session is live"):
        session_delete(actor=OPERATOR, session_id=planned.pk, confirmed=True)


def test_a_comment_that_an_administrator_deletes_is_noted_without_what_it_said(fan, session):
    boss = viewer_of(AdminFactory())
    comment = comment_add(actor=fan, session_id=session.pk, content="A secret.")
    comment_delete(actor=boss, comment_id=comment.pk)
    (noted,) = [each for each in audit_list() if each.action == "comment.delete"]
    assert (noted.user_id, noted.subject, noted.subject_id) == (boss.id, "comment", comment.pk)
    assert noted.details == {"before": {"session": session.title, "author": fan.id}}


def test_the_terminal_is_noted_too_and_authors_are_not(fan, session):
    own, other = (comment_add(actor=fan, session_id=session.pk, content=text) for text in ("One", "Two"))
    comment_delete(actor=fan, comment_id=own.pk)
    comment_delete(actor=OPERATOR, comment_id=other.pk)
    (noted,) = [each for each in audit_list() if each.action == "comment.delete"]
    assert (noted.user_id, noted.subject_id) == (None, other.pk)
