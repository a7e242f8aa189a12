"""Test the competition's public selectors: their results and query counts."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.enums import Category, SessionFilter
from apps.competition.selectors.public.participants import (
    LiveNow,
    ParticipantCard,
    participant_countries,
    participant_featured,
    participant_get,
    participant_ids,
    participant_list,
)
from apps.competition.selectors.public.progress import field_numbers, imported_stages, participants_progress
from apps.competition.selectors.public.sessions import (
    appearances_played,
    live_now,
    live_session,
    participant_appearances,
    session_appearances,
    session_appearances_with_programs,
    session_get,
    session_ids,
    session_list,
    session_live,
    sessions_coming,
)
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.core.database.fields import venue_day
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ImportedPerformanceFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)
from tests.offenders import check_each

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def listed(**filters):
    """Return the names of the participants in a filtered list."""
    return [card.name for card in participant_list(**filters).rows]


def test_participant_list_sorts_searches_and_filters():
    for first, second, country in (
        ("Jan", "Kałduński", "Poland"),
        ("Ewa", "Łęcka", "Poland"),
        ("Ondřej", "Čapek-Dvorský", "Czechia"),
        ("Anna", "Łęcka", "Czechia"),
        ("Zoé", "d’Hautecombe", "France"),
    ):
        ParticipantFactory(first_name=first, second_name=second, country=country)
    everyone = ["Ondřej Čapek-Dvorský", "Zoé d’Hautecombe", "Jan Kałduński", "Anna Łęcka", "Ewa Łęcka"]
    jan = "kaldunski", "Kałduński", "KAŁDUŃSKI jan", "jan kaldunski", "kaldunski  jan", "duns", "Kałdun\u0301ski"
    cases = [(query, everyone) for query in ("", "  ", "\x00")]
    cases += [(query, ["Jan Kałduński"]) for query in jan]
    cases += [(query, []) for query in ("jan lecka", "%", "_", "\\", "'; --")]
    assert [(query, listed(query=query)) for query, _ in cases] == cases
    assert listed(country="Czechia", query="lecka") == ["Anna Łęcka"]
    assert listed(country="Atlantis") == listed(country="\x00") == []
    for country in ("Österreich", "Zambia"):
        ParticipantFactory(country=country)
    assert participant_countries() == ("Czechia", "France", "Österreich", "Poland", "Zambia")


def test_participant_is_found_by_the_name_as_people_type_it():
    ParticipantFactory(first_name="Britta", second_name="Byström")

    def check(case):
        first, second, queries = case
        participant = ParticipantFactory(first_name=first, second_name=second)
        not_found = [q for q in queries if [card.id for card in participant_list(query=q).rows] != [participant.pk]]
        participant.delete()
        assert not_found == []

    cases = [
        ("Seong-jin", "Cho", ["seongjin", "Seong-jin", "seong jin", "cho seongjin", "choseongjin"]),
        ("Seongjin", "Cho", ["Seong-jin", "SEONG-JIN CHO"]),
        ("Chun Lam", "U", ["chunlam", "Chun-Lam"]),
        ("Seán", "O’Sheaghdha", ["osheaghdha", "O'Sheaghdha", "o‘sheaghdha", "o sheaghdha", "sean"]),
        ("Caoimhín", "Ó Súilleabháin", ["osuilleabhain", "o'suilleabhain", "O Súilleabha\u0301in"]),
        ("Anne", "D'Arcy", ["darcy", "D’Arcy", "d arcy"]),
        ("Jürgen", "Müller", ["Mueller", "muller", "juergen", "Mu\u0308ller", "mul", "mue"]),
        ("Käthe", "Größner", ["kaethe", "Groessner", "grossner"]),
        ("Øystein", "Åsheim", ["oeystein", "oystein", "aasheim", "asheim", "A\u030asheim"]),
        ("Pål", "Sæther", ["paal saether", "sather", "pal"]),
        ("Łukasz", "Wróblewski-Żółć", ["lukasz zolc", "WROBLEWSKIZOLC", "Wro\u0301blewski"]),
        ("Thái Sơn", "Đặng", ["dang thai son", "đặng", "Tha\u0301i So\u031bn", "dangthaison"]),
        ("Ольга", "Щербакова", ["olga", "shcherbakova", "ЩЕРБАКОВА"]),
        ("Андрей", "Йовков", ["Андреи\u0306", "И\u0306овков", "андрей йовков"]),
        ("יבגני", "קיסין", ["יֶבְגֶנִי", "קיסין יבגני"]),
        ("عمر", "حسن", ["عُمَر", "عمـر حسن"]),
        ("云迪", "李", ["李云迪", "云迪李", "李 云迪", "liyundi", "Li Yundi", "li yun di"]),
        ("Yundi", "Li", ["李云迪", "liyundi"]),
        ("知治", "牛田", ["牛田知治", "牛田　知治"]),
        ("さくら", "ガルシア", ["ｶﾞﾙｼｱ", "カ\u3099ルシア"]),
        ("성진", "조", ["조성진", "\u110c\u1169성진", "성진 조"]),
        ("Samuel", "Aaronson", ["samuel", "el", "aaron", "aronson"]),
        ("Zo\u200bfia", "Łęcka", ["zofia", "zo\u200dfia", "\ufefflecka"]),
    ]
    check_each(cases, check)


def test_participant_list_and_get_return_excerpt_biography_and_count():
    values = {"birth_year": None, "avatar_url": "/static/a.svg"}
    participant = ParticipantFactory(biography="ą" * 150, **values)
    for _ in range(2):
        AppearanceFactory(participant=participant)
    (card,) = participant_list().rows
    assert card == ParticipantCard(
        id=participant.pk, name=participant.name, country="Poland", excerpt="ą" * 101, appearance_count=2, **values
    )
    detail = participant_get(participant_id=participant.pk)
    assert (detail.name, detail.biography, detail.appearance_count) == (participant.name, "ą" * 150, 2)
    assert participant_get(participant_id=987654) is None
    assert participant_get(participant_id=10**30) is None


def test_participant_featured_returns_the_newest_up_to_a_limit():
    ParticipantFactory(featured=False)
    featured = [ParticipantFactory(featured=True) for _ in range(8)]
    assert [card.id for card in participant_featured()] == [person.pk for person in reversed(featured[2:])]
    assert len(participant_featured(limit=2)) == 2


def test_session_list_splits_at_now_sorts_by_date_and_counts_participants():
    past, now, later = (
        SessionFactory(starts_at=EVENING + timedelta(hours=hours), stage=StageFactory(name=f"Stage {hours}"))
        for hours in (-1, 0, 1)
    )
    for _ in range(2):
        AppearanceFactory(session=past)
    cards = {when: session_list(when=when, now=EVENING).rows for when in SessionFilter}
    assert {when: [card.id for card in rows] for when, rows in cards.items()} == {
        SessionFilter.UPCOMING: [now.pk, later.pk],
        SessionFilter.PAST: [past.pk],
        SessionFilter.ALL: [past.pk, now.pk, later.pk],
    }
    (card,) = cards[SessionFilter.PAST]
    assert (card.stage, card.participant_count, card.youtube_id) == ("Stage -1", 2, "aqz-KE-bpKQ")


def test_session_appearances_are_ordered_and_have_programs():
    session = SessionFactory(youtube_id="aqz-KE-bpKQ")
    second = AppearanceFactory(session=session, order_number=2, is_performing=True)
    first = AppearanceFactory(session=session, order_number=1)
    etude = PieceFactory(category=Category.ETIUDA_A, opus="10", number=3)
    late = PieceFactory(category=Category.NOCTURN, opus="posth.", number=None, key="", title="")
    ProgramEntryFactory(appearance=first, piece=late, order_number=2, timestamp=90, youtube_url="")
    link = "https://youtu.be/eRsGyueVLvQ?t=1m5s"
    ProgramEntryFactory(appearance=first, piece=etude, order_number=1, slot="nocturn", youtube_url=link)
    appearances = session_appearances_with_programs(session_id=session.pk)
    assert [(row.id, row.is_performing) for row in appearances] == [(first.pk, False), (second.pk, True)]
    line, other = appearances[0].program
    assert (line.slot, line.piece.category, line.piece.opus, line.piece.number) == ("nocturn", "etiuda_a", 10, 3)
    assert (line.video_id, line.second) == ("eRsGyueVLvQ", 65)
    assert (other.video_id, other.second) == ("aqz-KE-bpKQ", 90)
    assert (other.piece.opus, other.piece.number) == ("posth.", None)


def test_program_line_prefers_the_timestamp_and_may_have_no_video():
    def line(**values):
        entry = ProgramEntryFactory(**values)
        (appearance,) = session_appearances_with_programs(session_id=entry.appearance.session_id)
        return appearance.program[0].video_id, appearance.program[0].second

    assert line(timestamp=7, youtube_url="https://youtu.be/eRsGyueVLvQ?t=65") == ("eRsGyueVLvQ", 7)
    assert line(appearance__session__youtube_id="") == ("", None)


def test_participant_appearances_are_newest_first():
    participant = ParticipantFactory()
    older = AppearanceFactory(participant=participant, session__starts_at=EVENING - timedelta(days=1))
    newer = AppearanceFactory(participant=participant, session__starts_at=EVENING)
    AppearanceFactory()
    rows = participant_appearances(participant_id=participant.pk)
    assert [row.appearance.id for row in rows] == [newer.pk, older.pk]
    assert rows[0].session == session_get(session_id=newer.session_id)


def test_live_now_is_none_without_a_live_session_or_performer():
    assert live_now() is None
    appearance = AppearanceFactory(is_performing=True)
    assert live_now() is None
    appearance.session.is_live = True
    appearance.session.save()
    assert live_session().id == appearance.session_id
    assert live_now() == LiveNow(
        session_id=appearance.session_id,
        session_title=appearance.session.title,
        stage=appearance.session.stage.name,
        participant_id=appearance.participant_id,
        name=appearance.participant.name,
        country="Poland",
        avatar_url="",
    )
    appearance.is_performing = False
    appearance.save()
    assert live_now() is None
    assert live_session() is not None


def test_query_counts_do_not_grow_with_rows():
    reads = [
        (2, lambda _: participant_list(query="wroblewska zofia", country="Poland")),
        (2, lambda _: participant_list(still_in=True)),
        (1, lambda entry: participants_progress(participant_ids=[entry.appearance.participant_id])),
        (1, lambda entry: imported_stages(participant_ids=[entry.appearance.participant_id])),
        (1, lambda entry: field_numbers(participant_ids=[entry.appearance.participant_id])),
        (1, lambda _: session_live(ended_since=EVENING)),
        (1, lambda _: participant_countries()),
        (1, lambda _: participant_featured()),
        (1, lambda entry: participant_get(participant_id=entry.appearance.participant_id)),
        (1, lambda _: participant_ids()),
        (2, lambda _: session_list(when=SessionFilter.PAST, now=EVENING + timedelta(days=1))),
        (1, lambda entry: session_get(session_id=entry.appearance.session_id)),
        (1, lambda entry: session_appearances(session_id=entry.appearance.session_id)),
        (2, lambda entry: session_appearances_with_programs(session_id=entry.appearance.session_id)),
        (2, lambda entry: participant_appearances(participant_id=entry.appearance.participant_id)),
        (1, lambda _: session_ids()),
        (1, lambda _: live_session()),
        (1, lambda _: live_now()),
    ]
    session = SessionFactory(is_live=True)
    performer = AppearanceFactory(session=session, participant__featured=True, is_performing=True)
    entry = ProgramEntryFactory(appearance=performer)
    ImportedPerformanceFactory(participant=performer.participant)
    offenders = []
    for more in (0, 2):
        for _ in range(more):
            ProgramEntryFactory(appearance__session=session, appearance__participant__featured=True)
            ProgramEntryFactory(appearance__participant=performer.participant)
            ProgramEntryFactory(appearance=performer)
        for place, (queries, read) in enumerate(reads, 1):
            with CaptureQueriesContext(connection) as captured:
                assert read(entry)
            if len(captured) != queries:
                offenders.append(f"read {place}: {[query['sql'] for query in captured]}, not {queries}")
    assert not offenders


def played():
    since, until = venue_day(timezone.now())
    return [row.appearance.id for row in appearances_played(since=since, until=until)]


def session_with(count, **values):
    """Return the appearances of a new session."""
    session = SessionFactory(**values)
    return [AppearanceFactory(session=session) for _ in range(count)]


def test_venue_day_is_in_the_zone_of_the_venue(settings):
    settings.VENUE_TIME_ZONE = "Asia/Tokyo"
    begin, end = venue_day(datetime(2027, 10, 12, 16, 0, tzinfo=UTC))
    assert (begin, end) == tuple(datetime(2027, 10, day, 15, 0, tzinfo=UTC) for day in (12, 13))
    settings.VENUE_TIME_ZONE = "Europe/Warsaw"
    begin, end = venue_day(datetime(2026, 10, 25, 12, 0, tzinfo=UTC))
    assert (end - begin, end.astimezone(UTC) - begin.astimezone(UTC)) == (DAY, 25 * HOUR)  # clocks go back


def test_appearances_played_are_those_of_today_or_of_the_last_session(django_assert_num_queries):
    assert played() == []
    session_with(2, starts_at=timezone.now() - 9 * DAY)
    last = session_with(2, starts_at=timezone.now() - 3 * DAY)
    session_with(2, starts_at=timezone.now() + 3 * DAY)
    assert played() == [appearance.pk for appearance in last]
    begin, _ = venue_day(timezone.now())
    session_with(2, starts_at=begin + DAY)
    today = session_with(1, starts_at=begin)
    for more in (0, 3):
        today += [AppearanceFactory(session=today[0].session) for _ in range(more)]
        with django_assert_num_queries(2):
            assert played() == [appearance.pk for appearance in today]


def test_appearances_played_of_a_live_session_have_performed():
    first, second, _third = session_with(3, starts_at=timezone.now() - DAY)
    session_set_live(actor=OPERATOR, session_id=first.session_id)
    (earlier,) = session_with(1, starts_at=timezone.now() - 3 * DAY)
    assert played() == [earlier.pk]  # no performance yet: the selector returns the previous session
    for appearance in (first, second):
        performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    performer_clear(actor=OPERATOR, session_id=first.session_id)
    assert played() == [first.pk, second.pk]


def coming():
    return [card.title for card in sessions_coming(now=timezone.now(), limit=2)]


def test_sessions_coming_are_sorted_by_date(django_assert_num_queries):
    session_with(1, starts_at=timezone.now() - 2 * HOUR, title="Over")
    for number, titles in ((3, ["In 3"]), (2, ["In 2", "In 3"]), (1, ["In 1", "In 2"])):
        session_with(number, starts_at=timezone.now() + number * DAY, title=f"In {number}")
        with django_assert_num_queries(1):
            cards = sessions_coming(now=timezone.now(), limit=2)
        assert [(card.title, f"In {card.participant_count}") for card in cards] == [(title, title) for title in titles]


def test_late_session_is_coming_until_it_has_been_live():
    [appearance] = session_with(1, starts_at=timezone.now() - HOUR / 2, title="Late")
    session_with(1, starts_at=timezone.now() + DAY, title="Tomorrow")
    assert coming() == ["Late", "Tomorrow"]
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    session_end(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
