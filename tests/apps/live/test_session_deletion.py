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


def comment_and_react(session: Session) -> None:
    """Store two comments, and five reactions, one of them with its author."""
    fan = member()
    for content in ("Bravo", "Encore"):
        comment_add(actor=fan, session_id=session.pk, content=content)
    for kind, total in (("heart", 3), ("thumbsUp", 2)):
        ReactionTotal.objects.create(session=session, type=kind, total=total)
    SessionReaction.objects.create(session=session, user_id=fan.id, type="heart", timestamp=1, key="0" * 32, number=0)


def test_session_delete_lists_the_dependents_until_confirmed(planned):
    comment_and_react(planned)
    with pytest.raises(HasDependents) as refused:
        session_delete(actor=OPERATOR, session_id=planned.pk)
    assert refused.value.messages == ["What the audience said and showed would go. Comments: 2, reactions: 5."]
    assert [session_numbers.numbers for session_numbers in refused.value.session] == [{"comments": 2, "reactions": 5}]
    assert Session.objects.filter(pk=planned.pk).exists()
    assert SessionComment.objects.filter(session=planned).count() == 2
    appearance = AppearanceFactory(session=planned)
    PerformanceRatingFactory(appearance=appearance)
    with pytest.raises(HasDependents) as refused:
        session_delete(actor=OPERATOR, session_id=planned.pk)
    ratings, comments = refused.value.messages
    assert ratings.startswith(f"{appearance.participant.name} would go with what listeners gave.")
    assert comments.endswith("Comments: 2, reactions: 5.")
    session_delete(actor=OPERATOR, session_id=planned.pk, confirmed=True)
    assert list(SessionComment.objects.values_list("content", flat=True)) == ["Another evening."]
    assert not SessionReaction.objects.exists()
    assert ReactionTotal.objects.get().total == 7


def test_session_delete_counts_either_comments_or_reactions(planned):
    reacted = SessionFactory()
    comment_add(actor=member(), session_id=planned.pk, content="Bravo")
    ReactionTotal.objects.create(session=reacted, type="heart", total=1)
    for session, numbers in ((planned, "Comments: 1"), (reacted, "Reactions: 1")):
        with pytest.raises(HasDependents, match=f"(?i){numbers}"):
            session_delete(actor=OPERATOR, session_id=session.pk)


def test_session_without_comments_is_deleted_without_confirmation(planned):
    session_delete(actor=OPERATOR, session_id=planned.pk)
    assert not Session.objects.filter(pk=planned.pk).exists()


def test_live_session_cannot_be_deleted(planned):
    session_set_live(actor=OPERATOR, session_id=planned.pk)
    with pytest.raises(ValidationError, match="This session is live"):
        session_delete(actor=OPERATOR, session_id=planned.pk, confirmed=True)


def test_deletion_by_administrator_or_operator_is_audited_without_the_text(fan, session):
    administrator = viewer_of(AdminFactory())
    first, second, own = (comment_add(actor=fan, session_id=session.pk, content=text) for text in ("One", "Two", "Own"))
    comment_delete(actor=administrator, comment_id=first.pk)
    comment_delete(actor=OPERATOR, comment_id=second.pk)
    comment_delete(actor=fan, comment_id=own.pk)
    entries = [entry for entry in audit_list() if entry.action == "comment.delete"]
    assert [(entry.user_id, entry.subject, entry.subject_id) for entry in entries] == [
        (None, "comment", second.pk),
        (administrator.id, "comment", first.pk),
    ]
    assert all(entry.details == {"before": {"session": session.title, "author": fan.id}} for entry in entries)
