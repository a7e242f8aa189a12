"""The named screens on a phone of 360 by 740 pixels, against the table of tests/screens.py.

Measured are the length, the sizes of type, targets that are too small, the first row of the ranking, and the first key.
"""

import pytest
from django.utils import timezone
from playwright.async_api import Page

from apps.competition.models import Participant
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.layout import PHONE, SMALL, TYPE_SIZES
from tests.e2e.windows import Windows, live
from tests.screens import FIRST_KEY, FIRST_ROW, HEIGHT, MOST_SIZES, SCREENS

# Returns the length up to an element or of the whole page, in pixels, with sizes of type and small targets.
MEASURES = f"""(until) => {{
  const end = until && document.querySelector(until);
  const length = end ? end.getBoundingClientRect().top + scrollY : document.documentElement.scrollHeight;
  return [length, ({TYPE_SIZES})(), ({SMALL})()];
}}"""
# Repeats ranked rows up to a number of them, and removes what a table without other rows has not.
RANKED = """(count) => {
  const body = document.querySelector(".rank tbody");
  for (const other of document.querySelectorAll(".rank__all, .rank tbody + tbody, .rank__fold")) other.remove();
  const rows = [...body.children].filter((row) => !row.matches(".rank__inside"));
  for (let at = rows.length; at < count; at++) body.append(rows[at % rows.length].cloneNode(true));
  return [...body.children].filter((row) => row.checkVisibility() && row.querySelector(".rank__nr b")).length;
}"""
# Returns the top of the first visible element, in pixels; null without one.
TOP = """(selector) => {
  const first = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  return first ? first.getBoundingClientRect().top + scrollY : null;
}"""


def participant_of_two(site: Site) -> int:
    """Return a participant with two appearances, one of them to come."""

    def found() -> int:
        coming = Participant.objects.filter(appearances__session__starts_at__gt=timezone.now()).order_by("pk")
        return next(each.pk for each in coming if each.appearances.count() == 2)

    return site.desk.do(found)


async def faults(page: Page, who: str, site: Site, two: int) -> list[str]:
    """Return what exceeds the table in this window."""
    found = []
    for screen in SCREENS:
        path = site.appearances.at(screen.path.replace("{two}", str(two)))
        await page.goto(path)
        await live(page)
        if screen.ranked:
            assert await page.evaluate(RANKED, screen.ranked) == screen.ranked
        length, sizes, small = await page.evaluate(MEASURES, screen.until)
        most = screen.visitor if who == "visitor" else screen.member
        if length > most * HEIGHT:
            found.append(f"{who}, {path}: {length / HEIGHT:.2f} screens, at most {most}")
        if len(sizes) > MOST_SIZES:
            found.append(f"{who}, {path}: {len(sizes)} sizes of type: {', '.join(sizes)}")
        found += [f"{who}, {path}: too small: {target}" for target in small]
    return found


async def too_far(page: Page, path: str, selector: str, most: float) -> list[str]:
    """Return a fault if the first of these elements is further down than `most` screens, or there is none."""
    await page.goto(path)
    await live(page)
    top = await page.evaluate(TOP, selector)
    if top is not None and top <= most * HEIGHT:
        return []
    return [f"{path}: {selector} is {'absent' if top is None else f'{top / HEIGHT:.2f} screens down'}, at most {most}"]


@pytest.mark.limit(180, reason="measures eleven pages for a visitor and a member")
async def test_named_screens_are_short_on_a_phone(site: Site, windows: Windows) -> None:
    two = participant_of_two(site)
    here = {"width": PHONE, "has_touch": True, "timezone_id": "Europe/Warsaw"}
    visitor = await windows.open(**here)
    member = await windows.open(**here, session=site.sign_in(LISTENER))
    found = await faults(visitor, "visitor", site, two) + await faults(member, "member", site, two)
    at = site.appearances
    found += await too_far(visitor, "/ranking", "main table tbody tr", FIRST_ROW)
    found += await too_far(visitor, at.at("/sessions/{live}"), ".items__name, .score__board", FIRST_KEY)
    assert not found, "\n".join(found)
