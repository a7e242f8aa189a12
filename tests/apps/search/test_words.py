"""Test words: each word of a text finds it, folded or not, and only administrators find private texts."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.community.events import PostsChanged
from apps.community.models import Post
from apps.competition.events import ParticipantChanged
from apps.competition.models import Participant
from apps.core.text_rules import fold, text_clean
from apps.news.events import PostChanged
from apps.news.models import BlogPost
from apps.search.entries import names_folded
from apps.search.enums import Kind
from apps.search.marks import excerpt, marks
from apps.search.queries import query_read
from apps.search.registry import Document
from apps.search.selectors import found
from apps.search.services import event_write
from apps.search.words import folded, lexemes_of, words_of
from tests.apps.search.places import titles
from tests.factories import BlogPostFactory, ParticipantFactory, PostFactory
from tests.offenders import check_each

LETTERS = st.characters(categories=("L", "N"), max_codepoint=0x2FFFF)
WORDS = st.text(LETTERS | st.sampled_from("-'’♯♭.#&ßÆłøđıŻ練習曲ショパン쇼팽"), min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
SLOW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


def entry_write(row: BlogPost | Participant | Post) -> None:
    """Write the search entry of a row as the service that writes the row does."""
    match row:
        case Post():
            event_write(PostsChanged(post_ids=(row.pk,)))
        case BlogPost():
            event_write(PostChanged(row.pk))
        case _:
            event_write(ParticipantChanged(row.pk))


def row_delete(row: BlogPost | Post) -> None:
    """Delete a row and its search entry."""
    pk = row.pk
    row.delete()
    row.pk = pk
    entry_write(row)


@pytest.mark.django_db
@given(text=TEXTS)
@SLOW
def test_each_word_of_a_post_finds_it(text):
    post = PostFactory(content=text)
    entry_write(post)
    for word in text.split():
        for typed in (word, word.upper(), word.lower(), fold(word)):
            if query_read(typed).terms and query_read(typed).words == typed:
                groups = found(typed, is_administrator=False, most=50).groups
                ids = [hit.object_id for group in groups for hit in group.hits if hit.kind == Kind.POST]
                assert post.pk in ids, (typed, text)
    row_delete(post)


@pytest.mark.django_db
@given(text=TEXTS, is_draft=st.booleans())
@SLOW
def test_drafts_and_hidden_posts_are_hits_only_for_administrators(text, is_draft):
    if is_draft:
        private = BlogPostFactory(title=text_clean(text) or "x", is_published=False, published_at=None)
    else:
        private = PostFactory(content=text, is_hidden=True)
    entry_write(private)
    for word in text.split():
        assert titles(word) == titles(fold(word)) == []
        assert not found(word, is_administrator=False, most=5).corrected
        if query_read(word).terms:
            assert titles(word, is_administrator=True)
    row_delete(private)


@given(text=TEXTS | st.text(max_size=60))
def test_marks_are_ordered_and_inside_the_text(text):
    for word in text.split():
        query = query_read(word)
        places = marks(text, query)
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert all(end <= start for (_, end), (start, _) in pairwise(places))
        if query.terms and query.words == word:
            assert places, (word, text)
            assert excerpt(text, query.terms)


@given(text=st.text(max_size=200))
def test_folded_letters_keep_their_positions(text):
    plain = folded(text)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert plain.starts == sorted(plain.starts)
    assert all(start < end <= len(text) for start, end in zip(plain.starts, plain.ends, strict=True))


def test_matches_are_marked_in_the_original():
    def check(case):
        text, typed, marked = case
        assert [text[start:end] for start, end in marks(text, query_read(typed))] == marked

    cases = [
        ("Jan Kałduński", "kald", ["Kałd"]),
        ("Jan Kałduński", "KAŁDUŃSKI", ["Kałduński"]),
        ("Jan Kalduński", "kalduński", ["Kalduński"]),
        ("Straße nach Ærø", "strasse aero", ["Straße", "Ærø"]),
        ("Straße", "stras", ["Straß"]),
        ("Seong-jin Cho", "seongjin", ["Seong-jin"]),
        ("Étude in C♯ minor, op. 10 no. 4", "c# minor 10/4", ["C♯", "minor", "10", "4"]),
        ("Nocturne in E♭ major", "e flat", ["E♭"]),
        ("練習曲 嬰ハ短調", "習曲", ["習曲"]),
        ("練習曲 嬰ハ短調", "短", ["短"]),
        ("the theme of them", "the", ["the", "the", "the"]),
        ("one two", "three", []),
    ]
    check_each(cases, check)


def test_texts_are_split_into_words():
    cases = {
        "op 10/4": ["op", "10", "4"],
        "op10": ["op", "10"],
        "C♯-moll": ["c", "sharp", "moll"],
        "Noh Byeol-ha": ["noh", "byeol", "ha"],
        "%_\\'": [],
        "a&b|c:*": ["a", "b", "c"],
        "Ærø ß ŁÓDŹ": ["aero", "ss", "lodz"],
        "\u202eabc\u200b": ["abc"],
    }
    assert {text: words_of(text) for text in cases} == cases


def test_chinese_characters_have_lexemes_alone_in_pairs_and_transcribed():
    assert {"練", "習", "曲", "練習", "習曲", "^lianxiqu"} <= lexemes_of("練習曲")


def test_names_are_stored_between_bars():
    document = Document(1, "Jan Kałduński", names=("Kałduński Jan", "17"))
    assert names_folded(document) == "| jan kaldunski | kaldunski jan | 17 |"
    assert names_folded(Document(1, "A text", is_untitled=True)) == "|"


def test_word_of_a_biography_finds_the_participant(db):
    person = ParticipantFactory(biography="one\n" * 50 + "swam for his county\n" + "two\n" * 50)
    entry_write(person)
    (group,) = found("county swam", is_administrator=False, most=5).groups
    assert (group.hits[0].detail, len(group.hits[0].detail_marks)) == ("swam for his county", 2)
