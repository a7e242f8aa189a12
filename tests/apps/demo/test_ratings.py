"""Test the ratings of the demo's audience: loaded once, reproducible, and for played performances only."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.accounts.models import User
from apps.competition.models import Appearance
from apps.competition.selectors.public.participants import participant_list
from apps.competition.selectors.public.stages import stage_names
from apps.core.text_rules import text_clean
from apps.demo.audience.opinions import comments, rater_names
from apps.demo.audience.posts import comments_load, community_load
from apps.demo.audience.ranked_stage import honest_names, stalls_names
from apps.demo.audience.ratings import ratings_load
from apps.demo.closing import ranking_load
from apps.demo.competition import competition_load
from apps.ranking import method2
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingAccount, RankingRun
from apps.ranking.selectors import ranking_get, stage_counting
from apps.ranking.services import ranking_compute
from apps.ratings.enums import RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.selectors.lists import ratings_latest
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_queue
from apps.ratings.selectors.statistics import participant_figures
from tests.owner import as_owner

pytestmark = pytest.mark.long(reason="loads the demo")

TABLES = (PieceRating, PerformanceRating, AdvanceRecommendation)
NOW = timezone.now()


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Load the demo in a transaction around the tests that read it."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr("django.conf.settings.DATA", tmp_path_factory.mktemp("data"))
        competition_load(now=NOW)
        assert ratings_load(now=NOW)
        yield
        transaction.set_rollback(True)


reads_the_demo = pytest.mark.usefixtures("demo")


def rows():
    return [list(table.objects.order_by("pk").values()) for table in TABLES]


@reads_the_demo
def test_ratings_are_of_played_performances_until_now():
    for table in TABLES:
        assert not table.objects.filter(updated_at__gte=NOW).exists()
        assert not table.objects.filter(appearance__session__starts_at__gt=NOW).exists()
    on_stage = {"appearance__is_performing": True}
    assert PerformanceRating.objects.filter(**on_stage).exists()
    order = Appearance.objects.get(is_performing=True).order_number
    later = {"appearance__session__is_live": True, "appearance__order_number__gt": order}
    assert not PerformanceRating.objects.filter(**later).exists()


@reads_the_demo
def test_latest_ratings_are_recent_and_by_several_listeners():
    latest = ratings_latest()
    assert len(latest) == 5
    assert latest[0].at > NOW - timedelta(hours=1)
    assert len({rating.author for rating in latest}) > 1
    assert all(ratings_queue(filters=QueueFilter(kind)) for kind in RatingKind)


@reads_the_demo
def test_opinions_differ():
    figures = [participant_figures(participant_id=card.id) for card in participant_list().rows]
    rated = [one for one in figures if one.overall.count]
    assert 20 < len(rated) < len(figures)
    assert all(8 <= each.pieces.mean <= 24 for each in rated)
    assert len({each.pieces.mean for each in rated}) > 10
    assert set(PerformanceRating.objects.values_list("score", flat=True)) >= {2, 3, 4, 5}
    assert set(AdvanceRecommendation.objects.values_list("recommendation", flat=True)) == {"up", "down"}


@reads_the_demo
def test_performer_on_stage_is_featured_and_rated_highly():
    star = Appearance.objects.select_related("participant").get(is_performing=True)
    assert star.participant.featured
    figures = participant_figures(participant_id=star.participant_id)
    assert 17 <= figures.pieces.mean <= 21.5
    assert 3.5 <= figures.overall.mean <= 4.8


@reads_the_demo
def test_performances_are_rated_after_their_pieces():
    pair = {name: OuterRef(name) for name in ("user_id", "appearance_id")}
    earlier = PerformanceRating.objects.filter(**pair, created_at__lt=OuterRef("created_at"))
    assert not PieceRating.objects.filter(Exists(earlier)).exists()


@reads_the_demo
def test_comments_on_a_participant_do_not_repeat():
    texts = Counter(PerformanceRating.objects.values_list("appearance__participant_id", "comment"))
    assert max(texts.values()) == 1


@reads_the_demo
def test_listeners_have_no_password_unless_they_had_one():
    listeners = User.objects.filter(username__in=rater_names())
    assert listeners.count() == len(rater_names())
    assert not any(listener.has_usable_password() or listener.is_admin for listener in listeners)
    assert User.objects.get(username="una_corda").has_usable_password()


@reads_the_demo
def test_rankings_can_be_computed_and_the_brigade_weighs_less(monkeypatch):
    monkeypatch.setattr(method2, "DRAWS", 40)
    with transaction.atomic():
        assert [ranking_load(now=NOW), ranking_load(now=NOW)] == [True, False]
        assert [stage.name for stage in stage_names() if ranking_compute(stage_id=stage.id).run_id] == ["Stage I"]
        stages = stage_names()[:2]
        closed = RankingRun.objects.get(stage_id=stages[0].id)
        assert (closed.sheets > 100, closed.is_final, closed.final_at < NOW) == (True, True, True)
        assert closed.file
        assert all(1 / 3 < run.blind / run.marks < 2 / 3 for run in RankingRun.objects.all())
        for stage in stages:
            ranked = [each.place for each in ranking_get(stage_id=stage.id).page().rows if each.place.rank]
            assert len(ranked) > 8
            assert any(place.highest - place.lowest >= 2 for place in ranked)  # some places are uncertain
        not_counted = stage_counting(stage_id=stages[0].id).not_counted
        less = RankingAccount.objects.filter(stage_id=stages[0].id, quarters__lt=4)
        lighter = dict(less.values_list("user__username", "quarters"))
        transaction.set_rollback(True)
    assert not_counted[NotCounted.NEW] == 0
    assert lighter.keys() >= set(stalls_names()[-24:])
    beside = {name: quarters for name, quarters in lighter.items() if name not in stalls_names()[-24:]}
    assert len(beside) <= 14  # of 78, on the brigade's side with a single evening; usually none
    assert set(beside.values()) <= {2}


# What a reader would take for an invention: each row is a sentence about it.
OFFENDERS = """
WITH share AS (SELECT score, count(*) / sum(count(*)) OVER () AS part FROM piece_ratings GROUP BY score),
written AS (
    SELECT user_id, comment FROM performance_ratings
    UNION ALL SELECT user_id, content FROM session_comments
    UNION ALL SELECT user_id, content FROM posts
    UNION ALL SELECT user_id, content FROM post_comments
),
appearance AS (
    SELECT appearance.*, stage.name AS stage_name, stage.archived_at, session.title, session.is_live
    FROM session_participants AS appearance
    JOIN sessions AS session ON session.id = appearance.session_id JOIN stages AS stage ON stage.id = session.stage_id
)
SELECT format('%s has %s of the marks', score, round(part, 3)) FROM share
WHERE part > CASE score WHEN 25 THEN 0.04 ELSE 0.12 END
UNION ALL
SELECT format('%s wrote twice: %s', username, comment) FROM written JOIN users ON users.id = user_id
GROUP BY username, comment HAVING count(*) > 1
UNION ALL
SELECT format('%s: %s of the marks are blind', stage_name, round(avg((struck.id IS NOT NULL)::int), 3))
FROM piece_ratings AS mark JOIN appearance ON appearance.id = mark.session_participant_id
LEFT JOIN rating_drafts AS sheet USING (user_id, session_participant_id)
LEFT JOIN draft_marks AS struck ON struck.draft_id = sheet.id AND struck.piece_id = mark.piece_id AND struck.blind
GROUP BY stage_name HAVING avg((struck.id IS NOT NULL)::int) NOT BETWEEN 0.3334 AND 0.6666
UNION ALL
SELECT format('%s: number %s has no planned time', title, order_number) FROM appearance WHERE planned_start IS NULL
UNION ALL
SELECT DISTINCT format('%s marks %s', username, stage_name) FROM piece_ratings AS mark
JOIN appearance ON appearance.id = mark.session_participant_id JOIN users ON users.id = mark.user_id
WHERE username = ANY(%(crooked)s) AND archived_at IS NULL
UNION ALL
SELECT format('%s: %s of %s advance', name, count(advancement.id), played) FROM stages
CROSS JOIN LATERAL (SELECT count(*) AS played FROM session_participants WHERE stage_id = stages.id) AS there
LEFT JOIN stage_advancements AS advancement ON advancement.stage_id = stages.id
WHERE archived_at IS NOT NULL GROUP BY name, played HAVING count(advancement.id) NOT BETWEEN 1 AND played - 1
UNION ALL
SELECT format('%s plays, without marks', order_number) FROM appearance
WHERE is_performing AND is_live AND NOT EXISTS (
    SELECT FROM piece_ratings WHERE session_participant_id = appearance.id AND approved
)
UNION ALL
SELECT format('prizes of %s before its end', stage.name) FROM prize_lists JOIN stages AS stage ON stage.id = stage_id
WHERE EXISTS (SELECT FROM sessions WHERE sessions.stage_id = stage.id AND ended_at IS NULL)
"""


@reads_the_demo
def test_demo_is_plausible():
    crooked = sorted({*stalls_names()} - {*honest_names()})
    with as_owner() as cursor:  # as in a new database
        cursor.execute("ALTER SEQUENCE posts_id_seq RESTART; ALTER SEQUENCE session_comments_id_seq RESTART")
    assert comments_load() + community_load() > 20
    with connection.cursor() as cursor:
        cursor.execute(OFFENDERS.replace("%s", "%%s").replace("%%(crooked)s", "%(crooked)s"), {"crooked": crooked})
        assert [sentence for (sentence,) in cursor.fetchall()] == []


@reads_the_demo
def test_second_load_writes_no_rows():
    before = rows()
    assert all(before)
    assert not ratings_load()
    assert rows() == before


@pytest.mark.django_db
def test_ratings_load_only_with_the_demo():
    assert not ratings_load()
    assert rows() == [[], [], []]


def test_comments_are_unique_and_clean():
    texts = [text for group in comments().values() for text in group]
    assert [text_clean(text) for text in texts] == texts
    assert len(set(texts)) == len(texts)
