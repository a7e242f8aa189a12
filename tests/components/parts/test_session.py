"""The session page's parts: the head, the performer now and next, the running order, and the rating form."""

import datetime as dt

import pytest

from apps.competition.models import PerformingTime, ProgramEntry, Session
from components.parts.ratings.rating_form import performance_rating
from components.parts.sessions.session import (
    session_about,
    session_head,
    session_now,
    session_order,
    session_performer_link,
)
from components.runtime.rendering.tree import difference
from tests.components.seen import attributes, classes, every, name, one, text, tree
from tests.factories import PLAYED, SessionFactory

HOUR = dt.timedelta(hours=1)


def shown_of(part, session):
    return tree(part.markup(session.pk, language="en"))


def now(session):
    return one(shown_of(session_now, session), look="stand__said")


def order(session):
    return tree(session_order.markup(session.pk, language="en"))


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
    PerformingTime.objects.create(session_participant=appearance, began_at=began_at, ended_at=began_at + HOUR)


def test_stage_shows_who_plays_and_who_is_next(busy_session):
    head = shown_of(session_head, busy_session.session)
    assert text(one(head, look="live-now")) == "LIVE NOW"
    assert text(one(head, "h1")) == "Stage I, evening session"
    about = shown_of(session_about, busy_session.session)
    assert text(one(about, "time")) == "Tuesday, 12 October 2021, 17:00 in the hall"
    spoken = now(busy_session.session)
    assert attributes(spoken)["aria-live"] == "polite"
    assert text(one(spoken, look="stage__label")) == "Now Performing"
    assert text(one(spoken, look="person__name")) == "Zofia Wróblewska-Łęcka"
    assert text(one(spoken, look="stage__next")) == "3 Tomás Villaseñor Ibáñez is next"


def test_a_live_session_alone_has_a_state_with_the_badge_of_the_interval(busy_session):
    state = one(shown_of(session_head, busy_session.session), look="stand__state")
    live, blank, interval = state["children"]
    assert (text(live), blank, text(interval)) == ("LIVE NOW", " ", "Interval")
    assert "data-off" in attributes(interval)
    busy_session.session.is_live = False
    busy_session.session.save()
    assert not every(shown_of(session_head, busy_session.session), look="stand__state")


def test_nobody_is_next_after_the_last_and_the_line_keeps_its_height(busy_session):
    perform(busy_session, 2)
    assert text(one(now(busy_session.session), look="stage__next")) == ""


def test_before_anybody_was_on_stage_it_says_who_begins(busy_session):
    perform(busy_session, None)
    assert text(now(busy_session.session)).startswith("It begins soonFirst: 1 Maëlle d’Hautecombe")


def test_in_the_interval_it_says_who_comes_next_and_since_when(busy_session):
    perform(busy_session, None)
    for appearance in busy_session.appearances[:2]:
        came(appearance)
    spoken = now(busy_session.session)
    assert text(one(spoken, look="stage__label")) == "Interval since 20:00 in the hall"
    assert text(one(spoken, look="stage__turn")) == "Next: 3 Tomás Villaseñor Ibáñez"
    came(busy_session.appearances[2])
    assert text(now(busy_session.session)).startswith("Everybody has played.")


@pytest.mark.django_db
def test_stage_of_a_session_that_is_not_live_has_no_badge_and_says_nothing_of_now():
    session = SessionFactory()
    assert not every(shown_of(session_head, session), look="live-now")
    assert not every(shown_of(session_now, session), look="stand__said")


def looks(session):
    return [classes(row) for row in every(order(session), "li")]


def test_rows_are_marked_by_what_was_and_is_and_comes(busy_session):
    came(busy_session.appearances[0])
    assert looks(busy_session.session) == [["is-done"], ["is-now"], ["is-coming", "is-next"]]
    perform(busy_session, None)
    came(busy_session.appearances[1])
    assert looks(busy_session.session) == [["is-done"], ["is-done"], ["is-coming", "is-next"]]


def test_who_was_passed_over_has_not_played(busy_session):
    assert looks(busy_session.session) == [["is-coming"], ["is-now"], ["is-coming", "is-next"]]


def test_order_numbers_and_badge(busy_session):
    shown = order(busy_session.session)
    assert [text(number) for number in every(shown, look="nr")] == ["1", "2", "3"]
    assert text(one(shown, look="badge--now")) == "Now Performing"


def test_a_row_opens_in_place_and_is_a_link_without_scripts(busy_session):
    second = busy_session.appearances[1]
    row = attributes(every(order(busy_session.session), "a", look="order__row")[1])
    assert (row["data-page-event"], row["data-argument"]) == ("order_open", str(second.pk))
    assert row["href"] == f"/sessions/{busy_session.session.pk}?open={second.pk}#appearance-{second.pk}"
    assert row["aria-expanded"] == "false"


def test_the_line_to_who_plays_now_names_them(busy_session):
    line = shown_of(session_performer_link, busy_session.session)
    assert (text(line), attributes(line)["href"]) == (
        "Now: Zofia Wróblewska-Łęcka",
        f"#appearance-{busy_session.appearances[1].pk}",
    )


def test_a_change_of_performer_leaves_the_other_rows_untouched(busy_session):
    before = order(busy_session.session)
    perform(busy_session, 2)
    [[change]] = difference(before, order(busy_session.session))
    [rows] = change["2"]
    assert sorted(rows) == ["1", "2"]
    pk = busy_session.appearances[2].pk
    words = {"tagName": "span", "attributes": {"data-slot": f"sign_words:{pk}"}}
    begun = [[0, 2], [2, [{"0": "Now Performing"}, {"0": "badge badge--now"}]]]  # the number and name stay
    begun.append([2, [{"0": words}, {"0": "sign", "data-slot": f"sign:{pk}"}]])
    assert rows["2"] == [{"0": [begun]}, {"0": "is-now"}]


def rating(appearance):
    return tree(performance_rating.markup(appearance.pk, appearance.participant_id, language="en"))


def test_watch_asks_the_page_and_is_a_link_without_it(busy_session):
    playing = busy_session.appearances[1]
    entry = ProgramEntry.objects.filter(session_participant=playing).first()
    watch = one(rating(playing), "a", look="watch", data_argument=f"{playing.pk}:{entry.pk}")
    assert attributes(watch)["data-page-event"] == "watch"
    assert attributes(watch)["href"] == f"/sessions/{busy_session.session.pk}?watch={entry.pk}#stage-video"
    assert name(watch) == "Watch 1:30: Étude in C♯ minor, op. 10 no. 4, Zofia Wróblewska-Łęcka"
    assert text(watch) == "Watch 1:30"


def test_what_has_not_begun_can_neither_be_rated_nor_watched(busy_session):
    shown = rating(busy_session.appearances[2])
    assert not every(shown, "form")
    assert not every(shown, look="watch")
    assert len(every(shown, look="work")) == 2
    assert text(one(shown, "p")) == "Plays third, after Zofia Wróblewska-Łęcka. You can rate once it begins."
    assert text(one(rating(busy_session.appearances[0]), "p")) == "Plays first. You can rate once it begins."


def test_a_piece_without_a_video_has_no_watch(busy_session):
    Session.objects.update(youtube_id="")
    shown = rating(busy_session.appearances[1])
    assert not every(shown, look="watch")
    assert len(every(shown, look="work")) == 2


def test_without_programs_and_without_appearances_it_says_so(busy_session):
    ProgramEntry.objects.all().delete()
    assert text(rating(busy_session.appearances[1])) == "The program is not known yet."
    assert text(order(SessionFactory())) == "The order of playing is not known yet."
