"""Test the parsing of video addresses."""

import re

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.competition.youtube import moment_link, start_second, video_id, video_of
from tests.offenders import check_each

ID = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", min_size=11, max_size=11).filter(
    lambda video: video not in {"videoseries", "live_stream"}
)
FORMS = [
    "https://www.youtube.com/watch?v={}",
    "https://youtube.com/watch?feature=share&v={}&list=PL1",
    "https://m.youtube.com/watch?v={}#t=5",
    "https://youtu.be/{}",
    "https://youtu.be/{}?t=5",
    "http://www.youtube.com/live/{}?si=abc",
    "https://www.youtube.com/embed/{}",
    "https://www.youtube-nocookie.com/embed/{}?start=5",
    " https://youtu.be/{} ",
]


@given(video=ID)
def test_video_id_is_found_in_each_form_of_address(video):
    assert [form for form in FORMS if video_id(form.format(video)) != video] == []


def test_video_id_is_none_for_other_addresses():
    addresses = [
        "",
        "aqz-KE-bpKQ",
        "https://example.org/watch?v=aqz-KE-bpKQ",
        "https://youtube.com.example.org/watch?v=aqz-KE-bpKQ",
        "https://notyoutube.com/watch?v=aqz-KE-bpKQ",
        "https://www.youtube.com/watch?v=aqz-KE-bpK",
        "https://www.youtube.com/watch?v=aqz-KE-bpKQ1",
        "https://www.youtube.com/watch?v=aqz-KE-bpK%22",
        "https://www.youtube.com/watch",
        "https://www.youtube.com/channel/aqz-KE-bpKQ",
        "https://youtu.be/",
        "javascript://youtu.be/aqz-KE-bpKQ",
        "https://[::1/aqz-KE-bpKQ",
        "https://youtu.be/aqz-KE-bpKQ?" + "a" * 2048,
    ]
    assert [address for address in addresses if video_id(address) is not None] == []


@given(st.text())
def test_parsers_accept_any_text(text):
    for url in (text, f"https://youtu.be/{text}", f"https://youtu.be/aqz-KE-bpKQ?t={text}"):
        video = video_id(url)
        assert video is None or len(video) == 11
        second = start_second(url)
        assert second is None or second >= 0


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_start_second_reads_hours_minutes_and_seconds(hours, minutes, seconds):
    total = hours * 3600 + minutes * 60 + seconds
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={hours}h{minutes}m{seconds}s") == total
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={total}") == total
    assert start_second(f"https://www.youtube.com/watch?v=aqz-KE-bpKQ&t={total}s") == total
    assert start_second(f"https://www.youtube.com/watch?v=aqz-KE-bpKQ#t={total}") == total


def test_start_second_is_read_or_none():
    moments = {"1h": 3600, "2M": 120, "1h5s": 3605, "90m": 5400, "0": 0}
    moments |= dict.fromkeys(["", "-5", "1.5", "5s3m", "later", "h", "99999999", "٥"])
    assert {moment: start_second(f"https://youtu.be/aqz-KE-bpKQ?t={moment}") for moment in moments} == moments
    assert start_second("https://www.youtube.com/embed/aqz-KE-bpKQ?start=61") == 61
    assert start_second("https://youtu.be/aqz-KE-bpKQ") is start_second("text") is None


