"""Covered parts in page views and polls: the HTML, compressed or not, and the answers to polls do not contain them."""

import gzip

import pytest

from components.runtime.rendering.slots import covered, fill
from project.process.web_process import process
from tests.project.asking import ask, signed_in
from tests.project.conftest import Table
from tests.project.covering import House, house_of, secrets_in
from tests.project.http.test_page_polls import Poller
from tests.project.pages import Board

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("process_runs")]


@pytest.fixture
def house(board: Board, table: Table) -> House:
    """Serve the pages of a house."""
    return house_of(board, table)


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


async def test_anonymous_page_contains_all_figures_and_is_cached(house: House) -> None:
    await ask("/", cookie=await signed_in())
    await ask("/")
    reads = len(house.board.reads)
    assert secrets_in((await ask("/")).text) == {"1", "2"}
    assert len(house.board.reads) == reads
