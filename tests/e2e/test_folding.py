"""An anonymous visitor on a phone: the audience's figures of a performance fold until all is marked, or Show."""

from collections.abc import Iterator

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.rating import form_of, item_opened, keys_opened, ranges_of, scripted, unrated
from tests.e2e.windows import Windows, live

PHONE = {"width": 360, "has_touch": True}
HEIGHTS = "all => all.map((each) => each.getBoundingClientRect().height)"


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Yield a participant's page."""
    yield from unrated(site)


def heard(page: Page, piece: int) -> Locator:
    """Return the words of the audience's marks of a piece of the newest performance, by its place in the program."""
    return form_of(page).locator(".marks__heard > [data-slot^=piece_figures]").nth(piece)


def whole(page: Page) -> Locator:
    """Return the audience's mean of the newest performance, beside its keys."""
    return form_of(page).locator("legend [data-slot^=figures]")


async def folds(page: Page) -> list[bool]:
    """Return whether the figures of each piece, and those of the whole performance, are folded."""
    await expect(whole(page)).to_be_attached()
    return (
        await form_of(page)
        .locator(".marks__heard > [data-slot^=piece_figures], legend [data-slot^=figures]")
        .evaluate_all("all => all.map((each) => getComputedStyle(each).visibility === 'hidden')")
    )


async def strike(page: Page, piece: int) -> None:
    """Mark a piece with 20."""
    await (await item_opened(form_of(page), piece)).focus()
    await page.keyboard.type("20")


async def test_audience_figures_fold_with_the_first_mark_and_unfold_with_the_last(
    windows: Windows, address: str
) -> None:
    page = await windows.open(address, **PHONE)
    await keys_opened(page)
    await scripted(page)
    form = form_of(page)
    pieces = await ranges_of(form).count()
    assert pieces > 1
    assert await folds(page) == [True] * pieces + [False], "those of the pieces are folded from the start"
    await (await item_opened(form)).scroll_into_view_if_needed()
    keys = form.locator(".marks, .pair")
    before = await keys.evaluate_all(HEIGHTS)
    await strike(page, 0)
    await expect(whole(page)).to_be_hidden()
    await expect(heard(page, 0)).to_be_visible()
    assert await keys.evaluate_all(HEIGHTS) == before, "what is folded keeps its space"
    folded = [False] + [True] * pieces
    assert await folds(page) == folded
    assert await barriers(page) == ""

    other = await page.context.new_page()
    windows.watch(other)
    await other.goto(address)
    await page.reload()
    for window in (page, other):
        await live(window)
        await expect(whole(window)).to_be_hidden()
        assert await folds(window) == folded
    for piece in range(1, pieces):
        await strike(page, piece)
    for window in (page, other):
        await expect(whole(window)).to_be_visible()
        assert await folds(window) == [False] * (pieces + 1)