VIDEO = "aqz-KE-bpKQ"
EMBED = (
    '<iframe width="560" height="315" src="https://www.youtube.com/embed/aqz-KE-bpKQ?si=Zb&amp;start=95" '
    'title="YouTube video player" frameborder="0" allow="accelerometer; autoplay; clipboard-write; encrypted-media; '
    'gyroscope; picture-in-picture; web-share" '
    'referrerpolicy="strict-origin-when-cross-origin" allowfullscreen></iframe>'
)
AT_95 = [
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&amp;t=95",
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&amp;amp;t=95s",
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&#38;t=95",
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&T=95",
    "HTTPS://WWW.YOUTUBE.COM/watch?V=aqz-KE-bpKQ&t=1M35S",
    "https://www.youtube.com/watch?time_continue=95&v=aqz-KE-bpKQ&feature=emb_title",
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ?t=95",
    "https://youtu.be/aqz-KE-bpKQ?si=x?t=95",
    "https://youtu.be/aqz-KE-bpKQ&t=95",
    "https://youtu.be/aqz-KE-bpKQ/?t=95",
    "https://youtu.be/aqz-KE-bpKQ?t=95/",
    "https://youtu.be/aqz-KE-bpKQ?t=95.",
    "https://youtu.be/aqz-KE-bpKQ?t=1m+35s",
    "https://youtu.be/aqz-KE-bpKQ?t=1:35",
    "https://youtu.be/aqz-KE-bpKQ?t=0:01:35",
    "https://youtu.be/aqz-KE-bpKQ?t=95&start=95",
    "https://youtu.be/aqz-KE-bpKQ#t=95",
    "https://YOUTU.BE./aqz-KE-bpKQ?t=95",
    "\u200bhttps://youtu.be/aqz-KE-bpKQ\u200b?t=95\ufeff",
    "\u2066https://youtu.be/aqz-KE-bpKQ?t=9\u00ad5\u2069",
    "<https://youtu.be/aqz-KE-bpKQ?t=95>",
    "\u201ehttps://youtu.be/aqz-KE-bpKQ?t=95\u201d,",
    "youtu.be/aqz-KE-bpKQ?t=95",
    "//www.youtube.com/embed/aqz-KE-bpKQ?start=95",
    "https:/youtu.be/aqz-KE-bpKQ?t=95",
    "https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ%26t%3D95",
    "m.youtube.com/watch?v=aqz-KE-bpKQ&t=95",
    "https://m.youtube.com/#/watch?v=aqz-KE-bpKQ&t=95",
    "https://music.youtube.com/watch?v=aqz-KE-bpKQ&list=RDAMVM&t=95",
    "https://gaming.youtube.com/watch?v=aqz-KE-bpKQ&t=95",
    "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=95",
    "https://www.youtube.com/video/aqz-KE-bpKQ?t=95",
    "https://studio.youtube.com/video/aqz-KE-bpKQ/edit?t=95",
    "https://www.youtube.com/shorts/aqz-KE-bpKQ?t=95",
    "https://www.youtube.com/live/aqz-KE-bpKQ?si=a&t=95",
    "https://www.youtube.com/watch/aqz-KE-bpKQ?t=95",
    "https://www.youtube.com/e/aqz-KE-bpKQ?start=95",
    "https://www.youtube.com/v/aqz-KE-bpKQ&start=95",
    "https://www.youtube.com/?v=aqz-KE-bpKQ&t=95",
    "https://www.youtube.com/watch?v=aqz-KE-bpKQ&list=PL123&index=4&t=95",
    "https://www.youtube.com/watch?list=PL123&v=aqz-KE-bpKQ/&t=95",
    "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Daqz-KE-bpKQ%26t%3D95",
    "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Daqz-KE-bpKQ%26t%3D95&gl=PL",
    "https://www.youtube.com/oembed?url=https%3A//www.youtube.com/watch%3Fv%3Daqz-KE-bpKQ%26t%3D95&format=json",
    EMBED,
    EMBED.replace('"', "'"),
    EMBED.replace("<", "&lt;").replace(">", "&gt;"),
    '<a href="https://youtu.be/aqz-KE-bpKQ?t=95">Listen</a>',
]


def test_moment_link_reads_each_form_of_address():
    check_each(AT_95, lambda typed: moment_link(typed) == ("https://youtu.be/aqz-KE-bpKQ?t=95", 95))


def test_addresses_stored_by_older_versions_are_read():
    stored = [typed for typed in AT_95 if typed.startswith("https://") and "%3A" not in typed]
    check_each(stored, lambda typed: (video_id(typed), start_second(typed)) == (VIDEO, 95))


