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
from tests.project.security.bounded_work import LENGTH, work_bounded

SIZE = 4096  # characters
ENDS = 4000  # lines: what is longest, a host of 253 signs in its ASCII form, may begin in the second half alone
LED = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]+)?([/?#].*)?", re.DOTALL)
WORDS = st.sampled_from(
    "https:// http:// HTTPS:// javascript: ftp:// //host.example example.org https://example.org/a a@b.org @ewa_n "
    "@una-corda @x \u0440\u0430ypal.com https://\u0440\u0430ypal.com/in [ ] ( ) . , ! ? # % \\ < > \" ' ` @ : / \n"
    " \u200b \u202e \u017f \u212a \u3002 \uff0f http\u017f://a.b https://a.b@c.d https://a.b:80@c.d xn--".split(" ")
)
TEXTS = st.lists(WORDS | st.text(max_size=6), max_size=30).map("".join)


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("See https://example.org/a?b=c#d now", "https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("http://example.org", "http://example.org", "http://example.org"),
        ("HTTPS://Example.ORG/Path", "https://Example.ORG/Path", "HTTPS://Example.ORG/Path"),
        ("https://example.org:8443/x", "https://example.org:8443/x", "https://example.org:8443/x"),
        ("(https://example.org/a_(b))", "https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("https://example.org/a.", "https://example.org/a", "https://example.org/a"),
        ("“https://example.org/a”, she said", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a?!...", "https://example.org/a", "https://example.org/a"),
        ("[https://example.org/a]:", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/ó", "https://example.org/ó", "https://example.org/ó"),
        ("https://example.org\\@evil.example", "https://example.org", "https://example.org"),
        ("https://\u0440\u0430ypal.com/in", "https://xn--ypal-43d9g.com/in", "https://xn--ypal-43d9g.com/in"),
        ("https://łąka.example", "https://xn--ka-ola7v.example", "https://xn--ka-ola7v.example"),
        ("https://example\u3002org", "https://example.org", "https://example.org"),
        ("看https://example.org/a。谢谢", "https://example.org/a", "https://example.org/a"),
        ("https://example.org，很好", "https://example.org", "https://example.org"),
        ("（https://example.org/a）", "https://example.org/a", "https://example.org/a"),
        ("「https://example.org/a」を見て", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a、https", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/演奏？", "https://example.org/演奏", "https://example.org/演奏"),
        ("https://example.org/a\u3000次", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a，", "https://example.org/a", "https://example.org/a"),
        ("انظر https://example.org/a، شكرا", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a؟", "https://example.org/a", "https://example.org/a"),
        ("„https://example.org/a“", "https://example.org/a", "https://example.org/a"),
        ("»https://example.org/a«", "https://example.org/a", "https://example.org/a"),
        ("https://example.org/a\u200b", "https://example.org/a", "https://example.org/a"),
        ("ראו https://example.org/a.", "https://example.org/a", "https://example.org/a"),
        (
            "https://ru.wikipedia.org/wiki/Шопен)",
            "https://ru.wikipedia.org/wiki/Шопен",
            "https://ru.wikipedia.org/wiki/Шопен",
        ),
    ],
)
def test_an_address_is_a_link_and_says_where_it_leads(text, address, shown):
    (link,) = [each for each in segments(text) if each.address]
    assert (link.address, link.text) == (address, shown)
    assert links(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "javascript:alert(1)",
        "data:text/html,https",
        "ftp://example.org/a",
        "//example.org/a",
        "example.org/a",
        "https://",
        "https:// example.org",
        "https://localhost/",
        "https://somebody@example.org/",
        "https://example.org:80@evil.example/",
        "https://user:word@example.org/",
        "https://example.org:port/",
        "https://example.org:123456/",
        "https://[::1]/",
        "https://a%2eexample.org/",
        "https://example\u2100.org/",  # its letters would end the host
        "https://" + "a" * 64 + "ł.example/",
        "https://" + "ł." * 300 + "example/",
        "http\u017f://example.org",
        "xhttps://example.org",
    ],
)
def test_nothing_else_is_a_link(text):
    assert segments(text) == (Segment(text),)
    assert links(text) == 0


def test_mentions_are_usernames_between_what_is_none():
    text = "@ewa_n, @una-corda: @Ab1! (@pedal-point) @xy a@b.org @corda@example.org @a_name_of_more_than_20 /@way ł@ewa"
    named = [(each.text, each.username) for each in segments(text) if each.username]
    assert named == [(f"@{name}", name) for name in ("ewa_n", "una-corda", "Ab1", "pedal-point")]
    assert mentions([text, "and @second"]) == {"ewa_n", "una-corda", "Ab1", "pedal-point", "second"}


def test_a_mention_within_an_address_is_the_address():
    assert [(each.text, each.username) for each in segments("https://example.org/@ewa_n")] == [
        ("https://example.org/@ewa_n", "")
    ]


def test_of_many_mentions_the_first_are_looked_up():
    text = " ".join(f"@name{number:03} @name{number:03}" for number in range(MENTIONS + 5))
    assert mentions([text]) == {f"name{number:03}" for number in range(MENTIONS)}


def test_plain_pieces_that_meet_are_one():
    assert segments("a https://x b, @y c") == (Segment("a https://x b, @y c"),)
    assert segments("a\nhttps://x.org.\nb") == (
        Segment("a\n"),
        Segment("https://x.org", "https://x.org"),
        Segment(".\nb"),
    )
    assert segments("") == ()


@given(TEXTS)
def test_what_is_no_link_is_there_in_its_order_and_as_it_was(text):
    end = 0
    for each in segments(text):
        if not each.address:
            end = text.index(each.text, end) + len(each.text)


@given(TEXTS)
def test_no_address_leads_outside_of_http_and_every_name_is_a_username(text):
    for each in segments(text):
        assert each.text
        assert not (each.address and each.username)
        assert not each.address or LED.fullmatch(each.address)
        assert not each.username or re.fullmatch(USERNAME, each.username)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_what_is_written_in_ascii_stays_as_it_is(text):
    assert "".join(each.text for each in segments(text)) == text


def steps(read, text):
    """Return how many lines of Python run while `read` reads a text."""
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
    """Return whether a text of twice the length takes more than twice the steps, but for what begins and ends it."""
    text = begin + repeat * (2 * SIZE)
    return steps(read, text[: 2 * SIZE]) > 2 * steps(read, text[:SIZE]) + ENDS


@settings(max_examples=60)
@given(TEXTS.filter(bool))
def test_twice_the_text_takes_at_most_twice_the_steps(repeat):
    assert not grows_faster(segments, "", repeat)
    assert not grows_faster(segments, "https://a.b/", repeat)


def test_what_reads_a_text_again_for_each_of_its_signs_is_found():
    """Both measures see what is quadratic: in Python by its steps, in a pattern by its work."""

    def by_hand(text):
        for start in range(0, len(text), 64):
            for _ in text[start::64]:
                pass

    assert grows_faster(by_hand, "", "https://a.b ")
    with pytest.raises(AssertionError, match="s of work"), work_bounded():
        re.findall(r"h\S+ ", "h" * LENGTH)


@pytest.mark.long
@settings(max_examples=40)
@given(TEXTS.filter(bool))
def test_a_text_costs_by_its_length(repeat):
    """Seconds of the processor for what is twelve times as long as any post: its square takes minutes."""
    assert POST_LENGTH * 12 < LENGTH
    for text in ((repeat * LENGTH)[:LENGTH], f"https://a.b/{repeat * LENGTH}"[:LENGTH]):
        with work_bounded():
            segments(text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("你好@una-corda谢谢", ["una-corda"]),
        ("@una-cordaさん、おめでとう", ["una-corda"]),
        ("@una-corda님 감사합니다", ["una-corda"]),
        ("＠una-corda、どう？", ["una-corda"]),
        ("תודה ל@una-corda!", ["una-corda"]),
        ("شكرا ل@una-corda، رائع", ["una-corda"]),
        ("Cảm ơn @una-corda!", ["una-corda"]),
        ("Спасибо, @una-corda.", ["una-corda"]),
        ("Спасибо@una-corda, @una-cordaом, zół@una-corda, @una-cordaę", []),
        ("ewa@una-corda, 中ewa@una-corda, @una-corda@example.org, @＠una-corda", []),
    ],
)
def test_a_mention_stands_where_people_put_it_in_each_script(text, names):
    assert [each.username for each in segments(text) if each.username] == names
    assert "".join(each.text for each in segments(text)) == text
