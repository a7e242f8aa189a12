"""The session page's parts: the head, the performer now and next, the running order, and the rating form."""

import datetime as dt

from apps.competition.models import PerformingTime, ProgramEntry, Session
from components.parts.ratings.rating_form import performance_rating
from components.parts.sessions.session import (
    session_about,
    session_call,
    session_head,
    session_now,
    session_order,
    session_performer_link,
)
from components.runtime.rendering.tree import difference
from tests.components.seen import attributes, classes, every, name, one, read_part, text
from tests.factories import PLAYED, SessionFactory

HOUR = dt.timedelta(hours=1)


def shown(part, session):
    return read_part(part, session.pk)


def now(session):
    return one(shown(session_now, session), look="stand__said")


def order(session):
    return read_part(session_order, session.pk)


def perform(busy_session, index):
    for appearance in busy_session.appearances:
        appearance.is_performing = False
        appearance.save()
    if index is not None:
        busy_session.appearances[index].is_performing = True
        busy_session.appearances[index].save()


def came(appearance):
    """Store an hour on stage for this appearance, directly after the previous one."""
    began_at = PLAYED + HOUR * appearance.order_number
    PerformingTime.objects.create(appearance=appearance, began_at=began_at, ended_at=began_at + HOUR)


def test_stage_shows_the_performer_and_the_next_one(busy_session):
    head = shown(session_head, busy_session.session)
    assert text(one(head, look="live-now")) == "LIVE NOW"
    assert text(one(head, "h1")) == "Stage I, evening session"
    about = shown(session_about, busy_session.session)
    assert text(one(about, "time")) == "Tuesday, 12 October 2021, 17:00 in the hall"
    stage = now(busy_session.session)
    assert attributes(stage)["aria-live"] == "polite"
    assert text(one(stage, look="stage__label")) == "Now Performing"
    assert text(one(stage, look="person__name")) == "Zofia Wróblewska-Łęcka"
    assert text(one(stage, look="stage__next")) == "3 Tomás Villaseñor Ibáñez is next"
    line = shown(session_performer_link, busy_session.session)
    assert text(line) == "Now: Zofia Wróblewska-Łęcka"
    assert attributes(line)["href"] == f"#appearance-{busy_session.appearances[1].pk}"
    perform(busy_session, 2)
    assert text(one(now(busy_session.session), look="stage__next")) == ""
    session = SessionFactory()
    assert not every(shown(session_head, session), look="live-now")
    assert text(one(shown(session_now, session), look="stand__said")).startswith("Tuesday, 12 October")


def test_head_of_a_live_session_has_badges(busy_session):
    state = one(shown(session_head, busy_session.session), look="stand__state")
    live, blank, interval = state["children"]
    assert (text(live), blank, text(interval)) == ("LIVE NOW", " ", "Interval")
    assert "data-off" in attributes(interval)
    busy_session.session.is_live = False
    busy_session.session.save()
    assert text(one(shown(session_head, busy_session.session), look="stand__state")) == ""  # it keeps its room


def test_window_that_was_open_at_the_end_gets_a_line_to_the_summary(busy_session):
    session, on_stage = busy_session.session, busy_session.appearances[1]
    session.is_live, session.ended_at = False, PLAYED + HOUR * 4
    session.save()
    perform(busy_session, None)
    said = now(session)
    assert "data-over" in attributes(said)
    assert text(said) == "The session has ended.To the summary"
    assert not every(shown(session_now, session), look="moments")
    PerformingTime.objects.create(appearance=on_stage, began_at=PLAYED, ended_at=session.ended_at)
    assert every(shown(session_now, session), look="moments"), "the room of the curve of who was on stage"
    line = shown(session_performer_link, session)
    assert text(line) == "The session has ended. To the summary"
    for link in (line, one(said, "a")):
        assert (attributes(link)["href"], attributes(link)["data-reload"]) == (f"/sessions/{session.pk}", "")


