"""Words: whatever is stored is found by each of its words, folded or not, and nothing private is found by others."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.core.text_rules import fold, text_clean
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

LETTERS = st.characters(categories=("L", "N"), max_codepoint=0x2FFFF)
WORDS = st.text(LETTERS | st.sampled_from("-'’♯♭.#&ßÆłøđıŻ練習曲ショパン쇼팽"), min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
SLOW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(kind: Kind, pk: int) -> None:
    """Write the entry of an object as the service that writes it does."""
    from apps.community.events import PostsChanged
    from apps.competition.events import ParticipantChanged
    from apps.news.events import PostChanged

    events = {
        Kind.POST: PostsChanged(post_ids=(pk,)),
        Kind.NEWS: PostChanged(pk),
        Kind.PARTICIPANT: ParticipantChanged(pk),
    }
    event_write(events[kind])


@pytest.mark.django_db
@given(text=TEXTS)
@SLOW
def test_a_post_is_found_by_each_of_its_words(text):
    post = PostFactory(content=text)
    written(Kind.POST, post.pk)
    for word in text.split():
        for typed in (word, word.upper(), word.lower(), fold(word)):
            if query_read(typed).terms and query_read(typed).words == typed:
                groups = found(typed, is_administrator=False, language="en", most=50).groups
                ids = [hit.object_id for group in groups for hit in group.hits if hit.kind == Kind.POST]
                assert post.pk in ids, (typed, text)
    post.delete()
    written(Kind.POST, post.pk)


@pytest.mark.django_db
@given(text=TEXTS, is_draft=st.booleans())
@SLOW
def test_nothing_private_is_found_by_others(text, is_draft):
    if is_draft:
        private = BlogPostFactory(title=text_clean(text) or "x", is_published=False, published_at=None)
        written(Kind.NEWS, private.pk)
    else:
        private = PostFactory(content=text, is_hidden=True)
        written(Kind.POST, private.pk)
    for word in text.split():
        assert titles(word) == titles(fold(word)) == []
        assert not found(word, is_administrator=False, language="en", most=5).corrected
        if query_read(word).terms:
            assert titles(word, is_administrator=True)
    private.delete()
    written(Kind.NEWS if is_draft else Kind.POST, private.pk)


@given(text=TEXTS | st.text(max_size=60))
@settings(deadline=None, max_examples=300)
def test_marks_are_in_the_text_in_order_and_at_the_words(text):
    for word in text.split():
        query = query_read(word)
        places = marks(text, query)
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert all(end <= start for (_, end), (start, _) in pairwise(places))
        if query.terms and query.words == word:
            assert places, (word, text)
            assert excerpt(text, query.terms)


@given(text=st.text(max_size=200))
@settings(deadline=None, max_examples=300)
def test_each_folded_letter_knows_its_place(text):
    plain = folded(text)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    assert plain.starts == sorted(plain.starts)
    assert all(start < end <= len(text) for start, end in zip(plain.starts, plain.ends, strict=True))


@pytest.mark.parametrize(
    ("text", "typed", "marked"),
    [
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
    ],
)
def test_matches_are_marked_in_the_original(text, typed, marked):
    assert [text[start:end] for start, end in marks(text, query_read(typed))] == marked


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("op 10/4", ["op", "10", "4"]),
        ("op10", ["op", "10"]),
        ("C♯-moll", ["c", "sharp", "moll"]),
        ("Noh Byeol-ha", ["noh", "byeol", "ha"]),
        ("%_\\'", []),
        ("a&b|c:*", ["a", "b", "c"]),
        ("Ærø ß ŁÓDŹ", ["aero", "ss", "lodz"]),
        ("\u202eabc\u200b", ["abc"]),
    ],
)
def test_texts_are_split_into_words(text, words):
    assert words_of(text) == words


def test_chinese_characters_are_found_alone_in_pairs_and_as_they_are_transcribed():
    assert {"練", "習", "曲", "練習", "習曲", "^lianxiqu"} <= lexemes_of("練習曲")


def test_names_are_kept_between_bars():
    document = Document(1, "Jan Kałduński", names=("Kałduński Jan", "17"))
    assert names_folded(document) == "| jan kaldunski | kaldunski jan | 17 |"
    assert names_folded(Document(1, "A text", is_untitled=True)) == "|"


def test_participants_are_found_by_words_of_their_biography(db):
    person = ParticipantFactory(biography="one\n" * 50 + "swam for his county\n" + "two\n" * 50)
    written(Kind.PARTICIPANT, person.pk)
    (group,) = found("county swam", is_administrator=False, language="en", most=5).groups
    assert (group.hits[0].detail, len(group.hits[0].detail_marks)) == ("swam for his county", 2)
