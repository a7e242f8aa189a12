"""A session's stage and its running order."""

import pytest

from apps.competition.models import ProgramEntry, Session
from components.parts.session import session_order, session_stage
from components.rendering.tree import difference
from tests.components.seen import attributes, classes, every, name, one, text, tree
from tests.factories import SessionFactory


def stage(session):
    return tree(session_stage.markup(session.pk, language="en"))


def order(session):
    return tree(session_order.markup(session.pk, language="en"))


def perform(evening, index):
    for appearance in evening.appearances:
        appearance.is_performing = False
        appearance.save()
    if index is not None:
        evening.appearances[index].is_performing = True
        evening.appearances[index].save()


def test_stage_shows_who_plays_and_who_is_next(evening):
    shown = stage(evening.session)
    assert text(one(shown, look="live-now")) == "LIVE NOW"
    assert text(one(shown, "h1")) == "Stage I, evening session"
    assert text(one(shown, "time")) == "Tuesday, 12 October 2027, 17:00 in the hall"
    spoken = one(shown, aria_live="polite")
    assert text(one(spoken, look="stage__label")) == "Now Performing"
    assert text(one(spoken, look="person__name")) == "Zofia Wróblewska-Łęcka"
    assert text(one(spoken, look="stage__next")) == "3 Tomás Villaseñor Ibáñez is next"


def test_nobody_is_next_after_the_last(evening):
    perform(evening, 2)
    assert not every(stage(evening.session), look="stage__next")


def test_stage_between_two_performers_keeps_the_appearance_where_the_next_is_announced(evening):
    perform(evening, None)
    assert text(one(stage(evening.session), aria_live="polite")) == ""


@pytest.mark.django_db
def test_stage_of_a_session_that_is_not_live_has_no_badge():
    assert not every(stage(SessionFactory()), look="live-now")


def test_order_opens_the_performer_and_the_next(evening):
    rows = every(order(evening.session), "details")
    assert [attributes(row)["open"] for row in rows] == [False, True, True]
    assert [
        classes(row) for row in every(order(evening.session), "li") if "is-" in attributes(row).get("class", "")
    ] == [
        ["is-done"],
        ["is-now"],
        ["is-coming"],
    ]


def test_order_numbers_and_badge(evening):
    shown = order(evening.session)
    assert [text(number) for number in every(shown, look="nr")] == ["1", "2", "3"]
    assert text(one(shown, look="badge--now")) == "Now Performing"


def test_a_change_of_performer_leaves_the_other_rows_untouched(evening):
    before = order(evening.session)
    perform(evening, 2)
    changes = difference(before, order(evening.session))
    assert changes
    assert all(path.startswith(("/children/1", "/children/2")) for _, path, *_rest in changes)
    assert {kind for kind, *_ in changes} <= {"attributes", "children"}


def test_watch_asks_the_page_and_is_a_link_without_it(evening):
    entry = ProgramEntry.objects.filter(session_participant=evening.appearances[0]).first()
    watch = one(order(evening.session), "a", look="watch", data_argument=str(entry.pk))
    assert attributes(watch)["data-page-event"] == "watch"
    assert attributes(watch)["href"] == f"/sessions/{evening.session.pk}?watch={entry.pk}#stage-video"
    assert name(watch) == "Watch: Étude in C♯ minor, op. 10 no. 4, Maëlle d’Hautecombe"
    assert text(watch) == "Watch"


def test_a_piece_without_a_video_has_no_watch(evening):
    Session.objects.update(youtube_id="")
    assert not every(order(evening.session), look="watch")
    assert len(every(order(evening.session), look="work")) == 6


def test_order_without_programs_and_without_appearances(evening):
    ProgramEntry.objects.all().delete()
    assert text(order(evening.session)).count("The program is not known yet.") == 3
    assert text(order(SessionFactory())) == "The order of playing is not known yet."
