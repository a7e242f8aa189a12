"""The calculation of an evening from its samples."""

import json
from types import SimpleNamespace

import pytest

from benchmarks.evening import (
    APPROVAL,
    CHANGES,
    COMMENT,
    COMMENTS,
    KIND_OF,
    NO_PART,
    OTHER,
    PERFORMER,
    PERFORMERS,
    RATING,
    REACTION,
    SAMPLES,
    SECONDS,
    SESSION,
    Watcher,
    figures,
)
from components.pages.public.session.page import _session_parts
from components.runtime.rendering.frames import frame
from components.runtime.rendering.parts import REGISTERED
from tests.benchmarks.test_viewers import DECLINED, Transport


async def watcher() -> Watcher:
    bench = SimpleNamespace(
        phase="sample", first=b"none", deflate=False, order=SimpleNamespace(port=1), received=0, look=lambda _viewer: 0
    )
    viewer = Watcher(bench, "/live/", deflate=False)  # type: ignore[arg-type]
    viewer.connection_made(Transport())
    viewer.data_received(DECLINED)
    return viewer


async def test_bytes_of_a_frame_are_counted_for_its_part():
    viewer = await watcher()
    one, other = ([[f"{name}:1:en", "1", "text"]] for name in ("session_comments", "stage_moments"))
    viewer.data_received(frame(one) + frame(other) + frame(one))
    assert viewer.counts == {
        ("sample", "session_comments"): 2 * len(frame(one)), ("sample", "stage_moments"): len(frame(other)),
    }  # fmt: skip


async def test_bytes_of_a_frame_are_divided_between_its_parts():
    viewer = await watcher()
    parts = [["session_now:1:en", "1", "x" * 60], ["session_order:1:en", "1", "x"]]
    several = frame(parts)
    viewer.data_received(several)
    now, order = (viewer.counts["sample", name] for name in ("session_now", "session_order"))
    assert now + order == pytest.approx(len(several))
    assert now / order == pytest.approx(len(json.dumps(parts[0])) / len(json.dumps(parts[1])))


async def test_frame_without_parts_is_counted():
    viewer = await watcher()
    viewer.data_received(frame({"type": "pong"}))
    assert viewer.counts == {("sample", NO_PART): len(frame({"type": "pong"}))}


def test_kinds_of_frames_are_scaled_to_the_evening():
    counts = {
        ("connection", NO_PART): 7.0,
        ("warm-up", "session_now"): 1e9,
        ("change", "session_now"): 30.0 * CHANGES,
        ("change", "performance_strings"): 2.0 * CHANGES,
        ("change", "session_comments_of_sight"): 1e9,
        ("pause", "stage_moments"): 1e9,
        ("settling", "stage_moments"): 1e9,
        ("sample", "session_comments_of_sight"): 500.0,
        ("sample", "comment_count"): 100.0,
        ("sample", "stage_moments"): 90.0,
        ("sample", "performance_means"): 40.0 * SAMPLES,
        ("sample", "unknown"): 10.0,
        ("ends", "session_now"): 5.0,
    }
    scaled = figures(counts, 20.0)
    assert scaled["kinds"] == {
        PERFORMER: pytest.approx(32 * PERFORMERS),
        COMMENT: pytest.approx(600 * SECONDS / 20),
        REACTION: pytest.approx(90 * SECONDS / 20),
        RATING: pytest.approx(40 * SECONDS / APPROVAL),
        SESSION: 5.0,
        OTHER: pytest.approx(7 + 10 * SECONDS / 20),
    }
    assert scaled["one"][PERFORMER] == pytest.approx(32)
    assert scaled["one"][COMMENT] == pytest.approx(600 / 20 / COMMENTS)
    assert scaled["one"][RATING] == pytest.approx(40)
    assert scaled["parts"][f"{PERFORMER}: performance_strings"] == 2 * PERFORMERS


def test_parts_of_the_session_page_have_a_kind():
    assert {ref.part.name for ref in _session_parts(1, 1, "en").values()} <= KIND_OF.keys() <= REGISTERED.keys()