def test_session_video_is_read_and_its_moment_refused():
    moment = re.compile(r"(?i)(time_continue|start|t)(=|%3D)(1m\+?35s|0:01:35|1:35|9\u00ad5s?|95s?)")

    def check(typed):
        with pytest.raises(ValidationError, match=r"begins at its beginning. Take the moment"):
            video_of(typed)
        without = moment.sub(r"\1\g<2>0", typed)
        assert without != typed
        assert video_of(without) == VIDEO

    check_each(AT_95, check)


def test_moment_link_names_the_error():
    def check(case):
        typed, error = case
        with pytest.raises(ValidationError, match=re.escape(error)):
            moment_link(typed)

    cases = [
        ("https://www.youtube.com/playlist?list=PL123", "a playlist"),
        ("https://www.youtube.com/embed/videoseries?list=PL123", "a playlist"),
        ("https://www.youtube.com/watch?list=PL123&t=95", "a playlist"),
        ("https://www.youtube.com/clip/UgkxAbcdefghijk", "a clip"),
        ("https://www.youtube.com/@chopininstitute/live", "a channel"),
        ("https://www.youtube.com/channel/UCabcdefghijk", "a channel"),
        ("https://www.youtube.com/embed/live_stream?channel=UC1", "a channel"),
        ("https://www.youtube.com/watch?v=aqz-KE-bpK&t=95", "is not complete"),
        ("https://youtu.be/aqz-KE-bpKQ1", "is not complete"),
        ("https://www.youtube.com/results?search_query=chopin", "names no video"),
        ("https://youtu.be/", "names no video"),
        ("https://vimeo.com/1", "not the address of a YouTube video"),
        ("javascript:alert(1)", "not the address of a YouTube video"),
        ("https://youtu.be.evil.example/aqz-KE-bpKQ", "not the address of a YouTube video"),
        ("https://youtube.com@example.org/watch?v=aqz-KE-bpKQ", "not the address of a YouTube video"),
        ("https://youtube.com.example.org/watch?v=aqz-KE-bpKQ", "not the address of a YouTube video"),
        ("https://example.org/?u=https://youtu.be/aqz-KE-bpKQ", "not the address of a YouTube video"),
        ("https://youtu.be/aqz-KE-bpKQ and https://youtu.be/XXXXXXXXXXX", "is not complete"),
        (f"{EMBED} {EMBED.replace('95', '7')}", "more than one address"),
        ("https://youtu.be/aqz-KE-bpKQ?t=later", "cannot be read"),
        ("https://youtu.be/aqz-KE-bpKQ?t=-5", "cannot be read"),
        ("https://youtu.be/aqz-KE-bpKQ?t=95&t=96", "two moments (95, 96)"),
        ("https://youtu.be/aqz-KE-bpKQ?t=5&start=95", "two moments (5, 95)"),
        ("https://youtu.be/aqz-KE-bpKQ?t=5#t=95", "two moments (5, 95)"),
    ]
    check_each(cases, check)


MOMENT = st.builds("{}{}".format, st.sampled_from(["t=", "T=", "start=", "time_continue="]), st.integers(0, 9999))
EXTRA = st.sampled_from(["si=abc", "list=PL1", "index=2", "feature=share", "pp=yg", "ab_channel=X"])
JOIN = st.sampled_from(["&", "?", "&amp;", "#", "/?", "&?"])


@given(st.sampled_from([form for form in FORMS if "=5" not in form]), st.lists(EXTRA, max_size=3), JOIN, MOMENT)
def test_moment_is_kept_or_refused(form, extra, join, moment):
    typed = join.join([form.format(VIDEO).strip(), *extra, moment])
    try:
        address, second = moment_link(typed)
    except ValidationError:
        return
    assert second == int(moment.partition("=")[2])
    assert address == f"https://youtu.be/{VIDEO}?t={second}"


@given(st.text(), ID)
def test_moment_link_returns_a_canonical_address(text, video):
    for typed in (text, f"https://youtu.be/{video}{text}", f"https://www.youtube.com/watch?{text}&v={video}"):
        try:
            address, second = moment_link(typed)
        except ValidationError:
            continue
        assert not address or (video_id(address), start_second(address)) == (address[17:28], second)
