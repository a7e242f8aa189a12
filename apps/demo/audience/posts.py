"""Load comments, posts and reactions of the demo's audience, each once.

Write rows directly, because the services date a row with the present moment.
"""

import json
import math
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.selectors.sessions import account_id_get
from apps.community.enums import PostReaction
from apps.community.events import PostsChanged
from apps.community.models import Post, PostComment, PostReactionRow
from apps.competition.models import PerformingTime
from apps.competition.selectors.public.sessions import live_session
from apps.competition.selectors.public.subjects import subjects_offered
from apps.core.events import publish
from apps.demo.accounts import ids_by_name
from apps.demo.audience.opinions import chance, rater_names
from apps.demo.texts import account_texts
from apps.live.events import CommentsChanged, ReactionsChanged
from apps.live.models import ReactionMoment, SessionComment

NO_COMMENTS_YET = """
SELECT pg_try_advisory_xact_lock(hashtext('parterre demo comments')) AND NOT is_called FROM session_comments_id_seq
"""
_FOLDER = Path(__file__).resolve().parent


@transaction.atomic
def comments_load() -> int:
    """Load comments on the live session and return their number.

    Return 0 without a live session, during another load, or a second time. The id sequence shows whether comments ever
    existed, so that deleted ones are not loaded again.
    """
    session = live_session()
    with connection.cursor() as cursor:
        cursor.execute(NO_COMMENTS_YET)
        is_first = cursor.fetchone()[0]
    if session is None or not is_first:
        return 0
    now = timezone.now()
    comments = json.loads((_FOLDER / "comments.json").read_text(encoding="utf-8"))
    by_account = [(account_id_get(username=name), now - timedelta(minutes=ago), text) for name, ago, text in comments]
    for user_id, moment, text in by_account:
        if user_id is not None:
            comment = SessionComment.objects.create(
                session_id=session.id,
                user_id=user_id,
                appearance_id=_on_stage(session.id, moment),
                content=text,
            )
            SessionComment.objects.filter(pk=comment.pk).update(created_at=moment)
    publish(CommentsChanged(session_ids=(session.id,)))
    return sum(user_id is not None for user_id, _, _ in by_account)


def _on_stage(session_id: int, moment: datetime) -> int | None:
    """Return the id of the appearance that was on stage in this session at that moment, if any."""
    times = PerformingTime.objects.filter(appearance__session=session_id, began_at__lte=moment)
    lasting = times.filter(Q(ended_at=None) | Q(ended_at__gt=moment)).order_by("-began_at")
    return lasting.values_list("appearance_id", flat=True).first()


NO_POSTS_YET = (
    "SELECT pg_try_advisory_xact_lock(hashtext('parterre demo community')) AND NOT is_called FROM posts_id_seq"
)
People = dict[str, int]  # ids by username


@transaction.atomic
def community_load(*, now: datetime | None = None) -> int:
    """Load community posts and return their number.

    Return 0 during another load, or if posts ever existed. The id sequence shows that, so that deleted posts are not
    loaded again.
    """
    with connection.cursor() as cursor:
        cursor.execute(NO_POSTS_YET)
        if not cursor.fetchone()[0]:
            return 0
    people = _people()
    posts_data = json.loads((_FOLDER / "community.json").read_text(encoding="utf-8"))
    posts = [_post(each, people, now or timezone.now()) for each in posts_data if each["author"] in people]
    if posts:
        publish(PostsChanged(post_ids=tuple(each.pk for each in posts)))
    return len(posts)


def _people() -> People:
    """Return the ids of the demo's existing accounts, by username."""
    names = (*(text.username for text in account_texts()), *rater_names())
    return ids_by_name(names)


def _post(post_data: dict[str, Any], people: People, now: datetime) -> Post:
    """Store a post with its comments and reactions, dated in days before `now`, and return it.

    Its `about` is the number of a performer of the live or last session whom it is about.
    """
    at, number = now - timedelta(days=post_data["ago"]), post_data.get("about", 0)
    about = subjects_offered()[number - 1 : number] if number else ()
    post = Post.objects.create(
        user_id=people[post_data["author"]],
        appearance_id=about[0].id if about else None,
        content=post_data["content"],
        created_at=at,
    )
    PostComment.objects.bulk_create(
        PostComment(post=post, user_id=people[name], content=text, created_at=now - timedelta(days=ago))
        for name, ago, text in post_data["comments"]
        if name in people
    )
    # deterministic random choice of the accounts that react
    crowd = sorted(people.keys() - {post_data["author"]}, key=lambda name: chance("react", name, post_data["content"]))
    kinds = [*[PostReaction.APPLAUSE] * post_data["applause"], *[PostReaction.BOO] * post_data["boo"]]
    PostReactionRow.objects.bulk_create(
        PostReactionRow(post=post, user_id=people[name], type=kind) for name, kind in zip(crowd, kinds, strict=False)
    )
    return post


NO_REACTIONS_YET = """
SELECT pg_try_advisory_xact_lock(hashtext('parterre demo reactions')) AND NOT is_called
FROM session_reaction_moments_id_seq
"""
_SWELLS = (0.15, 0.24, 0.47, 0.8, 0.98)  # ends of pieces, as shares of a performance
_BREADTH, _STEP = 0.012, 3  # width of a swell as a share of a performance, and seconds between moments with taps
_MOST, _QUIET = 5, 0.12  # taps in a second at the peak, and the chance of a tap outside a swell


@transaction.atomic
def reactions_load() -> int:
    """Load reactions and return the number of moments with reactions: 0 during another load or if any ever existed."""
    with connection.cursor() as cursor:
        cursor.execute(NO_REACTIONS_YET)
        if not cursor.fetchone()[0]:
            return 0
    now = timezone.now()
    times = PerformingTime.objects.order_by("pk").values_list("appearance__session_id", "began_at", "ended_at")
    found = [
        ReactionMoment(session_id=session_id, second=int(began_at.timestamp()) + second, count=count, applause=count)
        for number, (session_id, began_at, ended_at) in enumerate(times)
        for second, count in _taps(number, int(((ended_at or now) - began_at).total_seconds()))
    ]
    ReactionMoment.objects.bulk_create(found)
    if session := live_session():
        publish(ReactionsChanged(session_ids=(session.id,)))
    return len(found)


def _taps(number: int, seconds: int) -> list[tuple[int, int]]:
    """Return the seconds of a performance with taps, each with its number of taps."""
    counts = [(second, _count(number, second, seconds)) for second in range(0, seconds, _STEP)]
    return [(second, count) for second, count in counts if count]


def _count(number: int, second: int, of: int) -> int:
    swells = (
        chance("swell", number, nth) * math.exp(-(((second / of - at) / _BREADTH) ** 2))
        for nth, at in enumerate(_SWELLS)
    )
    return int(_MOST * sum(swells) + _QUIET + chance("tap", number, second))
