"""A small simulated session with random, repeatable steps."""

import random
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import OPERATOR
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


class Evening:
    """A small session with random steps."""

    def __init__(self, seed):
        self.luck = random.Random(seed)  # noqa: S311 - a repeatable evening
        self.admin = viewer_of(AdminFactory())
        self.fans = [member() for _ in range(4)]
        self.sessions = [SessionFactory() for _ in range(3)]
        self.posts = [PostFactory(user_id=fan.id) for fan in self.fans]
        self.appearances = [AppearanceFactory(session=session) for session in self.sessions for _ in range(2)]
        self.entries = {
            appearance.pk: [ProgramEntryFactory(session_participant=appearance) for _ in range(2)]
            for appearance in self.appearances
        }

    def step(self):
        """Take a random step, and roll it back if a service refuses it."""
        try:
            with transaction.atomic():
                self.luck.choice(STEPS_TO_TAKE)(self)
        except ValidationError:
            pass

    def fan(self):
        return self.luck.choice(self.fans)

    def appearance(self):
        return self.luck.choice(self.appearances)

    def rate(self):
        appearance = self.appearance()
        pieces = {entry.piece_id: self.luck.randint(1, 25) for entry in self.entries[appearance.pk]}
        words = {"score": self.luck.randint(1, 5), "comment": f"Heard {self.luck.random()}"}
        ratings_submit(actor=self.fan(), session_participant_id=appearance.pk, pieces=pieces, **words)

    def decide(self):
        kind = self.luck.choice([*RatingKind])
        found = ratings_queue(filters=QueueFilter(kind), limit=self.luck.randint(1, 8))
        waiting = [mark for each in found for mark in each.waiting(kind)]
        seen = [Seen(each.kind, each.id) for each in waiting]
        ratings_decide(actor=self.admin, decision=self.luck.choice(["approve", "approve", "reject"]), seen=seen)

    def undo(self):
        last = decision_last(user_id=self.admin.id)
        if last is not None:
            assert 0 < last.count <= DecidedRating.objects.filter(decision_id=last.id).count()
            decision_undo(actor=self.admin, decision_id=last.id)

    def take_back(self):
        kind = self.luck.choice(list(RatingKind))
        table = PieceRating if kind == RatingKind.PIECE else PerformanceRating
        rating = table.objects.order_by("?").first()
        if rating is not None:
            mark_delete(actor=self.admin, kind=kind, mark_id=rating.pk)

    def recommend(self):
        word = self.luck.choice(["up", "down"])
        recommendation_set(actor=self.fan(), session_participant_id=self.appearance().pk, recommendation=word)

    def empty_appearance(self):
        appearance_ratings_delete(actor=OPERATOR, session_participant_id=self.appearance().pk)

    def comment(self):
        comment_add(actor=self.fan(), session_id=self.luck.choice(self.sessions).pk, content=f"Bravo {uuid4()}")

    def comment_many(self):
        sessions = [self.luck.choice(self.sessions) for _ in range(40)]
        rows = [SessionComment(session=each, user_id=self.fan().id, content="Bravo") for each in sessions]
        SessionComment.objects.bulk_create(rows)

    def uncomment(self):
        comment = SessionComment.objects.order_by("?").first()
        if comment is not None:
            comment_delete(actor=self.admin, comment_id=comment.pk)

    def post(self):
        """Return an existing post; sometimes replace the oldest one by a new one first."""
        if self.luck.random() < 1 / STEPS:
            post_delete(actor=OPERATOR, post_id=self.posts.pop(0).pk)
            self.posts.append(PostFactory(user_id=self.fan().id))
        return self.luck.choice(self.posts)

    def applaud(self):
        post_reaction_set(actor=self.fan(), post_id=self.post().pk, reaction=self.luck.choice(REACTION_WISHES))

    def comment_post(self):
        PostCommentFactory(post=self.post(), user_id=self.fan().id)

    def hide_comment(self):
        comment = PostComment.objects.order_by("?").first()
        if comment is not None:
            PostComment.objects.filter(pk=comment.pk).update(is_hidden=not comment.is_hidden)

    def report(self):
        kind, table = self.luck.choice([*REPORTED.items()])
        text = table.objects.order_by("?").first()
        if text is not None:
            report_add(actor=self.fan(), kind=kind, subject_id=text.pk, reason="spam")

    def decide_reports(self):
        decision, until = self.luck.choice([*ReportVerdict]), database_now()
        reports_decide_matching(actor=self.admin, decision=decision, filters=ReportFilter(), until=until)

    def leave(self):
        fan = self.fan()
        community_forget(user_id=fan.id)
        account_ratings_delete(fan.id)
        live_forget(user_id=fan.id)


STEPS_TO_TAKE = (
    *[Evening.rate] * 8,
    *[Evening.decide] * 5,
    *[Evening.recommend, Evening.comment, Evening.applaud, Evening.comment_post, Evening.report] * 4,
    *(
        Evening.undo,
        Evening.take_back,
        Evening.empty_appearance,
        Evening.comment_many,
        Evening.uncomment,
        Evening.hide_comment,
        Evening.decide_reports,
        Evening.leave,
    ),
)
