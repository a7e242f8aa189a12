"""A small simulated session with random, repeatable steps."""

import random
from uuid import uuid4

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import OPERATOR
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.community.enums import REACTION_WISHES, ReportKind, ReportVerdict
from apps.community.models import Post, PostComment
from apps.community.selectors.reports import ReportFilter
from apps.community.services.posts import community_forget, post_delete, post_reaction_set
from apps.community.services.report_moderation import reports_decide_matching
from apps.community.services.reports import report_add
from apps.core.database.fields import database_now
from apps.core.moderation import Seen
from apps.live.models import SessionComment
from apps.live.services import comment_add, comment_delete, live_forget
from apps.ratings.enums import RatingKind
from apps.ratings.models import DecidedRating, PerformanceRating, PieceRating
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_queue
from apps.ratings.services.moderation import mark_delete
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide
from apps.ratings.services.removal import account_ratings_delete, appearance_ratings_delete
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.apps.live.conftest import member
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    PostCommentFactory,
    PostFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)

STEPS = 80
REPORTED = {
    ReportKind.POST: Post,
    ReportKind.POST_COMMENT: PostComment,
    ReportKind.SESSION_COMMENT: SessionComment,
    ReportKind.RATING_COMMENT: PerformanceRating,
}


class RandomSession:
    """Sessions, posts and accounts, and the random steps that change them."""

    def __init__(self, seed):
        self.rng = random.Random(seed)  # noqa: S311 - a repeatable session
        self.admin = viewer_of(AdminFactory())
        self.fans = [member() for _ in range(4)]
        self.sessions = [SessionFactory() for _ in range(3)]
        self.posts = [PostFactory(user_id=fan.id) for fan in self.fans]
        self.appearances = [AppearanceFactory(session=session) for session in self.sessions for _ in range(2)]
        self.entries = {
            appearance.pk: [ProgramEntryFactory(appearance=appearance) for _ in range(2)]
            for appearance in self.appearances
        }

    def step(self):
        """Take a random step, and roll it back if a service refuses it."""
        try:
            with transaction.atomic():
                self.rng.choice(STEPS_TO_TAKE)(self)
        except (ValidationError, PermissionDenied):  # of a closed account
            pass

    def row(self, table):
        """Return a random row, or None; the order of the ids is the same in each run."""
        ids = list(table.objects.order_by("pk").values_list("pk", flat=True))
        return table.objects.get(pk=self.rng.choice(ids)) if ids else None

    def fan(self):
        return self.rng.choice(self.fans)

    def appearance(self):
        return self.rng.choice(self.appearances)

    def rate(self):
        appearance = self.appearance()
        pieces = {entry.piece_id: self.rng.randint(1, 25) for entry in self.entries[appearance.pk]}
        marks = {"score": self.rng.randint(1, 5), "comment": f"Rating {self.rng.random()}"}
        ratings_submit(actor=self.fan(), appearance_id=appearance.pk, pieces=pieces, **marks)

    def decide(self):
        kind = self.rng.choice([*RatingKind])
        rows = ratings_queue(filters=QueueFilter(kind), limit=self.rng.randint(1, 8))
        seen = [Seen(mark.kind, mark.id) for row in rows for mark in row.waiting(kind)]
        ratings_decide(actor=self.admin, decision=self.rng.choice(["approve", "approve", "reject"]), seen=seen)

    def undo(self):
        last = decision_last(user_id=self.admin.id)
        if last is not None:
            assert 0 < last.count <= DecidedRating.objects.filter(decision_id=last.id).count()
            decision_undo(actor=self.admin, decision_id=last.id)

    def delete_mark(self):
        kind = self.rng.choice(list(RatingKind))
        table = PieceRating if kind == RatingKind.PIECE else PerformanceRating
        if rating := self.row(table):
            mark_delete(actor=self.admin, kind=kind, mark_id=rating.pk)

    def recommend(self):
        choice = self.rng.choice(["up", "down"])
        recommendation_set(actor=self.fan(), appearance_id=self.appearance().pk, recommendation=choice)

    def empty_appearance(self):
        appearance_ratings_delete(actor=OPERATOR, appearance_id=self.appearance().pk)

    def comment(self):
        comment_add(actor=self.fan(), session_id=self.rng.choice(self.sessions).pk, content=f"Bravo {uuid4()}")

    def comment_many(self):
        sessions = [self.rng.choice(self.sessions) for _ in range(40)]
        rows = [SessionComment(session=session, user_id=self.fan().id, content="Bravo") for session in sessions]
        SessionComment.objects.bulk_create(rows)

    def uncomment(self):
        if comment := self.row(SessionComment):
            comment_delete(actor=self.admin, comment_id=comment.pk)

    def post(self):
        """Return an existing post; sometimes replace the oldest one by a new one first."""
        if self.rng.random() < 1 / STEPS:
            post_delete(actor=OPERATOR, post_id=self.posts.pop(0).pk)
            self.posts.append(PostFactory(user_id=self.fan().id))
        return self.rng.choice(self.posts)

    def applaud(self):
        post_reaction_set(actor=self.fan(), post_id=self.post().pk, reaction=self.rng.choice(REACTION_WISHES))

    def comment_post(self):
        PostCommentFactory(post=self.post(), user_id=self.fan().id)

    def hide_comment(self):
        if comment := self.row(PostComment):
            PostComment.objects.filter(pk=comment.pk).update(is_hidden=not comment.is_hidden)

    def report(self):
        kind, table = self.rng.choice([*REPORTED.items()])
        if text := self.row(table):
            report_add(actor=self.fan(), kind=kind, subject_id=text.pk, reason="spam")

    def decide_reports(self):
        decision, until = self.rng.choice([*ReportVerdict]), database_now()
        reports_decide_matching(actor=self.admin, decision=decision, filters=ReportFilter(), until=until)

    def close(self):
        account_deactivate(actor=OPERATOR, account_id=self.fan().id)

    def reopen(self):
        account_activate(actor=OPERATOR, account_id=self.fan().id)

    def leave(self):
        fan = self.fan()
        community_forget(user_id=fan.id)
        account_ratings_delete(fan.id)
        live_forget(user_id=fan.id)


STEPS_TO_TAKE = (
    *[RandomSession.rate] * 8,
    *[RandomSession.decide] * 5,
    *[
        RandomSession.recommend,
        RandomSession.comment,
        RandomSession.applaud,
        RandomSession.comment_post,
        RandomSession.report,
    ]
    * 4,
    *[RandomSession.close, RandomSession.reopen] * 2,
    *(RandomSession.undo, RandomSession.delete_mark, RandomSession.empty_appearance, RandomSession.comment_many),
    *(RandomSession.uncomment, RandomSession.hide_comment, RandomSession.decide_reports, RandomSession.leave),
)
