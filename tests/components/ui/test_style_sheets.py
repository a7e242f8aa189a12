"""Selectors whose evaluation would cost every page."""

import re

import pytest

from project.config import ROOT

# A bare `li` before `:has()`, also with conditions in between: `.queue > li:not([data-own]):has(`.
ANY_ITEM = re.compile(r"(?<![\w.#-])li(?::not\([^)]*\)|\[[^\]]*\])*:has\(")
SHEETS = sorted((ROOT / "components" / "static" / "css").rglob("*.css"))


def test_no_list_item_of_another_page_is_asked_for_its_content() -> None:
    """Browsers evaluate `:has()` before the ancestors, and style all of an asked `li` again after a change inside.

    `:is(.queue > li):has(...)` asks only the items of that list.
    """
    found = [f"{sheet.name}: {match[0]}" for sheet in SHEETS for match in ANY_ITEM.finditer(sheet.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("selector", "asks"),
    [
        (".queue > li:has([open])", True),
        ('.rating li:not([data-own]):has(.score[data-value="0"])', True),
        (":is(.queue > li):has([open])", False),
        (":is(.rating li:not([data-own])):has(.score)", False),
        (".todo:not(:has(ol > li:not([hidden])))", False),
        (".list--li:has([open])", False),
    ],
)
def test_bare_items_are_recognised(selector: str, asks: bool) -> None:
    assert bool(ANY_ITEM.search(selector)) is asks
