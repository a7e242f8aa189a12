"""Lists of participants, sessions and news, and their pages; an article; a participant's header and biography."""

import datetime as dt
from urllib.parse import parse_qs

import pytest
from django.utils import timezone

from apps.competition.limits import PARTICIPANTS_SHOWN, SESSIONS_SHOWN
from apps.competition.models import Participant, PerformingTime, Session
from apps.core.database.fields import venue_zone
from apps.ranking.limits import RANKED_SHOWN
from apps.ranking.models import RankingRow, RankingRun
from components.parts import participants
from components.parts.news import news_list
from components.parts.participants import (
    first_characters,
    participant_biography,
    participant_header,
    participant_results,
)
from components.parts.sessions.lists import session_cards
from components.parts.stages.ranking_table import own_ranking, ranking_table
from tests.apps.ranking.halls import stage_of
from tests.apps.ranking.test_computation import run_columns
from tests.components.seen import attributes, every, name, one, read_part, text
from tests.factories import (
    EVENING,
    AppearanceFactory,
    BlogPostFactory,
    ImportedPerformanceFactory,
    ParticipantFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
TABS = ("upcoming", "past", "all")


def test_participant_row_has_country_year_and_start_of_the_biography():
    ParticipantFactory(second_name="Nowak", biography="a" * 100 + "b")
    ParticipantFactory(second_name="Okoń", biography="Short.", birth_year=None, start_number=12)
    first, second = every(read_part(participant_results, "", "", 0, 1), "li")
    assert text(one(first, look="cards__from")) == "Poland born 2002"
    assert text(one(first, look="cards__bio")) == "a" * 100 + "…"
    assert text(one(second, look="cards__from")) == "Poland, no. 12"
    assert text(one(second, look="cards__bio")) == "Short."
    assert text(one(second, "h2")) == "Zofia Okoń"


def test_participant_row_has_no_empty_line():
    ParticipantFactory(biography="")
    row = one(read_part(participant_results, "", "", 0, 1), "li")
    assert not every(row, look="cards__bio")
    assert text(one(row, look="cards__next")) == ""


def test_participants_keep_their_number_in_a_search():
    for second_name in ("Żak", "Adamska", "Nowak"):
        ParticipantFactory(second_name=second_name, country="France" if second_name == "Nowak" else "Poland")

    def numbers(*search):
        return [(text(one(row, look="nr")), text(one(row, "h2"))) for row in every(read_part(*search), "li")]

    by_name = [("1", "Zofia Adamska"), ("2", "Zofia Nowak"), ("3", "Zofia Żak")]
    assert numbers(participant_results, "", "", 0, 1) == by_name
    assert numbers(participant_results, "zak", "", 0, 1) == [("3", "Zofia Żak")]
    assert numbers(participant_results, "", "France", 0, 1) == [("2", "Zofia Nowak")]


def test_count_and_noun_are_not_separated():
    session = SessionFactory(starts_at=timezone.now() + HOUR, stage__name="Stage II")
    appearance = AppearanceFactory(session=session)
    spans = [span["children"] for span in every(read_part(session_cards, "all", 1), "span")]
    assert ["Stage II", " · 1\u00a0participant"] in spans
    (about,) = one(read_part(participant_header, appearance.participant_id), look="body")["children"][1]["children"]
    assert about == "Poland · born\u00a02002 · 1\u00a0performance"


def test_start_of_a_text_ends_with_a_whole_word_and_separates_full_stop_and_dots():
    assert first_characters("a" * 99 + ". More") == "a" * 99 + ".\u00a0…"
    assert first_characters("a" * 99 + " More") == "a" * 99 + "…"
    assert first_characters("Short.") == "Short."
    assert first_characters("word " * 19 + "worn-out.") == "word " * 18 + "word…"
    assert first_characters("word " * 19 + "words") == "word " * 19 + "words"
    assert first_characters("word " * 18 + "word\nwords and") == "word " * 18 + "word\nwords…"
    assert first_characters("a" * 101) == "a" * 100 + "…"


def test_empty_list_of_participants_has_a_text_and_a_link():
    criteria = "No participants found matching your criteria."
    assert text(read_part(participant_results, "", "", 0, 1)) == f"{criteria}No participant has been announced yet."
    ParticipantFactory()
    for search in (("zz", "", 0), ("", "Finland", 0), ("", "", 1)):
        shown = read_part(participant_results, *search, 1)
        assert text(shown) == f"{criteria}All participants"
        assert attributes(one(shown, "a"))["href"] == "/participants"


@pytest.mark.parametrize(
    ("start", "youtube_id", "is_live", "label"),
    [
        (HOUR, "aqz-KE-bpKQ", False, "Live Stream"),
        (-HOUR, "aqz-KE-bpKQ", True, "Live Stream"),
        (-HOUR, "aqz-KE-bpKQ", False, "Recording Available"),
        (HOUR, "", False, None),
        (-HOUR, "", False, None),
    ],
)
def test_session_card_has_a_label_for_its_video(start, youtube_id, is_live, label):
    SessionFactory(starts_at=timezone.now() + start, youtube_id=youtube_id, is_live=is_live)
    card = one(read_part(session_cards, "all", 1), "li")
    assert [text(badge) for badge in every(card, look="badge")] == ([label] if label else [])
    assert [text(badge) for badge in every(card, look="live-now")] == (["LIVE NOW"] if is_live else [])


def test_card_of_a_coming_session_has_the_time_of_its_stream():
    starts = timezone.now().replace(hour=8, minute=0) + dt.timedelta(days=2)
    SessionFactory(starts_at=starts, youtube_id="aqz-KE-bpKQ")
    SessionFactory(starts_at=starts, youtube_id="")
    SessionFactory(starts_at=timezone.now() - HOUR, youtube_id="aqz-KE-bpKQ")
    [stream] = every(read_part(session_cards, "all", 1), look="calendar__from")
    assert text(stream) == f"from {starts.astimezone(venue_zone()):%H:%M} in the hall"
    assert attributes(one(stream, "time"))["data-when"] == "clock"


def test_live_session_is_the_first_row_of_each_tab():
    SessionFactory(starts_at=timezone.now() - HOUR, is_live=True)
    for show in TABS:
        shown = read_part(session_cards, show, 1)
        assert len(every(shown, "li")) == 1
        assert text(shown).endswith(f"No {show} sessions found.") == (show == "upcoming")


def test_session_that_ended_today_keeps_the_place_of_the_live_one_and_rows_keep_theirs(busy_session, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: EVENING)  # not shortly before or after midnight
    coming = SessionFactory(starts_at=timezone.now() + HOUR)
    session = busy_session.session
    session.starts_at = timezone.now() - HOUR

    def rows():
        return [attributes(row)["key"] for row in every(read_part(session_cards, "upcoming", 1), "li")]

    places = [f"session-{session.pk}", f"session-{coming.pk}"]
    session.save()
    assert rows() == places
    session.is_live, session.ended_at = False, timezone.now()
    session.save()
    assert rows() == places
    shown = read_part(session_cards, "upcoming", 1)
    assert not every(shown, look="live-now")
    stage = one(shown, look="calendar__stage")
    assert text(stage) == "The session has ended. To the summary: Stage I, evening session"
    assert [attributes(each).get("data-held") for each in every(shown, "div")].count("places") == 1
    session.ended_at = timezone.now() - dt.timedelta(days=2)
    session.save()
    assert rows() == places[1:]


def test_session_card_has_time_stage_number_and_description():
    session = SessionFactory(
        title="Stage II, first session", stage__name="Stage II", description="Two waltzes.", starts_at=EVENING
    )
    AppearanceFactory(session=session)
    card = one(read_part(session_cards, "upcoming", 1), "li")
    [when, *_streams] = every(card, "time")
    assert text(when) == "Tuesday, 12 October 2027, 17:00 in the hall"
    assert attributes(when)["data-today"] == "TODAY - "
    assert attributes(one(card, "a"))["href"] == f"/sessions/{session.pk}"
    assert "Stage II · 1 participant" in text(card)
    assert text(one(card, look="calendar__text")) == "Two waltzes."


def test_live_session_links_the_performer_and_the_video(busy_session, django_assert_num_queries):
    with django_assert_num_queries(3):
        shown = read_part(session_cards, "upcoming", 1)
    stage = one(shown, look="calendar__stage")
    assert text(stage) == "Now Performing Zofia Wróblewska-Łęcka Poland Watch: Stage I, evening session"
    assert "Stage I · 3 participants" in text(shown)
    [performer, watch] = every(stage, "a")
    assert attributes(performer)["href"] == f"/participants/{busy_session.appearances[1].participant_id}"
    assert attributes(watch)["href"] == f"/sessions/{busy_session.session.pk}#stage-video"
    busy_session.appearances[1].is_performing = False
    busy_session.appearances[1].save()
    assert "Nobody is on stage." in text(read_part(session_cards, "upcoming", 1))


def test_header_of_the_performer_alone_links_the_video(busy_session):
    other, performer, _ = (
        one(read_part(participant_header, appearance.participant_id), look="portrait__stage")
        for appearance in busy_session.appearances
    )
    assert text(performer) == "On stage now Watch: Stage I, evening session"
    video = f"/sessions/{busy_session.session.pk}#stage-video"
    assert [attributes(link)["href"] for link in every(performer, "a")] == [video]
    assert (text(other), every(other, "a")) == ("", [])


def progress():
    """Return the progress of each participant in the competition as shown, and whether it is over, by name."""
    rows = every(read_part(participant_results, "", "", 0, 1), "li")
    return {
        text(one(row, "h2")): (text(one(row, look="cards__next")), attributes(row).get("class") == "is-out")
        for row in rows
    }


def test_participants_of_the_live_session_have_their_turn(busy_session):
    assert progress() == {
        "Maëlle d’Hautecombe": ("today", False),
        "Tomás Villaseñor Ibáñez": ("next", False),
        "Zofia Wróblewska-Łęcka": ("On stage", False),
    }
    first, second, _ = busy_session.appearances
    PerformingTime.objects.create(appearance=first, began_at=EVENING, ended_at=EVENING)
    assert progress()["Maëlle d’Hautecombe"] == ("Stage I, played", True)
    second.is_performing = False
    second.save()
    assert progress()["Zofia Wróblewska-Łęcka"] == ("next", False), "the second is the first after the last on stage"


def test_participants_have_their_next_session_or_last_stage(monkeypatch):
    noon = dt.datetime(2031, 11, 27, 12, tzinfo=venue_zone())
    monkeypatch.setattr(participants.timezone, "now", lambda: noon)
    played = SessionFactory(stage=StageFactory(name="Stage I"))
    for when, hours in (("Today", 5), ("Tomorrow", 22), ("Later", 24 * 5 - 2)):
        participant = ParticipantFactory(second_name=when)
        AppearanceFactory(session=played, participant=participant)
        at = noon + dt.timedelta(hours=hours)
        for starts_at in (at + dt.timedelta(days=30), at):  # the sooner one is shown
            session = SessionFactory(stage__name=f"{when} {starts_at}", starts_at=starts_at)
            AppearanceFactory(session=session, participant=participant)
    AppearanceFactory(session=played, participant=ParticipantFactory(second_name="Out"))
    ImportedPerformanceFactory(participant=ParticipantFactory(second_name="Preliminary"))
    ParticipantFactory(second_name="Unknown")
    assert progress() == {
        "Zofia Later": ("2 December, from 10:00", False),
        "Zofia Out": ("Stage I, played", True),
        "Zofia Preliminary": ("Preliminary Round", True),
        "Zofia Today": ("today, from 17:00", False),
        "Zofia Tomorrow": ("tomorrow, from 10:00", False),
        "Zofia Unknown": ("", True),
    }


def test_news_row_has_title_date_author_excerpt_and_link():
    post = BlogPostFactory(title="Four pianos", author__username="halina_k")
    BlogPostFactory(title="Draft", is_published=False)
    row = one(read_part(news_list, ""), "li")
    assert text(one(row, "h2")) == "Four pianos"
    assert text(one(row, "time")) == "12 October 2027"
    assert "by halina_k" in text(row)
    assert "What it says in short." in text(row)
    assert [name(link) for link in every(row, "a")] == ["Four pianos", "Read more: Four pianos"]
    assert {attributes(link)["href"] for link in every(row, "a")} == {f"/news/{post.pk}"}


def test_news_are_paginated_without_gaps():
    at = timezone.now()
    posts = [BlogPostFactory(published_at=at - (n // 3) * HOUR) for n in range(50)]  # three at the same moment
    BlogPostFactory(is_published=False)
    seen, before = [], ""
    for rows in (20, 20, 10):
        shown = read_part(news_list, before)
        assert len(every(shown, "li")) == rows
        seen += [attributes(one(row, "h2")["children"][0])["href"] for row in every(shown, "li")]
        links = {text(link): attributes(link)["href"] for link in every(shown, "p", "row")[0]["children"]}
        before = parse_qs(links.get("Show older", "").partition("?")[2]).get("before", [""])[0]
    assert seen == [f"/news/{post.pk}" for post in sorted(posts, key=lambda post: (post.published_at, post.pk))[::-1]]
    assert links == {"The newest": "/news"}


def test_empty_page_of_news_links_the_newest():
    [link] = every(read_part(news_list, "2020-01-01T00:00:00+00:00~1"), "a")
    assert (text(link), attributes(link)["href"]) == ("The newest", "/news")
    assert text(read_part(news_list, "")) == "No news articles available yet."


def test_participant_has_a_header_and_an_optional_biography():
    person = ParticipantFactory(second_name="Nowak", biography="One.\nTwo.")
    AppearanceFactory(participant=person)
    header = read_part(participant_header, person.pk)
    assert text(one(header, "h1")) == "Zofia Nowak"
    assert "Poland · born 2002 · 1 performance" in text(header)
    assert text(one(header, look="cameo--large")) == "ZN"
    assert [text(p) for p in every(read_part(participant_biography, person.pk), "p")] == ["One.", "Two."]
    other = ParticipantFactory(biography="", name_local="조성진")
    assert text(read_part(participant_biography, other.pk)) == "No biography available yet."
    assert text(one(read_part(participant_header, other.pk), "p", lang="ko", translate="no")) == "조성진"


def page_links(shown):
    """Return the addresses of the page_links to the previous and the next page, by their text."""
    return {text(link): attributes(link)["href"] for link in every(one(shown, "nav", "paging"), "a")}


def test_pages_of_participants_keep_the_search():
    participants = [
        ParticipantFactory.build(second_name=f"Nowak {n:03}", name=f"Zofia Nowak {n:03}", country="Österreich")
        for n in range(PARTICIPANTS_SHOWN + 1)
    ]
    for participant in participants:
        participant.name_folded = participant.sort_folded = participant.name.lower()
    Participant.objects.bulk_create(participants)
    first = read_part(participant_results, "nowak", "Österreich", 0, 1)
    assert len(every(first, "h2")) == PARTICIPANTS_SHOWN
    assert text(one(first, role="status")) == f"{PARTICIPANTS_SHOWN + 1} participants"
    assert page_links(first) == {"Next page": "/participants?q=nowak&country=%C3%96sterreich&page=2"}
    for number in (2, 999_999_999):
        last = read_part(participant_results, "nowak", "Österreich", 0, number)
        assert text(one(last, "h2")) == f"Zofia Nowak {PARTICIPANTS_SHOWN:03}"
        assert page_links(last) == {"Previous page": "/participants?q=nowak&country=%C3%96sterreich"}
    assert not every(read_part(participant_results, "nowak 007", "", 0, 1), "nav")


def test_pages_of_sessions_keep_the_tab():
    stage, now = StageFactory(), timezone.now()
    Session.objects.bulk_create(
        Session(stage=stage, title=f"Session {n}", starts_at=now - dt.timedelta(days=n + 1), youtube_id="")
        for n in range(SESSIONS_SHOWN + 1)
    )
    Session.objects.filter(title="Session 1").update(is_live=True)
    first, last = read_part(session_cards, "past", 1), read_part(session_cards, "past", 2)
    assert [text(heading) for heading in every(first, "h2")[:2]] == ["Session 1", f"Session {SESSIONS_SHOWN}"]
    assert page_links(first) == {"Next page": "/sessions?show=past&page=2"}
    assert page_links(last) == {"Previous page": "/sessions?show=past"}
    assert [text(heading) for heading in every(last, "h2")] == ["Session 1", "Session 0"], "the live one is above"


def ranks(body):
    return [text(cell) for cell in every(body, "td", "rank__nr")]


def test_ranking_is_paginated():
    appearances = stage_of(RANKED_SHOWN + 1, pieces=0)
    stage_id = appearances[0].session.stage_id
    run = RankingRun.objects.create(stage_id=stage_id, **run_columns())
    RankingRow.objects.bulk_create(
        RankingRow(run=run, appearance=each, rank=rank, score=12, raters=10, mean=12)
        for rank, each in enumerate(appearances, 1)
    )
    first, last = read_part(ranking_table, stage_id, 1, "ranking"), read_part(ranking_table, stage_id, 2, "ranking")
    assert len(ranks(one(first, "tbody"))) == RANKED_SHOWN
    assert ranks(one(last, "tbody")) == [str(RANKED_SHOWN + 1)]
    assert page_links(first) == {"Next page": f"/stages/{stage_id}?page=2"}
    seen = f"{appearances[40].pk}-{appearances[70].pk}"
    first, last = (
        read_part(own_ranking, stage_id, 1, "ranking", seen),
        read_part(own_ranking, stage_id, 2, "ranking", seen),
    )
    ranked, covered = every(first, "tbody")
    assert ranks(ranked) == ["1", "2"]
    assert len(ranks(covered)) == RANKED_SHOWN - 2
    assert text(one(last, "span", "person__name")) == appearances[-1].participant.name
