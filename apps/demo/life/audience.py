"""What the audience does in one act: it reacts, comments, posts, replies and applauds."""

from collections.abc import Iterable, Sequence
from uuid import uuid4

from apps.accounts.actors import Viewer
from apps.community.enums import PostReaction
from apps.community.models import Post, PostComment, PostReactionRow
from apps.community.services.posts import post_add, post_comment_add, post_delete, post_reaction_set
from apps.competition.selectors.public.participants import PieceTitle
from apps.demo.audience.lines import lines_about
from apps.demo.enums import Act
from apps.demo.life.hall import Hall
from apps.demo.limits import COMMENTS_MOST, LINES_READ, POSTS_MOST, POSTS_READ, REPLIES_MOST, TAPS_MOST
from apps.demo.texts import live_texts
from apps.live.enums import Reaction
from apps.live.models import SessionComment
from apps.live.services import ReactionMessage, comment_add, comment_delete, reactions_store

_TASTES = {Reaction.HEART: 14, Reaction.THUMBS_UP: 5, Reaction.THUMBS_DOWN: 1}  # weights
_BOOS = 0.06  # share of reactions to posts
_PLACE = "\0"  # of a name in a template, which no text contains


def react(hall: Hall) -> Act | None:
    """Tap a few times for the performer on stage."""
    listener = hall.listener()
    if hall.live is None or hall.on_stage is None or listener is None:
        return None
    (kind,) = hall.random.choices(list(_TASTES), weights=list(_TASTES.values()))
    taps = ReactionMessage(hall.live.id, listener.id or 0, uuid4(), (kind,) * hall.random.randint(1, TAPS_MOST))
    (refusal,) = reactions_store(messages=[taps])
    return Act.REFUSED if refusal else Act.REACTED


def comment(hall: Hall) -> Act | None:
    """Comment on the live session; with too many comments of the audience, delete the oldest one instead."""
    if hall.live is None:
        return None
    own = SessionComment.objects.filter(user__in=hall.people)
    if own.count() >= COMMENTS_MOST:
        oldest = own.order_by("pk").values_list("pk", "user_id").first() or (0, 0)
        comment_delete(actor=_author(hall, oldest[1]), comment_id=oldest[0])
        return Act.COMMENT_DELETED
    words, listener = live_texts(), hall.listener()
    newest = SessionComment.objects.filter(session=hall.live.id).order_by("-pk")
    written = list(newest.values_list("content", flat=True)[:LINES_READ])
    lines = words.before
    if hall.on_stage is not None:
        templates = _unused([*words.performer, *words.piece], written)
        lines = lines_about(templates, hall.on_stage, pieces_begun(hall))
    elif hall.recent:
        lines = lines_about(_unused(words.interval, written), hall.recent[0])
    if listener is None:
        return None
    former = SessionComment.objects.filter(user=listener.id).values_list("content", flat=True)
    text = _fresh(hall, lines, [*written, *former])
    if not text:
        return None
    comment_add(actor=listener, session_id=hall.live.id, content=text)
    return Act.COMMENTED


def post(hall: Hall) -> Act | None:
    """Post about a performance; with too many posts of the audience, delete its oldest that no person commented."""
    own = Post.objects.filter(user__in=hall.people)
    if own.count() >= POSTS_MOST:
        by_persons = PostComment.objects.exclude(user__in=hall.people)
        oldest = own.exclude(pk__in=by_persons.values("post_id")).order_by("pk").values_list("pk", "user_id").first()
        if oldest is None:
            return None
        post_delete(actor=_author(hall, oldest[1] or 0), post_id=oldest[0])
        return Act.POST_DELETED
    if not hall.recent:
        return None
    written = list(Post.objects.order_by("-pk").values_list("content", flat=True)[:LINES_READ])
    about, listener = hall.random.choice(hall.recent), hall.listener()
    if listener is None:
        return None
    former = Post.objects.filter(user=listener.id).values_list("content", flat=True)
    text = _fresh(hall, lines_about(_unused(live_texts().posts, written), about), [*written, *former])
    if not text:
        return None
    post_add(actor=listener, content=text, about=about.id)
    return Act.POSTED


def reply(hall: Hall) -> Act | None:
    """Reply to one of the newest posts, which may be a person's."""
    found = _post_chosen(hall)
    if found is None:
        return None
    post_id, author_id = found
    there = PostComment.objects.filter(post=post_id)
    listener = hall.listener(hall.people.keys() - {author_id, *there.values_list("user_id", flat=True)})
    if listener is None or there.filter(user__in=hall.people).count() >= REPLIES_MOST:
        return None
    former = PostComment.objects.filter(user=listener.id).values_list("content", flat=True)
    text = _fresh(hall, live_texts().replies, [*there.values_list("content", flat=True), *former])
    if not text:
        return None
    post_comment_add(actor=listener, post_id=post_id, content=text)
    return Act.REPLIED


def applaud(hall: Hall) -> Act | None:
    """Applaud one of the newest posts, rarely boo."""
    found = _post_chosen(hall)
    if found is None:
        return None
    post_id, author_id = found
    reacted = PostReactionRow.objects.filter(post=post_id).values_list("user_id", flat=True)
    listener = hall.listener(hall.people.keys() - {author_id, *reacted})
    if listener is None:
        return None
    kind = PostReaction.BOO if hall.random.random() < _BOOS else PostReaction.APPLAUSE
    post_reaction_set(actor=listener, post_id=post_id, reaction=kind)
    return Act.APPLAUDED


def pieces_begun(hall: Hall) -> list[PieceTitle]:
    """Return the pieces of the performer on stage that have begun, in their order."""
    return [line.piece for line in hall.on_stage.program if line.second is not None] if hall.on_stage else []


def _unused(templates: Sequence[str], written: Sequence[str]) -> Sequence[str]:
    """Return the templates that none of the newest texts is made of; `written` are texts, the newest first."""
    lately = written[: len(templates) // 2]
    return [line for line in templates if not any(_is_made_of(line, text) for text in lately)]


def _is_made_of(template: str, text: str) -> bool:
    """Whether the fixed words of this template are in the text in their order, at its beginning and its end too."""
    first, *others = template.replace("{name}", _PLACE).replace("{piece}", _PLACE).split(_PLACE)
    if not others:
        return text == template
    if not text.startswith(first):
        return False
    at = len(first)
    for words in others[:-1]:
        at = text.find(words, at) + len(words)
        if at < len(words):
            return False
    return text.endswith(others[-1]) and at + len(others[-1]) <= len(text)


def _fresh(hall: Hall, lines: Sequence[str], written: Iterable[str]) -> str:
    """Return one of these lines that has not been written; empty if all have."""
    known = set(written)
    left = [line for line in lines if line not in known]
    return hall.random.choice(left) if left else ""


def _post_chosen(hall: Hall) -> tuple[int, int | None] | None:
    """Return one of the newest public posts with its author, the newest the most often; None without any."""
    found = (
        Post.objects.filter(is_hidden=False).order_by("-created_at", "-pk").values_list("pk", "user_id")[:POSTS_READ]
    )
    newest = list(found)
    return hall.random.choices(newest, weights=range(len(newest), 0, -1))[0] if newest else None


def _author(hall: Hall, user_id: int) -> Viewer:
    """Return the author of a text of the audience as an actor."""
    return Viewer(user_id, hall.people[user_id])
