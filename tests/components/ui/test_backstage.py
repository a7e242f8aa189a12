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


def test_a_page_has_one_heading_and_the_links_of_its_area_with_its_own_marked():
    ways = every(one(page(), "nav", aria_label="Prepare"), "a")
    assert [attributes(way).get("aria-current") for way in ways] == [None, None, None, "page", *[None] * 4]
    names = ["Participants", "Pieces", "Stages", "Sessions", "Programs", "Imports", "Jury", "News"]
    assert [name(way) for way in ways] == names
    assert text(one(page(), "h1")) == "Sessions"


def test_the_trail_leads_back_step_by_step_and_entrances_have_none():
    steps = every(one(page(trail=[("/admin/sessions", "Sessions")]), "p", "backstage__trail"), "a")
    assert [attributes(step)["href"] for step in steps] == ["/admin", "/admin/sessions"]
    for entrance in ("/admin", "/admin/prepare", "/admin/tonight", "/admin/records"):
        assert not every(tree(blocks.backstage("Backstage", page=at(entrance))), "p", "backstage__trail")


def test_a_search_stands_in_the_address_beside_what_is_kept():
    form = tree(blocks.search("/admin/blog", field("Title", "q"), language="en", hidden_fields={"tab": "audit"}))
    assert {"method": "get", "action": "/admin/blog", "data-navigate": ""}.items() <= attributes(form).items()
    assert attributes(one(form, "input", type="hidden"))["value"] == "audit"


def test_pages_keep_the_search_and_the_first_has_the_plain_address():
    def ways_of(number, pages):
        return paging(number, pages, path="/admin/blog", query={"q": "a b", "none": ""}, language="en")

    assert ways_of(1, 1) is None
    ways = [attributes(way)["href"] for way in every(tree(ways_of(2, 3)), "a")]
    assert ways == ["/admin/blog?q=a+b", "/admin/blog?q=a+b&page=3"]
    assert [name(way) for way in every(tree(ways_of(1, 2)), "a")] == ["Next page"]
    assert [name(way) for way in every(tree(ways_of(2, 2)), "a")] == ["Previous page"]
    assert "Page 2 of 3" in text(tree(ways_of(2, 3)))


def test_a_row_is_named_by_its_key_and_hangs_what_stands_beside_it():
    bare = tree(blocks.row("post-7", "Title", acts=["act"]))
    assert attributes(bare)["key"] == "post-7"
    assert not every(bare, "div", "entries__aside")
    assert text(one(tree(blocks.row("post-7", "Title", acts=[], aside="Monday")), "div", "entries__aside")) == "Monday"


def test_deleting_names_the_thing_asks_first_and_once_more_when_more_would_go():
    button = tree(
        blocks.delete_button("post_delete", 7, named="Encore", ask="Delete Encore?", words="It goes.", language="en")
    )
    assert name(button) == "Delete: Encore"
    asked = attributes(button)
    assert (asked["data-command"], asked["data-argument"]) == ("post_delete", "7")
    assert (asked["data-confirm"], asked["data-confirm-words"]) == ("Delete Encore?", "It goes.")
    assert (asked["data-busy"], asked["data-ask"]) == ("Deleting...", "Delete Encore?")


def test_a_form_page_guards_what_is_typed_and_keeps_the_version_that_was_read():
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
