"""The three areas of administration: every page belongs to one, and the bar marks it."""

from apps.core.texts import texts
from components.pages.admin.dashboard.query import Tab
from components.routes import Access, table
from components.runtime.page import Page
from components.ui.areas import AREAS, area_links, area_of, areas_bar
from tests.components.seen import attributes, every, name, tree
from tests.offenders import check_each

T = texts("en")
ADMINS = [route.pattern for route in table() if route.access is Access.ADMIN and not route.only_with]
TABS = ["/admin", *(f"/admin?tab={tab}" for tab in Tab if tab is not Tab.PIECES)]


def at(address):
    return Page("", lambda _: None, path=address.partition("?")[0], address=address)


def current(node):
    """Return the names and marks of the links that are marked as current."""
    return [(name(link), mark) for link in every(tree(node), "a") if (mark := attributes(link).get("aria-current"))]


def test_every_page_and_tab_belongs_to_one_area():
    def has_one_area(address):
        area = area_of(at(address))
        assert area is not None
        others = [other for other in AREAS if other is not area]
        return not [each for each in others if address in (each.path, *each.others, *(to for to, _ in each.links(T)))]

    check_each([*ADMINS, *TABS], has_one_area, at_least=20)


def test_bar_has_three_areas_and_marks_that_of_the_page():
    marks = [
        ("/admin/prepare", "Prepare", "page"),
        ("/admin/participants?mode=edit&id=7", "Prepare", "true"),
        ("/admin/program-import", "Prepare", "true"),
        ("/admin", "Tonight", "true"),
        ("/admin?tab=nothing", "Tonight", "true"),
        ("/admin?tab=performances&show=all", "Tonight", "true"),
        ("/admin?tab=audit", "People and records", "true"),
        ("/admin/people?tab=live", "People and records", "true"),
        ("/admin/records", "People and records", "page"),
    ]
    bars = [(address, areas_bar(at(address))) for address, _, _ in marks]
    assert [(address, *current(bar)[0]) for address, bar in bars] == marks
    assert {len(current(bar)) for _, bar in bars} == {1}
    names = {tuple(name(link) for link in every(tree(bar), "a")) for _, bar in bars}
    assert names == {("Prepare", "Tonight", "People and records")}


def test_links_of_an_area_mark_the_current_page_only():
    assert current(area_links(at("/admin/people"))) == [("People", "page")]
    assert current(area_links(at("/admin/prepare"))) == []
    assert current(area_links(at("/admin?tab=audit"))) == []


def test_dashboard_has_the_four_links_of_the_specification():
    for address in TABS:
        links = [attributes(link)["href"] for link in every(tree(area_links(at(address))), "a")]
        assert links == ["/admin/blog", "/admin/pieces", "/admin/participants", "/admin/sessions"], address
