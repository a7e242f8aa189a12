"""Test links and mentions in users' texts: which text becomes a link, and to which address."""

import codecs
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.validators import USERNAME
from apps.community.limits import MENTIONS, POST_LENGTH
from apps.community.mentions import Segment, mentions, segments
from apps.core.text_rules import links
from tests.offenders import check_each
from tests.project.security.bounded_work import LENGTH, work_bounded

SIZE = 4096  # characters
ENDS = 4000  # lines: the longest host, of 253 characters in its ASCII form, may begin only in the second half
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?([/?#].*)?", re.DOTALL)
WORDS = st.sampled_from(
    "https:// http:// HTTPS:// javascript: ftp:// //host.example example.org https://example.org/a a@b.org @ewa_n "
    "@una-corda @x \u0440\u0430ypal.com https://\u0440\u0430ypal.com/in [ ] ( ) . , ! ? # % \\ < > \" ' ` @ : / \n"
    " \u200b \u202e \u017f \u212a \u3002 \uff0f http\u017f://a.b https://a.b@c.d https://a.b:80@c.d xn--".split(" ")
)
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=30).map("".join)


LINKS = {
    "See https://example.org/a?b=c#d now": "https://example.org/a?b=c#d",
    "http://example.org": "http://example.org",
    "HTTPS://Example.ORG/Path": "https://Example.ORG/Path",
    "https://example.org:8443/x": "https://example.org:8443/x",
    "(https://example.org/a_(b))": "https://example.org/a_(b)",
    "https://example.org/a.": "https://example.org/a",
    "“https://example.org/a”, she said": "https://example.org/a",
    "https://example.org/a?!...": "https://example.org/a",
    "[https://example.org/a]:": "https://example.org/a",
    "https://example.org/ó": "https://example.org/ó",
    "https://example.org\\@evil.example": "https://example.org",
    "https://\u0440\u0430ypal.com/in": "https://xn--ypal-43d9g.com/in",
    "https://łąka.example": "https://xn--ka-ola7v.example",
    "https://example\u3002org": "https://example.org",
    "看https://example.org/a。谢谢": "https://example.org/a",
    "https://example.org，很好": "https://example.org",
    "（https://example.org/a）": "https://example.org/a",
    "「https://example.org/a」を見て": "https://example.org/a",
    "https://example.org/a、https": "https://example.org/a",
    "https://example.org/演奏？": "https://example.org/演奏",
    "https://example.org/a\u3000次": "https://example.org/a",
    "https://example.org/a，": "https://example.org/a",
    "انظر https://example.org/a، شكرا": "https://example.org/a",
    "https://example.org/a؟": "https://example.org/a",
    "„https://example.org/a“": "https://example.org/a",
    "»https://example.org/a«": "https://example.org/a",
    "https://example.org/a\u200b": "https://example.org/a",
    "ראו https://example.org/a.": "https://example.org/a",
    "https://ru.wikipedia.org/wiki/Шопен)": "https://ru.wikipedia.org/wiki/Шопен",
}
NO_LINKS = (
    *("javascript:alert(1)", "data:text/html,https", "ftp://example.org/a", "//example.org/a", "example.org/a"),
    *("https://", "https:// example.org", "https://localhost/", "https://user@example.org/"),
    *("https://example.org:80@evil.example/", "https://user:word@example.org/"),
    *("https://example.org:port/", "https://example.org:123456/", "https://[::1]/", "https://a%2eexample.org/"),
    "https://example\u2100.org/",  # its letters would end the host
    *("https://" + "a" * 64 + "ł.example/", "https://" + "ł." * 300 + "example/"),
    *("http\u017f://example.org", "xhttps://example.org"),
)


def test_address_in_a_text_becomes_a_link_that_shows_it():
    def check(text):
        (link,) = [segment for segment in segments(text) if segment.address]
        shown = text if text.startswith("HTTPS:") else LINKS[text]
        assert (link.address, link.text) == (LINKS[text], shown)
        assert links(text) == 1

    check_each(LINKS, check)


def test_other_texts_are_no_links():
    assert not [text for text in NO_LINKS if segments(text) != (Segment(text),) or links(text)]


def test_mentions_are_usernames_after_an_at_sign():
    text = "@ewa_n, @una-corda: @Ab1! (@pedal-point) @xy a@b.org @corda@example.org @a_name_of_more_than_20 /@way ł@ewa"
    usernames = [(part.text, part.username) for part in segments(text) if part.username]
    assert usernames == [(f"@{name}", name) for name in ("ewa_n", "una-corda", "Ab1", "pedal-point")]
    assert mentions([text, "and @second"]) == {"ewa_n", "una-corda", "Ab1", "pedal-point", "second"}
    assert [(part.text, part.username) for part in segments("https://example.org/@ewa_n")] == [
        ("https://example.org/@ewa_n", "")
    ]
    text = " ".join(f"@name{number:03} @name{number:03}" for number in range(MENTIONS + 5))
    assert mentions([text]) == {f"name{number:03}" for number in range(MENTIONS)}


def test_adjacent_plain_segments_are_merged():
    assert segments("a https://x b, @y c") == (Segment("a https://x b, @y c"),)
    assert segments("a\nhttps://x.org.\nb") == (
        Segment("a\n"),
        Segment("https://x.org", "https://x.org"),
        Segment(".\nb"),
    )
    assert segments("") == ()


@given(TEXTS)
def test_plain_text_is_kept_in_its_order(text):
    end = 0
    for segment in segments(text):
        if not segment.address:
            end = text.index(segment.text, end) + len(segment.text)


@given(TEXTS)
def test_addresses_are_http_and_mentions_are_usernames(text):
    for segment in segments(text):
        assert segment.text
        assert not (segment.address and segment.username)
        assert not segment.address or ADDRESS.fullmatch(segment.address)
        assert not segment.username or re.fullmatch(USERNAME, segment.username)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_text_is_unchanged(text):
    assert "".join(segment.text for segment in segments(text)) == text


def steps(read, text):
    """Return how many lines of Python run while `read` processes a text."""
    codecs.lookup("idna")  # exclude the first use in a process: it loads a module, which counts as steps
    count = 0

    def trace(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read(text)
    finally:
        sys.settrace(before)
    return count


def grows_faster(read, begin, repeat):
    """Return whether twice the text takes more than twice the steps, apart from its beginning and end."""
    text = begin + repeat * (2 * SIZE)
    return steps(read, text[: 2 * SIZE]) > 2 * steps(read, text[:SIZE]) + ENDS


@settings(max_examples=12)
@given(TEXTS.filter(bool))
def test_segments_takes_linear_steps(repeat):
    assert not grows_faster(segments, "", repeat)
    assert not grows_faster(segments, "https://a.b/", repeat)


def test_quadratic_work_is_detected():
    def quadratic(text):
        for start in range(0, len(text), 64):
            for _ in text[start::64]:
                pass

    assert grows_faster(quadratic, "", "https://a.b ")
    with pytest.raises(AssertionError, match="s of work"), work_bounded(0.2):
        re.findall(r"h\S+ ", "h" * LENGTH)


@pytest.mark.long(reason="tries generated texts with a browser's reading of them")
@settings(max_examples=8)
@given(TEXTS.filter(bool))
def test_segments_takes_linear_time(repeat):
    """Read a text twelve times as long as a post within seconds of CPU time; quadratic work takes minutes."""
    assert POST_LENGTH * 12 < LENGTH
    for text in ((repeat * LENGTH)[:LENGTH], f"https://a.b/{repeat * LENGTH}"[:LENGTH]):
        with work_bounded():
            segments(text)


MENTIONED = {
    "你好@una-corda谢谢": ["una-corda"],
    "@una-cordaさん、おめでとう": ["una-corda"],
    "@una-corda님 감사합니다": ["una-corda"],
    "＠una-corda、どう？": ["una-corda"],
    "תודה ל@una-corda!": ["una-corda"],
    "شكرا ل@una-corda، رائع": ["una-corda"],
    "Cảm ơn @una-corda!": ["una-corda"],
    "Спасибо, @una-corda.": ["una-corda"],
    "Спасибо@una-corda, @una-cordaом, zół@una-corda, @una-cordaę": [],
    "ewa@una-corda, 中ewa@una-corda, @una-corda@example.org, @＠una-corda": [],
}


def test_mentions_are_recognized_in_each_script():
    mentioned = {text: [part.username for part in segments(text) if part.username] for text in MENTIONED}
    assert mentioned == MENTIONED
    assert not [text for text in MENTIONED if "".join(part.text for part in segments(text)) != text]
