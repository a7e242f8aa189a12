"""Test the demo's content: a whole competition that follows every rule."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.contrib.staticfiles import finders
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.competition.enums import SPECIFIED, SessionFilter
from apps.competition.models import Appearance, Participant, PerformingTime, ProgramEntry, Session, Stage
from apps.competition.selectors.admin.stage_programs import stage_programs
from apps.competition.selectors.admin.stage_slots import stage_slots
from apps.competition.selectors.public.participants import participant_countries, participant_featured
from apps.competition.selectors.public.sessions import (
    live_now,
    live_session,
    session_appearances,
    session_appearances_with_programs,
    session_list,
)
from apps.core.database.fields import venue_zone
from apps.demo.competition import competition_load
from apps.demo.moments import streamed_seconds
from apps.news.models import BlogPost
from apps.news.selectors import post_list

EVENING = datetime(2027, 3, 3, 21, 10, tzinfo=venue_zone())


@pytest.fixture(scope="module", autouse=True)
def demo(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Load the demo in a transaction around all tests of this module."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr("django.conf.settings.DATA", tmp_path_factory.mktemp("data"))
        competition_load(now=EVENING)
        yield
        transaction.set_rollback(True)


def test_participants_have_biographies_and_many_countries():
    participants = Participant.objects.all()
    assert len(participants) >= 26
    assert len(participant_countries()) >= 12
    assert len({participant.name for participant in participants}) == len(participants)
    for participant in participants:
        paragraphs = participant.biography.split("\n")
        assert 2 <= len(paragraphs) <= 5
        assert min(map(len, paragraphs)) > 40
    with_picture = [participant for participant in participants if participant.avatar_url]
    assert 0 < len(with_picture) < len(participants)
    assert len({participant.avatar_url for participant in with_picture}) == len(with_picture)
    assert len(participant_featured()) == 6


def test_biographies_share_no_sentence():
    texts = Participant.objects.values_list("biography", flat=True)
    sentences = [sentence for text in texts for sentence in text.replace("\n", ". ").split(". ")]
    assert len(sentences) == len(set(sentences))


def test_moments_ascend_and_lie_within_the_stream():
    for session in Session.objects.all():
        entries = ProgramEntry.objects.filter(appearance__session=session, timestamp__isnull=False)
        in_order = entries.order_by("appearance__order_number", "order_number")
        seconds = list(in_order.values_list("timestamp", flat=True))
        assert seconds == sorted(set(seconds)), session.title
        assert not seconds or seconds[-1] < (EVENING - session.starts_at).total_seconds(), session.title
    played = ProgramEntry.objects.filter(appearance__session__is_live=True, timestamp__isnull=False)
    assert played.count() == 7 * 4
    for began_at, second in PerformingTime.objects.filter(appearance__session__is_live=True).values_list(
        "began_at", "appearance__program__timestamp"
    ):
        assert began_at <= Session.objects.get(is_live=True).starts_at + timedelta(seconds=second + 1)


@given(st.integers(0, 3 * 60 * 60))
def test_moments_of_a_stream_lie_within_its_age(age):
    since = timedelta(seconds=age)
    seconds = [second for number in range(1, 8) for second in streamed_seconds(number, performers=7, age=since)]
    assert seconds == sorted(seconds)
    assert seconds[0] >= 0
    assert seconds[-1] <= age


def test_texts_have_no_exclamation_marks():
    texts = [
        *Participant.objects.values_list("biography", flat=True),
        *BlogPost.objects.values_list("content", flat=True),
    ]
    texts += BlogPost.objects.values_list("excerpt", flat=True)
    texts += Session.objects.values_list("description", flat=True)
    assert not [text for text in texts if "!" in text]


def test_live_session_is_half_over():
    appearances = session_appearances(session_id=live_session().id)
    assert 10 <= len(appearances) <= 12
    (performer,) = [appearance for appearance in appearances if appearance.is_performing]
    assert appearances[0].order_number < performer.order_number < appearances[-1].order_number
    assert live_now().name == performer.name


def test_programs_fill_the_slots_of_their_stage():
    for place in Appearance.objects.filter(stage__name="Preliminary Round"):
        assert list(place.program.order_by("order_number").values_list("slot", flat=True)) == list(SPECIFIED)
    counts = {}
    for stage in Stage.objects.order_by("order_number")[1:]:
        programs = stage_programs(stage_slots(stage_id=stage.pk))
        counts[stage.name] = len(programs)
        for each in programs:
            assert (each.name, each.check.missing, each.check.outside) == (each.name, (), ())
            if stage.name != "Stage I":
                assert (each.name, each.check.notes) == (each.name, 0)
    assert counts == {"Stage I": 25, "Stage II": 4, "Stage III": 3, "Final": 3}


def test_final_has_concertos_an_orchestra_a_conductor_and_pianos():
    (final,) = Session.objects.filter(stage__name="Final")
    assert (final.orchestra, final.conductor) == ("Orchestra of the Lindenhof Society", "Agnethe Solbakken")
    for place in final.appearances.all():
        first, second = place.program.order_by("order_number").values_list("piece__opus", "piece__category")
        assert (first, second[1], place.piano_id is None) == (("61", "polonaise"), "concerto", False)


def test_etude_may_fill_the_slot_of_a_nocturne():
    assert ProgramEntry.objects.filter(slot="nocturn", piece__category="etiuda_a").exists()


def test_moments_ascend_and_end_at_the_performer_on_stage():
    for card in session_list(when=SessionFilter.ALL, now=EVENING).rows:
        appearances = session_appearances_with_programs(session_id=card.id)
        own = [line for appearance in appearances for line in appearance.program if line.video_id == card.youtube_id]
        seconds = [line.second for line in own if line.second is not None]
        assert seconds == sorted(set(seconds))
        if card.starts_at > EVENING:
            assert seconds == []
        for appearance in appearances:
            if card.is_live and appearance.order_number > 7:
                assert [line.second for line in appearance.program] == [None] * 4


def test_some_entries_have_a_video_of_their_own():
    linked = ProgramEntry.objects.exclude(youtube_url="").select_related("appearance__session")
    assert len(linked) >= 5
    others = [
        line
        for card in session_list(when=SessionFilter.ALL, now=EVENING).rows
        for appearance in session_appearances_with_programs(session_id=card.id)
        for line in appearance.program
        if line.video_id not in {"", card.youtube_id}
    ]
    assert others
    assert all(line.second for line in others)


def test_news_has_articles_pictures_and_a_draft():
    assert len(post_list(limit=20)) >= 6
    assert BlogPost.objects.filter(is_published=False).count() == 1
    assert all("\n" in content for content in BlogPost.objects.values_list("content", flat=True))
    assert any(card.image_url for card in post_list(limit=20))


def test_every_picture_is_a_static_file():
    pictures = {*Participant.objects.values_list("avatar_url", flat=True)}
    pictures |= {*BlogPost.objects.values_list("image_url", flat=True)}
    for picture in pictures - {""}:
        assert finders.find(picture.removeprefix("/static/")), picture


def test_sessions_lie_around_now():
    past = [card for card in session_list(when=SessionFilter.PAST, now=EVENING).rows if not card.is_live]
    upcoming = session_list(when=SessionFilter.UPCOMING, now=EVENING).rows
    assert len(past) >= 3
    assert all(card.youtube_id for card in past)
    assert len(upcoming) >= 3
    titles = {card.title for card in session_list(when=SessionFilter.ALL, now=EVENING).rows}
    assert len(titles) == len(past) + len(upcoming) + 1
