"""The parts of a live session without a performer: before the first one, in an interval, and after the last one."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, PerformingTime, Session
from apps.competition.services.live import performer_clear, performer_set
from apps.core.database.fields import venue_zone
from apps.live.limits import COMMENTS_SHOWN
from apps.live.models import ReactionMoment
from apps.notifications.services.call_alerts import call_alert_set
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.services import ranking_compute
from components.parts.home.banner import home_banner
from components.parts.ratings.own_ratings import rating_slots
from components.parts.sessions.interval import (
    interval_ahead,
    interval_moments,
    interval_panel,
    interval_said,
    interval_tab,
    interval_unrated,
    interval_when,
    own_interval_ahead,
)
from components.parts.sessions.session import session_head, session_now
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.components.conftest import busy_session_with
from tests.components.parts.test_session import came, perform
from tests.components.seen import attributes, every, name, one, opened, read_part, text
from tests.factories import SessionCommentFactory, UserFactory, viewer_of
from tests.general import queries_counted


@pytest.fixture
def session(busy_session):
    """Return the busy session with an empty stage."""
    perform(busy_session, None)
    return busy_session


def when(session):
    return text(read_part(interval_when, session.session.pk))


def tab(session):
    """Return the words of the tab, empty while it is hidden."""
    seen = read_part(interval_tab, session.session.pk)
    return "" if attributes(seen).get("hidden") else text(seen)


def texts(node):
    return [text(paragraph) for paragraph in every(node, "p")]


def test_interval_parts_are_hidden_during_a_performance_and_after_the_session(busy_session):
    pk, stage_id = busy_session.session.pk, busy_session.session.stage_id
    hidden = [(interval_tab, pk), (interval_panel, pk, stage_id), (interval_said, pk), (interval_ahead, pk, stage_id)]
    hidden.append((own_interval_ahead, pk, stage_id, "1"))
    came(busy_session.appearances[0])
    for is_live in (True, False):
        Session.objects.update(is_live=is_live)
        with queries_counted(2 * len(hidden) if is_live else len(hidden)):  # the session, and who is on stage
            assert all(attributes(read_part(*part))["hidden"] for part in hidden)
        badges = every(read_part(session_head, pk), look="interval__badge")
        assert ["data-off" in attributes(badge) for badge in badges] == ([True] if is_live else [])
        assert when(busy_session) == ""
    perform(busy_session, None)
    Session.objects.update(is_live=False)
    assert all(attributes(read_part(*part))["hidden"] for part in hidden)


def test_stage_before_the_first_performer_names_the_first_ones(session):
    now = read_part(session_now, session.session.pk)
    then = "then Zofia Wróblewska-Łęcka, Tomás Villaseñor Ibáñez"
    assert texts(one(now, look="stand__said")) == ["It begins soon", "First: 1 Maëlle d’Hautecombe", then]
    assert not every(now, look="heard-now")
    assert (when(session), tab(session)) == ("Poland", "")
    assert one(now, "button", data_slot=f"call_alert:{session.session.pk}-0")
    assert "data-off" in attributes(one(read_part(session_head, session.session.pk), look="interval__badge"))
    unrated = read_part(interval_unrated, session.session.pk)
    assert (every(unrated, "li"), text(one(unrated, look="todo__done"))) == ([], "Nobody has played yet.")
    assert text(read_part(interval_ahead, session.session.pk, session.session.stage_id)).startswith(
        "Ahead in this sessionNo scores yet."
    )


@pytest.mark.django_db
def test_stage_before_a_single_performer_has_one_name():
    single = busy_session_with(1)
    now = read_part(session_now, single.session.pk)
    assert texts(one(now, look="stand__said")) == ["It begins soon", "First: 1 Maëlle d’Hautecombe"]


def test_interval_has_the_next_and_the_last_performer(session):
    for appearance in session.appearances[:2]:
        came(appearance)
    last, now = session.appearances[1], read_part(session_now, session.session.pk)
    assert texts(one(now, look="stand__said")) == [
        "Interval since 20:00 in the hall",
        "Next: 3 Tomás Villaseñor Ibáñez",
    ]
    heard = one(now, look="heard-now")
    assert text(one(heard, "p", "stage__label")) == "Just played"
    link = one(heard, "a", look="link")
    assert (name(link), attributes(link)["data-page-event"]) == ("Rate Zofia Wróblewska-Łęcka", "keys_open")
    assert attributes(link)["href"] == f"/sessions/{session.session.pk}?open={last.pk}#keys-{last.pk}"
    parts = [attributes(part)["part"].split(":")[0] for part in every(heard, "shared-part")]
    assert parts == ["performance_means", "performance_strings", "interval_moments"]
    assert text(one(now, look="stand__dock")) == "LIVEInterval. Next: 3 Tomás Villaseñor Ibáñez"
    badge = one(read_part(session_head, session.session.pk), look="interval__badge")
    assert (text(badge), "data-off" in attributes(badge)) == ("Interval", False)
    assert tab(session) == "Interval"
    panel = every(read_part(interval_panel, session.session.pk, session.session.stage_id), "shared-part")
    parts = [attributes(part)["part"].split(":")[0] for part in panel]
    assert parts == ["interval_unrated", "interval_ahead", "interval_said"]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (8.5, "Poland, planned {at} in the hall, in 9 minutes"),
        (0.5, "Poland, planned {at} in the hall, in 1 minute"),
        (80, "Poland, planned {at} in the hall, in 1 h 20 min"),
        (120, "Poland, planned {at} in the hall, in 2 h"),
        (-3, "Poland, was planned for {at} in the hall"),
    ],
)
def test_interval_says_when_the_next_performer_is_planned(session, minutes, words):
    came(session.appearances[0])
    came(session.appearances[1])
    assert when(session) == "Poland"
    at = timezone.now() + dt.timedelta(minutes=minutes)
    Appearance.objects.filter(pk=session.appearances[2].pk).update(planned_start=at)
    assert when(session).strip() == words.format(at=f"{at.astimezone(venue_zone()):%H:%M}")
    banner = text(read_part(home_banner))
    assert words.format(at=f"{at.astimezone(venue_zone()):%H:%M}").removeprefix("Poland, ") in banner


def test_interval_after_the_last_performer_has_no_next_one(session):
    for appearance in session.appearances:
        came(appearance)
    now = read_part(session_now, session.session.pk)
    assert text(one(now, look="stand__said")).strip() == "Everybody has played."
    assert every(now, look="heard-now")
    assert not every(now, look="alert")
    assert "data-off" in attributes(one(read_part(session_head, session.session.pk), look="interval__badge"))
    assert (when(session), tab(session)) == ("", "At the end")


def test_button_is_pressed_for_who_waits_in_this_interval_only(session):
    def words(viewer):
        main = opened(f"/sessions/{session.session.pk}", viewer).main
        own = one(main, look="alert")
        button = one(own, "button")
        return text(every(own, "span")[0]), text(button), attributes(button)["data-argument"]

    fan, pk = viewer_of(UserFactory()), session.session.pk
    came(session.appearances[0])
    off = ("", "Tell me when it begins", f"{pk}:on")
    assert words(fan) == off
    call_alert_set(actor=fan, session_id=pk, is_wanted=True)
    assert words(fan) == ("You will be told.", "Undo", f"{pk}:off")
    assert words(viewer_of(UserFactory())) == off
    came(session.appearances[1])
    assert words(fan) == off


def test_played_performances_are_listed_newest_first_with_rating_links(session):
    first, second, _third = session.appearances
    came(first)
    came(second)
    second.program.last().delete()
    rows = every(read_part(interval_unrated, session.session.pk), "li")
    assert [text(row) for row in rows] == [
        "2Zofia Wróblewska-Łęcka1 pieceRate Zofia Wróblewska-Łęcka",
        "1Maëlle d’Hautecombe2 piecesRate Maëlle d’Hautecombe",
    ]
    link = attributes(one(rows[1], "a", look="button"))
    assert link["href"] == f"/sessions/{session.session.pk}?open={first.pk}#keys-{first.pk}"
    second.program.all().delete()  # it cannot be rated
    assert len(every(read_part(interval_unrated, session.session.pk), "li")) == 1


@pytest.fixture
def evening(db):
    """Return a live session of six performances; the first five are ranked."""
    appearances = stage_of(6, is_live=True)
    audience(appearances[:5], 12)
    ranking_compute(stage_id=appearances[0].session.stage_id)
    return appearances


def interval(appearance):
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    performer_clear(actor=OPERATOR, session_id=appearance.session_id)


def ahead(evening, seen=None):
    """Return the part, and the leaders as shown: place, name, how they have moved, score."""
    ids = (evening[0].session_id, evening[0].session.stage_id)
    part = (
        read_part(interval_ahead, *ids)
        if seen is None
        else read_part(own_interval_ahead, *ids, "-".join(map(str, seen)))
    )
    leaders = []
    for row in every(part, "li"):
        place, name, score = row["children"]
        moves, added = ([text(small) for small in every(cell, "small")] for cell in (name, score))
        shown = [text(cell).removesuffix("".join(words)) for cell, words in ((name, moves), (score, added))]
        leaders.append((int(text(place)), shown[0], *moves, shown[1]))
    return part, leaders


def scores(evening):
    """Return the scores of the newest ranking by name, the highest first, from the rows."""
    run = RankingRun.objects.order_by("-pk").first()
    rows = RankingRow.objects.filter(run=run, rank__isnull=False).order_by("-score")
    return [(row.appearance.participant.name, str(row.score)) for row in rows.select_related("appearance__participant")]


def test_member_sees_uncovered_leaders_only(evening):
    interval(evening[0])
    for user in listeners(10):
        give(user, evening, [1, 25, 25, 1, 1, 24])
    ranking_compute(stage_id=evening[0].session.stage_id)
    interval(evening[1])
    interval(evening[5])
    names = [appearance.participant.name for appearance in evening]
    part, leaders = ahead(evening, seen=[evening[0].pk, evening[1].pk])
    by_score = [performer for performer, _score in scores(evening) if performer in names[:2]]
    assert [leader[:2] for leader in leaders] == list(enumerate(by_score, start=1))
    assert "1 of 3 covered: Show all" in text(part)
    assert not any(performer in text(part) for performer in names[2:])
    part, leaders = ahead(evening, seen=[])
    assert (leaders, "3 of 3 covered: Show all" in text(part)) == ([], True)
    assert "No scores yet" not in text(part)


def play(appearance, applause, other):
    """Put this appearance on stage for ten minutes an hour ago, with reactions at seconds since its begin.

    `applause` are hearts and thumbs up, `other` thumbs down.
    """
    began_at = (timezone.now() - dt.timedelta(hours=1)).replace(microsecond=0)
    PerformingTime.objects.create(
        appearance=appearance, began_at=began_at, ended_at=began_at + dt.timedelta(minutes=10)
    )
    for second in {*applause, *other}:
        moment, count = int(began_at.timestamp()) + second, applause.get(second, 0)
        all_kinds = {"count": count + other.get(second, 0), "applause": count}
        ReactionMoment.objects.create(session_id=appearance.session_id, second=moment, **all_kinds)


def test_moments_link_the_second_of_the_video_and_name_the_piece(session):
    playing = session.appearances[1]
    first, last = playing.program.order_by("order_number")
    last.timestamp = 400
    last.save()
    play(playing, {60: 9, 480: 12}, {240: 90, 480: 1})
    seen = read_part(interval_moments, playing.pk, playing.participant_id)
    links = every(seen, "a")
    assert [text(link).split(" ", 1)[1] for link in links] == ["Étude", "Nocturne"]
    for link, peak in zip(links, (90 + 60, 90 + 480), strict=True):
        _line, _, second = attributes(link)["data-argument"].partition(":")[2].partition(".")
        assert 0 <= peak - int(second) < 20  # the slice in which most reactions came
        assert attributes(link)["href"].startswith(f"/sessions/{session.session.pk}?watch={first.pk}.{second}#")
        assert name(link).startswith("Watch ")
        assert name(link).endswith(", Zofia Wróblewska-Łęcka")
    Session.objects.update(youtube_id="")
    assert not every(read_part(interval_moments, playing.pk, playing.participant_id), "a")


def test_interval_shows_the_two_newest_comments_and_their_number(session):
    pk = session.session.pk
    assert text(read_part(interval_said, pk)) == "Said just nowNobody has said anything yet."
    count = COMMENTS_SHOWN + 2
    comments = [SessionCommentFactory(session=session.session, content=f"No. {n}") for n in range(count)]
    second, newest = comments[-2:]
    seen = read_part(interval_said, pk)
    assert [text(comment) for comment in every(seen, look="says__text")] == [newest.content, second.content]
    link = one(seen, "a", look="link")
    assert (text(link), attributes(link)["href"]) == (f"All {count} comments", "#comments")
    newest.is_hidden = True
    newest.save()
    assert text(every(read_part(interval_said, pk), look="says__text")[0]) == second.content


def test_rating_fills_do_not_depend_on_the_performer():
    assert rating_slots(session_id=1, stage_id=1, language="en").topics == ("account.<id>.ratings",)
