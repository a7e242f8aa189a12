"""The three areas of administration: every page belongs to one, and the bar marks it."""

import pytest

from apps.core.texts import texts
from components.pages.admin.dashboard.query import Tab
from components.routes import Access, table
from components.runtime.page import Page
from components.ui.areas import AREAS, area_links, area_of, areas_bar
from tests.components.seen import attributes, every, name, tree

T = texts("en")
ADMINS = [route.pattern for route in table() if route.access is Access.ADMIN and not route.only_with]
TABS = ["/admin", *(f"/admin?tab={tab}" for tab in Tab if tab is not Tab.PIECES)]


def at(address):
    return Page("", lambda _: None, path=address.partition("?")[0], address=address)


def current(node):
    return [(name(way), mark) for way in every(tree(node), "a") if (mark := attributes(way).get("aria-current"))]


@pytest.mark.parametrize("address", [*ADMINS, *TABS])
def test_every_page_and_every_tab_belongs_to_one_area(address):
    area = area_of(at(address))
    assert area is not None
    others = [each for each in AREAS if each is not area]
    assert not [each for each in others if address in (each.path, *each.others, *(to for to, _ in each.links(T)))]


@pytest.mark.parametrize(
    ("address", "area", "mark"),
    [
        ("/admin/prepare", "Prepare", "page"),
        ("/admin/participants?mode=edit&id=7", "Prepare", "true"),
        ("/admin/program-import", "Prepare", "true"),
        ("/admin", "Tonight", "true"),
        ("/admin?tab=nothing", "Tonight", "true"),
        ("/admin?tab=performances&show=all", "Tonight", "true"),
        ("/admin?tab=audit", "People and records", "true"),
        ("/admin/people?tab=live", "People and records", "true"),
        ("/admin/records", "People and records", "page"),
    ],
)
def test_the_bar_has_three_areas_and_marks_that_of_the_page(address, area, mark):
    page = at(address)
    assert [name(way) for way in every(tree(areas_bar(page)), "a")] == ["Prepare", "Tonight", "People and records"]
    assert current(areas_bar(page)) == [(area, mark)]


def test_the_links_of_an_area_mark_the_page_or_the_tab():
    assert current(area_links(at("/admin/people"))) == [("People", "page")]
    assert current(area_links(at("/admin/prepare"))) == []
    assert current(area_links(at("/admin?tab=audit"))) == []


def test_the_dashboard_keeps_the_four_links_of_the_specification():
    for address in TABS:
        ways = every(tree(area_links(at(address))), "a")
        assert [attributes(way)["href"] for way in ways] == [
            "/admin/blog", "/admin/pieces", "/admin/participants", "/admin/sessions",
        ]  # fmt: skip
