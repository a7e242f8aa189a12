"""The blocks of administration pages: frame, search, paging, rows, delete buttons and forms."""

from components.runtime.commands import command_form
from components.runtime.page import Page
from components.ui import frames as blocks
from components.ui.blocks import paging
from components.ui.forms import field
from tests.components.seen import attributes, every, name, one, text, tree


def at(path):
    return Page("", lambda _: None, path=path, address=path)


def page(**more):
    return tree(blocks.backstage("Sessions", "inside", page=at("/admin/sessions"), **more))


def test_page_has_one_heading_and_marks_its_link_in_the_area():
    links = every(one(page(), "nav", aria_label="Prepare"), "a")
    assert [attributes(link).get("aria-current") for link in links] == [None, None, None, "page", *[None] * 4]
    names = ["Participants", "Pieces", "Stages", "Sessions", "Programs", "Imports", "Jury", "News"]
    assert [name(link) for link in links] == names
    assert text(one(page(), "h1")) == "Sessions"


def test_trail_leads_back_and_is_absent_on_entrance_pages():
    steps = every(one(page(trail=[("/admin/sessions", "Sessions")]), "p", "backstage__trail"), "a")
    assert [attributes(step)["href"] for step in steps] == ["/admin", "/admin/sessions"]
    for entrance in ("/admin", "/admin/prepare", "/admin/tonight", "/admin/records"):
        assert not every(tree(blocks.backstage("Backstage", page=at(entrance))), "p", "backstage__trail")


def test_search_form_navigates_and_keeps_hidden_fields():
    form = tree(blocks.search("/admin/blog", field("Title", "q"), language="en", hidden_fields={"tab": "audit"}))
    assert {"method": "get", "action": "/admin/blog", "data-navigate": ""}.items() <= attributes(form).items()
    assert attributes(one(form, "input", type="hidden"))["value"] == "audit"


def test_paging_links_keep_the_search():
    def links_of(number, pages):
        return paging(number, pages, path="/admin/blog", query={"q": "a b", "none": ""}, language="en")

    assert links_of(1, 1) is None
    addresses = [attributes(link)["href"] for link in every(tree(links_of(2, 3)), "a")]
    assert addresses == ["/admin/blog?q=a+b", "/admin/blog?q=a+b&page=3"], "the first page has the plain address"
    assert [name(link) for link in every(tree(links_of(1, 2)), "a")] == ["Next page"]
    assert [name(link) for link in every(tree(links_of(2, 2)), "a")] == ["Previous page"]
    assert "Page 2 of 3" in text(tree(links_of(2, 3)))


def test_row_has_its_key_and_an_optional_aside():
    bare = tree(blocks.row("post-7", "Title", acts=["act"]))
    assert attributes(bare)["key"] == "post-7"
    assert not every(bare, "div", "entries__aside")
    assert text(one(tree(blocks.row("post-7", "Title", acts=[], aside="Monday")), "div", "entries__aside")) == "Monday"


def test_delete_button_names_its_object_and_asks_first():
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
