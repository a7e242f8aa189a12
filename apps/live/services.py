"""Writes of session comments and live reactions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models import QuerySet, Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, Viewer, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.own_account import accounts_active, member_for
from apps.competition.selectors.public.sessions import live_session, session_get
from apps.competition.services.subjects import performer_hold
from apps.core.events import publish
from apps.core.hideable_texts import TextState
from apps.core.permissions import require
from apps.core.rate_limits import rate_limit_take
from apps.core.text_rules import text_clean
from apps.live.enums import APPLAUSE, Reaction
from apps.live.events import CommentsChanged, Performances, ReactionsChanged
from apps.live.limits import COMMENT_LENGTH, MEMBER, NEW_FOR, NEWCOMER
from apps.live.models import SessionComment, SessionReaction
from apps.live.permissions import can_delete_comment

ADDED, DELETED = "Comment added successfully", "Comment deleted successfully"
AGAIN_AFTER = timedelta(minutes=5)  # until the same user may repeat a comment


@transaction.atomic
def comment_add(*, actor: Actor, session_id: int, content: str) -> SessionComment:
    """Add a comment to a session and return it. It is about the performer who is on stage now, if there is one.

    Raises PermissionDenied for anonymous visitors and closed accounts. Raises ValidationError for an empty, overlong or
    repeated text, above the rate limit, and for an unknown session.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    membership = member_for(user_id=user_id)
    if user_id is None or membership is None:
        raise PermissionDenied("Please sign in to comment.")
    text = _content_clean(content)
    if session_get(session_id=session_id) is None:
        raise ValidationError("Session not found.")
    rate_limit_take(NEWCOMER if membership < NEW_FOR else MEMBER, account_id=user_id)
    if _is_repeated(user_id, text):
        raise ValidationError("You have just said the same. Please wait five minutes before you say it again.")
    performer = performer_hold(session_id=session_id)
    about = performer.id if performer else None
    comment = SessionComment.objects.create(session_id=session_id, user_id=user_id, appearance_id=about, content=text)
    publish(CommentsChanged((session_id,), ((performer.participant_id, performer.stage_id),) if performer else ()))
    return comment


@transaction.atomic
def comment_delete(*, actor: Actor, comment_id: int) -> None:
    """Delete a comment: the actor's own, or any as an administrator, which is audited without its text.

    Raises PermissionDenied, SessionComment.DoesNotExist.
    """
    comment = SessionComment.objects.select_for_update().get(pk=comment_id)
    require(can_delete_comment(actor, comment.user_id), "You can delete your own comments only.")
    performances = _performances_of(SessionComment.objects.filter(pk=comment_id))
    comment.delete()
    if account_of(actor) != comment.user_id:
        session = session_get(session_id=comment.session_id)
        before = {"session": session.title if session else "", "author": comment.user_id}
        change_note(actor=actor, action="comment.delete", subject_id=comment_id, before=before)
    publish(CommentsChanged((comment.session_id,), performances))


_PERFORMANCE = ("appearance__participant_id", "appearance__stage_id")


def _performances_of(comments: QuerySet[SessionComment]) -> Performances:
    """Return participant and stage of the performances that these comments are about. One query."""
    about = comments.filter(appearance__isnull=False).order_by().distinct()
    return tuple(about.values_list(*_PERFORMANCE))


def _content_clean(content: str) -> str:
    """Return the text for storage. Raises ValidationError for an empty or overlong text."""
    text = text_clean(content)
    if not text:
        raise ValidationError("Please write something first.")
    if len(text) > COMMENT_LENGTH:
        raise ValidationError("A comment has at most 500 characters.")
    return text


def _is_repeated(user_id: int, text: str) -> bool:
    """Return whether this user wrote the same text within AGAIN_AFTER."""
    lately = SessionComment.objects.filter(user_id=user_id, created_at__gt=Now() - Value(AGAIN_AFTER))
    return lately.filter(content=text).exists()


ANONYMOUS = "Please sign in to react."
NOT_LIVE = "Reactions are open while the session is live."

