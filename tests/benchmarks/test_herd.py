"""The simulation of a lost machine is deterministic, uses the client's delays, and reconnects every viewer once."""

import pytest

from benchmarks import capacity
from benchmarks.capacity import losses
from benchmarks.herd import Browser, Herd, Loss, last_back, numbers_of
from project.limits import render_admission
from project.limits.rates import COME_BACK_MOST, FIRST_RENDER_WAIT

EASY = Loss(viewers=1_000, processes=10, lost=2, render=0.001, load=0.5)
HARD = Loss(viewers=4_000, processes=4, lost=2, render=0.03, load=0.5)


def test_simulation_is_determined_by_its_seed() -> None:
    first = Herd(HARD).run()
    assert Herd(HARD).run().figures() == first.figures()
    assert Herd(HARD, seed=1).run().back != first.back


def test_viewers_that_lost_a_socket_are_back_once() -> None:
    for loss in (EASY, HARD):
        herd = Herd(loss).run()
        assert len(herd.back) == loss.viewers * loss.lost // loss.processes
        assert all(not each.queue and not each.rendering and not each.admission.waiting for each in herd.house)


def test_viewers_do_not_wait_while_there_is_room() -> None:
    figures, browser = Herd(EASY).run().figures(), Browser.of_sources()
    first = browser.steps[0]
    assert (figures["told"], figures["gave_up"]) == (0, 0)
    assert first * (1 - browser.spread) < figures["half_s"] < figures["last_s"] < first * (1 + browser.spread) + 0.5


def test_crowd_is_sent_away_for_a_time_and_served_without_a_pause() -> None:
    figures = Herd(HARD).run().figures()
    assert figures["told"] > 0
    # The wait may be a little above its limit: viewers come before a process has measured its first renders.
    render = HARD.render / (1 - HARD.load)
    assert FIRST_RENDER_WAIT < figures["longest_queue"] * render < 1.25 * FIRST_RENDER_WAIT
    assert figures["gave_up"] == 0
    work = 2_000 / 2 * render
    assert work <= figures["last_s"] <= work + COME_BACK_MOST * (1 + Browser.of_sources().named_spread)


def test_socket_without_a_first_render_connects_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_admission, "FIRST_RENDER_WAIT", 1_000.0)  # a server that rejects no viewer
    herd = Herd(HARD).run()
    assert herd.told == 0
    assert herd.gave_up > 0
    assert len(herd.back) == 2_000


def test_silent_machine_is_noticed_by_a_heartbeat() -> None:
    browser = Browser.of_sources()
    silent = last_back(Loss(1_000, 10, 2, 0.001, 0.5, silent=True))
    latest = browser.heartbeat + browser.pong + browser.steps[0] * (1 + browser.spread)
    assert browser.pong < silent <= latest + 0.5
    assert silent > last_back(EASY)


def test_browsers_have_the_delays_of_the_client() -> None:
    browser = Browser.of_sources()
    assert len(browser.steps) == 4
    assert list(browser.steps) == sorted(browser.steps)
    assert len(browser.patience) == 3
    assert 0 < browser.named_spread < browser.spread < 1
    assert (browser.waits(0), browser.waits(9)) == (browser.patience[0], browser.patience[-1])
    with pytest.raises(AssertionError, match=r"is not in connection\.js"):
        numbers_of("connection.js", r"NOTHING = (\d+)")


def test_benchmark_loses_a_machine_of_fifty_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {(loss.viewers, loss.processes) for _, loss in losses()} == {(100_000, 50)}
    small = [("a machine", EASY), ("half", HARD)]
    monkeypatch.setattr(capacity, "losses", lambda: small)
    lines = capacity.losses_table().splitlines()
    assert len(lines) == 2 + len(small)
    assert lines[2].startswith("| a machine ")
    assert f"{Herd(HARD).run().figures()['last_s']:.1f} s" in lines[3]
