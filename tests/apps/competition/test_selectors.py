"""Test the competition's selectors: their results and their number of queries."""

from datetime import timedelta

import pytest

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
    live_now,
    live_session,
    participant_appearances,
    session_appearances,
    session_appearances_with_programs,
    session_get,
    session_ids,
    session_list,
    session_live,
)
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
)

pytestmark = pytest.mark.django_db


def names(cards):
    return [card.name for card in cards]


@pytest.fixture
def orchestra():
    for first, second, country in (
        ("Jan", "Kałduński", "Poland"),
        ("Ewa", "Łęcka", "Poland"),
        ("Ondřej", "Čapek-Dvorský", "Czechia"),
        ("Anna", "Łęcka", "Czechia"),
        ("Zoé", "d’Hautecombe", "France"),
    ):
        ParticipantFactory(first_name=first, second_name=second, country=country)


@pytest.mark.usefixtures("orchestra")
def test_participant_list_is_sorted_by_second_name_without_accents():
    assert names(participant_list().rows) == [
        "Ondřej Čapek-Dvorský",
        "Zoé d’Hautecombe",
        "Jan Kałduński",
        "Anna Łęcka",
        "Ewa Łęcka",
    ]


@pytest.mark.usefixtures("orchestra")
@pytest.mark.parametrize(
    "query", ["kaldunski", "Kałduński", "KAŁDUŃSKI jan", "jan kaldunski", "kaldunski  jan", "duns", "Kałdun\u0301ski"]
)
def test_participant_list_finds_without_accents_in_either_order(query):
    assert names(participant_list(query=query).rows) == ["Jan Kałduński"]


@pytest.mark.parametrize(
    ("first", "second", "queries"),
    [
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
    ],
)
def test_a_name_is_found_as_people_type_it(first, second, queries):
    wanted = ParticipantFactory(first_name=first, second_name=second)
    ParticipantFactory(first_name="Britta", second_name="Byström")
    for query in queries:
        assert [card.id for card in participant_list(query=query).rows] == [wanted.pk], query


@pytest.mark.usefixtures("orchestra")
@pytest.mark.parametrize("query", ["jan lecka", "%", "_", "\\", "'; --"])
def test_participant_list_finds_nobody_who_lacks_a_word(query):
    assert participant_list(query=query).rows == ()


@pytest.mark.usefixtures("orchestra")
@pytest.mark.parametrize("query", ["", "  ", "\x00"])
def test_participant_list_without_a_word_has_everybody(query):
    assert participant_list(query=query).total == 5


@pytest.mark.usefixtures("orchestra")
def test_participant_list_narrows_by_country():
    assert names(participant_list(country="Czechia", query="lecka").rows) == ["Anna Łęcka"]
    assert participant_list(country="Atlantis").rows == ()
    assert participant_list(country="\x00").rows == ()


@pytest.mark.usefixtures("orchestra")
def test_participant_countries_are_distinct_and_sorted():
    ParticipantFactory(country="Österreich")
    ParticipantFactory(country="Zambia")
    assert participant_countries() == ("Czechia", "France", "Österreich", "Poland", "Zambia")


def test_participant_cards_carry_an_excerpt_and_a_count():
    participant = ParticipantFactory(biography="ą" * 150, birth_year=None, avatar_url="/static/a.svg")
    AppearanceFactory(participant=participant)
    AppearanceFactory(participant=participant)
    assert participant_list().rows == (
        ParticipantCard(
            id=participant.pk,
            name=participant.name,
            country="Poland",
            birth_year=None,
            excerpt="ą" * 101,
            avatar_url="/static/a.svg",
            appearance_count=2,
        ),
    )


def test_participant_featured_are_the_newest_first_and_no_more_than_asked_for():
    ParticipantFactory(featured=False)
    featured = [ParticipantFactory(featured=True) for _ in range(8)]
    assert [card.id for card in participant_featured()] == [each.pk for each in reversed(featured[2:])]
    assert len(participant_featured(limit=2)) == 2


def test_participant_get_returns_everything_or_none():
    appearance = AppearanceFactory()
    found = participant_get(participant_id=appearance.participant_id)
    assert (found.name, found.biography, found.appearance_count) == (appearance.participant.name, "Born in Zamość.", 1)
    assert participant_get(participant_id=987654) is None
    assert participant_get(participant_id=10**30) is None


def test_session_list_splits_at_now_and_sorts_by_date():
    past, now, later = (SessionFactory(starts_at=EVENING + timedelta(hours=hours)) for hours in (-1, 0, 1))

    def listed(when):
        return [card.id for card in session_list(when=when, now=EVENING).rows]

    assert listed(SessionFilter.UPCOMING) == [now.pk, later.pk]
    assert listed(SessionFilter.PAST) == [past.pk]
    assert listed(SessionFilter.ALL) == [past.pk, now.pk, later.pk]