# Moments and totals grow by the inserted rows only, in a fixed order, so that two processes cannot deadlock. PostgreSQL
# runs the unreferenced insert of moments after that of totals.
STORE = """
WITH fresh AS (
    INSERT INTO session_reactions (session_id, user_id, type, key, number, timestamp)
    SELECT tap.*, extract(epoch FROM clock_timestamp()) * 1000
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::uuid[], %s::smallint[]) AS tap
    ON CONFLICT (user_id, key, number) DO NOTHING
    RETURNING session_id, type, timestamp
), moments AS (
    INSERT INTO session_reaction_moments AS stored (session_id, second, count, applause)
    SELECT session_id, timestamp / 1000, count(*), count(*) FILTER (WHERE type = ANY(%s::text[]))
    FROM fresh GROUP BY session_id, timestamp / 1000
    ORDER BY session_id, timestamp / 1000
    ON CONFLICT (session_id, second) DO UPDATE
    SET count = stored.count + excluded.count, applause = stored.applause + excluded.applause
)
INSERT INTO session_reaction_totals AS stored (session_id, type, total)
SELECT session_id, type, count(*) FROM fresh GROUP BY session_id, type ORDER BY session_id, type
ON CONFLICT (session_id, type) DO UPDATE SET total = stored.total + excluded.total
RETURNING session_id
"""


@dataclass(frozen=True, slots=True)
class Taps:
    """One message of a browser: its key, and the taps in their order."""

    session_id: int
    user_id: int
    key: UUID
    types: tuple[Reaction, ...]


@transaction.atomic
def reactions_store(*, messages: Sequence[Taps]) -> list[str]:
    """Store these messages; return for each an empty text or the reason for its refusal.

    Accounts and the live session are read once for all messages. A repeated message is stored once. One event is
    published for all messages.
    """
    live = live_session()
    active = accounts_active(user_ids={message.user_id for message in messages})
    refusals = [_refusal(message, live.id if live else None, active) for message in messages]
    rows = [row for message, refusal in zip(messages, refusals, strict=True) if not refusal for row in _rows(message)]
    if rows:
        with connection.cursor() as cursor:
            columns = [list(column) for column in zip(*rows, strict=True)]
            cursor.execute(STORE, [*columns, [kind.value for kind in APPLAUSE]])
            touched = sorted({session_id for (session_id,) in cursor.fetchall()})
        if touched:
            publish(ReactionsChanged(session_ids=tuple(touched)))
    return refusals


def reaction_add(*, actor: Viewer, session_id: int, kind: Reaction) -> None:
    """Store one reaction of `actor`. Raises ValidationError unless the session is live and the account is active."""
    (refusal,) = reactions_store(messages=[Taps(session_id, actor.id or 0, uuid4(), (kind,))])
    if refusal:
        raise ValidationError(refusal)


def _refusal(message: Taps, live_id: int | None, active: frozenset[int]) -> str:
    if message.user_id not in active:
        return ANONYMOUS
    return "" if message.session_id == live_id else NOT_LIVE


def _rows(message: Taps) -> list[tuple[int, int, str, UUID, int]]:
    own = (message.session_id, message.user_id)
    return [(*own, kind.value, message.key, number) for number, kind in enumerate(message.types)]


@transaction.atomic
def comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these comments until the transaction ends; return the state of those that exist, by id."""
    found = SessionComment.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "is_hidden")
    return {pk: TextState(user_id, not hidden) for pk, user_id, hidden in rows}


@transaction.atomic
def comments_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide these comments, or restore them."""
    concerned = SessionComment.objects.filter(pk__in=ids, is_hidden=not hidden)
    rows = concerned.order_by("session_id").values_list("session_id", *_PERFORMANCE).distinct()
    found = [(session_id, performance) for session_id, *performance in rows]
    concerned.update(is_hidden=hidden)
    if found:
        sessions = tuple(dict.fromkeys(session_id for session_id, _ in found))
        publish(CommentsChanged(sessions, tuple((one, stage) for _, (one, stage) in found if one)))


@transaction.atomic
def live_forget(*, user_id: int) -> None:
    """Delete a user's comments and reactions. The totals of reactions stay, because they name no user."""
    comments = SessionComment.objects.filter(user_id=user_id)
    # in the order of their ids, in which the moderation of reports locks them too
    sessions = tuple(sorted(set(comments.select_for_update().order_by("pk").values_list("session_id", flat=True))))
    performances = _performances_of(comments)
    comments.delete()
    SessionReaction.objects.filter(user_id=user_id).delete()
    if sessions:
        publish(CommentsChanged(sessions, performances))
