"""Test what a search returns: groups, marked matches, corrections, any input, cached answers and query counts."""

from time import perf_counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.search import limits
from apps.search.enums import Kind
from apps.search.models import SearchEntry
from apps.search.results import Found
from apps.search.selectors import found
from tests.apps.search.places import first, titles
from tests.offenders import check_each
from tests.timing import took_at_most

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("places")]


def search(typed: str, *, most: int = 8, is_administrator: bool = False) -> Found:
    return found(typed, is_administrator=is_administrator, most=most)


def queries(typed: str, **options) -> int:
    with CaptureQueriesContext(connection) as captured:
        search(typed, **options)
    return len(captured)


def test_hits_are_grouped_by_kind_and_counted():
    answer = search("stage", most=2)
    assert [group.kind for group in answer.groups][:2] == [Kind.STAGE, Kind.SESSION]
    sessions = answer.groups[1]
    assert (len(sessions.hits), sessions.total > 2) == (2, True)
    assert sessions.hits[0].address == f"/sessions/{sessions.hits[0].object_id}"


def test_most_certain_hits_come_first():
    for name in ("Stage I", "Stage II", "Stage III", "Final"):
        assert titles(name.lower())[0] == name
    assert titles("mazurka")[0].startswith("Mazurka in")


def test_hit_marks_the_matching_words():
    (group,) = search("rewolucyjna").groups
    (hit,) = group.hits
    assert [hit.detail[start:end] for start, end in hit.detail_marks] == ["Rewolucyjna"]
    (group,) = search("kaldunski").groups
    assert [(hit.detail, hit.title_marks, hit.is_public) for hit in group.hits] == [("Poland", ((4, 13),), True)]


def test_misspelled_name_is_corrected():
    answer = search("David Khirkuli")
    assert (answer.words, answer.corrected) == ("David Khirkuli", "David khrikuli")
    assert answer.groups[0].hits[0].title == "David Khrikuli"
    assert search("Khrikuli").corrected == ""
    assert search("xqzzt").corrected == ""


def test_transcription_is_not_a_prefix():
    assert {group.kind for group in search("li").groups} & {Kind.PIECE} == set()


def test_drafts_are_hits_only_for_administrators():
    (group,) = search("interview tuners", is_administrator=True).groups
    assert [(hit.title, hit.is_public) for hit in group.hits] == [("Notes for an interview with the tuners", False)]
    assert titles("interview tuners") == []  # nor from the administrator's cached answer


def test_any_input_is_literal_or_cut():
    def check(typed):
        begun = perf_counter()
        answer = search(typed)
        took_at_most(0.1, perf_counter() - begun, "a search")
        assert len(answer.words) <= limits.QUERY_LENGTH
        assert len(answer.words.split()) <= limits.QUERY_WORDS
        assert SearchEntry.objects.exists()
        assert search(typed, is_administrator=True).words == answer.words

    inputs = [
        *("", " ", "\x00", "\ud800", "%_\\'", "'", "''", "\\", "\\'", "%", "_", "&", "|", "!", "(", ")", ":*", "<->"),
        *("a & | b", "'a':*", "(a|b)*", "(a+)+$" * 20, "[a-z]{1,99999}", "\u202eabc\u202c", "שלום עולם", "مرحبا"),
        *("\u0301" * 5_000, "\ufdfa" * 200, "🎹" * 50, "a" * 10_000, "a " * 5_000, "1a" * 5_000, "é" * 10_000),
        *("練" * 10_000, " " * 10_000 + "kaldunski", "-" * 1_000, "a-" * 1_000, "#" * 100, "c#" * 100, "♭" * 100),
        *("e♭" * 100, "\x1f\x7f\u2028", "NULL", "1; DROP TABLE search_entries", "$1", "%s %(all)s {}", "｜＆！"),
    ]
    check_each(inputs, check)


def test_search_uses_ten_words_and_ignores_leading_blanks():
    assert first(" " * 5_000 + "kaldunski") == "participant Jan Kałduński"
    assert first("ﬁnal") == "stage Final"
    assert first("kaldunski " * 10 + "nowhere") == "participant Jan Kałduński"


def test_search_takes_one_query():
    assert queries("kaldunski") == 1
    assert [queries("stage", most=most) for most in (1, 20)] == [1, 1]
    assert queries("Khirkuli") == 4  # the stamp and the words of names, and the second search
    assert queries("") == 0
