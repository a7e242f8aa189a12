"""Test the sentences of notifications, which follow the present state of the stage and the plan."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, StageAdvancement
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services.live import performer_set
from apps.competition.services.prizes import prizes_publish, prizes_save, prizes_withdraw
from apps.notifications.enums import Kind
from apps.notifications.wording import sentences, time_words
from tests.apps.notifications.noting import noted
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, UserFactory

WARSAW, NEW_YORK, TOKYO = map(ZoneInfo, ("Europe/Warsaw", "America/New_York", "Asia/Tokyo"))
AT = datetime(2027, 10, 4, 15, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def text(row, zone=WARSAW) -> str:
    """Return the sentence of one notification, empty without one."""
    sentence = sentences([row], language="en", zone=zone).get(row.pk)
    return sentence.text if sentence else ""


@pytest.fixture
def fan():
    return UserFactory()


@pytest.fixture
def evening():
    """Return four appearances of a live session, the first one on stage."""
    session = SessionFactory(title="Evening session", is_live=True)
    names = ("Ada", "Bo", "Cleo", "Dag")
    people = [ParticipantFactory(first_name=name, second_name="Holm") for name in names]
    places = [
        AppearanceFactory(session=session, participant=person, order_number=number)
        for number, person in enumerate(people, start=1)
    ]
    performer_set(actor=OPERATOR, appearance_id=places[0].pk)
    return places


def test_now_is_shown_while_the_performer_is_on_stage(fan, evening):
    row = noted(fan, evening[0])
    assert text(row) == "Ada Holm is on stage now (Evening session)"
    performer_set(actor=OPERATOR, appearance_id=evening[1].pk)
    assert text(row) == ""


def test_soon_has_the_number_of_performers_before(fan, evening):
    rows = [noted(fan, place, Kind.SOON) for place in evening]
    assert [text(row) for row in rows] == [
        "",
        "Bo Holm plays next (Evening session)",
        "Cleo Holm is the next but one (Evening session)",
        "",
    ]
    performer_set(actor=OPERATOR, appearance_id=evening[1].pk)
    assert [text(row) for row in rows][1:] == [
        "",
        "Cleo Holm plays next (Evening session)",
        "Dag Holm is the next but one (Evening session)",
    ]
    evening[0].session.is_live = False
    evening[0].session.save()
    assert [text(row) for row in rows] == [""] * 4


def test_soon_has_the_planned_time(fan, evening):
    Appearance.objects.filter(pk=evening[3].pk).update(planned_start=AT)
    row = noted(fan, evening[3], Kind.SOON)
    assert text(row) == "Dag Holm is planned in Evening session at 17:00 (Warsaw)"


def test_moved_has_the_present_plan(fan):
    start = timezone.now().replace(microsecond=0) + timedelta(days=3)
    place = AppearanceFactory(
        session=SessionFactory(title="Morning session", starts_at=start),
        participant=ParticipantFactory(first_name="Yuki", second_name="Tanaka"),
    )
    row = noted(fan, place, Kind.MOVED)
    begins = time_words(start, language="en", zone=WARSAW, has_date=True)
    assert text(row) == f"Yuki Tanaka now plays in Morning session, which begins on {begins}"
    planned = start + timedelta(hours=2)
    Appearance.objects.filter(pk=place.pk).update(planned_start=planned)
    assert text(row, TOKYO) == (
        f"Yuki Tanaka now plays in Morning session on {time_words(planned, language='en', zone=TOKYO, has_date=True)}"
    )
    place.session.is_live = True
    place.session.save()
    performer_set(actor=OPERATOR, appearance_id=place.pk)
    assert text(row) == "", "it has begun"


def test_moved_has_a_withdrawal_even_after_the_session_is_deleted(fan):
    session = SessionFactory(title="Morning session", starts_at=timezone.now() + timedelta(days=1))
    place = AppearanceFactory(session=session, participant=ParticipantFactory(first_name="Yuki", second_name="Tanaka"))
    row = noted(fan, place, Kind.MOVED)
    place.delete()
    assert text(row) == "Yuki Tanaka no longer plays in Morning session"
    session.delete()
    assert text(row) == "Yuki Tanaka no longer plays in Morning session"


def test_advanced_is_shown_while_it_is_published(fan):
    place = AppearanceFactory(participant=ParticipantFactory(first_name="Yuki", second_name="Tanaka"))
    row = noted(fan, place, Kind.ADVANCED, session_id=None, stage_id=place.session.stage_id)
    assert text(row) == ""
    published = StageAdvancement.objects.create(stage_id=place.session.stage_id, participant_id=place.participant_id)
    assert text(row) == f"Yuki Tanaka advances from {place.session.stage.name}"
    published.delete()
    assert text(row) == ""


def test_prize_is_named_by_its_performer_while_it_is_published(fan):
    place = AppearanceFactory(participant=ParticipantFactory(first_name="Yuki", second_name="Tanaka"))
    stage_id = place.session.stage_id
    row = noted(fan, place, Kind.PRIZES, session_id=None, stage_id=stage_id)
    lines = [PrizeLine("First Prize", participant_ids=(place.participant_id,))]
    prizes_save(actor=OPERATOR, stage_id=stage_id, lines=lines)
    assert text(row) == ""
    prizes_publish(actor=OPERATOR, stage_id=stage_id)
    assert text(row) == "Yuki Tanaka receives a prize"
    prizes_withdraw(actor=OPERATOR, stage_id=stage_id)
    assert text(row) == ""


def test_time_is_of_the_venue_and_of_the_reader_if_different():
    for zone, expected in (
        (WARSAW, "Monday, 4 October, 17:00 (Warsaw)"),
        (ZoneInfo("Europe/Berlin"), "Monday, 4 October, 17:00 (Warsaw)"),
        (NEW_YORK, "Monday, 4 October, 17:00 (Warsaw; 11:00 in New York)"),
        (TOKYO, "Monday, 4 October, 17:00 (Warsaw; Tuesday, 5 October, 00:00 in Tokyo)"),
    ):
        assert time_words(AT, language="en", zone=zone, has_date=True) == expected
    assert time_words(AT, language="en", zone=TOKYO, has_date=False) == (
        "17:00 (Warsaw; Tuesday, 5 October, 00:00 in Tokyo)"
    )


def test_sentences_take_two_queries_for_any_number(fan, evening):
    StageAdvancement.objects.create(stage_id=evening[0].session.stage_id, participant_id=evening[0].participant_id)
    rows = [noted(fan, place, kind) for place in evening for kind in (Kind.SOON, Kind.NOW)]
    rows += [
        noted(fan, place, Kind.ADVANCED, session_id=None, stage_id=place.session.stage_id, occasion=f"stage.{place.pk}")
        for place in evening
    ]
    with CaptureQueriesContext(connection) as queries:
        shown = sentences(rows, language="en", zone=NEW_YORK)
    assert len(queries) == 2
    assert len(shown) == 4
    assert sentences([], language="en", zone=NEW_YORK) == {}
