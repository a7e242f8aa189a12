"""The blocks of administration pages, and the three areas to which all of these pages belong."""

from apps.core.texts import texts
from components.pages.admin.dashboard.query import Tab
from components.routes import Access, table
from components.runtime.commands import command_form
from components.runtime.page import Page
from components.ui import frames as blocks
from components.ui.areas import AREAS, area_links, area_of, areas_bar
from components.ui.blocks import paging
from components.ui.forms import field
from tests.components.seen import attributes, every, name, one, text, tree
from tests.offenders import check_each


def at(path):
    return Page("", lambda _: None, path=path, address=path)


def page(**more):
    return tree(blocks.backstage("Sessions", "inside", page=at("/admin/sessions"), **more))


def test_page_has_one_heading_and_a_trail_that_entrance_pages_lack():
    links = every(one(page(), "nav", aria_label="Prepare"), "a")
    assert [attributes(link).get("aria-current") for link in links] == [*[None] * 4, "page", *[None] * 4]
    names = ["Participants", "Pieces", "Pianos", "Stages", "Sessions", "Programs", "Imports", "Jury", "Blog"]
    assert [name(link) for link in links] == names
    assert text(one(page(), "h1")) == "Sessions"
    steps = every(one(page(trail=[("/admin/sessions", "Sessions")]), "p", "backstage__trail"), "a")
    assert [attributes(step)["href"] for step in steps] == ["/admin", "/admin/sessions"]
    for entrance in ("/admin", "/admin/prepare", "/admin/tonight", "/admin/records"):
        assert not every(tree(blocks.backstage("Backstage", page=at(entrance))), "p", "backstage__trail")


def test_search_and_paging_keep_the_query():
    form = tree(blocks.search("/admin/blog", field("Title", "q"), language="en", hidden_fields={"tab": "audit"}))
    assert {"method": "get", "action": "/admin/blog", "data-navigate": ""}.items() <= attributes(form).items()
    assert attributes(one(form, "input", type="hidden"))["value"] == "audit"

    def links_of(number, pages):
        return paging(number, pages, path="/admin/blog", query={"q": "a b", "none": ""}, language="en")

    assert links_of(1, 1) is None
    addresses = [attributes(link)["href"] for link in every(tree(links_of(2, 3)), "a")]
    assert addresses == ["/admin/blog?q=a+b", "/admin/blog?q=a+b&page=3"], "the first page has the plain address"
    assert [name(link) for link in every(tree(links_of(1, 2)), "a")] == ["Next page"]
    assert [name(link) for link in every(tree(links_of(2, 2)), "a")] == ["Previous page"]
    assert "Page 2 of 3" in text(tree(links_of(2, 3)))


def test_row_has_its_key_and_delete_button_names_its_object():
    bare = tree(blocks.row("post-7", "Title", acts=["act"]))
    assert attributes(bare)["key"] == "post-7"
    assert not every(bare, "div", "entries__aside")
    assert text(one(tree(blocks.row("post-7", "Title", acts=[], aside="Monday")), "div", "entries__aside")) == "Monday"
    button = tree(
        blocks.delete_button("post_delete", 7, named="Encore", ask="Delete Encore?", words="It goes.", language="en")
    )
    assert name(button) == "Delete: Encore"
    data = attributes(button)
    assert (data["data-command"], data["data-argument"]) == ("post_delete", "7")
    assert (data["data-confirm"], data["data-confirm-words"]) == ("Delete Encore?", "It goes.")
    assert (data["data-busy"], data["data-ask"]) == ("Deleting...", "Delete Encore?")


def test_form_page_guards_drafts_and_keeps_the_version():
    form = tree(
        blocks.form_page(
            command_form("post_update", 7, draft="post-7"),
            field("Title", "title"),
            save="Update Post",
            cancel="/admin/blog",
            version="v1",
            language="en",
        )
    )
    assert {"data-command", "data-draft", "data-guard", "data-guard-words"} <= attributes(form).keys()
    version = attributes(one(form, "input", name="version"))
    assert (version["type"], version["defaultValue"]) == ("text", "v1"), "hidden inputs are in no draft"
    assert attributes(one(form, "a"))["href"] == "/admin/blog"
    assert attributes(one(form, "button", type="submit"))["data-busy"] == "Saving..."
    fresh = tree(blocks.form_page(command_form("post_create"), save="Create", cancel="/admin/blog", language="en"))
    assert not every(fresh, "input")


T = texts("en")
ADMINS = [route.pattern for route in table() if route.access is Access.ADMIN and not route.only_with]
TABS = ["/admin", *(f"/admin?tab={tab}" for tab in Tab if tab is not Tab.PIECES)]


def area_page(address):
    return Page("", lambda _: None, path=address.partition("?")[0], address=address)


def current(node):
    """Return the names and marks of the links that are marked as current."""
    return [(name(link), mark) for link in every(tree(node), "a") if (mark := attributes(link).get("aria-current"))]


def test_every_page_and_tab_belongs_to_one_area():
    def has_one_area(address):
        area = area_of(area_page(address))
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
    bars = [(address, areas_bar(area_page(address))) for address, _, _ in marks]
    assert [(address, *current(bar)[0]) for address, bar in bars] == marks
    assert {len(current(bar)) for _, bar in bars} == {1}
    names = {tuple(name(link) for link in every(tree(bar), "a")) for _, bar in bars}
    assert names == {("Prepare", "Tonight", "People and records")}


def test_links_of_an_area_mark_the_current_page_only():
    assert current(area_links(area_page("/admin/people"))) == [("People", "page")]
    assert current(area_links(area_page("/admin/prepare"))) == []
    assert current(area_links(area_page("/admin?tab=audit"))) == []
    for address in TABS:
        links = [attributes(link)["href"] for link in every(tree(area_links(area_page(address))), "a")]
        assert links == ["/admin/blog", "/admin/pieces", "/admin/participants", "/admin/sessions"], address
