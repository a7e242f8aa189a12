"""What an address of a video says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.competition.youtube import start_second, video_id

ID = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", min_size=11, max_size=11)
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


@pytest.mark.parametrize("form", FORMS)
@given(video=ID)
def test_video_id_is_found_in_every_form_people_paste(form, video):
    assert video_id(form.format(video)) == video


@pytest.mark.parametrize(
    "url",
    [
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
    ],
)
def test_video_id_is_none_for_anything_else(url):
    assert video_id(url) is None


@given(st.text())
def test_parsers_never_fail(text):
    for url in (text, f"https://youtu.be/{text}", f"https://youtu.be/aqz-KE-bpKQ?t={text}"):
        found = video_id(url)
        assert found is None or len(found) == 11
        second = start_second(url)
        assert second is None or second >= 0


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_start_second_reads_hours_minutes_and_seconds(hours, minutes, seconds):
    total = hours * 3600 + minutes * 60 + seconds
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={hours}h{minutes}m{seconds}s") == total
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={total}") == total
    assert start_second(f"https://www.youtube.com/watch?v=aqz-KE-bpKQ&t={total}s") == total
    assert start_second(f"https://www.youtube.com/watch?v=aqz-KE-bpKQ#t={total}") == total


@pytest.mark.parametrize(("moment", "second"), [("1h", 3600), ("2M", 120), ("1h5s", 3605), ("90m", 5400), ("0", 0)])
def test_start_second_reads_parts(moment, second):
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={moment}") == second


@pytest.mark.parametrize("moment", ["", "-5", "1.5", "5s3m", "later", "h", "99999999", "٥"])
def test_start_second_is_none_for_no_moment(moment):
    assert start_second(f"https://youtu.be/aqz-KE-bpKQ?t={moment}") is None


def test_start_second_is_none_without_one():
    assert start_second("https://youtu.be/aqz-KE-bpKQ") is None
    assert start_second("nothing") is None


def test_start_second_reads_the_start_of_an_embed():
    assert start_second("https://www.youtube.com/embed/aqz-KE-bpKQ?start=61") == 61
