"""The parts of a live session without a performer: before the first one, in an interval, and after the last one."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import PerformingTime, Session
from apps.competition.services.live import performer_clear, performer_set
from apps.live.limits import COMMENTS_SHOWN
from apps.live.models import ReactionMoment
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.services import ranking_compute
from components.parts.ratings.own_ratings import rating_slots
from components.parts.sessions.interval import (
    interval_ahead,
    interval_board,
    interval_moments,
    interval_said,
    interval_unrated,
    own_interval_ahead,
)
from components.parts.sessions.session import session_head, session_now
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.components.conftest import busy_session_with
from tests.components.parts.test_session import came, perform
from tests.components.seen import attributes, every, name, one, text, tree
from tests.factories import SessionCommentFactory
from tests.general import queries_counted


def shown(part, *parameters):
    return tree(part.markup(*parameters, language="en"))


@pytest.fixture
def session(busy_session):
    """Return the busy session with an empty stage."""
    perform(busy_session, None)
    return busy_session


def board(session):
    return shown(interval_board, session.session.pk)


def test_during_a_performance_and_in_a_session_that_is_not_live_nothing_of_it_is_there(busy_session):
    pk, stage_id = busy_session.session.pk, busy_session.session.stage_id
    hidden = [(interval_board, pk), (interval_said, pk), (interval_ahead, pk, stage_id)]
    hidden.append((own_interval_ahead, pk, stage_id, "1"))
    came(busy_session.appearances[0])
    for is_live in (True, False):
        Session.objects.update(is_live=is_live)
        with queries_counted(2 * len(hidden) if is_live else len(hidden)):  # the session, and who is on stage
            assert all(attributes(shown(*part))["hidden"] for part in hidden)
        badges = every(shown(session_head, pk), look="interval__badge")
        assert ["data-off" in attributes(each) for each in badges] == ([True] if is_live else [])
        assert not every(shown(session_now, pk), look="pause")
    perform(busy_session, None)
    Session.objects.update(is_live=False)
    assert all(attributes(shown(*part))["hidden"] for part in hidden)


def test_before_the_first_performer_it_begins_soon_with_the_first_names(session):
    seen = board(session)
    assert [text(each) for each in every(seen, "p")] == [
        "It begins soon",
        "Maëlle d’Hautecombe",
        "then Zofia Wróblewska-Łęcka, Tomás Villaseñor Ibáñez",
    ]
    assert not every(seen, look="heard-now")
    now = shown(session_now, session.session.pk)
    assert [text(each) for each in every(one(now, look="stand__said"), "p")] == [
        "It begins soon",
        "First: 1 Maëlle d’Hautecombe",
        "then Zofia Wróblewska-Łęcka, Tomás Villaseñor Ibáñez",
    ]
    assert "data-off" in attributes(one(shown(session_head, session.session.pk), look="interval__badge"))
    unrated = shown(interval_unrated, session.session.pk)
    assert (every(unrated, "li"), text(one(unrated, look="todo__done"))) == ([], "Nobody has played yet.")
    assert text(shown(interval_ahead, session.session.pk, session.session.stage_id)).startswith(
        "Ahead in this sessionNo scores yet."
    )


@pytest.mark.django_db
def test_a_session_of_one_has_no_further_names():
    made = busy_session_with(1)
    assert [text(each) for each in every(board(made), "p")] == ["It begins soon", "Maëlle d’Hautecombe"]


def test_in_the_interval_the_board_says_who_comes_next_and_what_was_just_heard(session):
    for appearance in session.appearances[:2]:
        came(appearance)
    seen, last = board(session), session.appearances[1]
    assert [text(each) for each in every(one(seen, look="board__next"), "p")] == [
        "Next",
        "Tomás Villaseñor Ibáñez",
        "Poland, plays third, after the interval",
        "since 20:00 in the hall",
    ]
    now = shown(session_now, session.session.pk)
    for heard in (one(seen, look="heard-now"), one(now, look="heard-now")):
        assert text(one(heard, "p", "stage__label")) == "Just played"
        way = one(heard, "a", look="link")
        assert (name(way), attributes(way)["data-page-event"]) == ("Rate Zofia Wróblewska-Łęcka", "keys_open")
        assert attributes(way)["href"] == f"/sessions/{session.session.pk}?open={last.pk}#keys-{last.pk}"
        parts = [attributes(each)["part"].split(":")[0] for each in every(heard, "shared-part")]
        assert parts == ["performance_means", "performance_strings", "interval_moments"]
    assert text(one(now, look="stand__dock")) == "LIVEInterval. Next: 3 Tomás Villaseñor Ibáñez"
    badge = one(shown(session_head, session.session.pk), look="interval__badge")
    assert (text(badge), "data-off" in attributes(badge)) == ("Interval", False)


def test_after_the_last_one_everybody_has_played_and_nothing_is_next(session):
    for appearance in session.appearances:
        came(appearance)
    seen = board(session)
    assert text(one(seen, look="board__next")) == "Everybody has played."
    assert every(seen, look="heard-now")
    assert "data-off" in attributes(one(shown(session_head, session.session.pk), look="interval__badge"))
    now = shown(session_now, session.session.pk)
    assert text(one(now, look="stand__said")).strip() == "Everybody has played."
    assert every(now, look="pause")


def test_what_has_been_played_is_listed_the_last_one_first_with_its_pieces_and_a_way_to_the_keys(session):
    first, second, _third = session.appearances
    came(first)
    came(second)
    second.program.last().delete()
    rows = every(shown(interval_unrated, session.session.pk), "li")
    assert [text(each) for each in rows] == [
        "2Zofia Wróblewska-Łęcka1 pieceRate Zofia Wróblewska-Łęcka",
        "1Maëlle d’Hautecombe2 piecesRate Maëlle d’Hautecombe",
    ]
    way = attributes(one(rows[1], "a", look="button"))
    assert way["href"] == f"/sessions/{session.session.pk}?open={first.pk}#keys-{first.pk}"
    second.program.all().delete()  # nothing of it can be rated
    assert len(every(shown(interval_unrated, session.session.pk), "li")) == 1


@pytest.fixture
def evening(db):
    """Return a live session of six performances; the first five are ranked."""
    made = stage_of(6, is_live=True)
    audience(made[:5], 12)
    ranking_compute(stage_id=made[0].session.stage_id)
    return made


def interval(appearance):
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    performer_clear(actor=OPERATOR, session_id=appearance.session_id)


def ahead(evening, seen=None):
    """Return the leaders as shown: place, name, how they have moved, score."""
    of = (evening[0].session_id, evening[0].session.stage_id)
    found = shown(interval_ahead, *of) if seen is None else shown(own_interval_ahead, *of, "-".join(map(str, seen)))
    rows = [[text(each) for each in row["children"]] for row in every(found, "li")]
    moved = [[text(small) for small in every(row, "small")] for row in every(found, "li")]
    return found, [
        (int(nr), words.removesuffix("".join(more)), *more, score)
        for (nr, words, score), more in zip(rows, moved, strict=True)
    ]


def scores(evening):
    """Return the scores of the newest ranking by name, the highest first, from the rows."""
    run = RankingRun.objects.order_by("-pk").first()
    rows = RankingRow.objects.filter(run=run, rank__isnull=False).order_by("-score")
    return [(row.appearance.participant.name, str(row.score)) for row in rows.select_related("appearance__participant")]


@pytest.mark.django_db(transaction=True)
def test_the_leaders_are_those_of_the_ranking_and_what_moved_is_said_from_the_second_interval_on(evening):
    interval(evening[0])
    before = [who for who, _score in scores(evening)]
    assert ahead(evening)[1] == [(nth, *row) for nth, row in enumerate(scores(evening)[:3], start=1)]
    for user in listeners(10):
        give(user, evening, [25, 25, 1, 1, 1, 24])
    ranking_compute(stage_id=evening[0].session.stage_id)
    interval(evening[1])
    now = [who for who, _score in scores(evening)]
    words = []
    for place, who in enumerate(now):
        former = before.index(who) if who in before else None
        step = "new here" if former is None else "unchanged" if former == place else ""
        words.append(step or f"{'up' if place < former else 'down'} from {['1st', '2nd', '3rd', '4th', '5th'][former]}")
    expected = [(nth, who, words[nth - 1], score) for nth, (who, score) in enumerate(scores(evening)[:3], start=1)]
    assert ahead(evening)[1] == expected
    assert {each[2].split()[0] for each in expected} > {"new"} or "up" in "".join(words)


@pytest.mark.django_db(transaction=True)
def test_a_member_sees_leaders_and_moves_among_what_the_member_sees_only(evening):
    interval(evening[0])
    for user in listeners(10):
        give(user, evening, [1, 25, 25, 1, 1, 24])
    ranking_compute(stage_id=evening[0].session.stage_id)
    interval(evening[1])
    performer_set(actor=OPERATOR, session_participant_id=evening[5].pk)
    performer_clear(actor=OPERATOR, session_id=evening[5].session_id)
    names = [each.participant.name for each in evening]
    seen = [evening[0].pk, evening[1].pk]
    found, rows = ahead(evening, seen)
    by_score = [who for who, _score in scores(evening) if who in names[:2]]
    assert [(row[0], row[1]) for row in rows] == list(enumerate(by_score, start=1))
    assert "1 of 3 covered: Show all" in text(found)
    covered = text(found)
    assert not any(who in covered for who in names[2:])
    found, rows = ahead(evening, [])
    assert (rows, "3 of 3 covered: Show all" in text(found)) == ([], True)
    assert "No scores yet" not in text(found)


def play(appearance, applause, other):
    """Put this appearance on stage for ten minutes an hour ago, with reactions at seconds since its begin.

    `applause` are hearts and thumbs up, `other` thumbs down.
    """
    began_at = (timezone.now() - dt.timedelta(hours=1)).replace(microsecond=0)
    PerformingTime.objects.create(
        session_participant=appearance, began_at=began_at, ended_at=began_at + dt.timedelta(minutes=10)
    )
    for second in {*applause, *other}:
        moment, count = int(began_at.timestamp()) + second, applause.get(second, 0)
        all_kinds = {"count": count + other.get(second, 0), "applause": count}
        ReactionMoment.objects.create(session_id=appearance.session_id, second=moment, **all_kinds)


def test_moments_lead_to_the_second_of_the_video_and_name_the_piece(session):
    playing = session.appearances[1]
    first, second = playing.program.order_by("order_number")
    second.timestamp = 400
    second.save()
    play(playing, {60: 9, 480: 12}, {240: 90, 480: 1})
    seen = shown(interval_moments, playing.pk, playing.participant_id)
    ways = every(seen, "a")
    assert [text(each).split(" ", 1)[1] for each in ways] == ["Étude", "Nocturne"]
    for way, at in zip(ways, (90 + 60, 90 + 480), strict=True):
        _line, _, asked = attributes(way)["data-argument"].partition(":")[2].partition(".")
        assert 0 <= at - int(asked) < 20  # the slice in which most reactions came
        assert attributes(way)["href"].startswith(f"/sessions/{session.session.pk}?watch={first.pk}.{asked}#")
        assert name(way).startswith("Watch ")
        assert name(way).endswith(", Zofia Wróblewska-Łęcka")
    Session.objects.update(youtube_id="")
    assert not every(shown(interval_moments, playing.pk, playing.participant_id), "a")


def test_the_two_newest_comments_and_the_number_of_all_are_there(session):
    pk = session.session.pk
    assert text(shown(interval_said, pk)) == "Said just nowNobody has said anything yet."
    made = [SessionCommentFactory(session=session.session, content=f"Word {nth}") for nth in range(COMMENTS_SHOWN + 2)]
    seen = shown(interval_said, pk)
    assert [text(each) for each in every(seen, look="says__text")] == [made[-1].content, made[-2].content]
    way = one(seen, "a", look="link")
    assert (text(way), attributes(way)["href"]) == (f"All {len(made)} comments", "#comments")
    type(made[0]).objects.filter(pk=made[-1].pk).update(is_hidden=True)
    assert text(every(shown(interval_said, pk), look="says__text")[0]) == made[-2].content


def test_a_change_of_performer_reads_no_viewers_fills_again():
    assert rating_slots(session_id=1, stage_id=1, language="en").topics == ("account.<id>.ratings",)
