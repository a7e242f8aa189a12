import time, os
from collections import Counter
import pytest
from tests.apps.demo.living import *
from apps.competition.models import *
from apps.ratings.models import *


@pytest.mark.django_db
def test_try(settings, tmp_path):
    settings.DEMO_ALIVE = True
    settings.DATA = tmp_path
    b = time.time()
    demo_load()
    print("load", time.time() - b)
    b = time.time()
    e = Evening()
    acts = []
    for n in range(int(os.environ.get("N", "150"))):
        a = e.step()
        acts.append(a)
        if a in {"performer came", "performer left", "session began", "session ended", "moment set"}:
            print(n, round(time.time() - b), e.watched_for, a, flush=True)
    print(Counter(acts))
    print("steps", time.time() - b)
    for s in Session.objects.order_by("pk"):
        print(s.pk, s.title, s.is_live, s.starts_at)
    for a in (
        SessionParticipant.objects.filter(session__title__contains="Stage I,")
        .exclude(session__title__contains="opening")
        .order_by("session", "order_number")
    ):
        print(
            a.participant.name,
            a.is_performing,
            list(a.program.order_by("order_number").values_list("timestamp", flat=True)),
            PerformanceRating.objects.filter(session_participant=a).count(),
        )
    from apps.live.models import SessionComment
    from apps.community.models import Post, PostComment

    for c in SessionComment.objects.order_by("-pk")[:25]:
        print("-", c.content)
    for c in Post.objects.order_by("-pk")[:12]:
        print("P", c.content, [x.content for x in PostComment.objects.filter(post=c)])
    for c in PerformanceRating.objects.order_by("-updated_at")[:15]:
        print("R", c.score, c.approved, c.comment)