def test_window_that_was_open_before_the_session_states_who_plays_first_and_then_that_it_is_live(busy_session):
    session = busy_session.session
    session.is_live = False
    session.save()
    perform(busy_session, None)
    first, *others = busy_session.appearances
    call = one(shown(session_call, session), look="call__line")
    assert text(one(call, look="stage__label")).startswith("Tuesday, 12 October 2021, 17:00")
    assert first.participant.second_name in text(one(call, look="stage__turn"))
    assert others[0].participant.second_name in text(one(call, look="stage__told"))
    session.is_live = True
    session.save()
    assert text(one(shown(session_call, session), look="call__line")) == "The session is live.To the stage"


def row_classes(session):
    return [classes(row) for row in every(order(session), "li")]


def test_rows_open_in_place_and_are_marked_as_played_performing_or_coming(busy_session):
    rows, second = order(busy_session.session), busy_session.appearances[1]
    assert [text(number) for number in every(rows, look="nr")] == ["1", "2", "3"]
    assert text(one(rows, look="badge--now")) == "Now Performing"
    row = attributes(every(rows, "a", look="order__row")[1])
    assert (row["data-page-event"], row["data-argument"]) == ("order_open", str(second.pk))
    assert row["href"] == f"/sessions/{busy_session.session.pk}?open={second.pk}#appearance-{second.pk}"
    assert row["aria-expanded"] == "false"
    assert row_classes(busy_session.session) == [["is-coming"], ["is-now"], ["is-coming", "is-next"]], (
        "the first is skipped"
    )
    came(busy_session.appearances[0])
    assert row_classes(busy_session.session) == [["is-done"], ["is-now"], ["is-coming", "is-next"]]
    perform(busy_session, None)
    came(busy_session.appearances[1])
    assert row_classes(busy_session.session) == [["is-done"], ["is-done"], ["is-coming", "is-next"]]


def test_change_of_performer_changes_two_rows_only(busy_session):
    before = order(busy_session.session)
    perform(busy_session, 2)
    [[change]] = difference(before, order(busy_session.session))
    [rows] = change["3"]
    assert sorted(rows) == ["1", "2"]
    pk = busy_session.appearances[2].pk
    words = {"tagName": "span", "attributes": {"data-slot": f"sign_words:{pk}"}}
    changes = [[0, 2], [2, [{"0": "Now Performing"}, {"0": "badge badge--now"}]]]  # the number and name stay
    changes.append([2, [{"0": words}, {"0": "sign", "data-slot": f"sign:{pk}"}]])
    assert rows["2"] == [{"0": [changes]}, {"0": "is-now"}]


def rating(appearance):
    return read_part(performance_rating, appearance.pk, appearance.participant_id)


def test_performance_is_watched_if_it_has_begun_and_has_a_video(busy_session):
    playing = busy_session.appearances[1]
    entry = ProgramEntry.objects.filter(appearance=playing).first()
    watch = one(rating(playing), "a", look="watch", data_argument=f"{playing.pk}:{entry.pk}")
    assert attributes(watch)["data-page-event"] == "watch"
    assert attributes(watch)["href"] == f"/sessions/{busy_session.session.pk}?watch={entry.pk}#stage-video"
    assert name(watch) == "Watch 1:30: Étude in C♯ minor, op. 10 no. 4, Zofia Wróblewska-Łęcka"
    assert text(watch) == "Watch 1:30"
    form = rating(busy_session.appearances[2])
    assert not every(form, "form")
    assert not every(form, look="watch")
    assert len(every(form, look="work")) == 2
    assert text(one(form, "p")) == "Plays third, after Zofia Wróblewska-Łęcka. You can rate once it begins."
    assert text(one(rating(busy_session.appearances[0]), "p")) == "Plays first. You can rate once it begins."
    Session.objects.update(youtube_id="")
    form = rating(busy_session.appearances[1])
    assert not every(form, look="watch")
    assert len(every(form, look="work")) == 2
    ProgramEntry.objects.all().delete()
    assert text(rating(busy_session.appearances[1])) == "The program is not known yet."
    assert text(order(SessionFactory())) == "The order of playing is not known yet."