def test_session_cards_count_their_participants():
    session = SessionFactory(stage=StageFactory(name="Stage I"))
    AppearanceFactory(session=session)
    AppearanceFactory(session=session)
    (card,) = session_list(when=SessionFilter.ALL, now=EVENING).rows
    assert (card.stage, card.participant_count, card.youtube_id) == ("Stage I", 2, "aqz-KE-bpKQ")


def test_session_appearances_follow_the_order_with_their_programs():
    session = SessionFactory(youtube_id="aqz-KE-bpKQ")
    second = AppearanceFactory(session=session, order_number=2, is_performing=True)
    first = AppearanceFactory(session=session, order_number=1)
    etude = PieceFactory(category=Category.ETIUDA_A, opus="10", number=3)
    late = PieceFactory(category=Category.NOCTURN, opus="posth.", number=None, key="", title="")
    ProgramEntryFactory(session_participant=first, piece=late, order_number=2, timestamp=90, youtube_url="")
    ProgramEntryFactory(
        session_participant=first,
        piece=etude,
        order_number=1,
        slot=Category.NOCTURN,
        youtube_url="https://youtu.be/eRsGyueVLvQ?t=1m5s",
    )
    appearances = session_appearances_with_programs(session_id=session.pk)
    assert [(appearance.id, appearance.is_performing) for appearance in appearances] == [
        (first.pk, False),
        (second.pk, True),
    ]
    line, other = appearances[0].program
    assert (line.slot, line.piece.category, line.piece.opus, line.piece.number) == ("nocturn", "etiuda_a", 10, 3)
    assert (line.video_id, line.second) == ("eRsGyueVLvQ", 65)
    assert (other.video_id, other.second) == ("aqz-KE-bpKQ", 90)
    assert (other.piece.opus, other.piece.number) == ("posth.", None)


def test_program_lines_say_the_timestamp_rather_than_the_link():
    entry = ProgramEntryFactory(timestamp=7, youtube_url="https://youtu.be/eRsGyueVLvQ?t=65")
    (appearance,) = session_appearances_with_programs(session_id=entry.session_participant.session_id)
    assert appearance.program[0].second == 7


def test_program_lines_have_no_video_where_nobody_has_one():
    entry = ProgramEntryFactory(session_participant__session__youtube_id="")
    (appearance,) = session_appearances_with_programs(session_id=entry.session_participant.session_id)
    assert (appearance.program[0].video_id, appearance.program[0].second) == ("", None)


def test_participant_performances_are_the_newest_first():
    participant = ParticipantFactory()
    older = AppearanceFactory(participant=participant, session__starts_at=EVENING - timedelta(days=1))
    newer = AppearanceFactory(participant=participant, session__starts_at=EVENING)
    AppearanceFactory()
    found = participant_appearances(participant_id=participant.pk)
    assert [each.appearance.id for each in found] == [newer.pk, older.pk]
    assert found[0].session == session_get(session_id=newer.session_id)


def test_live_now_needs_a_live_session_and_a_performer():
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


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(
    ("queries", "read"),
    [
        (2, lambda _: participant_list(query="wroblewska zofia", country="Poland")),
        (2, lambda _: participant_list(still_in=True)),
        (1, lambda entry: participants_progress(participant_ids=[entry.session_participant.participant_id])),
        (1, lambda entry: imported_stages(participant_ids=[entry.session_participant.participant_id])),
        (1, lambda entry: field_numbers(participant_ids=[entry.session_participant.participant_id])),
        (1, lambda _: session_live()),
        (1, lambda _: participant_countries()),
        (1, lambda _: participant_featured()),
        (1, lambda entry: participant_get(participant_id=entry.session_participant.participant_id)),
        (1, lambda _: participant_ids()),
        (2, lambda _: session_list(when=SessionFilter.PAST, now=EVENING + timedelta(days=1))),
        (1, lambda entry: session_get(session_id=entry.session_participant.session_id)),
        (1, lambda entry: session_appearances(session_id=entry.session_participant.session_id)),
        (2, lambda entry: session_appearances_with_programs(session_id=entry.session_participant.session_id)),
        (2, lambda entry: participant_appearances(participant_id=entry.session_participant.participant_id)),
        (1, lambda _: session_ids()),
        (1, lambda _: live_session()),
        (1, lambda _: live_now()),
    ],
)
def test_reads_take_as_many_queries_for_three_rows_as_for_one(django_assert_num_queries, rows, queries, read):
    session = SessionFactory(is_live=True)
    participant = ParticipantFactory(featured=True)
    entry = ProgramEntryFactory(session_participant__session=session, session_participant__participant=participant)
    entry.session_participant.is_performing = True
    entry.session_participant.save()
    for _ in range(rows - 1):
        ProgramEntryFactory(session_participant__session=session, session_participant__participant__featured=True)
        ProgramEntryFactory(session_participant__participant=participant)
        ProgramEntryFactory(session_participant=entry.session_participant)
    PerformanceFactory(participant=participant)
    with django_assert_num_queries(queries):
        assert read(entry)
