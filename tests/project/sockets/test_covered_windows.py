"""Covered parts on open pages, in page views and in polls: no byte of them reaches a covered viewer."""

import asyncio
import gzip
import json

import pytest

from components.runtime.rendering.slots import covered, fill
from project.process.web_process import process
from tests.project.asking import ask, signed_in
from tests.project.conftest import Table
from tests.project.covering import House, house_of, opened, secrets_in
from tests.project.http.test_page_polls import Poller
from tests.project.moves import entered, until
from tests.project.pages import Board
from tests.screen import Screen

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house(board: Board, table: Table) -> House:
    return house_of(board, table)


async def changed(house: House, *screens: Screen) -> None:
    """Change all figures and a visible row, and wait until the row arrives."""
    house.change(*range(9))
    text = f"seen-{len(house.board.reads)}"
    house.board.texts["row-1"] = text
    process.bus.notify_listeners("row")
    for screen in screens:
        await screen.until(text)
    await until(lambda: not any(live.refresh for live in process.parts.live.values()))


async def test_covered_figures_reach_anonymous_visitors_but_no_member(house: House) -> None:
    async with opened() as member, opened(member=False) as visitor:
        assert "row 1 – row 2 –" in member.text
        assert "row 1 0 secret-1 0 row 2 0 secret-2 0" in visitor.text
        await changed(house, member, visitor)
        house.rows.append(4)  # a row that comes later
        process.bus.notify_listeners("rows")
        await member.until("row 4 –")
        await visitor.until("secret-4")
        member.send(json.dumps({"type": "part-request", "key": "figure:1:en"}))
        await changed(house, member, visitor)
        await member.go("/one")
        await member.go("/")
        await member.go_online()
        await changed(house, member, visitor)
        assert member.secrets() == set()
        assert visitor.secrets() == {"1", "2", "4"}


async def test_uncovered_figures_are_sent_until_covered_again(house: House) -> None:
    async with opened() as member:
        house.cover(figures=covered("–"), figures_2=fill())
        await member.until("row 2 0 secret-2 0")
        assert member.secrets() == {"2"}
        await changed(house, member)
        assert member.secrets() == {"2"}
        house.cover(figures=covered("hidden"))
        await member.until("row 2 hidden")
        await until(lambda: not process.parts.live["figure:2:en"].groups)
        member.secrets()
        await changed(house, member)
        await member.go_online()
        assert member.secrets() == set()
        house.cover()
        await member.until("secret-1")
        assert member.secrets() == {"1", "2"}


async def test_socket_that_opens_after_a_change_applies_the_new_cover(house: House) -> None:
    async with opened() as member:
        house.covers = {}
        await member.load("/")
        assert member.secrets() == {"1", "2"}
        await member.leave()
        house.covers = {"figures": covered("–")}
        house.change(1, 2)
        process.bus.notify_listeners("cover")  # while no window is open
        await member.go_online()  # the browser holds the figures in an old version
        await changed(house, member)
        assert "row 1" in member.text
        assert member.secrets() == set()


async def test_cover_that_changes_during_a_load_or_navigation_applies(house: House) -> None:
    async with opened() as member:
        house.board.held.add("page")
        process.bus.notify_listeners("page")  # the cached page is loaded again at the next request
        await entered(house.board)
        going = asyncio.create_task(member.go("/one"))
        house.cover(figures=covered("–"), figures_1=fill())
        house.board.held.clear()
        house.board.may_read.set()
        await going
        await member.until("row 1 0 secret-1 0")
        assert member.secrets() == {"1"}
        house.cover(figures=covered("–"))
        await member.go("/")
        await member.until("row 1 –")
        await until(lambda: not process.parts.live["figure:1:en"].groups)
        member.secrets()
        await changed(house, member)
        assert member.secrets() == set()


async def test_reloaded_page_keeps_the_cover(house: House) -> None:
    async with opened() as member:
        house.cover(figures=covered("–"), figures_2=fill())
        await member.until("row 2 0 secret-2 0")
        member.secrets()
        for number in range(3):
            house.board.texts["page"] = f"loaded {number}"
            process.bus.notify_listeners("page")
            await member.until(f"loaded {number}")
            await changed(house, member)
        assert member.secrets() == {"2"}


async def test_opened_part_is_covered_like_the_page(house: House) -> None:
    async with opened() as member:
        member.act("open", "")
        await member.until("row 3 –")
        await changed(house, member)
        assert member.secrets() == set()
        house.cover(figures=covered("–"), figures_3=fill())
        await member.until("secret-3")
        await changed(house, member)
        assert member.secrets() == {"3"}


async def test_closed_window_with_covers_leaves_no_subscription(house: House) -> None:
    async with opened() as member:
        member.act("open", "")
        await member.until("row 3 –")
        house.cover(figures=covered("–"), figures_1=fill())
        await member.until("secret-1")
        await member.leave()
        assert process.parts.groups == {}
        assert not any(live.groups for live in process.parts.live.values())


@pytest.mark.usefixtures("process_runs")
async def test_html_of_a_member_contains_no_covered_figure(house: House) -> None:
    own = {"cookie": await signed_in()}
    for headers in (own, own | {"accept_encoding": "gzip"}):
        answer = await ask("/", **headers)
        body = answer.body if "accept_encoding" not in headers else gzip.decompress(answer.body)
        assert answer.header("content-encoding") == headers.get("accept_encoding", "")
        assert secrets_in(body.decode()) == set()
        assert "row 1" in body.decode()
        assert 'data-part="row:1:en"' in body.decode()
        assert 'data-part="figure:' not in body.decode()
    for headers in ({}, {"accept_encoding": "gzip"}):
        body = (await ask("/", **headers)).body
        assert secrets_in((gzip.decompress(body) if headers else body).decode()) == {"1", "2"}
    house.covers = {"figures": covered("–"), "figures:2": fill()}
    html = (await ask("/", **own)).text
    assert secrets_in(html) == {"2"}
    assert 'data-part="figure:2:en"' in html


@pytest.mark.usefixtures("process_runs")
async def test_polls_of_a_member_respect_the_cover(house: House) -> None:
    fan, anonymous = Poller("/", cookie=await signed_in()), Poller("/")
    assert "figure:1:en" not in await fan.poll()
    assert secrets_in(fan.text) == set()
    assert "figure:1:en" in await anonymous.poll()
    house.change(1, 2)
    house.rows.append(4)
    process.bus.notify_listeners("rows")
    assert set(await fan.poll()) == {"rows:en", "row:4:en"}
    assert secrets_in(fan.text) == set()
    fan.versions |= {"figure:1:en": "1", "figure:4:en": "2"}  # versions from a browser select no covered part
    await fan.poll()
    assert secrets_in(fan.text) == set()
    house.covers = {"figures": covered("–"), "figures:4": fill()}
    assert await fan.poll() == ["figure:4:en", "page"], "the figure comes before the model that shows it"
    assert secrets_in(fan.text) == {"4"}
    house.covers = {"figures": covered("–")}
    assert await fan.poll() == ["page"]
    assert await fan.poll() == []
    house.change(4)
    await fan.poll()
    assert fan.answer.status == 304, "a change of a covered figure is no change of the page"
